//! The blobs in a program's container section.
//!
//! In: a section, into which the linker concatenated the blobs of all translation units. Out: one
//! payload each. The header is described in `docs/abi.md`. *Invariant:* a payload is returned only
//! after its digest was checked.

use super::error::{BlobDefect, ContainerError};

/// Magic number at the start of a blob.
pub const BLOB_MAGIC: &[u8; 8] = b"SINTERHC";
/// Size of the header before the payload, and alignment of blobs in a section.
pub const BLOB_HEADER_SIZE: usize = 64;
/// Section of an object file or program that holds the blobs.
pub const BLOB_SECTION: &str = ".sinter.container";
const BLOB_VERSION: u32 = 1;

/// Encodes `payload` as a blob: header, payload, zeros up to a multiple of 64 bytes.
pub fn encode_blob(payload: &[u8]) -> Vec<u8> {
    let mut blob = Vec::with_capacity((BLOB_HEADER_SIZE + payload.len()).next_multiple_of(BLOB_HEADER_SIZE));
    blob.extend_from_slice(BLOB_MAGIC);
    blob.extend_from_slice(&BLOB_VERSION.to_le_bytes());
    blob.extend_from_slice(&(BLOB_HEADER_SIZE as u32).to_le_bytes());
    blob.extend_from_slice(&(payload.len() as u64).to_le_bytes());
    blob.extend_from_slice(blake3::hash(payload).as_bytes());
    blob.resize(BLOB_HEADER_SIZE, 0);
    blob.extend_from_slice(payload);
    blob.resize(blob.len().next_multiple_of(BLOB_HEADER_SIZE), 0);
    blob
}

/// Iterates over the payloads in a section. Ends after the first error, because later blobs cannot
/// be located.
pub fn blobs(section: &[u8]) -> Blobs<'_> {
    Blobs { section, offset: 0 }
}

/// Iterator over the payloads in a section. See [`blobs`].
#[derive(Debug, Clone)]
pub struct Blobs<'a> {
    section: &'a [u8],
    offset: usize,
}

impl<'a> Iterator for Blobs<'a> {
    type Item = Result<&'a [u8], ContainerError>;

    fn next(&mut self) -> Option<Self::Item> {
        self.skip_padding();
        let offset = self.offset;
        let rest = self.section.get(offset..).filter(|rest| !rest.is_empty())?;
        match decode(rest) {
            Ok(payload) => {
                self.offset += (BLOB_HEADER_SIZE + payload.len()).next_multiple_of(BLOB_HEADER_SIZE);
                Some(Ok(payload))
            }
            Err(defect) => {
                self.offset = self.section.len();
                Some(Err(ContainerError::Blob { offset, defect }))
            }
        }
    }
}

impl Blobs<'_> {
    /// Skips zeros that a linker inserted between input sections.
    fn skip_padding(&mut self) {
        while let Some(chunk) = self.section.get(self.offset..).and_then(|rest| rest.chunks(BLOB_HEADER_SIZE).next()) {
            if chunk.iter().any(|byte| *byte != 0) {
                break;
            }
            self.offset += chunk.len();
        }
    }
}

fn decode(rest: &[u8]) -> Result<&[u8], BlobDefect> {
    let (header, body) = rest.split_first_chunk::<BLOB_HEADER_SIZE>().ok_or(BlobDefect::ShortHeader)?;
    if !header.starts_with(BLOB_MAGIC) {
        return Err(BlobDefect::Magic);
    }
    let (version, header_size) = (word(header, 8), word(header, 12));
    if version != BLOB_VERSION || header_size as usize != BLOB_HEADER_SIZE {
        return Err(BlobDefect::Version { version, header_size });
    }
    let size = u64::from(word(header, 16)) | u64::from(word(header, 20)) << 32;
    let payload = usize::try_from(size).ok().and_then(|size| body.get(..size));
    let payload = payload.ok_or(BlobDefect::ShortPayload { size, left: body.len() as u64 })?;
    if blake3::hash(payload).as_bytes()[..] != header[24..56] {
        return Err(BlobDefect::Digest);
    }
    Ok(payload)
}

fn word(header: &[u8; BLOB_HEADER_SIZE], at: usize) -> u32 {
    u32::from_le_bytes([header[at], header[at + 1], header[at + 2], header[at + 3]])
}
