//! LLVM's target machine for the optimiser.
//!
//! *Invariant:* address spaces have the numbers of images; pointers have 64 bits in all of them.

use crate::failure::Outcome;
use sinter_llvm::Machine;

/// The LLVM target whose cost model is used: the most generic one of the GPUs.
pub(super) const TRIPLE: &str = "nvptx64-nvidia-cuda";
/// Its data layout, with private memory in an address space of its own, as SPIR-V has it, and
/// variables in global memory.
pub(super) const LAYOUT: &str = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64-A5-G1";
/// Its oldest processor that Sinter supports.
const PROCESSOR: &str = "sm_70";

pub(super) fn machine(optimise: bool) -> Outcome<Machine> {
    Ok(Machine::new(TRIPLE, PROCESSOR, "", optimise)?)
}
