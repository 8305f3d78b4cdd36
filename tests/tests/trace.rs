//! The traces of programs, read as their viewers do.
//!
//! In: the program `process/traced.cpp` with `SINTER_TRACE`. *Invariant:* a trace is read with a
//! parser of JSON, and completed by its last bracket only if the program was killed.
#![allow(clippy::unwrap_used, reason = "a test says what it expects by unwrapping")]

use serde_json::Value;
use sinter_tests::programs::{Outcome, dist, execute, sinter_cc, workspace};
use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::Path,
    process::Command,
};

/// Nanoseconds by which rounding to microseconds may move an edge.
const ROUNDING: f64 = 0.002;

fn compile(folder: &Path) -> std::path::PathBuf {
    let (source, program) = (workspace().join("tests/process/traced.cpp"), folder.join("traced"));
    sinter_cc(&[&source, &"-O1", &"-std=c++17", &"-pthread", &"-o", &program]).unwrap();
    assert!(dist().exists());
    program
}

/// Runs the program with a trace and a report. Returns the text of both.
fn run(program: &Path, how: &str, settings: &[(&str, &str)]) -> (Outcome, String, String) {
    let folder = tempfile::tempdir().unwrap();
    let [trace, report, cache] = ["trace.json", "report.txt", "cache"].map(|name| folder.path().join(name));
    let mut command = Command::new(program);
    command.arg(how).env("SINTER_VISIBILITY_MASK", "host").env("SINTER_CACHE_DIR", cache);
    command.env("SINTER_TRACE", &trace).env("SINTER_REPORT", &report).envs(settings.iter().copied());
    let outcome = execute(&mut command, folder.path()).unwrap();
    let read = |path| fs::read_to_string(path).unwrap_or_default();
    (outcome, read(trace), read(report))
}

fn events(text: &str) -> Vec<Value> {
    serde_json::from_str(text).unwrap_or_else(|error| panic!("{error}\n{text}"))
}

/// The complete events, and those that only name something.
fn parts(events: Vec<Value>) -> (Vec<Value>, Vec<Value>) {
    events.into_iter().partition(|event| event["ph"] == "X")
}

fn times(event: &Value) -> (f64, f64) {
    let [start, duration] = ["ts", "dur"].map(|field| event[field].as_f64().unwrap());
    (start, start + duration)
}

/// Checks that of two events of a track one contains the other, or they do not overlap.
fn are_nested(events: &[Value]) {
    let mut tracks: BTreeMap<u64, Vec<&Value>> = BTreeMap::new();
    events.iter().for_each(|event| tracks.entry(event["tid"].as_u64().unwrap()).or_default().push(event));
    for track in tracks.values_mut() {
        track.sort_by(|one, other| {
            let ((a, b), (c, d)) = (times(one), times(other));
            a.total_cmp(&c).then(d.total_cmp(&b))
        });
        let mut open: Vec<f64> = Vec::new();
        for event in track.iter() {
            let (start, end) = times(event);
            while open.last().is_some_and(|outer| *outer <= start + ROUNDING) {
                open.pop();
            }
            assert!(open.last().is_none_or(|outer| end <= outer + ROUNDING), "{event} in {track:#?}");
            open.push(end);
        }
    }
}

fn names<'e>(events: &'e [Value], category: &str) -> BTreeSet<&'e str> {
    events.iter().filter(|event| event["cat"] == category).map(|event| event["name"].as_str().unwrap()).collect()
}

fn tiers(events: &[Value]) -> BTreeSet<&str> {
    events.iter().filter_map(|event| event["args"]["tier"].as_str()).collect()
}

#[test]
fn a_trace_has_phases_commands_and_tiers_however_the_program_ends() {
    let folder = tempfile::tempdir().unwrap();
    let program = compile(folder.path());
    // Tests may share one program, whose name is its file's and not that of the link to it.
    let file = fs::canonicalize(&program).unwrap();
    let file = file.file_name().unwrap().to_str().unwrap();
    for (how, killed) in [("return", false), ("exit in a thread", false), ("kill", true)] {
        let (outcome, text, report) = run(&program, how, &[("SINTER_JIT_MODE", "fallback")]);
        assert_eq!(outcome.status.code(), if killed { None } else { Some(7) }, "{how}: {}", outcome.describe(how));
        let text = if killed { format!("{text}]") } else { text };
        let (spans, namings) = parts(events(&text));
        are_nested(&spans);
        let host = names(&spans, "host");
        for name in ["translate", "load", "launch", "copy", "fill", "wait", "background"] {
            assert!(host.contains(name), "{how}: no {name} in {host:?}");
        }
        let kernels = names(&spans, "kernel");
        let ran = |kernel: &str| kernels.iter().any(|name| name.ends_with(&format!("::{kernel}")));
        assert!(ran("doubling") && ran("halving"), "{how}: {kernels:?}");
        assert!(names(&spans, "transfer").contains("copy of 16384 bytes"), "{how}");
        assert!(["quick", "full"].iter().all(|tier| tiers(&spans).contains(tier)), "{how}: {:?}", tiers(&spans));
        let named: BTreeSet<_> = namings.iter().filter_map(|event| event["args"]["name"].as_str()).collect();
        assert!(named.contains(file) && named.iter().any(|name| name.starts_with("queue 1 of ")), "{named:?}");
        if !killed {
            assert!(report.contains("min ms") && report.matches("doubling").count() >= 2, "{report}");
        }
    }
}

#[test]
fn without_a_trace_the_report_has_no_times() {
    let folder = tempfile::tempdir().unwrap();
    let program = compile(folder.path());
    let report = folder.path().join("report.txt");
    let mut command = Command::new(program);
    command.arg("return").env("SINTER_VISIBILITY_MASK", "host").env("SINTER_REPORT", &report);
    assert_eq!(execute(&mut command, folder.path()).unwrap().status.code(), Some(7));
    let report = fs::read_to_string(report).unwrap();
    assert!(report.contains("doubling") && !report.contains("min ms"), "{report}");
}
