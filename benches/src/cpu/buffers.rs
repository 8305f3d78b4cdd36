//! Measures commands with accessors on the host.
//!
//! *Invariant:* the program is the one that the GPU suite runs.

use crate::buffers::{self, Repetitions};
use crate::error::BenchError;
use crate::lab::Lab;

use super::findings::{Findings, host_program};

/// Numbers of work-items: a kernel that costs little beside its launch, and one of about 1.5 us.
const ITEMS: [usize; 2] = [64, 65536];

pub(super) fn measure(lab: &Lab) -> Result<Findings, BenchError> {
    let program = host_program(lab.build_ours("cpu/buffers")?);
    let program = program.variable("SINTER_CACHE_DIR", lab.fresh_cache("buffers")?);
    let (batches, launches) = (lab.effort.launch_batches, lab.effort.launches / 10);
    let times = Repetitions { rounds: lab.effort.rounds, batches, launches };
    Ok(buffers::measure(&program, &ITEMS, &times)?.into())
}
