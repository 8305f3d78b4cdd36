//! LLVM's target machine for a PTX target.
//!
//! *Invariant:* its properties come from the target in the request alone.

use crate::failure::Outcome;
use sinter_core::PtxTarget;
use sinter_llvm::Machine;

/// The triple for the CUDA driver. With another operating system, LLVM would add address spaces to
/// kernel parameters.
pub(super) const TRIPLE: &str = "nvptx64-nvidia-cuda";

pub(crate) fn machine(target: &PtxTarget, optimise: bool) -> Outcome<Machine> {
    let PtxTarget { sm, isa, line_tables: _ } = target;
    Ok(Machine::new(TRIPLE, &format!("sm_{sm}"), &format!("+ptx{isa}"), optimise)?)
}
