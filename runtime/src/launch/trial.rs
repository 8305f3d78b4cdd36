//! Compares code for values with code for all values, on launches of the program.
//!
//! In: both codes, each with a meter. Out: the code that each launch runs, and a verdict once both
//! were timed often enough. Code that does not seem to gain is compared once more, because other
//! work on the machine may be the reason. *Invariant:* both compute the same, so that a trial
//! changes nothing but times. Launches take turns in no order that a program could repeat, so that
//! both codes run with the same sizes.
#![forbid(unsafe_code)]

use crate::statistics::Verdict;
use sinter_driver::meter::Meter;
use std::sync::{
    Arc, OnceLock,
    atomic::{AtomicBool, AtomicU64, Ordering},
};

/// Launches after which a trial ends with or without a verdict, for drivers that time few of them.
const MOST: u64 = 4096;

/// The first bits of its multiples are spread evenly.
const FACTOR: u64 = 0x9e37_79b9_7f4a_7c15;

/// Code whose runs are timed.
#[derive(Debug)]
pub(super) struct Timed<C> {
    pub(super) code: C,
    pub(super) meter: Arc<Meter>,
}

/// Code for values and code for all values.
#[derive(Debug)]
pub(super) struct Trial<C> {
    special: Timed<C>,
    general: Timed<C>,
    turns: AtomicU64,
    /// The code did not seem to gain.
    is_doubted: AtomicBool,
    verdict: Arc<OnceLock<Verdict>>,
}

/// The course of a launch.
#[derive(Debug)]
pub(super) enum Turn<'t, C> {
    /// It runs this code.
    Runs(&'t C),
    /// The trial is over.
    Over {
        /// It runs the code for values; otherwise that for all values.
        is_kept: bool,
        /// True for the launch that ends the trial.
        ends: bool,
    },
}

impl<C> Trial<C> {
    /// `verdict` receives the result.
    pub(super) fn new(special: Timed<C>, general: Timed<C>, verdict: Arc<OnceLock<Verdict>>) -> Self {
        Trial { special, general, turns: AtomicU64::new(0), is_doubted: AtomicBool::new(false), verdict }
    }

    /// The code of the next launch.
    #[inline]
    pub(super) fn next(&self) -> Turn<'_, C> {
        match self.verdict.get() {
            Some(verdict) => Turn::Over { is_kept: verdict.is_kept, ends: false },
            None => self.turn(),
        }
    }

    /// The verdict, if there is one. The first one against code for values does not count.
    fn judged(&self) -> Option<Verdict> {
        let verdict = Verdict::of(self.special.meter.usual()?, self.general.meter.usual()?);
        if verdict.is_kept || self.is_doubted.swap(true, Ordering::Relaxed) {
            return Some(verdict);
        }
        [&self.special, &self.general].into_iter().for_each(|timed| timed.meter.restart());
        None
    }

    #[inline(never)]
    fn turn(&self) -> Turn<'_, C> {
        let turn = self.turns.fetch_add(1, Ordering::Relaxed);
        let verdict = match self.judged() {
            Some(verdict) => verdict,
            None if turn >= MOST => Verdict { ratio: f64::NAN, is_kept: true },
            None if turn.wrapping_mul(FACTOR) >> 63 == 0 => return Turn::Runs(&self.special.code),
            None => return Turn::Runs(&self.general.code),
        };
        Turn::Over { is_kept: verdict.is_kept, ends: self.verdict.set(verdict).is_ok() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    /// Takes turns with codes that take so many nanoseconds. Returns the turns of each code, the
    /// number of launches that ended the trial, and the verdict.
    fn tried(special: u64, general: u64) -> ([usize; 2], usize, Option<Verdict>) {
        let verdict = Arc::default();
        let timed = |code| Timed { code, meter: Arc::default() };
        let trial = Trial::new(timed(special), timed(general), Arc::clone(&verdict));
        let (mut turns, mut ends) = ([0; 2], 0);
        for launch in 0..2 * MOST {
            match trial.next() {
                Turn::Runs(code) => {
                    let index = usize::from(std::ptr::eq(code, &trial.general.code));
                    turns[index] += 1;
                    let slow = if launch % 3 == 0 { 50 } else { 1 };
                    if *code > 0 {
                        [&trial.special, &trial.general][index].meter.note(1, Duration::from_nanos(code * slow));
                    }
                }
                Turn::Over { ends: is_end, .. } => ends += usize::from(is_end),
            }
        }
        (turns, ends, verdict.get().copied())
    }

    #[test]
    fn code_that_gains_is_kept_and_other_code_is_not() {
        let (turns, ends, verdict) = tried(50, 100);
        assert_eq!((ends, verdict), (1, Some(Verdict { ratio: 0.5, is_kept: true })));
        assert!(turns.iter().all(|turns| (16..24).contains(turns)), "{turns:?}");
        for special in [100, 139] {
            let (_, ends, verdict) = tried(special, 100);
            assert_eq!((ends, verdict.map(|verdict| verdict.is_kept)), (1, Some(false)));
        }
    }

    #[test]
    fn one_bad_phase_does_not_decide() {
        let timed = |code| Timed { code, meter: Arc::<Meter>::default() };
        let trial = Trial::new(timed(80), timed(100), Arc::default());
        let mut turns = 0;
        while let Turn::Runs(code) = trial.next() {
            let is_disturbed = *code == 80 && turns < 30;
            let meter = if *code == 80 { &trial.special.meter } else { &trial.general.meter };
            meter.note(1, Duration::from_nanos(if is_disturbed { 900 } else { *code }));
            turns += 1;
        }
        assert_eq!(trial.verdict.get(), Some(&Verdict { ratio: 0.8, is_kept: true }));
    }

    #[test]
    fn code_that_nobody_times_is_kept() {
        let (_, ends, verdict) = tried(0, 0);
        assert!(ends == 1 && verdict.is_some_and(|verdict| verdict.is_kept && verdict.ratio.is_nan()));
    }
}
