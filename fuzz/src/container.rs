//! Properties of containers, and of the program sections that hold them.

use crate::memory::bounded;
use sinter_core::container::{BLOB_HEADER_SIZE, BLOB_MAGIC, Container, blobs};

/// Offset of the payload size in a blob.
const SIZE_OFFSET: usize = 16;
/// Offset of the payload digest in a blob.
const DIGEST_OFFSET: usize = 24;

/// Checks `bytes` as a container and as a section of blobs, as they are and with correct digests.
pub fn check(bytes: &[u8]) {
    if parse(bytes) {
        parse(&with_object_id(bytes));
    }
    section(bytes);
    section(&with_digests(bytes));
}

/// Reads a container completely. True if it is valid.
fn parse(bytes: &[u8]) -> bool {
    bounded(bytes, || {
        let Ok(container) = Container::parse(bytes) else { return false };
        let verified = container.verify();
        for kernel in container.kernels() {
            let found = container.kernel(kernel.symbol);
            assert_eq!(found.map(|found| found.symbol), Some(kernel.symbol), "a kernel is found by its symbol");
            let image = container.image_of(kernel);
            assert!(image.is_some() || verified.is_err(), "a verified kernel has its image");
        }
        true
    })
}

fn section(bytes: &[u8]) {
    for blob in bounded(bytes, || blobs(bytes).collect::<Vec<_>>()).into_iter().flatten() {
        parse(blob);
    }
}

/// The container with its object id corrected, so that the checks after that of the id are reached.
fn with_object_id(bytes: &[u8]) -> Vec<u8> {
    let first = bytes.iter().position(|byte| *byte == b'\n').map_or(0, |end| end + 1);
    let rest = if bytes.starts_with(b"object-id") { &bytes[first..] } else { bytes };
    let mut repaired = format!("object-id = {}\n", blake3::hash(rest).to_hex()).into_bytes();
    repaired.extend_from_slice(rest);
    repaired
}

/// The section with corrected size and digest of each blob.
fn with_digests(bytes: &[u8]) -> Vec<u8> {
    let mut section = bytes.to_vec();
    let starts = (0..section.len()).step_by(BLOB_HEADER_SIZE).filter(|at| bytes[*at..].starts_with(BLOB_MAGIC));
    for start in starts {
        repair(&mut section[start..]);
    }
    section
}

fn repair(blob: &mut [u8]) {
    let Some((header, body)) = blob.split_first_chunk_mut::<BLOB_HEADER_SIZE>() else { return };
    let size = u64::from_le_bytes(std::array::from_fn(|i| header[SIZE_OFFSET + i]));
    // Half of the sizes that are too large are left so.
    let fits = if size > body.len() as u64 && size % 2 == 0 { body.len() as u64 } else { size };
    header[SIZE_OFFSET..DIGEST_OFFSET].copy_from_slice(&fits.to_le_bytes());
    let Some(payload) = usize::try_from(fits).ok().and_then(|size| body.get(..size)) else { return };
    header[DIGEST_OFFSET..DIGEST_OFFSET + 32].copy_from_slice(blake3::hash(payload).as_bytes());
}
