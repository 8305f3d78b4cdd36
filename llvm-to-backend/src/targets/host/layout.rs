//! LLVM's target machine for a host target.
//!
//! *Invariant:* its properties come from the target in the request, none from the machine that the
//! translator runs on.

use crate::failure::Outcome;
use sinter_core::HostTarget;
use sinter_llvm::Machine;

pub(super) fn machine(target: &HostTarget, optimise: bool) -> Outcome<Machine> {
    Ok(Machine::new(&target.triple, &target.cpu, &target.features, optimise)?)
}
