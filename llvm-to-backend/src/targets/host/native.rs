//! Host CPUs that LLVM supports.
//!
//! *Invariant:* LLVM can generate code for a CPU that passes [`check_target`].

use crate::inspection::ImageError;
use sinter_core::HostTarget;
use sinter_llvm::{Machine, host_cpu, host_features, host_triple};

/// The machine that the translator runs on, as LLVM describes it.
pub fn native_target() -> HostTarget {
    HostTarget { triple: host_triple(), cpu: host_cpu(), features: host_features(), line_tables: false }
}

/// Fails with the reason if LLVM does not know the CPU of a target.
pub fn check_target(target: &HostTarget) -> Result<(), ImageError> {
    Machine::new(&target.triple, &target.cpu, &target.features, true)?;
    Ok(())
}
