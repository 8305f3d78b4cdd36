//! The file format of one cached code object.
//!
//! `SINTERCO`, version (u32), length of the key fields (u32), length of the code (u64), key (32
//! bytes), BLAKE3 digest (32 bytes), key fields, code. Numbers are little endian; fields and code
//! are postcard. *Invariant:* the digest covers every byte except its own, and the key must equal
//! the digest of the key fields, so that any flipped bit is detected.
#![forbid(unsafe_code)]

use sinter_core::{CacheKey, CodeObject, KeyFields};

const MAGIC: &[u8; 8] = b"SINTERCO";
const VERSION: u32 = 8;
const DIGEST_OFFSET: usize = 56;
const HEADER_SIZE: usize = 88;

/// Reason why bytes are not the entry of a key.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum EntryError {
    /// Shorter or longer than its header says.
    #[error("the file has {found} bytes instead of {expected}")]
    Length {
        /// Size of the file in bytes.
        found: u64,
        /// Size in bytes according to the header.
        expected: u64,
    },
    /// The file does not start with the magic number and version.
    #[error("the file does not start as a cache entry of version {VERSION} does")]
    Magic,
    /// The digest does not match: a byte changed after the entry was written.
    #[error("the digest does not match the content")]
    Digest,
    /// The entry belongs to another key.
    #[error("the entry is that of key {found}")]
    Key {
        /// Key in the header of the entry.
        found: CacheKey,
    },
    /// The digest matches, but the content cannot be decoded.
    #[error("the content does not decode: {message}")]
    Decode {
        /// Message of the postcard decoder.
        message: String,
    },
}

/// A decoded entry.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    /// Digest of `fields`, as the header states it.
    pub key: CacheKey,
    /// Values that the key is a digest of.
    pub fields: KeyFields,
    /// The cached code object.
    pub code: CodeObject,
}

fn digest(before: &[u8], after: &[u8]) -> [u8; 32] {
    let mut hasher = blake3::Hasher::new();
    hasher.update(before).update(after);
    *hasher.finalize().as_bytes()
}

fn internal(error: postcard::Error) -> EntryError {
    EntryError::Decode { message: error.to_string() }
}

/// Serialises an entry; the result is the content of its file.
pub fn encode(fields: &KeyFields, code: &CodeObject) -> Result<Vec<u8>, EntryError> {
    let fields_bytes = postcard::to_stdvec(fields).map_err(internal)?;
    let code_bytes = postcard::to_stdvec(code).map_err(internal)?;
    let mut bytes = Vec::with_capacity(HEADER_SIZE + fields_bytes.len() + code_bytes.len());
    bytes.extend_from_slice(MAGIC);
    bytes.extend_from_slice(&VERSION.to_le_bytes());
    bytes.extend_from_slice(&(fields_bytes.len() as u32).to_le_bytes());
    bytes.extend_from_slice(&(code_bytes.len() as u64).to_le_bytes());
    bytes.extend_from_slice(&fields.key().0);
    bytes.extend_from_slice(&[0; 32]);
    bytes.extend_from_slice(&fields_bytes);
    bytes.extend_from_slice(&code_bytes);
    let sum = digest(&bytes[..DIGEST_OFFSET], &bytes[HEADER_SIZE..]);
    bytes[DIGEST_OFFSET..HEADER_SIZE].copy_from_slice(&sum);
    Ok(bytes)
}

/// The array of `N` bytes at `offset`, which must lie inside the header.
fn array<const N: usize>(bytes: &[u8], offset: usize) -> Result<[u8; N], EntryError> {
    let part = bytes.get(offset..offset + N).and_then(|part| part.try_into().ok());
    part.ok_or(EntryError::Length { found: bytes.len() as u64, expected: HEADER_SIZE as u64 })
}

/// Splits an entry into key fields and code. Checks magic number and length first.
fn parts(bytes: &[u8]) -> Result<(&[u8], &[u8]), EntryError> {
    if !bytes.starts_with(MAGIC) || array(bytes, 8)? != VERSION.to_le_bytes() {
        return Err(EntryError::Magic);
    }
    let fields = u64::from(u32::from_le_bytes(array(bytes, 12)?));
    let code = u64::from_le_bytes(array(bytes, 16)?);
    let (found, expected) = (bytes.len() as u64, (HEADER_SIZE as u64 + fields).saturating_add(code));
    if found != expected {
        return Err(EntryError::Length { found, expected });
    }
    Ok(bytes[HEADER_SIZE..].split_at(fields as usize))
}

/// Decodes an entry of any key. Fails if it is damaged.
pub fn decode(bytes: &[u8]) -> Result<Entry, EntryError> {
    let (fields, code) = parts(bytes)?;
    if digest(&bytes[..DIGEST_OFFSET], &bytes[HEADER_SIZE..]) != array(bytes, DIGEST_OFFSET)? {
        return Err(EntryError::Digest);
    }
    let key = CacheKey(array(bytes, 24)?);
    let fields: KeyFields = postcard::from_bytes(fields).map_err(internal)?;
    if fields.key() != key {
        return Err(EntryError::Key { found: key });
    }
    Ok(Entry { key, fields, code: postcard::from_bytes(code).map_err(internal)? })
}

/// Decodes the entry of `key`. Fails if it is damaged or belongs to another key.
pub fn decode_for(bytes: &[u8], key: &CacheKey) -> Result<CodeObject, EntryError> {
    let entry = decode(bytes)?;
    if entry.key == *key { Ok(entry.code) } else { Err(EntryError::Key { found: entry.key }) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use sinter_core::{CodeFormat, EntryInfo};

    fn sample() -> (KeyFields, CodeObject) {
        let mut fields = KeyFields::new();
        fields.add_text("kernel", "triad");
        let entry = EntryInfo {
            symbol: "entry".into(),
            arguments: vec![],
            argument_size: 0,
            argument_align: 1,
            local_memory: 0,
            item_memory: 0,
            takes_local_memory: false,
            depends_on_allocations: false,
            followed: Default::default(),
            may_wait: false,
            candidates: Vec::new(),
            device_globals: Vec::new(),
            constants: Vec::new(),
            remarks: Vec::new(),
        };
        (
            fields,
            CodeObject {
                format: CodeFormat::HostElf,
                bytes: (0..200u8).collect(),
                entry,
                assembly: None,
                level: sinter_core::OptLevel::O3,
            },
        )
    }

    #[test]
    fn round_trips() {
        let (fields, code) = sample();
        let bytes = encode(&fields, &code).expect("encode");
        assert_eq!(decode_for(&bytes, &fields.key()), Ok(code));
        assert!(matches!(decode_for(&bytes, &CacheKey([0; 32])), Err(EntryError::Key { .. })));
    }

    #[test]
    fn every_flipped_bit_is_found() {
        let (fields, code) = sample();
        let mut bytes = encode(&fields, &code).expect("encode");
        for index in 0..bytes.len() {
            for bit in 0..8 {
                bytes[index] ^= 1 << bit;
                assert!(decode(&bytes).is_err(), "byte {index} bit {bit}");
                bytes[index] ^= 1 << bit;
            }
        }
        assert!(decode(&bytes).is_ok());
    }

    #[test]
    fn every_truncation_and_extension_is_found() {
        let (fields, code) = sample();
        let mut bytes = encode(&fields, &code).expect("encode");
        for length in 0..bytes.len() {
            assert!(decode(&bytes[..length]).is_err(), "{length} bytes");
        }
        bytes.push(0);
        assert!(matches!(decode(&bytes), Err(EntryError::Length { .. })));
    }
}
