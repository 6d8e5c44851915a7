//! What is kept to be faster next time: indexes of transcripts, in the cache folder of the user.

pub mod folder;
pub mod index;
