//! Checksums of data that a program duplicates from its container.
//!
//! In: the fields of [`crate::records`], and the data that they point to. Out: 64 bits of their
//! BLAKE3 digest. A reader checks the seal of a record before it trusts a size in it. *Invariant:*
//! seals of different kinds of records differ.

/// Kind of the sealed record, so that one kind is not mistaken for another.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Subject {
    Container = 1,
    Image,
    Names,
    Kernel,
    Content,
    Aspects,
}

/// Hashes numbers of fixed size, and byte strings whose sizes, except for the last, are among the
/// numbers.
pub(crate) struct Seal(blake3::Hasher);

impl Seal {
    pub(crate) fn of(subject: Subject) -> Self {
        Seal(blake3::Hasher::new()).bytes(&[subject as u8])
    }

    pub(crate) fn bytes(mut self, bytes: &[u8]) -> Self {
        self.0.update(bytes);
        self
    }

    pub(crate) fn words(self, words: &[u32]) -> Self {
        words.iter().fold(self, |seal, word| seal.bytes(&word.to_le_bytes()))
    }

    pub(crate) fn number(self, number: u64) -> Self {
        self.bytes(&number.to_le_bytes())
    }

    pub(crate) fn finish(self) -> u64 {
        let digest = self.0.finalize();
        digest.as_bytes().first_chunk().map_or(0, |first| u64::from_le_bytes(*first))
    }
}

/// Checksum of the names that an image exports and imports, each terminated by a zero byte.
pub fn seal_of_names(names: &[u8]) -> u64 {
    Seal::of(Subject::Names).bytes(names).finish()
}

/// Checksum of the data that a `sinter_kernel` points to: the words of its parameter records, and
/// its symbol.
pub fn seal_of_content(symbol: &[u8], parameters: impl IntoIterator<Item = [u32; 4]>) -> u64 {
    let start = Seal::of(Subject::Content).number(symbol.len() as u64).bytes(symbol);
    parameters.into_iter().fold(start, |seal, words| seal.words(&words)).finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn contents_of_other_lengths_differ() {
        let words = u32::from_le_bytes(*b"abcd");
        let seals = [
            seal_of_content(b"abcd", []),
            seal_of_content(b"abc", []),
            seal_of_content(b"abcd", [[words; 4]]),
            seal_of_content(b"", [[words; 4]]),
            seal_of_names(b"abcd\0"),
        ];
        let distinct: std::collections::BTreeSet<_> = seals.iter().collect();
        assert_eq!(distinct.len(), seals.len(), "{seals:?}");
    }
}
