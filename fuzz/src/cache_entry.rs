//! Properties of entries of the disk cache.

use crate::memory::bounded;
use sinter::cache::entry;
use sinter_core::{CacheKey, KeyFields};

const HEADER_SIZE: usize = 88;
const FIELDS_LENGTH: std::ops::Range<usize> = 12..16;
const CODE_LENGTH: std::ops::Range<usize> = 16..24;
const KEY: std::ops::Range<usize> = 24..56;
const DIGEST: std::ops::Range<usize> = 56..88;

/// Checks `bytes` as they are, and with repaired lengths, key and digest.
pub fn check(bytes: &[u8]) {
    decode(bytes);
    let mut repaired = bytes.to_vec();
    if repair(&mut repaired).is_some() {
        decode(&repaired);
    }
}

fn decode(bytes: &[u8]) {
    let Ok(found) = bounded(bytes, || entry::decode(bytes)) else { return };
    assert_eq!(found.fields.key(), found.key, "the key is that of the fields");
    let wrong = CacheKey(found.key.0.map(|byte| !byte));
    assert!(entry::decode_for(bytes, &wrong).is_err(), "an entry is served under its own key only");
    let encoded = entry::encode(&found.fields, &found.code).expect("a decoded entry is encoded");
    assert_eq!(entry::decode(&encoded).as_ref(), Ok(&found), "what is written is read back as it was");
}

/// Repairs an entry so that its content is read: the lengths fill the file, key and digest match.
fn repair(bytes: &mut [u8]) -> Option<()> {
    let content = bytes.len().checked_sub(HEADER_SIZE)?;
    let asked = u32::from_le_bytes(bytes.get(FIELDS_LENGTH)?.try_into().ok()?) as usize;
    let length = asked.min(content);
    bytes[FIELDS_LENGTH].copy_from_slice(&(length as u32).to_le_bytes());
    bytes[CODE_LENGTH].copy_from_slice(&((content - length) as u64).to_le_bytes());
    if let Ok(fields) = postcard::from_bytes::<KeyFields>(&bytes[HEADER_SIZE..][..length]) {
        bytes[KEY].copy_from_slice(&fields.key().0);
    }
    let mut hasher = blake3::Hasher::new();
    hasher.update(&bytes[..DIGEST.start]).update(&bytes[HEADER_SIZE..]);
    bytes[DIGEST].copy_from_slice(hasher.finalize().as_bytes());
    Some(())
}
