//! Passes names of kernels from one tool to another.
//!
//! In: a program with lambdas in lambdas, templates and namespaces. *Invariant:* every tool accepts
//! the names that another tool prints, and the report has the same names.
#![allow(clippy::unwrap_used, reason = "a test says what it expects by unwrapping")]

use sinter_core::names::{Extent, Named, find};
use sinter_tests::programs::{Fallible, dist, run_with, sinter_cc};
use std::{
    collections::BTreeSet,
    fs,
    path::Path,
    process::{Command, Output},
};

fn tool(folder: &Path, name: &str, arguments: &[&str]) -> Output {
    Command::new(dist().join("bin").join(name)).args(arguments).current_dir(folder).output().unwrap()
}

fn text(output: &Output) -> String {
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8_lossy(&output.stdout).into_owned()
}

fn compile(folder: &Path) -> Fallible {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("programs/kernels/names_and_scopes.cpp");
    sinter_cc(&[&"-std=c++17", &source, &"-o", &folder.join("program")])
}

/// Names in the output `NAME [SYMBOL]` of a tool, one a line.
fn listed(folder: &Path) -> Vec<(String, String)> {
    let text = text(&tool(folder, "llvm-to-host-tool", &["--list-kernels", "program"]));
    let pair =
        |line: &str| line.split_once(" [").map(|(name, rest)| (name.to_owned(), rest.trim_end_matches(']').to_owned()));
    text.lines().filter_map(pair).collect()
}

#[test]
fn what_one_tool_prints_all_accept() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    compile(at).unwrap();
    let kernels = listed(at);
    assert!(kernels.len() > 5, "{kernels:?}");
    let symbols: Vec<String> = kernels.iter().map(|(_, symbol)| symbol.clone()).collect();
    let containers = text(&tool(at, "sinter-hcf", &["ls", "program"]));
    for (name, symbol) in &kernels {
        assert!(containers.contains(&format!("kernel {name} [{symbol}] in ")), "{name}: {containers}");
        let Named::One(found) = find(name, &symbols, Extent::Part) else { panic!("{name}") };
        assert_eq!(found, symbol);
    }
    let (name, symbol) = &kernels[0];
    let ir = text(&tool(at, "llvm-to-host-tool", &["program", "--kernel", name, "--stop-after", "parse", "-o", "-"]));
    assert!(ir.contains(symbol), "{name}");
    text(&tool(at, "sinter-hcf", &["extract", "program", "--kernel", name, "-o", "image.bc"]));
}

#[test]
fn reports_have_the_same_names() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    compile(at).unwrap();
    let report = at.join("report.txt");
    let settings = [("SINTER_REPORT", report.to_str().unwrap()), ("SINTER_VISIBILITY_MASK", "host")];
    run_with(&mut Command::new(at.join("program")), at, &settings).unwrap();
    let report = fs::read_to_string(&report).unwrap();
    let width = report.find("  device").unwrap();
    let shown: BTreeSet<&str> =
        report.lines().skip(1).take_while(|line| !line.is_empty()).map(|line| line[..width].trim()).collect();
    let printed: BTreeSet<String> = listed(at).into_iter().map(|(name, _)| name).collect();
    assert!(shown.len() > 5 && shown.iter().all(|name| printed.contains(*name)), "{shown:?}\n{printed:?}");
}
