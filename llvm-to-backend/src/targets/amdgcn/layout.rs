//! The machine that an AMD target describes.
//!
//! *Invariant:* everything about it comes from the target in the request.

use crate::failure::Outcome;
use sinter_core::{
    AmdgcnTarget,
    amdgcn::{Setting, Wave},
};
use sinter_llvm::{Level, Machine};

/// LLVM's name of these GPUs as AMD's own drivers run them.
pub(super) const TRIPLE: &str = "amdgcn-amd-amdhsa";
/// Processors before this one have waves of 64 only, and no feature that says so.
const FIRST_WITH_WAVES: u32 = 10;

/// Registers are allocated over whole functions even without optimisation. Allocating within
/// blocks, LLVM 19 spills every scalar register that is live across one into lanes of vector
/// registers, and spills those too. Small kernels had 21 spills, and twice the instructions.
pub(crate) fn machine(target: &AmdgcnTarget, optimise: bool) -> Outcome<Machine> {
    let level = if optimise { Level::Aggressive } else { Level::Less };
    Ok(Machine::new(TRIPLE, &target.processor, &features(target), level)?)
}

/// LLVM's feature string; what is not mentioned may be either way.
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
