//! Where the state lives and which stores a command works on. No later code looks at flags.
