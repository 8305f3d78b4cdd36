//! The machine that a host target describes.
//!
//! *Invariant:* everything about it comes from the target in the request, nothing from the machine we run on.

use crate::failure::Outcome;
use sinter_core::HostTarget;
use sinter_llvm::Machine;

pub(super) fn machine(target: &HostTarget, optimise: bool) -> Outcome<Machine> {
    Ok(Machine::new(&target.triple, &target.cpu, &target.features, optimise)?)
}
