//! The corpus of the fuzz targets as ordinary tests: each file as it is, cut, and with bytes changed.

#![expect(clippy::unwrap_used, reason = "a failed step of a test is a failed test")]
#![expect(clippy::expect_used, reason = "a broken law is a failed test")]

#[path = "shared/fuzz.rs"]
mod fuzz;
#[path = "shared/html.rs"]
mod html;
#[path = "shared/plan_world.rs"]
mod plan_world;
#[path = "shared/transcript_fuzz.rs"]
mod transcript_fuzz;

use std::path::Path;

#[test]
fn every_target_passes_its_corpus() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/corpus");
    let transcripts: [(&str, fuzz::Target); 2] = [
        ("transcript_repair", transcript_fuzz::transcript_repair),
        ("transcript_page", transcript_fuzz::transcript_page),
    ];
    for (name, target) in fuzz::TARGETS.iter().chain(&transcripts) {
        let files: Vec<_> = std::fs::read_dir(root.join(name)).unwrap().map(|e| e.unwrap().path()).collect();
        assert!(!files.is_empty(), "no corpus for {name}");
        let mut runs = 0;
        for file in &files {
            let bytes = std::fs::read(file).unwrap();
            for variant in variants(&bytes) {
                target(&variant);
                runs += 1;
            }
        }
        println!("corpus: {name}: {} files, {runs} variants", files.len());
    }
}

/// The bytes, cut at up to 64 places, and with a byte changed at as many.
fn variants(bytes: &[u8]) -> Vec<Vec<u8>> {
    let step = (bytes.len() / 64).max(1);
    let mut out = vec![bytes.to_vec()];
    for at in (0..bytes.len()).step_by(step) {
        out.push(bytes[..at].to_vec());
        for other in [0, b'"', b'}', bytes[at] ^ 0x20, b'\n', 1, 0xFF] {
            let mut changed = bytes.to_vec();
            changed[at] = other;
            out.push(changed);
        }
    }
    out
}
