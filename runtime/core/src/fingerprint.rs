//! Identity of a translator build.
//!
//! The fingerprint is part of every cache key, so that code of one build of the translator is never
//! served to another. The shared library contains it in an ELF note (owner `Sinter`, type 1), where
//! it can be read without loading the library.

use serde::{Deserialize, Serialize};
use std::fmt;

/// Version of the functions and serialised types between runtime and translator.
pub const TRANSLATOR_ABI: u32 = 6;
/// Owner of the ELF note with a [`Fingerprint`].
pub const NOTE_OWNER: &str = "Sinter";
/// Type of the ELF note with a [`Fingerprint`].
pub const NOTE_TYPE: u32 = 1;
/// Size of a serialised fingerprint in bytes.
pub const FINGERPRINT_SIZE: usize = 48;

/// Identity of a translator build.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Fingerprint {
    /// The translator's [`TRANSLATOR_ABI`]; another value than the runtime's is an error.
    pub abi: u32,
    /// Version of LLVM: major, minor, patch.
    pub llvm: [u32; 3],
    /// Digest of the translator's sources and of its builtin libraries.
    pub build: [u8; 32],
}

impl Fingerprint {
    /// Serialises to the fixed-size little-endian form in the ELF note.
    pub const fn to_bytes(&self) -> [u8; FINGERPRINT_SIZE] {
        let mut bytes = [0; FINGERPRINT_SIZE];
        let words = [self.abi, self.llvm[0], self.llvm[1], self.llvm[2]];
        let mut i = 0;
        while i < 16 {
            bytes[i] = words[i / 4].to_le_bytes()[i % 4];
            i += 1;
        }
        while i < FINGERPRINT_SIZE {
            bytes[i] = self.build[i - 16];
            i += 1;
        }
        bytes
    }

    /// Inverse of [`Fingerprint::to_bytes`].
    pub fn from_bytes(bytes: &[u8; FINGERPRINT_SIZE]) -> Self {
        let word = |i: usize| u32::from_le_bytes([bytes[i * 4], bytes[i * 4 + 1], bytes[i * 4 + 2], bytes[i * 4 + 3]]);
        let mut build = [0; 32];
        build.copy_from_slice(&bytes[16..]);
        Fingerprint { abi: word(0), llvm: [word(1), word(2), word(3)], build }
    }
}

impl fmt::Display for Fingerprint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [major, minor, patch] = self.llvm;
        write!(f, "abi {} llvm {major}.{minor}.{patch} build ", self.abi)?;
        self.build[..8].iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn round_trips() {
        let fingerprint = Fingerprint { abi: 1, llvm: [19, 1, 7], build: std::array::from_fn(|i| i as u8) };
        assert_eq!(Fingerprint::from_bytes(&fingerprint.to_bytes()), fingerprint);
    }
}
