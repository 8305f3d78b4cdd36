//! Measures commands with accessors beside the same through USM in an in-order queue.
//!
//! In: the program `buffers`, with the environment of a suite. Out: for each number of work-items
//! the launch of one kernel whose data is resident, and a chain of ten dependent ones.
//!
//! *Invariant:* both run in one process by turns, so that their ratio is that of one machine state.

use crate::error::BenchError;
use crate::figure::{Figure, Goal, Unit};
use crate::run::{self, Program, Readings};

/// Repetitions: processes, batches in each, launches or chains in a batch.
pub(crate) struct Repetitions {
    pub(crate) rounds: usize,
    pub(crate) batches: usize,
    pub(crate) launches: usize,
}

/// Measures kernels of `items` work-items, of which the first only cost their launch.
pub(crate) fn measure(program: &Program, items: &[usize], times: &Repetitions) -> Result<Vec<Figure>, BenchError> {
    let figures = items.iter().enumerate().map(|(index, &items)| {
        let program = program.clone().arguments([items, times.batches, times.launches]);
        let rounds = (0..times.rounds).map(|_| program.run_warm()).collect::<Result<Vec<_>, _>>()?;
        figures(items, if index == 0 { Goal::None } else { Goal::Ratio(1.2) }, &rounds)
    });
    Ok(figures.collect::<Result<Vec<_>, BenchError>>()?.concat())
}

fn figures(items: usize, chain: Goal, rounds: &[Readings]) -> Result<Vec<Figure>, BenchError> {
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
