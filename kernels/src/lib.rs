//! The device builtins as bitcode.
//!
//! In: `builtins/*/*.cpp`, compiled by clang when this crate is built. Out: one bitcode library per target, from which
//! the translator links what a kernel calls. *Invariant:* the library of the host holds no index query and no work-group
//! barrier: those depend on the launch, and the translator writes them itself. The collectives of a group are made of
//! both.
#![forbid(unsafe_code)]

pub mod slices;
pub mod table;

/// Bitcode of the builtins of the host CPU.
///
/// Besides builtins it refers to functions of libc and libm, to the local id and size queries, and to the work-group
/// barrier.
pub static HOST_BUILTINS: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/host.bc"));

/// Bitcode of the builtins of NVIDIA's GPUs.
///
/// Besides builtins it refers to functions of libdevice (`__nv_*`), which [`PTX_MATH`] defines too, to
/// `__nvvm_reflect("__CUDA_ARCH")`, and to `vprintf` and `__assertfail`, which the driver provides. A query of the
/// work-group's size is a call of `__acpp_sscp_get_local_size_*` everywhere: where a definition that is a constant
/// takes the place of the library's, the collectives shrink to what that size needs.
pub static PTX_BUILTINS: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/ptx.bc"));

/// Bitcode of the math functions that NVIDIA's libdevice has, under the same names, made of libclc in part.
///
/// It refers to nothing.
pub static PTX_MATH: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/ptx_math.bc"));

/// BLAKE3 digest of all libraries, part of the translator's fingerprint.
pub const DIGEST: [u8; 32] = include!(concat!(env!("OUT_DIR"), "/digest.rs"));
