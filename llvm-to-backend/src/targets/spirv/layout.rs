//! The machine whose optimiser runs.
//!
//! *Invariant:* address spaces have the numbers that images have; pointers have 64 bits in all of them.

use crate::failure::Outcome;
use sinter_llvm::Machine;

/// The target of LLVM that lends its cost model: the one of GPUs that has the least of its own in it.
pub(super) const TRIPLE: &str = "nvptx64-nvidia-cuda";
/// Its data layout, with private memory in a space of its own, as SPIR-V has it, and variables in global memory.
pub(super) const LAYOUT: &str = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64-A5-G1";
/// The least of it.
const PROCESSOR: &str = "sm_70";

pub(super) fn machine(optimise: bool) -> Outcome<Machine> {
    Ok(Machine::new(TRIPLE, PROCESSOR, "", optimise)?)
}
