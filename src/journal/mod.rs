//! Run folders: what a run did, kept so that it can be undone or finished.

pub mod layout;
