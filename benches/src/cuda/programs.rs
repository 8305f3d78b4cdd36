//! Measures first processes of small programs on a GPU.

use std::fs;

use super::findings::Findings;
use super::place::Place;
use crate::error::BenchError;
use crate::pair::Effort;
use crate::processes::{self, Small};

/// Each takes a third of a second to open the device.
const MOST_ROUNDS: usize = 5;

pub(super) fn measure(place: &Place, effort: &Effort) -> Result<Findings, BenchError> {
    let cache = place.scratch.join("programs-cache");
    let empty = || {
        // The first process has no cache to remove.
        let _ = fs::remove_dir_all(&cache);
        Ok(cache.clone())
    };
    let program = |small: &Small| place.program(place.small(small)).arguments(place.options());
    let peer = place.program(place.peer("patterns")?).arguments(place.options());
    let figures = processes::measure(program, Some(&peer), effort.processes.min(MOST_ROUNDS), empty)?;
    Ok(Findings { figures, ..Findings::default() })
}
