//! The records of `sinter/sinter.h` that a program contains beside its containers.
//!
//! In: facts about a container, an image or a kernel. Out: its record, whose pointers the writer
//! sets. *Invariant:* size and offset of every field equal those of the header
//! (`tests/tests/abi.rs` compares both). A checksum covers every field except pointers, which the
//! dynamic linker relocates. Records are destructured without `..`, so that a new field does not
//! compile until it is covered. Sizes are in bytes. A record is never read past its `struct_size`:
//! fields appended to `sinter_container` and `sinter_kernel` are separate structs, because the
//! records of programs that were compiled earlier end before them.

use crate::{
    container::{ContainerError, Seal, Subject, seal_of_names},
    parameter,
};
use std::{
    ffi::{c_char, c_void},
    ptr,
};

/// `SINTER_ABI_VERSION` of the header.
pub const ABI_VERSION: u32 = 1;

/// `sinter_container`: a container in the program's memory. [`ContainerIndex`] may follow.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct Container {
    /// Size of this struct, or of it and the records that follow.
    pub struct_size: u32,
    /// [`ABI_VERSION`] of the program.
    pub abi_version: u32,
    /// HCF payload.
    pub data: *const c_void,
    /// Size of the payload.
    pub size: u64,
    /// Content hash of the container's images.
    pub object_id: [u8; 32],
}

/// `sinter_image`: an image in a container.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct Image {
    /// Offset in the container's payload.
    pub offset: u64,
    /// Size in bytes.
    pub size: u64,
    /// BLAKE3 digest of those bytes.
    pub digest: [u8; 32],
    /// Exported names, then imported names, each terminated by a zero byte. Null if there are none.
    pub names: *const c_char,
    /// Size of the exported names.
    pub exports_size: u32,
    /// Size of the imported names.
    pub imports_size: u32,
    /// [`IMAGE_HAS_DEBUG`] or 0.
    pub flags: u32,
    /// Must be zero.
    pub reserved: u32,
    /// Checksum of `names`: [`seal_of_names`].
    pub names_seal: u64,
    /// Checksum of the record: [`Image::checksum`].
    pub seal: u64,
}

/// `sinter_device_global`: a device global that device code knows by name.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct DeviceGlobal {
    /// Name that a translation reports, NUL-terminated.
    pub name: *const c_char,
    /// Object of the program, with the initial value. It starts with the address of a
    /// [`DeviceGlobalLayout`].
    pub object: *const c_void,
}

/// `sinter_device_global_layout`: the layout of the object of a device global.
#[repr(C)]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DeviceGlobalLayout {
    /// Size of the object in bytes.
    pub size: u64,
    /// Its alignment in bytes, a power of two.
    pub alignment: u64,
}

/// `sinter_device_globals`: the device globals of a translation unit.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct DeviceGlobals {
    /// Size of this struct.
    pub struct_size: u32,
    /// Number of records at `globals`.
    pub count: u32,
    /// Container of the unit; null if it has no device code.
    pub container: *const Container,
    /// The records.
    pub globals: *const DeviceGlobal,
}

/// Second part of `sinter_container`, present if `struct_size` covers it.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct ContainerIndex {
    /// Records of the images in the container.
    pub images: *const Image,
    /// Number of records at `images`.
    pub image_count: u32,
    /// Must be zero.
    pub reserved: u32,
    /// Checksum of both parts: [`WholeContainer::checksum`].
    pub seal: u64,
}

/// `sinter_container` of the current version.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct WholeContainer {
    /// Part of the first version.
    pub container: Container,
    /// Part that was appended.
    pub index: ContainerIndex,
}

/// `SINTER_IMAGE_HAS_DEBUG`: the image has debug information with source lines.
pub const IMAGE_HAS_DEBUG: u32 = 1;

/// `SINTER_PARAMETER_SPECIALIZED`: a bit of [`Parameter::kind`].
pub const PARAMETER_SPECIALIZED: u32 = 0x100;

/// `sinter_parameter`: a scalar leaf of a kernel's argument block.
#[repr(C)]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Parameter {
    /// Offset in the block.
    pub byte_offset: u32,
    /// Size of the leaf.
    pub byte_size: u32,
    /// Index of the closure's field that contains the leaf.
    pub original_index: u32,
    /// A [`crate::ParameterKind`] as a number, with [`PARAMETER_SPECIALIZED`] or without.
    pub kind: u32,
}

/// `sinter_kernel`: a kernel as host code refers to it. [`KernelRequirements`] may follow, then
/// [`KernelImage`].
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct Kernel {
    /// Size of this struct, or of it and the records that follow.
    pub struct_size: u32,
    /// Number of records at `parameters`.
    pub parameter_count: u32,
    /// Container that defines the kernel.
    pub container: *const Container,
    /// Symbol of the kernel in the container, NUL-terminated.
    pub symbol: *const c_char,
    /// Parameter records.
    pub parameters: *const Parameter,
    /// Size of the argument block that a launch must pass.
    pub block_size: u64,
    /// Digest of the kernel's own IR closure; all zero means unknown.
    pub ir_hash: [u8; 32],
    /// Reserved for the runtime.
    pub slot: *mut c_void,
}

/// Second part of `sinter_kernel`, present if `struct_size` covers it.
#[repr(C)]
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct KernelRequirements {
    /// The only work-group size that a launch may have; all 0 means any.
    pub required_group_size: [u32; 3],
    /// Sub-group size that the kernel requires; 0 means any.
    pub required_sub_group_size: u32,
}

/// Third part of `sinter_kernel`, present if `struct_size` covers it.
#[repr(C)]
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct KernelImage {
    /// Index of the kernel's image in [`ContainerIndex::images`].
    pub image: u32,
    /// Size of the symbol, without the zero byte.
    pub symbol_size: u32,
    /// Checksum of symbol and parameter records: `seal_of_content`.
    pub content_seal: u64,
    /// Checksum of all parts: [`WholeKernel::checksum`].
    pub seal: u64,
}

/// Fourth part of `sinter_kernel`, which only a kernel has that requires an aspect.
#[repr(C)]
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct KernelAspects {
    /// Aspects that a device must have: a bit for each, by its number in `sycl/info/aspects.def`.
    pub required_aspects: u64,
    /// Checksum of this part and [`KernelImage::seal`].
    pub aspects_seal: u64,
}

/// `sinter_kernel` of the current version, without [`KernelAspects`].
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct WholeKernel {
    /// Part of the first version.
    pub kernel: Kernel,
    /// Part that was appended first.
    pub requirements: KernelRequirements,
    /// Part that was appended last.
    pub image: KernelImage,
}

impl WholeContainer {
    /// Record of a container; the writer sets the pointers.
    pub fn new(size: u64, object_id: [u8; 32], image_count: u32) -> Self {
        let (struct_size, abi_version) = (size_of::<WholeContainer>() as u32, ABI_VERSION);
        let container = Container { struct_size, abi_version, data: ptr::null(), size, object_id };
        let index = ContainerIndex { images: ptr::null(), image_count, reserved: 0, seal: 0 };
        WholeContainer { container, index }.sealed()
    }

    /// Returns the record with [`ContainerIndex::seal`] set.
    pub fn sealed(mut self) -> Self {
        self.index.seal = self.checksum();
        self
    }

    /// Value for [`ContainerIndex::seal`].
    pub fn checksum(&self) -> u64 {
        let Container { struct_size, abi_version, data: _, size, object_id } = self.container;
        let ContainerIndex { images: _, image_count, reserved: _, seal: _ } = self.index;
        let words = [struct_size, abi_version, image_count];
        Seal::of(Subject::Container).words(&words).number(size).bytes(&object_id).finish()
    }
}

/// Data for the record of an image, without its names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ImagePlace {
    /// Offset in the payload.
    pub offset: u64,
    /// Size in bytes.
    pub size: u64,
    /// BLAKE3 digest of those bytes.
    pub digest: [u8; 32],
    /// True if the image has debug information with source lines.
    pub has_debug: bool,
}

impl Image {
    /// Record of an image, whose pointer the writer sets, and the bytes of the names for it to
    /// point to. Fails for 4 GiB of names and more.
    pub fn new<S: AsRef<str>>(
        place: ImagePlace,
        exports: &[S],
        imports: &[S],
    ) -> Result<(Self, Vec<u8>), ContainerError> {
        let [exports, imports] = [exports, imports].map(list);
        let ImagePlace { offset, size, digest, has_debug } = place;
        let too_large =
            || ContainerError::TooLarge { offset: offset as usize, what: "bytes of names", limit: u32::MAX as usize };
        let size_of_list = |list: &[u8]| u32::try_from(list.len()).map_err(|_| too_large());
        let (exports_size, imports_size) = (size_of_list(&exports)?, size_of_list(&imports)?);
        let names = [exports, imports].concat();
        let (names_seal, flags) = (seal_of_names(&names), if has_debug { IMAGE_HAS_DEBUG } else { 0 });
        let record = Image {
            offset,
            size,
            digest,
            names: ptr::null(),
            exports_size,
            imports_size,
            flags,
            reserved: 0,
            names_seal,
            seal: 0,
        };
        Ok((record.sealed(), names))
    }

    /// Returns the record with [`Image::seal`] set.
    pub fn sealed(mut self) -> Self {
        self.seal = self.checksum();
        self
    }

    /// Value for [`Image::seal`].
    pub fn checksum(&self) -> u64 {
        let Image {
            offset,
            size,
            digest,
            names: _,
            exports_size,
            imports_size,
            flags,
            reserved: _,
            names_seal,
            seal: _,
        } = *self;
        let seal = Seal::of(Subject::Image).words(&[exports_size, imports_size, flags]);
        seal.number(offset).number(size).number(names_seal).bytes(&digest).finish()
    }
}

/// Concatenates names, each terminated by a zero byte.
fn list<S: AsRef<str>>(names: &[S]) -> Vec<u8> {
    names.iter().flat_map(|name| name.as_ref().bytes().chain([0])).collect()
}

impl Parameter {
    /// Fields in the order in which the seal covers them.
    pub fn words(&self) -> [u32; 4] {
        let Parameter { byte_offset, byte_size, original_index, kind } = *self;
        [byte_offset, byte_size, original_index, kind]
    }
}

impl From<&parameter::Parameter> for Parameter {
    fn from(parameter: &parameter::Parameter) -> Self {
        let flag = if parameter.is_specialized() { PARAMETER_SPECIALIZED } else { 0 };
        let parameter::Parameter { byte_offset, byte_size, original_index, kind, annotations: _ } = *parameter;
        Parameter { byte_offset, byte_size, original_index, kind: kind as u32 | flag }
    }
}

impl WholeKernel {
    /// Size of the record with the part that may follow it.
    pub fn size(required_aspects: u64) -> u32 {
        let last = if required_aspects == 0 { 0 } else { size_of::<KernelAspects>() };
        (size_of::<WholeKernel>() + last) as u32
    }

    /// The part that follows a sealed record of a kernel that requires aspects.
    pub fn require(&self, required_aspects: u64) -> Option<KernelAspects> {
        let seal = Seal::of(Subject::Aspects).number(self.image.seal).number(required_aspects);
        (required_aspects != 0).then(|| KernelAspects { required_aspects, aspects_seal: seal.finish() })
    }

    /// Returns the record with [`KernelImage::seal`] set.
    pub fn sealed(mut self) -> Self {
        self.image.seal = self.checksum();
        self
    }

    /// Value for [`KernelImage::seal`].
    pub fn checksum(&self) -> u64 {
        let Kernel {
            struct_size,
            parameter_count,
            container: _,
            symbol: _,
            parameters: _,
            block_size,
            ir_hash,
            slot: _,
        } = self.kernel;
        let KernelRequirements { required_group_size, required_sub_group_size } = self.requirements;
        let KernelImage { image, symbol_size, content_seal, seal: _ } = self.image;
        let words = [struct_size, parameter_count, image, symbol_size, required_sub_group_size];
        let seal = Seal::of(Subject::Kernel).words(&words).words(&required_group_size);
        seal.number(block_size).number(content_seal).bytes(&ir_hash).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Checks that the checksum differs between a record and copies that differ in one field each.
    fn all_differ<R: Copy>(record: R, checksum: fn(&R) -> u64, changes: &[fn(&mut R)]) {
        let changed = changes.iter().map(|change| {
            let mut copy = record;
            change(&mut copy);
            checksum(&copy)
        });
        let seals: std::collections::BTreeSet<_> = changed.chain([checksum(&record)]).collect();
        assert_eq!(seals.len(), changes.len() + 1, "{seals:?}");
    }

    #[test]
    fn every_field_of_a_kernel_counts() {
        let first = Kernel {
            struct_size: 120,
            parameter_count: 2,
            container: ptr::null(),
            symbol: ptr::null(),
            parameters: ptr::null(),
            block_size: 16,
            ir_hash: [7; 32],
            slot: ptr::null_mut(),
        };
        let requirements = KernelRequirements { required_group_size: [8, 4, 1], required_sub_group_size: 32 };
        let image = KernelImage { image: 3, symbol_size: 6, content_seal: 9, seal: 0 };
        let changes: [fn(&mut WholeKernel); 9] = [
            |k| k.kernel.struct_size = 0,
            |k| k.kernel.parameter_count = 0,
            |k| k.kernel.block_size = 0,
            |k| k.kernel.ir_hash = [0; 32],
            |k| k.requirements.required_group_size = [4, 8, 1],
            |k| k.requirements.required_sub_group_size = 0,
            |k| k.image.image = 0,
            |k| k.image.symbol_size = 0,
            |k| k.image.content_seal = 0,
        ];
        all_differ(WholeKernel { kernel: first, requirements, image }, WholeKernel::checksum, &changes);
    }

    #[test]
    fn every_field_of_an_image_and_a_container_counts() {
        let place = ImagePlace { offset: 1, size: 2, digest: [3; 32], has_debug: true };
        let (image, names) = Image::new(place, &["a"], &["bc", "d"]).expect("short names");
        assert_eq!((&names[..], image.exports_size, image.imports_size), (&b"a\0bc\0d\0"[..], 2, 5));
        let changes: [fn(&mut Image); 7] = [
            |i| i.offset = 0,
            |i| i.size = 0,
            |i| i.digest = [0; 32],
            |i| i.exports_size = 0,
            |i| i.imports_size = 0,
            |i| i.flags = 0,
            |i| i.names_seal = 0,
        ];
        all_differ(image, Image::checksum, &changes);
        let changes: [fn(&mut WholeContainer); 5] = [
            |c| c.container.struct_size = 0,
            |c| c.container.abi_version = 0,
            |c| c.container.size = 0,
            |c| c.container.object_id = [0; 32],
            |c| c.index.image_count = 0,
        ];
        all_differ(WholeContainer::new(3, [4; 32], 5), WholeContainer::checksum, &changes);
    }
}
