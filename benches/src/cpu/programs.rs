//! Measures first processes of small programs on the host.
//!
//! *Invariant:* they run in the default mode, with quick code first.

use crate::error::BenchError;
use crate::lab::Lab;
use crate::processes;

use super::findings::{Findings, host_program};

pub(super) fn measure(lab: &Lab) -> Result<Findings, BenchError> {
    let program = host_program(lab.build_ours("cuda/patterns")?).variable("SINTER_JIT_MODE", "fallback");
    let (program, rounds) = (program.arguments(["--cpu"]), lab.effort.rounds);
    let figures = processes::measure(&program, None, rounds, || lab.fresh_cache("programs"))?;
    Ok(figures.into())
}
