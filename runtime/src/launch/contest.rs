//! Compares ways to run a kernel, on launches of the program.
//!
//! In: ways, each with a meter; the first is the usual one. Out: the way of each launch, and a
//! result once all were timed often enough. *Invariant:* all ways compute the same. Launches that
//! take another way than the usual one lose at most one hundredth of the time of all launches so
//! far: once they have lost more, the others wait until enough usual launches have passed. A way
//! is taken once before its first time is known.
#![forbid(unsafe_code)]

use crate::{forks::ForkSafe, statistics::Verdict};
use sinter_driver::meter::{Meter, RUNS};
use std::sync::{
    Arc, Mutex, OnceLock,
    atomic::{AtomicU64, Ordering},
};

/// The part of the time of all launches that may be lost.
const MOST_LOST: f64 = 0.01;
/// Runs of the usual way before another one is tried, and of a way before it is judged.
const FIRST_RUNS: u64 = 3;
/// A way whose first runs take more than this part of the usual time is not tried again.
const HOPELESS: f64 = 1.05;
/// As [`HOPELESS`], for the first run alone.
const HOPELESS_AT_ONCE: f64 = 1.5;
/// Launches after which a contest ends with what is known.
const MOST: u64 = 1 << 16;

/// A way to run a kernel.
#[derive(Debug)]
pub(super) struct Way<W> {
    pub(super) run: W,
    meter: Arc<Meter>,
    /// Launches that took it.
    given: AtomicU64,
}

impl<W> Way<W> {
    /// A way whose launches are noted in `meter`.
    pub(super) fn new(run: W, meter: Arc<Meter>) -> Self {
        Way { run, meter, given: AtomicU64::new(0) }
    }

    fn given(&self) -> u64 {
        self.given.load(Ordering::Relaxed)
    }

    fn count(&self) {
        self.given.fetch_add(1, Ordering::Relaxed);
    }

    fn is_under_way(&self) -> bool {
        self.given() > self.meter.noted()
    }

    /// The lower quartile of the times so far, because other work on the machine makes runs longer.
    fn time(&self) -> Option<f64> {
        let times = self.meter.kept();
        times.get(times.len() / 4).map(|time| *time as f64)
    }

    /// The same, once there are enough of them to judge by.
    fn known_time(&self) -> Option<f64> {
        self.time().filter(|_| self.meter.noted() >= FIRST_RUNS)
    }

    fn is_done(&self) -> bool {
        self.meter.noted() >= RUNS as u64
    }

    /// True once its first runs were slow.
    fn is_hopeless(&self, usual: f64) -> bool {
        let is_known = self.known_time().is_some();
        let most = usual * if is_known { HOPELESS } else { HOPELESS_AT_ONCE };
        self.time().is_some_and(|time| time > most)
    }

    /// The time that its launches have lost or will, in usual runs.
    fn lost(&self, usual: f64) -> f64 {
        let each = self.time().map_or(0.0, |time| time / usual - 1.0);
        self.given() as f64 * each.max(0.0)
    }

    /// True if a further launch may take it.
    fn is_open(&self, usual: f64) -> bool {
        let is_unknown = self.is_under_way() && self.time().is_none();
        self.given() < RUNS as u64 && !is_unknown && !self.is_hopeless(usual)
    }
}

/// A way that is faster than the usual one.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Winner {
    /// Its index.
    pub(super) way: usize,
    /// Its time, in times of the usual way.
    pub(super) ratio: f64,
}

/// The course of a launch.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Turn {
    /// It takes the usual way, untimed.
    Usual,
    /// It takes the way with this index, timed.
    Takes(usize),
    /// The contest is over. True for the launch that ends it.
    Over(bool),
}

/// A comparison of ways.
#[derive(Debug)]
pub(super) struct Contest<W> {
    pub(super) ways: Vec<Way<W>>,
    /// Number of launches.
    launches: ForkSafe<Mutex<u64>>,
    winner: OnceLock<Option<Winner>>,
}

impl<W> Contest<W> {
    pub(super) fn new(ways: Vec<Way<W>>) -> Self {
        Contest { ways, launches: ForkSafe::default(), winner: OnceLock::new() }
    }

    /// The result: no winner if the usual way stays.
    pub(super) fn winner(&self) -> Option<Option<Winner>> {
        self.winner.get().copied()
    }

    /// The course of the next launch. `settle` notes the times of a way's launches that are
    /// complete.
    pub(super) fn next(&self, settle: impl Fn(&W)) -> Turn {
        if self.winner.get().is_some() {
            return Turn::Over(false);
        }
        self.launches.with(|launches| {
            // A launch that another thread is choosing for need not be waited for.
            let Ok(mut launches) = launches.try_lock() else { return Turn::Usual };
            *launches += 1;
            self.ways.iter().filter(|way| way.is_under_way()).for_each(|way| settle(&way.run));
            let turn = self.choose(*launches);
            match turn {
                Turn::Takes(way) => self.ways[way].count(),
                Turn::Over(_) => return Turn::Over(self.winner.set(self.best()).is_ok()),
                Turn::Usual => (),
            }
            turn
        })
    }

    fn choose(&self, launches: u64) -> Turn {
        let Some((usual, others)) = self.ways.split_first() else { return Turn::Over(true) };
        let usual_again = || if usual.given() < RUNS as u64 { Turn::Takes(0) } else { Turn::Usual };
        let time = match usual.known_time() {
            _ if launches > MOST => return Turn::Over(true),
            None => return usual_again(),
            Some(time) => time,
        };
        let are_hopeless = others.iter().all(|way| way.is_hopeless(time));
        let are_known = others.iter().all(|way| way.is_done() || way.is_hopeless(time));
        if are_hopeless || are_known && usual.is_done() {
            return Turn::Over(true);
        }
        let open = others.iter().zip(1..).filter(|(way, _)| way.is_open(time));
        let Some((way, next)) = open.min_by_key(|(way, _)| way.given()) else { return usual_again() };
        let lost: f64 = others.iter().map(|way| way.lost(time)).sum();
        if lost > launches as f64 * MOST_LOST {
            return Turn::Usual;
        }
        // The usual way is timed under the same conditions as the others.
        if usual.given() <= way.given() { usual_again() } else { Turn::Takes(next) }
    }

    /// The fastest way, if it is worth a change.
    fn best(&self) -> Option<Winner> {
        let usual = self.ways.first()?.meter.usual()?;
        let timed = self.ways.iter().enumerate().skip(1);
        let (way, time) =
            timed.filter_map(|(index, way)| Some((index, way.meter.usual()?))).min_by_key(|(_, time)| *time)?;
        let Verdict { ratio, is_kept } = Verdict::of(time, usual);
        is_kept.then_some(Winner { way, ratio })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    fn contest(times: &[u64]) -> Contest<u64> {
        Contest::new(times.iter().map(|time| Way::new(*time, Arc::default())).collect())
    }

    /// Launches until the contest is over. Returns the number of launches of each way, of all, and
    /// the time that they lost in usual runs.
    fn run(contest: &Contest<u64>) -> (Vec<u64>, u64, f64) {
        let (mut all, mut lost, usual) = (0, 0.0f64, contest.ways[0].run);
        loop {
            all += 1;
            match contest.next(|_| ()) {
                Turn::Usual => (),
                Turn::Takes(index) => {
                    let Way { run, meter, .. } = &contest.ways[index];
                    meter.note(1, Duration::from_nanos(*run));
                    lost += (*run as f64 / usual as f64 - 1.0).max(0.0);
                    assert!(lost <= all as f64 * MOST_LOST + 1.0 + *run as f64 / usual as f64, "{lost} of {all}");
                }
                Turn::Over(ends) => {
                    assert!(ends && contest.next(|_| ()) == Turn::Over(false));
                    return (contest.ways.iter().map(Way::given).collect(), all, lost);
                }
            }
        }
    }

    #[test]
    fn the_fastest_way_wins() {
        let contest = contest(&[100, 95, 80, 99]);
        let (given, ..) = run(&contest);
        assert_eq!(contest.winner(), Some(Some(Winner { way: 2, ratio: 0.8 })));
        assert_eq!(given, [16; 4]);
    }

    #[test]
    fn a_small_gain_changes_nothing() {
        let contest = contest(&[100, 98]);
        run(&contest);
        assert_eq!(contest.winner(), Some(None));
    }

    #[test]
    fn slow_ways_are_given_up_and_cost_little() {
        let contest = contest(&[100, 1000, 250, 90, 108]);
        let (given, all, lost) = run(&contest);
        assert_eq!(contest.winner(), Some(Some(Winner { way: 3, ratio: 0.9 })));
        assert_eq!(&given[1..], [1, 1, 16, 3]);
        assert!(lost <= all as f64 * 0.0101, "{lost} of {all}");
    }

    #[test]
    fn a_way_is_taken_once_before_its_time_is_known() {
        let contest = contest(&[100, 100, 900]);
        (0..FIRST_RUNS).for_each(|_| {
            assert_eq!(contest.next(|_| ()), Turn::Takes(0));
            contest.ways[0].meter.note(1, Duration::from_nanos(100));
        });
        let ask = |times: usize| (0..times).map(|_| contest.next(|_| ())).collect::<Vec<_>>();
        assert_eq!(ask(2), [Turn::Takes(1), Turn::Takes(2)]);
        assert!(!ask(20).contains(&Turn::Takes(1)));
        contest.ways.iter().skip(1).for_each(|way| way.meter.note(1, Duration::from_nanos(way.run)));
        let later = ask(1000);
        let taken = |way| later.iter().filter(|turn| **turn == Turn::Takes(way)).count();
        assert_eq!([taken(1), taken(2)], [15, 0], "once it is known to be fast, the queue may hold several");
    }

    #[test]
    fn a_contest_that_nobody_times_ends() {
        let contest = contest(&[100, 50]);
        let mut launches = 0;
        while contest.next(|_| ()) != Turn::Over(true) {
            launches += 1;
        }
        assert_eq!((launches, contest.winner()), (MOST, Some(None)));
    }
}
