//! One file per command; nothing imports this module.
