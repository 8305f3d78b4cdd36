//! Level Zero's own loader, if it is installed: with the machine's drivers, and with the stand-in
//! as a driver.
//!
//! In: `libze_loader.so.1`. Out: devices or a reason; with the stand-in, the result of the
//! conformance suite. *Invariant:* the loader reads its environment when it is loaded, so each case
//! is a process of its own. Without a loader, the test reports that it was skipped.

mod common;

use common::Fake;
use sinter_driver::{
    Driver,
    conformance::{Sample, Verdict, check, failures},
};
use sinter_driver_level_zero::LevelZeroOptions;
use std::{env, path::PathBuf, process::Command};

/// Environment variable with the path of the stand-in, for a child process.
const STAND_IN: &str = "STAND_IN_OF_THE_TEST";
/// Settings of the loader's validation layer, which checks a program's calls.
const VALIDATION: [(&str, &str); 4] = [
    ("ZE_ENABLE_VALIDATION_LAYER", "1"),
    ("ZE_ENABLE_PARAMETER_VALIDATION", "1"),
    // Further checks of newer layers. Their lifetime check does not support immediate lists
    // (version 1.32).
    ("ZE_ENABLE_THREADING_VALIDATION", "1"),
    ("ZEL_ENABLE_EVENTS_CHECKER", "1"),
];

/// True if the loader is installed; otherwise reports that the test was skipped.
fn is_installed() -> bool {
    // SAFETY: the loader's initialisation is one that any program may run.
    let installed = unsafe { libloading::Library::new(level_zero_sys::open::NAME) }.is_ok();
    if !installed {
        eprintln!("skipped: {} is not installed", level_zero_sys::open::NAME);
    }
    installed
}

/// Runs one of the ignored tests in a process with these environment variables.
fn run_child(test: &str, variables: &[(&str, &str)]) {
    let mut child = Command::new(env::current_exe().expect("the test's own path"));
    for name in ["ZE_ENABLE_ALT_DRIVERS", "ZE_ENABLE_VALIDATION_LAYER", "ZE_ENABLE_PARAMETER_VALIDATION"] {
        child.env_remove(name);
    }
    child.args([test, "--exact", "--ignored", "--nocapture"]).envs(variables.iter().copied());
    let output = child.output().expect("run the child");
    let text = format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success() && text.contains("1 passed"), "{variables:?}:\n{text}");
    println!("{variables:?}:\n{text}");
}

#[test]
#[ignore = "run by `the_installed_loader_answers`, in a process of its own"]
fn child_without_a_stand_in() {
    let driver = sinter_driver_level_zero::driver(LevelZeroOptions::default());
    let devices = driver.devices().expect("no error");
    match driver.absence() {
        None => assert!(!devices.is_empty()),
        Some(reason) => {
            println!("{reason}");
            assert!(devices.is_empty() && !reason.contains("cannot be loaded"), "{reason}");
            assert!(!reason.contains("too old"), "{reason}");
        }
    }
}

#[test]
#[ignore = "run by other tests, in a process of its own"]
fn child_with_a_stand_in() {
    let fake = Fake::at(&PathBuf::from(env::var_os(STAND_IN).expect("the stand-in's path")));
    fake.set("log", 0);
    let driver = sinter_driver_level_zero::driver(LevelZeroOptions::default());
    let device =
        driver.devices().expect("no error").into_iter().next().unwrap_or_else(|| panic!("{:?}", driver.absence()));
    assert_eq!(device.info().name, "Stand-in 0");
    let outcomes = check(&*device, Some(&Sample { add_one: common::add_one() }));
    assert_eq!(failures(&outcomes), Vec::<String>::new());
    assert!(outcomes.iter().all(|outcome| outcome.verdict == Verdict::Passed));
    drop((device, driver));
    assert_eq!(fake.faults(), Vec::<String>::new());
}

#[test]
fn the_installed_loader_answers() {
    if is_installed() {
        run_child("child_without_a_stand_in", &[]);
        run_child("child_without_a_stand_in", &VALIDATION);
    }
}

/// Runs the suite through the loader, with more environment variables.
fn conforms(fake: &Fake, variables: &[(&str, &str)]) {
    if is_installed() {
        let path = fake.path.to_str().expect("a path in UTF-8");
        let ours = [("ZE_ENABLE_ALT_DRIVERS", path), (STAND_IN, path)];
        run_child("child_with_a_stand_in", &[&ours, variables].concat());
    }
}

#[test]
fn the_driver_conforms_through_the_loader() {
    conforms(&Fake::new(), &[]);
}

#[test]
fn the_driver_conforms_under_the_validation_layer() {
    conforms(&Fake::new(), &VALIDATION);
}

#[test]
fn the_driver_conforms_through_the_loader_over_an_old_driver() {
    conforms(&Fake::old(), &[("ZE_ENABLE_LOADER_INTERCEPT", "1")]);
}
