//! Canonical bytes, and the 256-bit key that is their digest.
//!
//! *Invariant:* each field is serialised as length-prefixed name and length-prefixed value, so that
//! different lists of fields never give the same bytes. The fields are stored beside the key, so
//! that a tool can name the ones that differ.

use serde::{Deserialize, Serialize};
use std::{fmt, str::FromStr};

/// Version of the list of fields; part of every key.
const KEY_FORMAT: u32 = 1;

/// A 256-bit cache key.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct CacheKey(pub [u8; 32]);

impl fmt::Display for CacheKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl FromStr for CacheKey {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, ()> {
        let digits = text.as_bytes();
        if digits.len() != 64 || !digits.iter().all(|d| matches!(d, b'0'..=b'9' | b'a'..=b'f')) {
            return Err(());
        }
        let mut key = [0; 32];
        for (byte, pair) in key.iter_mut().zip(text.as_bytes().chunks(2)) {
            let pair = std::str::from_utf8(pair).map_err(|_| ())?;
            *byte = u8::from_str_radix(pair, 16).map_err(|_| ())?;
        }
        Ok(CacheKey(key))
    }
}

/// Named fields of a key, in order.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct KeyFields(Vec<(String, Vec<u8>)>);

impl KeyFields {
    /// A list that contains only its version.
    pub fn new() -> Self {
        let mut fields = KeyFields(Vec::with_capacity(16));
        fields.add("key-format", KEY_FORMAT.to_le_bytes());
        fields
    }

    /// Appends a byte string.
    pub fn add(&mut self, name: &str, value: impl AsRef<[u8]>) {
        self.0.push((name.to_owned(), value.as_ref().to_vec()));
    }

    /// Appends a string.
    pub fn add_text(&mut self, name: &str, value: &str) {
        self.add(name, value.as_bytes());
    }

    /// Names and values, in order.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &[u8])> {
        self.0.iter().map(|(name, value)| (name.as_str(), value.as_slice()))
    }

    /// Canonical serialisation: length-prefixed names and values.
    pub fn canonical_bytes(&self) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(512);
        for part in self.0.iter().flat_map(|(name, value)| [name.as_bytes(), value]) {
            bytes.extend_from_slice(&(part.len() as u64).to_le_bytes());
            bytes.extend_from_slice(part);
        }
        bytes
    }

    /// BLAKE3 digest of the canonical bytes.
    pub fn key(&self) -> CacheKey {
        CacheKey(*blake3::hash(&self.canonical_bytes()).as_bytes())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn key_text_round_trips() {
        let key = KeyFields::new().key();
        assert_eq!(key.to_string().parse(), Ok(key));
        assert!("00".parse::<CacheKey>().is_err());
        assert!("é".repeat(32).parse::<CacheKey>().is_err());
    }
}
