//! Folds branches on known values.
//!
//! *Invariant:* runs at every optimisation level, because a construct in an unreachable branch must
//! not reach the checks.

use crate::{device_module::DeviceModule, failure::Outcome};

/// Promotes values to registers; propagates constants from loads, within and across functions; then
/// removes unreachable code. `simplifycfg` removes the blocks after folded branches.
const FOLD: &str = "function(sroa,early-cse,sccp,adce,simplifycfg),ipsccp,function(simplifycfg),globaldce";

pub(crate) fn fold<S>(m: &DeviceModule<'_, S>) -> Outcome<()> {
    Ok(m.module.run_passes(FOLD, None)?)
}
