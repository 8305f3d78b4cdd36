//! Compiles the programs of `corpus/` with the installed `sinter-cc` and runs them.
//!
//! A program compares each of its kernels with a plain loop nest and prints `NAME SIZE ok` for each
//! work-group size. The programs are data that every backend runs; `SINTER_BLESS=1` rewrites them
//! from `differential/systematic.rs`. *Invariant:* the files in the repository equal the
//! generator's output.

use sinter_tests::devices;
use sinter_tests::differential::{
    cpp,
    systematic::{Entry, GROUP_SIZES, corpus},
};
use sinter_tests::programs::{Fallible, sinter_cc};
use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::{Path, PathBuf},
    process::Command,
    sync::{
        Mutex,
        atomic::{AtomicUsize, Ordering},
    },
};

/// Kernels in a program. One costs little compared with the headers of SYCL.
const KERNELS_PER_PROGRAM: usize = 12;
/// Part of the names of kernels in which some items return while others wait at a barrier, which is
/// undefined in OpenCL.
const LEAVING: &str = "return_some";

/// Folder of the programs.
fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus")
}

/// The programs, with the kernels of each.
fn programs(entries: &[Entry]) -> Vec<(PathBuf, &[Entry])> {
    let parts = entries.chunks(KERNELS_PER_PROGRAM).zip(1..);
    parts.map(|(part, number)| (folder().join(format!("part_{number}.cpp")), part)).collect()
}

/// Path and text of every generated file.
fn files(entries: &[Entry]) -> BTreeMap<PathBuf, String> {
    let programs = programs(entries).into_iter().map(|(path, part)| (path, cpp::program(part)));
    let header = |entry: &Entry| (folder().join(format!("kernels/{}.hpp", entry.name)), cpp::header(entry));
    programs.chain(entries.iter().map(header)).collect()
}

#[test]
fn the_corpus_has_sixty_kernels_with_names_of_their_own() {
    let entries = corpus();
    let names: BTreeSet<&str> = entries.iter().map(|entry| entry.name.as_str()).collect();
    assert!(names.len() >= 60 && names.len() == entries.len(), "{} names, {} kernels", names.len(), entries.len());
}

#[test]
fn the_files_are_what_the_generator_writes() {
    let files = files(&corpus());
    if std::env::var_os("SINTER_BLESS").is_some() {
        files.iter().for_each(|(path, text)| fs::write(path, text).expect("a writable checkout"));
    }
    for (path, text) in &files {
        let found = fs::read_to_string(path).unwrap_or_default();
        assert!(found == *text, "{} is not what the generator writes: run with SINTER_BLESS=1", path.display());
    }
    let present = [folder(), folder().join("kernels")].map(|folder| fs::read_dir(folder).expect("the corpus"));
    let present = present.into_iter().flatten().map(|entry| entry.expect("the corpus").path());
    let stale = present.filter(|path| path.is_file() && !path.ends_with("corpus.hpp") && !files.contains_key(path));
    assert_eq!(stale.collect::<Vec<_>>(), Vec::<PathBuf>::new(), "files that the generator does not write");
}

#[test]
fn every_kernel_equals_its_loop_nest() {
    let entries = corpus();
    let place = tempfile::tempdir().expect("a temporary folder");
    let programs = programs(&entries);
    let next = AtomicUsize::new(0);
    let failures = Mutex::new(Vec::new());
    let threads = std::thread::available_parallelism().map_or(1, usize::from).min(programs.len());
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                loop {
                    let number = next.fetch_add(1, Ordering::Relaxed);
                    let Some((source, kernels)) = programs.get(number) else { break };
                    let found = check(source, kernels, ways(number), place.path());
                    failures.lock().expect("no panic").extend(found);
                }
            });
        }
    });
    let failures = failures.into_inner().expect("no panic");
    assert!(failures.is_empty(), "{} failed:\n\n{}\n", failures.len(), failures.join("\n"));
}

/// A level of the translator with a value of `SINTER_ROWS`.
type Way = (&'static str, &'static str);
/// The way in which every program runs.
const USUAL: Way = ("O3", "auto");
/// Programs run in these by turns. Quick code, which O1 is, and rows exist on the host
/// alone.
const ON_HOST: [&[Way]; 2] = [&[USUAL, ("O1", "4"), ("O3", "off")], &[USUAL, ("O0", "auto"), ("O3", "64")]];
const ON_OTHERS: [&[Way]; 2] = [&[USUAL], &[USUAL, ("O0", "auto")]];
/// Where tests take turns (`sinter_tests::devices`).
const IN_TURNS: [&[Way]; 5] = [&[USUAL], &[("O1", "4")], &[("O3", "off")], &[("O0", "auto")], &[("O3", "64")]];

/// The ways to run a program with this number. All kinds of kernels are in several programs.
fn ways(number: usize) -> &'static [Way] {
    match devices::takes_spirv() {
        false if devices::takes_turns() => IN_TURNS[number % IN_TURNS.len()],
        false => ON_HOST[number % ON_HOST.len()],
        true => ON_OTHERS[number % ON_OTHERS.len()],
    }
}

/// Builds a program and runs it in each way. It compares all bits, so that those of rows are those
/// of single work-items.
fn check(source: &Path, kernels: &[Entry], ways: &[Way], place: &Path) -> Vec<String> {
    let executable = place.join(source.file_stem().expect("a name"));
    if let Err(error) = compile(source, &executable) {
        return vec![format!("{} does not compile:\n{error}", source.display())];
    }
    ways.iter().flat_map(|way| run(&executable, kernels, *way, place)).collect()
}

fn compile(source: &Path, executable: &Path) -> Fallible {
    sinter_cc(&[&"-O1", &"-std=c++17", &"-Wall", &"-Wextra", &"-Werror", &source, &"-o", &executable])
}

/// Runs a program; every kernel not reported as right is a failure.
fn run(executable: &Path, kernels: &[Entry], (level, rows): Way, place: &Path) -> Vec<String> {
    let mut command = Command::new(executable);
    devices::settle(&mut command);
    if devices::takes_spirv() {
        command.env("CORPUS_SKIP", LEAVING);
    }
    command.env("SINTER_CACHE_DIR", place.join("cache")).env("SINTER_OPT_LEVEL", level).env("SINTER_ROWS", rows);
    let output = command.output().expect("the program starts");
    let text = String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr);
    let mut failures = Vec::new();
    let defined = |kernel: &&Entry| !devices::takes_spirv() || !kernel.name.contains(LEAVING);
    for kernel in kernels.iter().filter(defined) {
        for size in GROUP_SIZES {
            let start = format!("{} {size} ", kernel.name);
            let found = text.lines().find_map(|line| line.strip_prefix(&start)).unwrap_or("was not run");
            if found != "ok" {
                failures.push(format!("{level}, rows {rows}: {start}{found}"));
            }
        }
    }
    if devices::is_invalid(&text) || !output.status.success() {
        failures.push(format!("{level}, rows {rows}, {}: {}\n{text}", executable.display(), output.status));
    }
    failures
}
