//! Work-group sizes that are chosen by measurement, with a fake translator and a recording driver.
#![allow(clippy::unwrap_used, reason = "a test says what it expects by unwrapping")]

use sinter::{LaunchSize, Runtime, RuntimeOptions, TuningOptions, code::tiers::JitMode};
use sinter_core::{EntryInfo, LaunchShape};
use sinter_driver::recording::Call;
use sinter_tests::runtimes::{FakeTranslator, Program, TestDriver, block, options, range, runtime};
use std::{collections::BTreeMap, fs, path::Path, time::Duration};

/// The usual size of the recording driver's work-groups, and the others that it proposes.
const USUAL: u32 = 1024;
const FAST: u32 = 64;

/// The time of a run: groups of 64 are faster than the usual ones, groups of 256 slower.
fn time(_: &EntryInfo, shape: &LaunchShape) -> Duration {
    Duration::from_micros(match shape.group[0] {
        FAST => 80,
        256 => 130,
        _ => 100,
    })
}

/// A process with a program of one kernel.
struct Process {
    driver: TestDriver,
    program: Program,
    runtime: Runtime,
}

impl Process {
    /// With a disk cache in `cache`.
    fn cached(cache: &Path, compares: bool) -> Self {
        let RuntimeOptions { cache, .. } = options(&TestDriver::new(), FakeTranslator::new(), Some(cache));
        Self::new(compares, None, |options| RuntimeOptions { cache, ..options })
    }

    fn new(compares: bool, file: Option<&Path>, change: impl FnOnce(RuntimeOptions) -> RuntimeOptions) -> Self {
        let (driver, program) = (TestDriver::new(), Program::named(1));
        driver.recording.time_kernels(time);
        let tuning = TuningOptions { compares, file: file.map(Path::to_owned) };
        let options = change(RuntimeOptions { tuning, ..options(&driver, FakeTranslator::new(), None) });
        let runtime = runtime(options, &program);
        Process { driver, program, runtime }
    }

    /// Launches the kernel some times. Returns the number of launches in groups of each length.
    fn launch(&self, size: &LaunchSize, times: usize) -> BTreeMap<u32, usize> {
        let queue = self.runtime.create_queue(0).unwrap();
        self.driver.recording.take_calls();
        for _ in 0..times {
            // SAFETY: the descriptor is one of a `Program`; no argument is dereferenced.
            unsafe { self.runtime.launch(&queue, self.program.kernels[0], &block(), size) }.unwrap();
        }
        let mut groups = BTreeMap::new();
        for call in self.driver.recording.take_calls() {
            if let Call::Launch { shape, .. } = call {
                *groups.entry(shape.group[0]).or_default() += 1;
            }
        }
        groups
    }
}

fn all_in(group: u32, times: usize) -> BTreeMap<u32, usize> {
    BTreeMap::from([(group, times)])
}

#[test]
fn the_faster_size_is_found_and_costs_little() {
    let process = Process::new(true, None, |options| options);
    let groups = process.launch(&range(4096), 1000);
    assert_eq!(groups[&256], 3, "a slow size is given up: {groups:?}");
    assert!(groups[&USUAL] < 300, "{groups:?}");
    assert_eq!(process.launch(&range(4096), 10), all_in(FAST, 10));
    assert_eq!(process.launch(&range(4000), 10), all_in(FAST, 10), "a range of the same class");
    assert_eq!(process.launch(&range(9000), 1), all_in(USUAL, 1), "one of another class");
    let text = &process.runtime.variants().variants()[0].choices()[0];
    assert_eq!(text, "work-groups for ranges up to 2^12 x 2^0 x 2^0: 64x1x1 (0.80 of usual)");
}

#[test]
fn a_size_that_the_program_gives_is_kept() {
    let process = Process::new(true, None, |options| options);
    assert_eq!(process.launch(&LaunchSize { group: Some([256, 1, 1]), ..range(4096) }, 1000), all_in(256, 1000));
    assert_eq!(process.launch(&range(512), 1000).len(), 1, "nothing is proposed for few work-items");
}

#[test]
fn nothing_is_compared_unless_it_is_asked_for() {
    let process = Process::new(false, None, |options| options);
    assert_eq!(process.launch(&range(4096), 1000), all_in(USUAL, 1000));
}

#[test]
fn quick_code_is_not_compared() {
    let process = Process::new(true, None, |options| RuntimeOptions { jit_mode: JitMode::Fallback, ..options });
    let before = process.launch(&range(4096), 1);
    process.runtime.wait_for_jit();
    let after = process.launch(&range(4096), 1000);
    assert_eq!((before, after.len()), (all_in(USUAL, 1), 3), "{after:?}");
}

#[test]
fn a_file_serves_later_processes_that_compare_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("wisdom");
    let first = Process::new(true, Some(&file), |options| options);
    first.launch(&range(4096), 1000);
    first.runtime.wait_for_jit();
    for compares in [false, true] {
        let later = Process::new(compares, Some(&file), |options| options);
        assert_eq!(later.launch(&range(4096), 1000), all_in(FAST, 1000));
    }
    let text = fs::read_to_string(&file).unwrap();
    assert!(text.starts_with("sinter-wisdom 1\n") && text.contains("\t64x1x1\t0.800\n"), "{text}");
    // A size that the device would not try, and a file of another format.
    for text in [text.replace("64x1x1", "48x1x1"), "something else".to_owned()] {
        fs::write(&file, text).unwrap();
        let later = Process::new(false, Some(&file), |options| options);
        assert_eq!(later.launch(&range(4096), 10), all_in(USUAL, 10));
    }
}

#[test]
fn the_cache_serves_later_processes_that_compare() {
    let folder = tempfile::tempdir().unwrap();
    let first = Process::cached(folder.path(), true);
    first.launch(&range(4096), 1000);
    first.runtime.wait_for_jit();
    assert_eq!(Process::cached(folder.path(), true).launch(&range(4096), 10), all_in(FAST, 10));
    assert_eq!(Process::cached(folder.path(), false).launch(&range(4096), 10), all_in(USUAL, 10));
}
