//! Runs the conformance suite over the stand-ins.
//!
//! In: code for the suite's kernel. Out: no failure, nothing skipped, no violation of the
//! specification, and no objects left.

mod common;

use common::{Fake, Parameter};
use sinter_driver::conformance::{Sample, Verdict, check, failures};

/// The stand-in parses the tests' modules itself; here an independent tool validates them.
#[test]
fn the_tests_modules_are_spirv() {
    use Parameter::{Int, Local, Long, Pointer};
    let folder = tempfile::tempdir().expect("temporary folder");
    for parameters in [&[][..], &[Pointer, Long], &[Pointer, Int, Local]] {
        let file = folder.path().join("module.spv");
        std::fs::write(&file, common::module("k", parameters)).expect("write");
        let mut validator = std::process::Command::new("spirv-val");
        let Ok(output) = validator.args(["--target-env", "opencl2.1"]).arg(&file).output() else {
            return eprintln!("skipped: spirv-val is not installed");
        };
        assert!(output.status.success(), "{parameters:?}: {}", String::from_utf8_lossy(&output.stderr));
    }
}

fn conforms(fake: &Fake) {
    fake.set("log", 0);
    let outcomes = check(&*fake.device(), Some(&Sample { add_one: common::add_one() }));
    assert!(failures(&outcomes).is_empty(), "{:#?}", failures(&outcomes));
    assert!(outcomes.iter().all(|outcome| outcome.verdict == Verdict::Passed));
    assert_eq!(fake.faults(), Vec::<String>::new());
}

#[test]
fn the_driver_conforms_over_lists_in_order() {
    conforms(&Fake::new());
}

#[test]
fn the_driver_conforms_over_lists_with_barriers() {
    conforms(&Fake::old());
}

#[test]
fn the_driver_conforms_where_only_the_loader_is_new() {
    let fake = Fake::new();
    fake.set("api", 0x0001_0003);
    conforms(&fake);
}
