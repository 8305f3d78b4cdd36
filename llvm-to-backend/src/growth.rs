//! Limits how far inlining and unrolling may make a kernel grow, for each target.
//!
//! In: nothing. Out: limits in instructions, weighed as `sinter_llvm::Module::weight` does, over
//! all functions of the module. *Invariant:* below its limit a kernel is inlined and unrolled as
//! LLVM's cost models and the source say; calls and loops that would exceed it stay. The limits aim
//! at a translation within a second for kernels of 5,000 instructions as stage 1 leaves them, the
//! vendor's assembler included; `docs/benchmarks.md`, "Awkward kernels", lists what takes longer.

/// Host: splitting a kernel at its barriers and vectorising it multiply its code, and its code
/// generator is the fastest.
pub(crate) const HOST: u64 = 8_000;
/// PTX: `ptxas` takes as long again as LLVM, and longer where blocks are large.
pub(crate) const PTX: u64 = 4_000;
/// AMD: LLVM's register allocator for these GPUs is the slowest of all.
pub(crate) const AMDGCN: u64 = 4_000;
/// SPIR-V: the driver of the device compiles it again.
pub(crate) const SPIRV: u64 = 4_000;
