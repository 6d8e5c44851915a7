//! See `tests/shared/fuzz.rs`.

#![no_main]

#[path = "../../tests/shared/fuzz.rs"]
#[expect(dead_code, reason = "each target uses one of them")]
mod fuzz;
#[path = "../../tests/shared/plan_world.rs"]
#[allow(dead_code)]
mod plan_world;

libfuzzer_sys::fuzz_target!(|data: &[u8]| fuzz::index_salvage(data));
