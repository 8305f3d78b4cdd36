//! HCF containers, which stage 1 embeds and stage 2 reads.
//!
//! In: bytes, from a program's section or a file. Out: borrowed views of images and kernels; and
//! back again through [`ContainerBuilder`]. The format is AdaptiveCpp's HCF: a text tree, a marker,
//! raw bytes (`docs/abi.md`). *Invariant:* reading is bounded in depth, number of nodes and size of
//! the text, copies no image, and never panics, whatever the bytes.

mod blob;
mod error;
mod launched;
mod read;
mod required;
mod seal;
mod tree;
mod verify;
mod write;

#[cfg(test)]
mod tests;

pub use blob::{BLOB_HEADER_SIZE, BLOB_MAGIC, BLOB_SECTION, Blobs, blobs, encode_blob};
pub use error::{BlobDefect, ContainerError};
pub use launched::{LAUNCHED_OVER, LaunchForm};
pub use read::{Container, ContainerImage, ContainerKernel};
pub use required::{REQUIRED_ASPECTS, Required, RequiredError};
pub(crate) use seal::{Seal, Subject};
pub use seal::{seal_of_content, seal_of_names};
pub use verify::Verified;
pub use write::{ContainerBuilder, ImageRecord, KernelRecord};

/// Key in the node of an image with debug information.
const DEBUG_KEY: &str = "debug-information";
const DEBUG_VALUE: &str = "1";
/// Marker between text and binary appendix in current containers.
const MARKER: &str = "__acpp_hcf_binary_appendix";
/// Marker in containers of older AdaptiveCpp releases.
const OLD_MARKER: &str = "__hipsycl_hcf_binary_appendix";
/// Prefix of `generator` in containers written here; their `object-id` is a content hash.
const GENERATOR_PREFIX: &str = "sinter";
/// Value of `variant` of the image that all targets are lowered from.
pub const GLOBAL_VARIANT: &str = "global-module";
/// Name of the image node that stage 1 writes for a translation unit. If it splits the code of the
/// unit, the parts have this name with a number appended.
pub const GLOBAL_IMAGE: &str = "llvm-ir.global";
/// Name of the image node for the exports of a translation unit that was split.
pub const EXPORTS_IMAGE: &str = "llvm-ir.exports";
/// Value of `format` of an image that holds LLVM bitcode.
pub const LLVM_IR_FORMAT: &str = "llvm-ir";
/// Function attribute that marks the kernels of an image.
pub const KERNEL_ATTRIBUTE: &str = "sinter-kernel";
/// Function attribute of kernels in a language that has warps, whose work-items may rely on running
/// in lockstep.
pub const WARPS_ATTRIBUTE: &str = "sinter-warps";
