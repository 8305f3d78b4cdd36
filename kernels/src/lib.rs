//! The device builtins as bitcode.
//!
//! In: `builtins/*/*.cpp`, compiled by clang when this crate is built. Out: one bitcode library per
//! target, from which the translator links the functions that a kernel calls. *Invariant:* the host
//! library contains no index query and no work-group barrier: those depend on the launch, and the
//! translator generates them. The collectives of a group are built on both.
#![forbid(unsafe_code)]

pub mod slices;

pub use sinter_builtins as table;

/// Bitcode of the builtins of the host CPU.
///
/// Besides builtins it refers to functions of libc and libm, to the local ID and size queries, and
/// to the work-group barrier.
pub static HOST_BUILTINS: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/host.bc"));

/// Bitcode of mathematical functions of one number each, for code that is vectorised afterwards.
///
/// `__sinter_lanes_expf` computes what the C library's `expf` does, without calls, tables or, where
/// it matters, branches. Self-contained.
pub static HOST_LANES: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/host_lanes.bc"));

/// [`HOST_LANES`] for CPUs that multiply and add with one rounding.
pub static HOST_LANES_FMA: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/host_lanes_fma.bc"));

/// Bitcode of the builtins of NVIDIA GPUs.
///
/// Besides builtins it refers to functions of libdevice (`__nv_*`), which [`PTX_MATH`] defines too,
/// to `__nvvm_reflect("__CUDA_ARCH")`, and to `vprintf` and `__assertfail`, which the driver
/// provides. A query of the work-group's size is always a call of `__acpp_sscp_get_local_size_*`:
/// if a constant definition replaces the library's, the collectives are simplified for that size.
pub static PTX_BUILTINS: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/ptx.bc"));

/// Bitcode of the math functions of NVIDIA's libdevice, under the same names, partly made from
/// libclc.
///
/// Self-contained.
pub static PTX_MATH: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/ptx_math.bc"));

/// Bitcode of the builtins of AMD GPUs.
///
/// Valid for every processor from gfx9 on and both wave sizes. Besides builtins it refers to
/// functions of AMD's ocml (`__ocml_*`), which [`AMDGCN_MATH`] defines too, and to queries that the
/// translator replaces by constants before code generation: `__sinter_amdgcn_isa()`, the version of
/// the instruction set as ocml numbers it (gfx90a is 9010), and `__sinter_amdgcn_wave_size()`.
/// Sizes are read from the implicit arguments of code object version 5. A query of the work-group's
/// size is always a call of `__acpp_sscp_get_local_size_*`, as in [`PTX_BUILTINS`].
pub static AMDGCN_BUILTINS: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/amdgcn.bc"));

/// Bitcode of the math functions of AMD's ocml, under the same names, made from libclc.
///
/// Self-contained: it does not even refer to the constants (`__oclc_*`) that control ocml.
pub static AMDGCN_MATH: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/amdgcn_math.bc"));

/// Bitcode of the builtins of SPIR-V devices.
///
/// Besides builtins it refers to functions that stand for SPIR-V instructions
/// (`__sinter_spirv_op_*`), for OpenCL.std instructions (`__sinter_spirv_ocl_*`) and for built-in
/// variables (`__sinter_spirv_builtin_*`), and to queries that the translator replaces by
/// constants: `__sinter_spirv_has_*()`, 1 if the device has a feature,
/// `__sinter_spirv_sub_group_size()`, `__sinter_spirv_is_shader()`, 1 for Vulkan, and
/// `__sinter_spirv_flat_*()`, the size along an axis of a work-group that is launched as a row
/// along x, else 0. A query of the work-group's size is always a call of
/// `__acpp_sscp_get_local_size_*`, as in [`PTX_BUILTINS`]; a work-group has up to 1024 items.
pub static SPIRV_BUILTINS: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/spirv.bc"));

/// BLAKE3 digest of all libraries, part of the translator's fingerprint.
pub const DIGEST: [u8; 32] = include!(concat!(env!("OUT_DIR"), "/digest.rs"));
