//! The device builtins as bitcode.
//!
//! In: `builtins/*/*.cpp`, compiled by clang when this crate is built. Out: one bitcode library per target, from which
//! the translator links what a kernel calls. *Invariant:* the library of the host holds no index query and no work-group
//! barrier: those depend on the launch, and the translator writes them itself. The collectives of a group are made of
//! both.
#![forbid(unsafe_code)]

pub mod slices;

pub use sinter_builtins as table;

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

/// Bitcode of the builtins of AMD's GPUs.
///
/// It is for every processor from gfx9 on and both widths of waves. Besides builtins it refers to functions of AMD's ocml
/// (`__ocml_*`), which [`AMDGCN_MATH`] defines too, and to what the translator answers with constants before code
/// generation: `__sinter_amdgcn_isa()`, the version of the instruction set as ocml numbers it (gfx90a is 9010), and
/// `__sinter_amdgcn_wave_size()`. Sizes are read from the implicit arguments of code object version 5. A query of the
/// work-group's size is a call of `__acpp_sscp_get_local_size_*` everywhere, as in [`PTX_BUILTINS`].
pub static AMDGCN_BUILTINS: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/amdgcn.bc"));

/// Bitcode of the math functions that AMD's ocml has, under the same names, made of libclc.
///
/// It refers to nothing: not even to the constants (`__oclc_*`) that control ocml.
pub static AMDGCN_MATH: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/amdgcn_math.bc"));

/// Bitcode of the builtins of devices that take SPIR-V.
///
/// Besides builtins it refers to functions that stand for instructions of SPIR-V (`__sinter_spirv_op_*`), for those of OpenCL's set
/// (`__sinter_spirv_ocl_*`) and for built-in variables (`__sinter_spirv_builtin_*`), and to what the translator answers with
/// constants: `__sinter_spirv_has_*()`, whether the device has a feature, and `__sinter_spirv_sub_group_size()`. A query of the
/// work-group's size is a call of `__acpp_sscp_get_local_size_*` everywhere, as in [`PTX_BUILTINS`]; a work-group has up to 1024
/// items.
pub static SPIRV_BUILTINS: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/spirv.bc"));

/// BLAKE3 digest of all libraries, part of the translator's fingerprint.
pub const DIGEST: [u8; 32] = include!(concat!(env!("OUT_DIR"), "/digest.rs"));
