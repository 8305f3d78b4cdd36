//! A table row that compares two served programs: our test, the versions of the peer's, title and
//! goal.
//!
//! *Invariant:* a ratio is time divided by time, so that "at least 0.95 of the peer's speed" is "at
//! most 1.053 of its time".

use crate::figure::{Goal, Unit};

/// Name of a test of the peer, and its description.
pub(crate) type Version = (&'static str, &'static str);

/// One row.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Case {
    /// Name of our test.
    pub(crate) test: &'static str,
    /// Identifies the row for scripts.
    pub(crate) id: &'static str,
    /// Description for the reader.
    pub(crate) title: &'static str,
    /// Test of the peer.
    pub(crate) peer: Version,
    /// Other versions of the peer's test; the fastest of all is used.
    pub(crate) rivals: &'static [Version],
    /// True if there is a result to check.
    pub(crate) checked: bool,
    /// Unit of the figure.
    pub(crate) unit: Unit,
    /// Goal of the figure.
    pub(crate) goal: Goal,
    /// Launches of a sample; `None` chooses them by their duration.
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

/// Panics on lists in which an id occurs twice or does not contain its list and its test.
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
