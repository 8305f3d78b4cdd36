//! HCF containers: what stage 1 embeds and everything after it reads.
//!
//! In: bytes, from a program's section or a file. Out: borrowed views of images and kernels; and back again through
//! [`ContainerBuilder`]. The format is AdaptiveCpp's HCF: a text tree, a marker, raw bytes (`docs/abi.md`).
//! *Invariant:* reading is bounded in depth, nodes and text, copies no image, and never panics, whatever the bytes.

mod blob;
mod error;
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
pub use read::{Container, ContainerImage, ContainerKernel};
pub use required::{Required, RequiredError};
pub(crate) use seal::{Seal, Subject};
pub use seal::{seal_of_content, seal_of_names};
pub use verify::Verified;
pub use write::{ContainerBuilder, ImageRecord, KernelRecord};

/// What the node of an image says where the image has debug information.
const DEBUG_KEY: &str = "debug-information";
const DEBUG_VALUE: &str = "1";
/// First bytes after the text of containers of today.
const MARKER: &str = "__acpp_hcf_binary_appendix";
/// First bytes after the text of containers of older AdaptiveCpp releases.
const OLD_MARKER: &str = "__hipsycl_hcf_binary_appendix";
/// `generator` of containers written here starts with this; their `object-id` is a content hash.
const GENERATOR_PREFIX: &str = "sinter";
/// Value of `variant` of the image that all targets are lowered from.
pub const GLOBAL_VARIANT: &str = "global-module";
/// Name of the image node that stage 1 writes for a translation unit. Where it divides the unit's code, the parts have
/// this name with a number behind it.
pub const GLOBAL_IMAGE: &str = "llvm-ir.global";
/// Name of the image node of what a divided translation unit exports.
pub const EXPORTS_IMAGE: &str = "llvm-ir.exports";
/// Value of `format` of an image that holds LLVM bitcode.
pub const LLVM_IR_FORMAT: &str = "llvm-ir";
/// The attribute of the functions of an image that are kernels.
pub const KERNEL_ATTRIBUTE: &str = "sinter-kernel";
