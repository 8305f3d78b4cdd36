//! Compiles and runs a program with algorithms that stay on the host, and checks what is said.
//!
//! In: `stdpar/stays.cpp`, where comments give the reasons. *Invariant:* the compiler and the
//! program name the same algorithms, and no others.

use sinter_tests::{
    devices,
    programs::{Fallible, dist, execute, workspace},
};
use std::{
    fs,
    path::{Path, PathBuf},
    process::{Command, Output},
};

fn source() -> PathBuf {
    workspace().join("tests/stdpar/stays.cpp")
}

/// Lines and the reasons that the comments before them give.
fn reasons() -> Fallible<Vec<(usize, String)>> {
    let text = fs::read_to_string(source())?;
    let lines = text.lines().enumerate();
    let reasons = lines.filter_map(|(index, line)| Some((index + 2, line.split_once("// stays: ")?.1.to_owned())));
    let reasons: Vec<_> = reasons.collect();
    assert_eq!(reasons.len(), 7, "{reasons:?}");
    Ok(reasons)
}

fn compile(flags: &[&str], output: &Path) -> Fallible<Output> {
    let mut compiler = Command::new(dist().join("bin/sinter-cc"));
    compiler.args(["--stdpar", "-std=c++17", "-O1"]).args(flags).arg(source()).arg("-o").arg(output);
    Ok(compiler.output()?)
}

fn messages(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// Compares the reports of the compiler with the comments.
fn check(flags: &[&str], kind: &str, flag: &str) -> Fallible {
    let folder = tempfile::tempdir()?;
    let output = compile(flags, &folder.path().join("stays"))?;
    let (text, is_error) = (messages(&output), kind == "error");
    assert_eq!(output.status.success(), !is_error, "{flags:?}: {text}");
    let head = format!(": {kind}: an algorithm stays on the host: ");
    let mut found: Vec<_> = text.lines().filter(|line| line.contains(&head)).collect();
    for (line, reason) in reasons()? {
        let place = format!("stays.cpp:{line}:");
        let is_it = |text: &&str| text.contains(&place) && text.contains(&reason) && text.contains(flag);
        let index = found.iter().position(is_it).ok_or_else(|| format!("{place} {reason}: not in\n{text}"))?;
        found.remove(index);
    }
    assert_eq!(found, Vec::<&str>::new(), "{flags:?}");
    Ok(())
}

#[test]
fn remarks_name_lines_and_reasons() -> Fallible {
    check(&["-Rpass-missed=sinter-stdpar"], "remark", "[-Rpass-missed=sinter-stdpar]")
}

#[test]
fn warnings_name_lines_and_reasons() -> Fallible {
    check(&["-Wsinter-stdpar"], "warning", "[-Wsinter-stdpar]")
}

#[test]
fn they_are_errors_as_asked() -> Fallible {
    check(&["-Werror=sinter-stdpar"], "error", "[-Wsinter-stdpar]")?;
    check(&["-Wsinter-stdpar", "-Werror"], "error", "[-Wsinter-stdpar]")?;
    // Clang has no warning that is not an error then.
    check(&["-Wsinter-stdpar", "-Werror", "-Wno-error=sinter-stdpar"], "remark", "[-Rpass-missed=sinter-stdpar]")
}

#[test]
fn nothing_is_said_unless_it_is_asked_for() -> Fallible {
    let folder = tempfile::tempdir()?;
    for flags in [&["-Werror"][..], &["-Wsinter-stdpar", "-Wno-sinter-stdpar"], &["-Wsinter-stdpar", "-w"]] {
        let output = compile(flags, &folder.path().join("stays"))?;
        assert!(output.status.success() && messages(&output).is_empty(), "{flags:?}: {}", messages(&output));
    }
    Ok(())
}

/// Runs the program, whose algorithms are called twice. Returns its output.
fn run(level: &str, folder: &Path) -> Fallible<String> {
    let mut command = Command::new(folder.join("stays"));
    devices::settle(&mut command);
    command.arg("twice").current_dir(folder).env("SINTER_CACHE_DIR", folder.join("cache"));
    command.env("SINTER_DEBUG_LEVEL", level);
    let outcome = execute(&mut command, folder)?;
    let passed = outcome.status.success() && outcome.output.lines().any(|line| line == "PASS");
    if passed { Ok(outcome.output) } else { Err(outcome.describe("stays").into()) }
}

#[test]
fn the_program_says_each_reason_once() -> Fallible {
    let folder = tempfile::tempdir()?;
    let output = compile(&[], &folder.path().join("stays"))?;
    assert!(output.status.success(), "{}", messages(&output));
    let text = run("info", folder.path())?;
    let head = "a parallel algorithm runs on the host without a device: ";
    let said: Vec<_> = text.lines().filter(|line| line.contains(head)).collect();
    let reasons = reasons()?;
    for (_, reason) in &reasons {
        let times = said.iter().filter(|line| line.contains(reason)).count();
        assert_eq!(times, 1, "{reason}:\n{text}");
    }
    assert_eq!(said.len(), reasons.len(), "{text}");
    assert!(!run("warn", folder.path())?.contains(head));
    Ok(())
}
