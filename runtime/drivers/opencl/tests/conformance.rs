//! Runs the conformance suite over the stand-in.
//!
//! In: code for the suite's kernel. Out: no failure and nothing skipped.

mod common;

use common::Fake;
use sinter_driver::conformance::{Sample, Verdict, check, failures};

fn conforms(fake: &Fake) {
    fake.set("log", 0);
    let outcomes = check(&*fake.device(), Some(&Sample { add_one: common::add_one() }));
    assert!(failures(&outcomes).is_empty(), "{:#?}", failures(&outcomes));
    assert!(outcomes.iter().all(|outcome| outcome.verdict == Verdict::Passed));
}

#[test]
fn the_driver_conforms_over_the_extension_for_memory() {
    conforms(&Fake::new());
}

#[test]
fn the_driver_conforms_over_shared_virtual_memory() {
    let fake = Fake::new();
    fake.set("usm", 0);
    conforms(&fake);
}

#[test]
fn the_driver_conforms_over_opencl_2_with_the_extension_for_code() {
    let fake = Fake::new();
    fake.set("version", 20);
    conforms(&fake);
}
