//! LLVM's target machine for an AMD target.
//!
//! *Invariant:* its properties come from the target in the request alone.

use crate::failure::Outcome;
use sinter_core::{
    AmdgcnTarget,
    amdgcn::{Setting, Wave},
};
use sinter_llvm::{Level, Machine};

/// The triple of these GPUs under AMD's own drivers.
pub(super) const TRIPLE: &str = "amdgcn-amd-amdhsa";
/// Earlier processors have waves of 64 only, and no feature for the wave size.
const FIRST_WITH_WAVES: u32 = 10;

/// Uses the global register allocator even without optimisation. Allocating within basic blocks,
/// LLVM 19 spills every scalar register that is live across a block into lanes of vector registers,
/// and spills those too. Small kernels had 21 spills, and twice the instructions.
pub(crate) fn machine(target: &AmdgcnTarget, optimise: bool) -> Outcome<Machine> {
    let level = if optimise { Level::Aggressive } else { Level::Less };
    Ok(Machine::new(TRIPLE, &target.processor, &features(target), level)?)
}

/// LLVM's feature string. It omits unsupported features and those that may be either on or off.
pub(super) fn features(target: &AmdgcnTarget) -> String {
    let setting = |name: &str, setting| match setting {
        Setting::Unsupported | Setting::Any => None,
        Setting::Off => Some(format!("-{name}")),
        Setting::On => Some(format!("+{name}")),
    };
    let wave = match target.wave {
        _ if target.version()[0] < FIRST_WITH_WAVES => None,
        Wave::Wave32 => Some("+wavefrontsize32".to_owned()),
        Wave::Wave64 => Some("+wavefrontsize64".to_owned()),
    };
    let features = [setting("sramecc", target.sramecc), setting("xnack", target.xnack), wave];
    features.into_iter().flatten().collect::<Vec<_>>().join(",")
}
