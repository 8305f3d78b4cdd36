//! The machine that a PTX target describes.
//!
//! *Invariant:* everything about it comes from the target in the request.

use crate::failure::Outcome;
use sinter_core::PtxTarget;
use sinter_llvm::Machine;

/// LLVM's name of PTX for the CUDA driver. With another system it would name address spaces in the parameters.
pub(super) const TRIPLE: &str = "nvptx64-nvidia-cuda";

pub(crate) fn machine(target: &PtxTarget, optimise: bool) -> Outcome<Machine> {
    let PtxTarget { sm, isa, line_tables: _ } = target;
    Ok(Machine::new(TRIPLE, &format!("sm_{sm}"), &format!("+ptx{isa}"), optimise)?)
}
