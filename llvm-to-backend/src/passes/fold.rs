//! Makes branches on known values disappear.
//!
//! *Invariant:* runs at every optimisation level, because a construct behind a branch that is never taken must not
//! reach the checks.

use crate::{device_module::DeviceModule, failure::Outcome};

/// Values into registers; loads of constants and what follows from them; the same across calls; then everything that
/// is no longer reached. `simplifycfg` removes the blocks that the folded branches left behind.
const FOLD: &str = "function(sroa,early-cse,sccp,adce,simplifycfg),ipsccp,function(simplifycfg),globaldce";

pub(crate) fn fold<S>(m: &DeviceModule<'_, S>) -> Outcome<()> {
    Ok(m.module.run_passes(FOLD, None)?)
}
