//! Compares two compilers in one process: Sinter's translator with the driver's linker, and NVRTC.
//!
//! *Invariant:* as for `compilers`; PTX strings are unique, too, so that the driver's cache does
//! not have them.

use super::findings::Findings;
use super::place::Place;
use crate::compilers::{self, Alone, Comparison};
use crate::error::BenchError;
use crate::figure::Goal;
use crate::pair::Effort;
use crate::session::Session;

const COMPARISONS: [Comparison; 3] = [
    comparison("ptx", "nvrtc_ptx", "IR to PTX", "NVRTC, source to PTX", 0.7),
    comparison("load", "nvrtc_load", "IR to loaded code", "NVRTC sm_90 + load", 1.4),
    comparison("quick", "nvrtc_load", "the same, link at -O1", "NVRTC sm_90 + load", 1.0),
];

const PARTS: [Alone; 4] = [
    ("link", "- PTX to code, driver"),
    ("link1", "- the same at -O1"),
    ("link0", "- the same at -O0"),
    ("cubin", "- load the code"),
];

const SKIPS: &str = "compile: \"loaded\" is a module and a function of it on both sides. The runtime also asks the driver for the \
                     kernel's limits and for the group sizes that suit it, which only the first launch has in it.";

const fn comparison(
    test: &'static str,
    peer_test: &'static str,
    title: &'static str,
    peer: &'static str,
    goal: f64,
) -> Comparison {
    Comparison { test, peer_test, title, peer, goal: Goal::Ratio(goal) }
}

pub(super) fn measure(place: &Place, effort: &Effort) -> Result<Findings, BenchError> {
    if place.rehearsal {
        return Err(BenchError::Skipped { reason: "a rehearsal has no NVRTC".to_owned() });
    }
    let requests = compilers::requests(&mut place.command(&place.ours("kernels")), &place.scratch)?;
    let mut command = place.command(&place.peer("compile")?);
    command.arg(place.library.join("libsinter_translate.so")).arg(requests);
    let figures = compilers::measure(&mut Session::serve(&mut command)?, &COMPARISONS, &PARTS, effort)?;
    Ok(Findings { figures, notes: vec![SKIPS.to_owned()], ..Findings::default() })
}
