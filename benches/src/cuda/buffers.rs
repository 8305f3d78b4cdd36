//! Measures commands with accessors on a GPU.
//!
//! *Invariant:* the program is the one that the CPU suite runs.

use super::findings::Findings;
use super::place::Place;
use crate::buffers::{self, Repetitions};
use crate::error::BenchError;
use crate::pair::Effort;

/// Numbers of work-items: two kernels that cost less than their launch, and one that costs more.
const ITEMS: [usize; 3] = [64, 1 << 16, 1 << 20];

pub(super) fn measure(place: &Place, effort: &Effort) -> Result<Findings, BenchError> {
    let program = place.program(place.ours("buffers"));
    let times = Repetitions { rounds: effort.processes, batches: 30, launches: 100 };
    Ok(Findings { figures: buffers::measure(&program, &ITEMS, &times)?, ..Findings::default() })
}
