//! Whether two files hold the same bytes, streamed.

use std::io::{self, Read};
use std::path::Path;

use crate::fsx::read as fsx;

/// Compares two regular files.
///
/// # Errors
/// One of them cannot be read.
pub fn same(a: &Path, b: &Path) -> io::Result<bool> {
    let ((mut a, fa), (mut b, fb)) = (fsx::open_regular(a)?, fsx::open_regular(b)?);
    if fa.size != fb.size {
        return Ok(false);
    }
    let (mut left, mut right) = (vec![0; 1 << 16], vec![0; 1 << 16]);
    loop {
        let (x, y) = (fill(&mut a, &mut left)?, fill(&mut b, &mut right)?);
        if left[..x] != right[..y] {
            return Ok(false);
        }
        if x == 0 {
            return Ok(true);
        }
    }
}

fn fill(file: &mut std::fs::File, buffer: &mut [u8]) -> io::Result<usize> {
    let mut len = 0;
    while len < buffer.len() {
        match file.read(&mut buffer[len..]) {
            Ok(0) => break,
            Ok(got) => len += got,
            Err(e) if e.kind() == io::ErrorKind::Interrupted => {}
            Err(e) => return Err(e),
        }
    }
    Ok(len)
}
