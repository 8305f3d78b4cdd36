//! Tests that debuggers and profilers see kernels on the host CPU.
//!
//! In: programs of `debug/`, compiled with `-g` and run under GDB or with a perf map. Out: the
//! names and lines that these print. Tests whose debugger is missing report that they are skipped.
//! *Invariant:* each program has its own cache folder, and needs no option but the compiler's `-g`.

use std::{
    env, fs,
    io::{BufRead, BufReader},
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    thread,
    time::{Duration, Instant},
};
use tempfile::TempDir;

fn source(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("debug").join(name)
}

/// Number of the source line with a given comment.
fn line(name: &str, comment: &str) -> String {
    let text = fs::read_to_string(source(name)).expect("a source");
    let at = text.lines().position(|line| line.ends_with(&format!("// {comment}"))).expect("a line with the comment");
    format!("{name}:{}", at + 1)
}

/// A compiled program with its own cache folder.
struct Program {
    folder: TempDir,
    path: PathBuf,
}

impl Program {
    fn build(name: &str, options: &[&str]) -> Self {
        let dist = env::var_os("SINTER_DIST").map_or_else(|| source("../../dist"), PathBuf::from);
        let folder = tempfile::tempdir().expect("folder");
        let path = folder.path().join("program");
        let mut command = Command::new(dist.join("bin/sinter-cc"));
        let status = command.args(options).arg(source(name)).arg("-o").arg(&path).status();
        assert!(status.expect("sinter-cc runs: `cargo xtask build` makes it").success());
        Program { folder, path }
    }

    /// A command that runs with the program's cache on the host CPU.
    fn command(&self, program: impl AsRef<std::ffi::OsStr>) -> Command {
        let mut command = Command::new(program);
        command
            .env("SINTER_CACHE_DIR", self.folder.path().join("cache"))
            .env("SINTER_VISIBILITY_MASK", "host")
            .env_remove("SINTER_DIST");
        command
    }

    /// Starts the program; returns once its kernel runs.
    fn start(&self, mut command: Command) -> Child {
        let mut child = command.stdout(Stdio::piped()).spawn().expect("the program runs");
        let mut lines = BufReader::new(child.stdout.take().expect("its output")).lines();
        assert_eq!(lines.next().expect("a line").expect("text"), "running");
        child
    }
}

fn has_gdb() -> bool {
    let found = Command::new("gdb").arg("--version").output().is_ok_and(|output| output.status.success());
    if !found {
        println!("skipped: gdb is not installed (apt-get install gdb)");
    }
    found
}

fn gdb(program: &Program, arguments: &[&str]) -> String {
    let mut command = program.command("timeout");
    let output = command.args(["120", "gdb", "-nx", "-batch"]).args(arguments).output().expect("gdb runs");
    assert_ne!(output.status.code(), Some(124), "gdb hangs: {}", String::from_utf8_lossy(&output.stdout));
    String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr)
}

/// The frames above the runtime, from the innermost one.
fn frames(text: &str) -> Vec<&str> {
    let frames = text.lines().filter(|line| line.starts_with('#'));
    frames.take_while(|line| !line.contains("sinter_driver_host")).collect()
}

#[test]
fn gdb_shows_the_function_and_the_line_of_a_fault() {
    if !has_gdb() {
        return;
    }
    for level in ["-O0", "-O2"] {
        let program = Program::build("fault.cpp", &[level, "-g"]);
        for (kind, comment) in [("range", "RANGE"), ("barrier", "BARRIER")] {
            check_fault(&program, kind, comment, "O0");
            check_fault(&program, kind, comment, "O3");
            // The second run loads the code from the cache.
            check_fault(&program, kind, comment, "O3");
        }
    }
}

/// If the optimiser combined operations of several lines, any of these lines is right.
fn check_fault(program: &Program, kind: &str, comment: &str, level: &str) {
    let setting = format!("set environment SINTER_OPT_LEVEL {level}");
    let path = program.path.to_str().expect("UTF-8");
    let text = gdb(program, &["-ex", &setting, "-ex", "run", "-ex", "bt", "--args", path, kind]);
    let frames = frames(&text);
    let first = frames.first().copied().unwrap_or_default();
    let (fault, call) = (line("fault.cpp", "FAULT"), line("fault.cpp", comment));
    let is_exact = first.contains("read_missing") && first.contains(&fault);
    assert!(is_exact || (level == "O3" && first.contains(&call)), "{text}");
    assert!(frames.iter().any(|frame| frame.contains("operator()") && frame.contains(&call)), "{text}");
    assert!(text.contains("sinter_driver_host"), "the stack ends in the kernel: {text}");
}

#[test]
fn gdb_names_kernels_without_debug_information() {
    if !has_gdb() {
        return;
    }
    let program = Program::build("fault.cpp", &["-O2"]);
    let text = gdb(&program, &["-ex", "run", "-ex", "bt", program.path.to_str().expect("UTF-8")]);
    assert!(frames(&text).first().is_some_and(|frame| frame.contains("kernel_entry")), "{text}");
    assert!(text.contains("sinter_driver_host"), "the stack ends in the kernel: {text}");
}

#[test]
fn gdb_attaches_to_a_running_kernel() {
    if !has_gdb() {
        return;
    }
    let program = Program::build("busy.cpp", &["-O2", "-g"]);
    let mut child = program.start(program.command(&program.path));
    let (end, spin) = (Instant::now() + Duration::from_secs(60), line("busy.cpp", "SPIN"));
    // The program prints its message before the kernel is compiled and loaded.
    let found = loop {
        let text = gdb(&program, &["-ex", "thread apply all bt", "-p", &child.id().to_string()]);
        let is_there = text.contains(&spin) || (text.contains("atomic_ref.hpp") && text.contains("operator()"));
        if is_there || Instant::now() > end {
            break is_there.then_some(()).ok_or(text);
        }
        thread::sleep(Duration::from_millis(100));
    };
    child.kill().expect("kill");
    child.wait().expect("wait");
    if let Err(text) = found {
        if text.contains("Operation not permitted") {
            println!("skipped: this system does not allow attaching to a process");
            return;
        }
        panic!("{text}");
    }
}

#[test]
fn perf_is_told_names_where_it_is_asked_for() {
    let program = Program::build("busy.cpp", &["-O2"]);
    for (setting, expected) in [("on", true), ("off", false)] {
        let mut command = program.command(&program.path);
        command.arg("stop").env("SINTER_PERF_MAP", setting);
        let mut child = program.start(command);
        assert!(child.wait().expect("wait").success());
        let map = PathBuf::from(format!("/tmp/perf-{}.map", child.id()));
        assert_eq!(map.exists(), expected);
        if expected {
            let text = fs::read_to_string(&map).expect("map");
            let words: Vec<_> = text.lines().map(|line| line.splitn(3, ' ').collect::<Vec<_>>()).collect();
            let numbers = |word: &str| u64::from_str_radix(word, 16).is_ok_and(|number| number > 0);
            assert!(words.iter().all(|line| line.len() == 3 && numbers(line[0]) && numbers(line[1])), "{text}");
            assert!(words.iter().any(|line| line[2].contains("spin_until_stopped")), "{text}");
            fs::remove_file(map).expect("remove");
        }
    }
}
