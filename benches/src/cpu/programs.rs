//! Measures first processes of small programs on the host.
//!
//! *Invariant:* they run in the default mode, with quick code first.

use crate::error::BenchError;
use crate::lab::Lab;
use crate::processes::{self, PROGRAMS, Small};

use super::findings::{Findings, host_program};

pub(super) fn measure(lab: &Lab) -> Result<Findings, BenchError> {
    PROGRAMS.iter().try_for_each(|small| lab.build_small(small).map(drop))?;
    let program = |small: &Small| {
        let program = host_program(lab.small(small)).variable("SINTER_JIT_MODE", "fallback");
        program.arguments(["--cpu"])
    };
    let figures = processes::measure(program, None, lab.effort.rounds, || lab.fresh_cache("programs"))?;
    Ok(figures.into())
}
