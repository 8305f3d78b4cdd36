//! Measures a case with two sessions: both are checked, then timed in turn.
//!
//! The peer is the fastest of its versions, which is determined by a few samples before the pairs.
//!
//! *Invariant:* the order within a pair alternates, and samples of both sides have the same number
//! of launches.

use std::collections::HashMap;

use crate::case::{Case, Version};
use crate::error::BenchError;
use crate::figure::Figure;
use crate::session::{Session, Work};

/// Numbers of repetitions.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Effort {
    /// Samples of each side.
    pub(crate) rounds: usize,
    /// Processes of each side for operations that happen once in a process.
    pub(crate) processes: usize,
    /// Target duration of a sample, in seconds.
    pub(crate) sample: f64,
}

/// Largest number of launches in a sample, unless a case sets it.
const MOST_LAUNCHES: f64 = 1000.0;

impl Effort {
    /// Effort for published figures, or for a functional test.
    pub(crate) fn of(quick: bool) -> Self {
        if quick {
            Self { rounds: 3, processes: 2, sample: 0.002 }
        } else {
            Self { rounds: 15, processes: 9, sample: 0.02 }
        }
    }

    /// Number of launches in a sample if one takes `seconds`.
    fn launches(&self, seconds: f64) -> usize {
        (self.sample / seconds).ceil().clamp(1.0, MOST_LAUNCHES) as usize
    }
}

/// Samples of each version of the peer.
const TRIALS: usize = 3;

/// Checks and times one case. The peer has the tests in `listed`.
pub(crate) fn measure(
    ours: &mut Session,
    peer: &mut Session,
    case: &Case,
    listed: &HashMap<String, Work>,
    effort: &Effort,
) -> Result<Figure, BenchError> {
    let (peer_test, peer_is) = fastest(peer, case, listed, effort)?;
    if case.checked {
        ours.check(case.test)?;
        peer.check(peer_test)?;
    }
    let slower = ours.time(case.test, 2)?.max(peer.time(peer_test, 2)?);
    let launches = case.launches.unwrap_or_else(|| effort.launches(slower));
    let (mut mine, mut theirs) = (Vec::new(), Vec::new());
    for round in 0..effort.rounds {
        if round % 2 == 0 {
            mine.push(ours.time(case.test, launches)?);
            theirs.push(peer.time(peer_test, launches)?);
        } else {
            theirs.push(peer.time(peer_test, launches)?);
            mine.push(ours.time(case.test, launches)?);
        }
    }
    Ok(Figure::new(case.id, case.title, case.unit, &mine).beside(peer_is, &theirs).goal(case.goal))
}

// The fastest version of the peer. Versions that are not listed are skipped: some need a library
// that the machine lacks.
fn fastest(
    peer: &mut Session,
    case: &Case,
    listed: &HashMap<String, Work>,
    effort: &Effort,
) -> Result<Version, BenchError> {
    let rivals: Vec<Version> = case.rivals.iter().copied().filter(|(test, _)| listed.contains_key(*test)).collect();
    if rivals.is_empty() {
        return Ok(case.peer);
    }
    let (mut best, mut least) = (case.peer, trial(peer, case.peer.0, effort)?);
    for rival in rivals {
        let taken = trial(peer, rival.0, effort)?;
        if taken < least {
            (best, least) = (rival, taken);
        }
    }
    Ok(best)
}

// Minimum seconds of a launch of a test of the peer.
fn trial(peer: &mut Session, test: &str, effort: &Effort) -> Result<f64, BenchError> {
    let once = peer.time(test, 2)?;
    (0..TRIALS).try_fold(f64::INFINITY, |least, _| Ok(least.min(peer.time(test, effort.launches(once))?)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::case;
    use std::process::Command;

    const TRIAD: Case =
        Case { rivals: &[("triad_nd", "256 a block")], ..case::kernel("triad", "stream.triad", "triad", "128", 1.0) };
    const LAUNCH: Case = Case { checked: false, ..case::kernel("launch", "launch", "launch", "driver", 1.0) };

    // Both sides run the same program.
    fn measured(case: &Case, script: &str) -> Result<Figure, BenchError> {
        let session = || Session::spawn(Command::new("/bin/sh").args(["-c", script])).unwrap();
        let work = Work { bytes: 0.0, operations: 0.0, group: String::new() };
        let listed = HashMap::from([("triad_nd".to_owned(), work)]);
        measure(&mut session(), &mut session(), case, &listed, &Effort::of(true))
    }

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
        let figure = measured(&TRIAD, script).unwrap();
        assert_eq!(figure.samples, [1.0; 3]);
        assert_eq!(figure.ratio(), Some(1.0));
    }

    #[test]
    fn the_fastest_version_of_the_peer_is_compared_with() {
        let script = r#"while read a b c; do
            case $a.$b in check.*) echo '{"verified":true}';; *_nd) echo '{"seconds":0.001}';; *) echo '{"seconds":0.002}'; esac; done"#;
        let figure = measured(&TRIAD, script).unwrap();
        assert_eq!((figure.peer.as_ref().unwrap().name, figure.ratio()), ("256 a block", Some(2.0)));
        // The peer does not list this version.
        let missing = Case { rivals: &[("triad_library", "library")], ..TRIAD };
        assert_eq!(measured(&missing, script).unwrap().peer.unwrap().name, "128");
    }

    #[test]
    fn what_has_no_result_is_not_checked() {
        let script = r#"while read a b c; do
            if [ $a = check ]; then echo '{"verified":null}'; else echo '{"seconds":0.001}'; fi; done"#;
        assert!(measured(&LAUNCH, script).is_ok() && measured(&TRIAD, script).is_err());
    }
}
