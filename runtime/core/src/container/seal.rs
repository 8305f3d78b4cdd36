//! Checksums of what a program's data repeats from its container.
//!
//! In: the fields of the records in `sinter/sinter.h`. Out: 64 bits of their BLAKE3 digest. A reader checks the seal of a
//! record before it follows a size in it. *Invariant:* each struct is destructured without `..`, so that a new field does not
//! compile until the seal covers it; pointers are not covered, because the loader changes them.

/// What seals are of, so that one record is not taken for another.
#[derive(Debug, Clone, Copy)]
enum Subject {
    Container = 1,
    Image,
    Names,
    Kernel,
    Content,
}

/// Hashes numbers of fixed size, and byte strings of which all but the last have a size among the numbers.
struct Seal(blake3::Hasher);

impl Seal {
    fn of(subject: Subject) -> Self {
        Seal(blake3::Hasher::new()).bytes(&[subject as u8])
    }

    fn bytes(mut self, bytes: &[u8]) -> Self {
        self.0.update(bytes);
        self
    }

    fn words(self, words: &[u32]) -> Self {
        words.iter().fold(self, |seal, word| seal.bytes(&word.to_le_bytes()))
    }

    fn number(self, number: u64) -> Self {
        self.bytes(&number.to_le_bytes())
    }

    fn finish(self) -> u64 {
        let digest = self.0.finalize();
        digest.as_bytes().first_chunk().map_or(0, |first| u64::from_le_bytes(*first))
    }
}

/// The sealed fields of `sinter_container`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SealedContainer {
    /// Size of the record.
    pub struct_size: u32,
    /// Version of the interface.
    pub abi_version: u32,
    /// Size of the payload in bytes.
    pub size: u64,
    /// Its identity.
    pub object_id: [u8; 32],
    /// Number of `sinter_image` records.
    pub image_count: u32,
}

impl SealedContainer {
    /// The checksum.
    pub fn seal(&self) -> u64 {
        let SealedContainer { struct_size, abi_version, size, object_id, image_count } = self;
        let words = [*struct_size, *abi_version, *image_count];
        Seal::of(Subject::Container).words(&words).number(*size).bytes(object_id).finish()
    }
}

/// `SINTER_IMAGE_HAS_DEBUG`: the image says which source lines its code comes from.
pub const IMAGE_HAS_DEBUG: u32 = 1;

/// The flags of an image.
pub fn image_flags(has_debug: bool) -> u32 {
    if has_debug { IMAGE_HAS_DEBUG } else { 0 }
}

/// The sealed fields of `sinter_image`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SealedImage {
    /// First byte in the payload.
    pub offset: u64,
    /// Size in bytes.
    pub size: u64,
    /// BLAKE3 digest of the image.
    pub digest: [u8; 32],
    /// Bytes of the exported names.
    pub exports_size: u32,
    /// Bytes of the imported names, which follow.
    pub imports_size: u32,
    /// [`IMAGE_HAS_DEBUG`], or nothing.
    pub flags: u32,
    /// [`seal_of_names`].
    pub names_seal: u64,
}

impl SealedImage {
    /// The checksum.
    pub fn seal(&self) -> u64 {
        let SealedImage { offset, size, digest, exports_size, imports_size, flags, names_seal } = self;
        let seal = Seal::of(Subject::Image).words(&[*exports_size, *imports_size, *flags]);
        seal.number(*offset).number(*size).number(*names_seal).bytes(digest).finish()
    }
}

/// The checksum of the names that an image exports and imports, each ended by a zero byte.
pub fn seal_of_names(names: &[u8]) -> u64 {
    Seal::of(Subject::Names).bytes(names).finish()
}

/// The sealed fields of `sinter_kernel`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SealedKernel {
    /// Size of the record.
    pub struct_size: u32,
    /// Number of `sinter_parameter` records.
    pub parameter_count: u32,
    /// Size of the argument block in bytes.
    pub block_size: u64,
    /// Digest of the kernel's own closure.
    pub ir_hash: [u8; 32],
    /// The work-group size that launches must have.
    pub required_group_size: [u32; 3],
    /// The sub-group size that the kernel needs.
    pub required_sub_group_size: u32,
    /// Index of its `sinter_image` record.
    pub image: u32,
    /// Bytes of the symbol.
    pub symbol_size: u32,
    /// [`seal_of_content`].
    pub content_seal: u64,
}

impl SealedKernel {
    /// The checksum.
    pub fn seal(&self) -> u64 {
        let SealedKernel {
            struct_size,
            parameter_count,
            block_size,
            ir_hash,
            required_group_size,
            required_sub_group_size,
            image,
            symbol_size,
            content_seal,
        } = self;
        let words = [*struct_size, *parameter_count, *image, *symbol_size, *required_sub_group_size];
        let seal = Seal::of(Subject::Kernel).words(&words).words(required_group_size);
        seal.number(*block_size).number(*content_seal).bytes(ir_hash).finish()
    }
}

/// The checksum of what a `sinter_kernel` points to: the words of its parameter records, and its symbol.
pub fn seal_of_content(symbol: &[u8], parameters: impl IntoIterator<Item = [u32; 4]>) -> u64 {
    let start = Seal::of(Subject::Content).number(symbol.len() as u64).bytes(symbol);
    parameters.into_iter().fold(start, |seal, words| seal.words(&words)).finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    const KERNEL: SealedKernel = SealedKernel {
        struct_size: 120,
        parameter_count: 2,
        block_size: 16,
        ir_hash: [7; 32],
        required_group_size: [8, 4, 1],
        required_sub_group_size: 32,
        image: 3,
        symbol_size: 6,
        content_seal: 9,
    };
    const IMAGE: SealedImage =
        SealedImage { offset: 1, size: 2, digest: [3; 32], exports_size: 4, imports_size: 5, flags: 7, names_seal: 6 };
    const CONTAINER: SealedContainer =
        SealedContainer { struct_size: 1, abi_version: 2, size: 3, object_id: [4; 32], image_count: 5 };

    fn all_differ(seals: &[u64]) {
        let distinct: std::collections::BTreeSet<_> = seals.iter().collect();
        assert_eq!(distinct.len(), seals.len(), "{seals:?}");
    }

    #[test]
    fn every_field_of_a_kernel_counts() {
        all_differ(&[
            KERNEL.seal(),
            SealedKernel { struct_size: 0, ..KERNEL }.seal(),
            SealedKernel { parameter_count: 0, ..KERNEL }.seal(),
            SealedKernel { block_size: 0, ..KERNEL }.seal(),
            SealedKernel { ir_hash: [0; 32], ..KERNEL }.seal(),
            SealedKernel { required_group_size: [4, 8, 1], ..KERNEL }.seal(),
            SealedKernel { required_sub_group_size: 0, ..KERNEL }.seal(),
            SealedKernel { image: 0, ..KERNEL }.seal(),
            SealedKernel { symbol_size: 0, ..KERNEL }.seal(),
            SealedKernel { content_seal: 0, ..KERNEL }.seal(),
        ]);
    }

    #[test]
    fn every_field_of_an_image_and_a_container_counts() {
        all_differ(&[
            IMAGE.seal(),
            SealedImage { offset: 0, ..IMAGE }.seal(),
            SealedImage { size: 0, ..IMAGE }.seal(),
            SealedImage { digest: [0; 32], ..IMAGE }.seal(),
            SealedImage { exports_size: 0, ..IMAGE }.seal(),
            SealedImage { imports_size: 0, ..IMAGE }.seal(),
            SealedImage { flags: 0, ..IMAGE }.seal(),
            SealedImage { names_seal: 0, ..IMAGE }.seal(),
            CONTAINER.seal(),
            SealedContainer { struct_size: 0, ..CONTAINER }.seal(),
            SealedContainer { abi_version: 0, ..CONTAINER }.seal(),
            SealedContainer { size: 0, ..CONTAINER }.seal(),
            SealedContainer { object_id: [0; 32], ..CONTAINER }.seal(),
            SealedContainer { image_count: 0, ..CONTAINER }.seal(),
        ]);
    }

    #[test]
    fn contents_of_other_lengths_differ() {
        let words = u32::from_le_bytes(*b"abcd");
        all_differ(&[
            seal_of_content(b"abcd", []),
            seal_of_content(b"abc", []),
            seal_of_content(b"abcd", [[words; 4]]),
            seal_of_content(b"", [[words; 4]]),
            seal_of_names(b"abcd\0"),
        ]);
    }
}
