//! Verified compressed copies outside the live folder.
