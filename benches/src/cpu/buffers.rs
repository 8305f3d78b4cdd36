//! Measures commands with accessors beside the same through USM in an in-order queue.
//!
//! *Invariant:* both run in one process by turns, so that their ratio is that of one machine state.

use crate::error::BenchError;
use crate::figure::{Figure, Goal, Unit};
use crate::lab::Lab;
use crate::run::{self, Readings};

use super::findings::{Findings, host_program, run_warm};

/// Numbers of work-items: a kernel that costs little beside its launch, and one of about 1.5 us.
const ITEMS: [usize; 2] = [64, 65536];

pub(super) fn measure(lab: &Lab) -> Result<Findings, BenchError> {
    let program = lab.build_ours("cpu/buffers")?;
    let cache = lab.fresh_cache("buffers")?;
    let figures = ITEMS.map(|items| {
        let sizes = [items, lab.effort.launch_batches, lab.effort.launches / 10];
        let ours = host_program(program.clone()).variable("SINTER_CACHE_DIR", cache.clone()).arguments(sizes);
        let rounds = (0..lab.effort.rounds).map(|_| run_warm(&ours)).collect::<Result<Vec<_>, _>>()?;
        figures(items, &rounds)
    });
    let figures = figures.into_iter().collect::<Result<Vec<_>, BenchError>>()?;
    Ok(figures.concat().into())
}

/// The chain has a goal where its kernels are not mere launches.
fn figures(items: usize, rounds: &[Readings]) -> Result<Vec<Figure>, BenchError> {
    let chain = if items == ITEMS[0] { Goal::None } else { Goal::Ratio(1.2) };
    let rows = [
        ("one", "one_accessor", "one_pointer", "kernel with an accessor", Goal::Above(1.0)),
        ("chain", "accessors", "pointers", "ten dependent ones", chain),
    ];
    rows.map(|(id, ours, peer, title, goal)| {
        let ours = run::medians(rounds.iter(), ours)?;
        let figure =
            Figure::new(format!("buffers.{id}{items}"), format!("{title}, {items} items"), Unit::Microseconds, &ours);
        Ok(figure.beside("USM, queue in order", &run::medians(rounds.iter(), peer)?).goal(goal))
    })
    .into_iter()
    .collect()
}
