//! Runs the conformance suite over the host driver.
//!
//! In: pools of several sizes. Out: no failure and nothing skipped.

mod common;

use sinter_driver::conformance::{Sample, Verdict, check, failures};

#[test]
fn the_host_driver_conforms() {
    let sample = Sample { add_one: common::compile("add_one", common::ADD_ONE, 8) };
    for threads in [1, 2, 3, 16] {
        let outcomes = check(common::device(threads).as_ref(), Some(&sample));
        assert!(failures(&outcomes).is_empty(), "{threads} threads: {:#?}", failures(&outcomes));
        assert!(outcomes.iter().all(|outcome| outcome.verdict == Verdict::Passed));
    }
}
