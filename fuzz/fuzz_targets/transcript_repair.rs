//! See `tests/shared/transcript_fuzz.rs`.

#![no_main]

#[path = "../../tests/shared/html.rs"]
#[allow(dead_code)]
mod html;
#[path = "../../tests/shared/transcript_fuzz.rs"]
#[expect(dead_code, reason = "each target uses one of them")]
mod transcript_fuzz;

libfuzzer_sys::fuzz_target!(|data: &[u8]| transcript_fuzz::transcript_repair(data));
