//! A row of a table whose two sides are served programs: a test of ours, the versions of the peer's, title and goal.
//!
//! *Invariant:* a ratio is time divided by time, so that "at least 0.95 of the peer's speed" is "at most 1.053 of its time".

use crate::figure::{Goal, Unit};

/// A test of the peer, and what it is.
pub(crate) type Version = (&'static str, &'static str);

/// One row.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Case {
    /// Our test.
    pub(crate) test: &'static str,
    /// For scripts.
    pub(crate) id: &'static str,
    /// For the reader.
    pub(crate) title: &'static str,
    /// The peer's test.
    pub(crate) peer: Version,
    /// Other versions of it; the fastest of all is compared with.
    pub(crate) rivals: &'static [Version],
    /// Whether there is a result to check.
    pub(crate) checked: bool,
    /// Of the figure.
    pub(crate) unit: Unit,
    /// Of the figure.
    pub(crate) goal: Goal,
    /// Launches of a sample, where they are not chosen by their duration.
    pub(crate) launches: Option<usize>,
}

/// A kernel whose peer has a test of the same name, with a goal for the ratio.
pub(crate) const fn kernel(
    test: &'static str,
    id: &'static str,
    title: &'static str,
    peer: &'static str,
    goal: f64,
) -> Case {
    Case {
        test,
        id,
        title,
        peer: (test, peer),
        rivals: &[],
        checked: true,
        unit: Unit::Milliseconds,
        goal: Goal::Ratio(goal),
        launches: None,
    }
}

/// Refuses lists in which an id occurs twice or does not name its list and its test.
#[cfg(test)]
pub(crate) fn assert_ids<'a>(lists: impl IntoIterator<Item = (&'static str, Vec<&'a Case>)>) {
    let mut ids = std::collections::HashSet::new();
    for (prefix, cases) in lists {
        for case in cases {
            assert!(case.id.starts_with(prefix) && case.id.ends_with(case.test), "{}", case.id);
            assert!(ids.insert(case.id), "{} occurs twice", case.id);
        }
    }
}
