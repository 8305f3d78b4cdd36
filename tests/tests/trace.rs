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
    path::{Path, PathBuf},
    process::Command,
};

/// Nanoseconds by which rounding to microseconds may move an edge.
const ROUNDING: f64 = 0.002;

fn compile(folder: &Path) -> PathBuf {
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

/// The report of the program, as a file of this name.
fn report(program: &Path, folder: &Path, name: &str) -> String {
    let report = folder.join(name);
    let mut command = Command::new(program);
    command.arg("return").env("SINTER_VISIBILITY_MASK", "host").env("SINTER_REPORT", &report);
    command.env("SINTER_CACHE_DIR", folder.join("cache"));
    assert_eq!(execute(&mut command, folder).unwrap().status.code(), Some(7));
    fs::read_to_string(report).unwrap()
}

#[test]
fn without_a_trace_the_report_has_times_of_the_host() {
    let folder = tempfile::tempdir().unwrap();
    let program = compile(folder.path());
    let report = report(&program, folder.path(), "report.txt");
    let (code, times) = report.split_once("\n\n").unwrap();
    assert!(code.contains("doubling") && times.contains("min ms"), "{report}");
    let line = times.lines().find(|line| line.contains("doubling")).unwrap();
    let numbers: Vec<f64> = line.rsplit("  ").filter_map(|cell| cell.trim().parse().ok()).take(6).collect();
    let [most, least, mean, total, timed, launches] = numbers[..] else { panic!("{line}") };
    assert_eq!((timed, launches), (3.0, 3.0), "{line}");
    assert!(least <= mean && mean <= most && most <= total && total > 0.0, "{line}");
}

#[test]
fn a_report_is_a_page_where_its_file_is_one() {
    let folder = tempfile::tempdir().unwrap();
    let program = compile(folder.path());
    let page = report(&program, folder.path(), "report.html");
    assert!(page.starts_with("<!DOCTYPE html>") && page.ends_with("</html>\n"), "{page}");
    for part in ["doubling", "halving", "first launch", "translated", "SINTER_REPORT", "Content-Security-Policy"] {
        assert!(page.contains(part), "{part} in {page}");
    }
    assert!(!page.contains("http://") && !page.contains("https://"), "{page}");
}

/// Compiles the tool that takes ranges.
fn tool(folder: &Path) -> PathBuf {
    let (source, tool) = (workspace().join("tests/process/ranges_tool.c"), folder.join("libranges.so"));
    let mut command = Command::new("cc");
    command.args(["-shared", "-fPIC", "-O1", "-Wall", "-Wextra", "-Werror"]).arg(source).arg("-o").arg(&tool);
    let compiled = command.output().unwrap();
    assert!(compiled.status.success(), "{}", String::from_utf8_lossy(&compiled.stderr));
    tool
}

/// Runs the program with the tool. Returns the lines that the tool has written, and the log.
fn ranges(program: &Path, tool: &Path, how: &str) -> (String, Outcome) {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("ranges.txt");
    let mut command = Command::new(program);
    command.arg("return").env("SINTER_VISIBILITY_MASK", "host").env("SINTER_JIT_MODE", "fallback");
    command.env("SINTER_CACHE_DIR", folder.path().join("cache"));
    command.env("NVTX_INJECTION64_PATH", tool).env("RANGES_FILE", &file).env("RANGES_HOW", how);
    let outcome = execute(&mut command, folder.path()).unwrap();
    assert_eq!(outcome.status.code(), Some(7), "{}", outcome.describe(how));
    (fs::read_to_string(&file).unwrap_or_default(), outcome)
}

#[test]
fn a_tool_is_given_ranges_of_phases_and_launches() {
    let folder = tempfile::tempdir().unwrap();
    let (program, tool) = (compile(folder.path()), tool(folder.path()));
    let (lines, _) = ranges(&program, &tool, "domain");
    let pushed: Vec<_> = lines.lines().filter(|line| line.starts_with("push ")).collect();
    let popped = lines.lines().filter(|line| line.starts_with("pop ")).count();
    // The program may end while a thread of the background is in two of them.
    assert!((popped..=popped + 2).contains(&pushed.len()), "{lines}");
    assert!(pushed.iter().all(|line| line.contains(" Sinter ")), "{lines}");
    let category = |name: &str| {
        let end = format!("Sinter {name}");
        let line = lines.lines().find(|line| line.starts_with("category ") && line.ends_with(&end)).unwrap();
        line.split(' ').nth(2).unwrap().to_owned()
    };
    for (kind, message, count) in [("launch", "::doubling", 3), ("launch", "::halving", 1), ("copy", "copy of", 1)] {
        let (category, is_kernel) = (format!(" {} Sinter ", category(kind)), kind == "launch");
        let is_one = |line: &&&str| {
            line.contains(&category) && line.contains(message) && (!is_kernel || line.ends_with(message))
        };
        assert_eq!(pushed.iter().filter(is_one).count(), count, "{kind} {message} in {lines}");
    }
    for phase in ["translate ", "load ", "wait", "background "] {
        assert!(pushed.iter().any(|line| line.contains(&format!("Sinter {phase}"))), "{phase} in {lines}");
    }
    assert!(pushed.iter().any(|line| line.ends_with("::doubling (quick)")), "{lines}");
}

#[test]
fn a_tool_without_domains_or_ranges_harms_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let (program, tool) = (compile(folder.path()), tool(folder.path()));
    let (lines, _) = ranges(&program, &tool, "plain");
    assert!(lines.contains("push 0 0 none ") && lines.contains("::doubling"), "{lines}");
    let (lines, outcome) = ranges(&program, &tool, "refuse");
    assert!(lines.is_empty() && outcome.output.contains("InitializeInjectionNvtx2 returned 0"), "{}", outcome.output);
    let (_, outcome) = ranges(&program, Path::new("/no/such/tool.so"), "domain");
    assert!(outcome.output.contains("no ranges for the tool in /no/such/tool.so"), "{}", outcome.output);
}
