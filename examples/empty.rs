//! A program that does nothing: what starting a Rust program costs.

fn main() {}
