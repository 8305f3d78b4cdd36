//! Turns two sessions and a case into a figure: both are checked, then timed in turn.
//!
//! The peer is the faster of its versions, which a few samples decide before the pairs.
//!
//! *Invariant:* who goes first alternates, and a sample of either side has the same number of launches.

use super::cases::Case;
use super::session::Session;
use crate::error::BenchError;
use crate::figure::Figure;

/// How much to repeat.
#[derive(Clone, Copy, Debug)]
pub(super) struct Effort {
    /// Samples of each side.
    pub(super) rounds: usize,
    /// Processes of each side for what happens once in a process.
    pub(super) processes: usize,
    /// Seconds that a sample should last.
    pub(super) sample: f64,
}

/// No sample has more launches, unless a case says so.
const MOST_LAUNCHES: f64 = 1000.0;

impl Effort {
    /// What figures are published from, or enough to see that everything works.
    pub(super) fn of(quick: bool) -> Self {
        if quick {
            Self { rounds: 3, processes: 2, sample: 0.002 }
        } else {
            Self { rounds: 15, processes: 9, sample: 0.02 }
        }
    }

    /// Launches of a sample of which one takes `seconds`.
    fn launches(&self, seconds: f64) -> usize {
        (self.sample / seconds).ceil().clamp(1.0, MOST_LAUNCHES) as usize
    }
}

/// Samples of each version of the peer.
const TRIALS: usize = 3;

/// Checks and times one case.
pub(super) fn measure(
    ours: &mut Session,
    peer: &mut Session,
    case: &Case,
    effort: &Effort,
) -> Result<Figure, BenchError> {
    let case = &fastest(peer, case, effort)?;
    if case.checked {
        ours.check(case.test)?;
        peer.check(case.peer_test)?;
    }
    let slower = ours.time(case.test, 2)?.max(peer.time(case.peer_test, 2)?);
    let launches = case.launches.unwrap_or_else(|| effort.launches(slower));
    let (mut mine, mut theirs) = (Vec::new(), Vec::new());
    for round in 0..effort.rounds {
        if round % 2 == 0 {
            mine.push(ours.time(case.test, launches)?);
            theirs.push(peer.time(case.peer_test, launches)?);
        } else {
            theirs.push(peer.time(case.peer_test, launches)?);
            mine.push(ours.time(case.test, launches)?);
        }
    }
    Ok(Figure::new(case.id, case.title, case.unit, &mine).beside(case.peer, &theirs).goal(case.goal))
}

// The case with the version of the peer that is faster.
fn fastest(peer: &mut Session, case: &Case, effort: &Effort) -> Result<Case, BenchError> {
    let Some((test, name)) = case.rival else { return Ok(*case) };
    let other = Case { peer_test: test, peer: name, rival: None, ..*case };
    let faster = trial(peer, &other, effort)? < trial(peer, case, effort)?;
    Ok(if faster { other } else { Case { rival: None, ..*case } })
}

// The least seconds of a launch of the peer.
fn trial(peer: &mut Session, case: &Case, effort: &Effort) -> Result<f64, BenchError> {
    let once = peer.time(case.peer_test, 2)?;
    (0..TRIALS).try_fold(f64::INFINITY, |least, _| Ok(least.min(peer.time(case.peer_test, effort.launches(once))?)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cuda::cases::{LAUNCH, STREAM};
    use std::process::Command;

    #[test]
    fn full_effort_gives_the_promised_number_of_samples() {
        let effort = Effort::of(false);
        assert!(effort.rounds >= 9 && effort.processes >= 9);
    }

    #[test]
    fn short_kernels_are_launched_more_often() {
        let effort = Effort { rounds: 9, processes: 9, sample: 0.02 };
        assert_eq!([effort.launches(1.0), effort.launches(0.001), effort.launches(1e-9)], [1, 20, 1000]);
    }

    #[test]
    fn both_sides_are_checked_and_have_as_many_samples() {
        let script = r#"while read a b c; do
            if [ $a = check ]; then echo '{"verified":true}'; else echo '{"seconds":0.001}'; fi; done"#;
        let session = || Session::spawn(Command::new("/bin/sh").args(["-c", script])).unwrap();
        let figure = measure(&mut session(), &mut session(), &STREAM[4], &Effort::of(true)).unwrap();
        assert_eq!(figure.samples, [1.0; 3]);
        assert_eq!(figure.ratio(), Some(1.0));
    }

    #[test]
    fn the_faster_version_of_the_peer_is_compared_with() {
        let script = r#"while read a b c; do
            case $a.$b in check.*) echo '{"verified":true}';; *_nd) echo '{"seconds":0.001}';; *) echo '{"seconds":0.002}'; esac; done"#;
        let session = || Session::spawn(Command::new("/bin/sh").args(["-c", script])).unwrap();
        let figure = measure(&mut session(), &mut session(), &STREAM[4], &Effort::of(true)).unwrap();
        let peer = figure.peer.as_ref().unwrap();
        assert_eq!((peer.name, figure.ratio()), ("nvcc, 256 a block", Some(2.0)));
    }

    #[test]
    fn what_has_no_result_is_not_checked() {
        let script = r#"while read a b c; do
            if [ $a = check ]; then echo '{"verified":null}'; else echo '{"seconds":0.001}'; fi; done"#;
        let session = || Session::spawn(Command::new("/bin/sh").args(["-c", script])).unwrap();
        let of = |case| measure(&mut session(), &mut session(), case, &Effort::of(true));
        assert!(of(&LAUNCH[0]).is_ok() && of(&STREAM[0]).is_err());
    }
}
