//! Quick code and the full code that replaces it, with a fake translator and a recording driver.
#![allow(clippy::unwrap_used, reason = "a test says what it expects by unwrapping")]

use sinter::{Registry, Runtime, RuntimeError, RuntimeOptions, code::tiers::JitMode, statistics::VariantRecord};
use sinter_core::{OptLevel, TranslateCause};
use sinter_tests::runtimes::{FakeTranslator, Program, TestDriver, launch, options, runtime};
use std::{
    collections::HashMap,
    path::Path,
    sync::{
        Arc, RwLock,
        atomic::{AtomicBool, AtomicUsize, Ordering},
    },
    thread,
    time::{Duration, Instant},
};

/// A translator whose kernels have quick code.
fn quick_translator() -> Arc<FakeTranslator> {
    let translator = FakeTranslator::new();
    translator.has_quick_code.store(true, Ordering::Relaxed);
    translator
}

fn with_mode(mode: JitMode, translator: &Arc<FakeTranslator>, cache: Option<&Path>) -> RuntimeOptions {
    RuntimeOptions { jit_mode: mode, ..options(&TestDriver::new(), Arc::clone(translator), cache) }
}

fn fallback(translator: &Arc<FakeTranslator>, program: &Program, cache: Option<&Path>) -> Runtime {
    runtime(with_mode(JitMode::Fallback, translator, cache), program)
}

/// Level of the code and number of launches of each record, oldest first.
fn records(runtime: &Runtime) -> Vec<(OptLevel, u64)> {
    let record = |record: &Arc<VariantRecord>| (record.level, record.launches.load(Ordering::Relaxed));
    runtime.variants().variants().iter().map(record).collect()
}

/// Checks a number of translations. Whoever waits makes full code again if a thread of the
/// background does not finish it, as on a busy machine.
fn translated(translator: &FakeTranslator, at_least: usize, again: usize) {
    let total = translator.total();
    assert!((at_least..=at_least + again).contains(&total), "{total} translations, not {at_least}");
}

fn wait_until(what: &str, mut is_true: impl FnMut() -> bool) {
    let start = Instant::now();
    while !is_true() {
        assert!(start.elapsed() < Duration::from_secs(60), "not within a minute: {what}");
        thread::sleep(Duration::from_millis(1));
    }
}

#[test]
fn a_first_launch_runs_quick_code_and_full_code_follows() {
    let (translator, program) = (quick_translator(), Program::named(1));
    let runtime = fallback(&translator, &program, None);
    let closed = translator.gate.write().unwrap();
    for _ in 0..3 {
        launch(&runtime, program.kernels[0]).unwrap();
    }
    assert_eq!(records(&runtime), [(OptLevel::O1, 3)]);
    drop(closed);
    runtime.wait_for_jit();
    for _ in 0..2 {
        launch(&runtime, program.kernels[0]).unwrap();
    }
    assert_eq!(records(&runtime), [(OptLevel::O1, 3), (OptLevel::O3, 2)]);
    translated(&translator, 2, 1);
}

#[test]
fn full_code_is_swapped_in_without_being_waited_for() {
    let (translator, program) = (quick_translator(), Program::named(1));
    let runtime = fallback(&translator, &program, None);
    wait_until("full code runs", || {
        launch(&runtime, program.kernels[0]).unwrap();
        records(&runtime).iter().any(|(level, launches)| *level == OptLevel::O3 && *launches > 0)
    });
    assert_eq!(translator.total(), 2);
}

#[test]
fn a_kernel_without_quick_code_is_translated_once() {
    let (root, translator, program) = (tempfile::tempdir().unwrap(), FakeTranslator::new(), Program::named(1));
    let first = fallback(&translator, &program, Some(root.path()));
    launch(&first, program.kernels[0]).unwrap();
    first.wait_for_jit();
    assert_eq!((records(&first), translator.total()), (vec![(OptLevel::O3, 1)], 1));
    let second = runtime(with_mode(JitMode::Sync, &translator, Some(root.path())), &program);
    launch(&second, program.kernels[0]).unwrap();
    assert_eq!(translator.total(), 1, "it is stored as full code");
}

#[test]
fn no_cache_returns_quick_code_for_full_code() {
    let (root, translator, program) = (tempfile::tempdir().unwrap(), quick_translator(), Program::named(1));
    *translator.failure_of_full.lock().unwrap() =
        Some(TranslateCause::Io { path: "/dev/shm/x".into(), message: "full".into() });
    let first = fallback(&translator, &program, Some(root.path()));
    launch(&first, program.kernels[0]).unwrap();
    first.wait_for_jit();
    let sync = || runtime(with_mode(JitMode::Sync, &translator, Some(root.path())), &program);
    launch(&sync(), program.kernels[0]).unwrap_err();
    *translator.failure_of_full.lock().unwrap() = None;
    let second = sync();
    launch(&second, program.kernels[0]).unwrap();
    assert_eq!(records(&second), [(OptLevel::O3, 1)]);
    translated(&translator, 4, 1);
}

#[test]
fn a_second_process_begins_with_the_best_code_that_is_stored() {
    let (root, translator, program) = (tempfile::tempdir().unwrap(), quick_translator(), Program::named(1));
    let begin = || {
        let runtime = fallback(&translator, &program, Some(root.path()));
        launch(&runtime, program.kernels[0]).unwrap();
        runtime
    };
    let closed = translator.gate.write().unwrap();
    let first = begin();
    assert_eq!((records(&first), translator.total()), (vec![(OptLevel::O1, 1)], 1));
    let second = begin();
    assert_eq!((records(&second), translator.total()), (vec![(OptLevel::O1, 1)], 1), "quick code is stored");
    drop(closed);
    second.wait_for_jit();
    assert_eq!(records(&begin()), [(OptLevel::O3, 1)]);
    translated(&translator, 2, 2);
}

#[test]
fn a_kernel_whose_full_code_fails_keeps_its_quick_code() {
    let (translator, programs) = (quick_translator(), [Program::named(1), Program::named(1)]);
    *translator.failure_of_full.lock().unwrap() = Some(TranslateCause::CodeGeneration { message: "no".into() });
    let runtime = fallback(&translator, &programs[0], None);
    for program in &programs {
        for _ in 0..3 {
            launch(&runtime, program.kernels[0]).unwrap();
            runtime.wait_for_jit();
        }
    }
    assert_eq!(records(&runtime), [(OptLevel::O1, 3), (OptLevel::O1, 3)]);
    translated(&translator, 2, 1);
}

#[test]
fn an_error_of_both_codes_is_that_of_full_code() {
    let (translator, program) = (quick_translator(), Program::named(1));
    *translator.failure.lock().unwrap() = Some(TranslateCause::UnsetConstant { name: "c".into() });
    let runtime = fallback(&translator, &program, None);
    for _ in 0..3 {
        let error = launch(&runtime, program.kernels[0]).unwrap_err();
        assert!(matches!(&error, RuntimeError::Translate(error) if error.kernel == "kernel0"), "{error}");
    }
    assert_eq!(translator.total(), 2, "both failures are remembered");
}

#[test]
fn launches_that_require_code_compile_nothing() {
    let (root, translator, program) = (tempfile::tempdir().unwrap(), quick_translator(), Program::named(1));
    let require = || runtime(with_mode(JitMode::Require, &translator, Some(root.path())), &program);
    for _ in 0..2 {
        let error = launch(&require(), program.kernels[0]).unwrap_err();
        assert!(matches!(error, RuntimeError::NotReady { .. }), "{error}");
        assert!(error.to_string().contains("SINTER_JIT_MODE=sync"), "{error}");
    }
    assert_eq!(translator.total(), 0);
    launch(&runtime(with_mode(JitMode::Sync, &translator, Some(root.path())), &program), program.kernels[0]).unwrap();
    let ready = require();
    launch(&ready, program.kernels[0]).unwrap();
    assert_eq!((records(&ready), translator.total()), (vec![(OptLevel::O3, 1)], 1));
}

#[test]
fn unloading_cancels_what_nobody_has_begun_and_what_was_begun_comes_to_nothing() {
    let (translator, program) = (quick_translator(), Program::named(6));
    let registry = Arc::new(Registry::new());
    // SAFETY: the program's memory is leaked.
    unsafe { registry.register(program.container) };
    let runtime = Runtime::new(with_mode(JitMode::Fallback, &translator, None), Arc::clone(&registry));
    let closed = translator.gate.write().unwrap();
    for index in 0..program.kernels.len() {
        launch(&runtime, program.kernels[index]).unwrap();
    }
    registry.unregister(program.container);
    runtime.forget(program.container);
    drop(closed);
    runtime.wait_for_jit();
    assert!(translator.total() < 12, "some were cancelled: {}", translator.total());
    // SAFETY: as above.
    unsafe { registry.register(program.container) };
    launch(&runtime, program.kernels[5]).unwrap();
    runtime.wait_for_jit();
    launch(&runtime, program.kernels[5]).unwrap();
    let last: Vec<_> = records(&runtime).into_iter().rev().take(2).collect();
    assert_eq!(last[0], (OptLevel::O3, 1), "a kernel that was loaded again is upgraded");
}

#[test]
fn a_runtime_with_jobs_can_be_dropped() {
    let (translator, program) = (quick_translator(), Program::named(8));
    let runtime = fallback(&translator, &program, None);
    let closed = translator.gate.write().unwrap();
    for index in 0..program.kernels.len() {
        launch(&runtime, program.kernels[index]).unwrap();
    }
    drop(runtime);
    drop(closed);
    wait_until("the last job lets go of the translator", || Arc::strong_count(&translator) == 1);
    assert!(translator.total() < 16, "some were cancelled");
}

/// Threads that launch while kernels are swapped, libraries, and kernels of each.
const THREADS: usize = 24;
const LIBRARIES: usize = 20;
const KERNELS: usize = 50;
/// Times that a library is unloaded and loaded again.
const UNLOADS: usize = 200;

/// Numbers that no two threads share (xorshift).
struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % bound as u64) as usize
    }
}

struct Library {
    program: Program,
    /// It is not unloaded while one of its kernels is launched.
    in_use: RwLock<()>,
}

fn library(number: usize) -> Library {
    let names: Vec<_> = (0..KERNELS).map(|kernel| format!("kernel{kernel} of {number}")).collect();
    Library { program: Program::new(&names), in_use: RwLock::default() }
}

/// Launches kernels until `is_over`, and adds the numbers of launches.
fn launch_some(runtime: &Runtime, libraries: &[Library], seed: usize, is_over: &AtomicBool, launches: &[AtomicUsize]) {
    let mut random = Random(seed as u64 * 0x9e37_79b9 + 1);
    while !is_over.load(Ordering::Relaxed) {
        let (number, kernel) = (random.below(LIBRARIES), random.below(KERNELS));
        let Library { program, in_use } = &libraries[number];
        let _loaded = in_use.read().unwrap();
        for _ in 0..=random.below(4) {
            launch(runtime, program.kernels[kernel]).unwrap();
            launches[number * KERNELS + kernel].fetch_add(1, Ordering::Relaxed);
        }
    }
}

fn unload_and_load(runtime: &Runtime, registry: &Registry, Library { program, in_use }: &Library) {
    let _alone = in_use.write().unwrap();
    registry.unregister(program.container);
    runtime.forget(program.container);
    // SAFETY: the program's memory is leaked.
    unsafe { registry.register(program.container) };
}

#[test]
fn threads_launch_while_a_thousand_kernels_are_swapped_and_libraries_unloaded() {
    let (mut translator, driver, registry) = (quick_translator(), TestDriver::new(), Arc::new(Registry::new()));
    Arc::get_mut(&mut translator).unwrap().delay = Duration::from_micros(200);
    let libraries: Vec<_> = (0..LIBRARIES).map(library).collect();
    // SAFETY: the memory of programs is leaked.
    libraries.iter().for_each(|library| _ = unsafe { registry.register(library.program.container) });
    let options = RuntimeOptions { jit_mode: JitMode::Fallback, ..options(&driver, Arc::clone(&translator), None) };
    let runtime = Runtime::new(options, Arc::clone(&registry));
    let (is_over, launches) = (AtomicBool::new(false), [const { AtomicUsize::new(0) }; LIBRARIES * KERNELS]);
    thread::scope(|scope| {
        let (runtime, libraries, is_over, launches) = (&runtime, &libraries, &is_over, &launches);
        for thread in 0..THREADS {
            scope.spawn(move || launch_some(runtime, libraries, thread, is_over, launches));
        }
        let mut random = Random(7);
        for _ in 0..UNLOADS {
            unload_and_load(runtime, &registry, &libraries[random.below(LIBRARIES)]);
            thread::sleep(Duration::from_millis(1));
        }
        wait_until("all kernels have been launched", || launches.iter().all(|one| one.load(Ordering::Relaxed) > 0));
        is_over.store(true, Ordering::Relaxed);
    });
    let launch_all = || {
        for (index, launches) in launches.iter().enumerate() {
            launch(&runtime, libraries[index / KERNELS].program.kernels[index % KERNELS]).unwrap();
            launches.fetch_add(1, Ordering::Relaxed);
        }
        runtime.wait_for_jit();
        let records = records(&runtime).into_iter();
        records.filter(|(level, _)| *level == OptLevel::O3).map(|(_, count)| count).sum::<u64>()
    };
    let first = launch_all();
    assert_eq!(launch_all() - first, launches.len() as u64, "in the end all kernels run full code");
    let mut ran: HashMap<String, usize> = HashMap::new();
    driver.launches().into_iter().for_each(|(symbol, ..)| *ran.entry(symbol).or_default() += 1);
    for (index, launches) in launches.iter().enumerate() {
        let kernel = format!("kernel{} of {}", index % KERNELS, index / KERNELS);
        assert_eq!(ran.get(&kernel), Some(&launches.load(Ordering::Relaxed)), "{kernel}");
    }
}

/// The thread of the background waits for the gate, so that it gets no CPU time.
#[test]
fn nobody_waits_for_work_that_stands_still() {
    let (translator, program) = (quick_translator(), Program::named(1));
    let runtime = fallback(&translator, &program, None);
    let closed = translator.gate.write().unwrap();
    launch(&runtime, program.kernels[0]).unwrap();
    let at_gate = || translator.at_gate.load(Ordering::Relaxed);
    wait_until("the background makes full code", || at_gate() == 1);
    thread::scope(|scope| {
        scope.spawn(|| runtime.wait_for_jit());
        wait_until("who waits makes it as well", || at_gate() == 2);
        drop(closed);
    });
    wait_until("both end", || translator.total() == 3);
    assert_eq!(records(&runtime).last(), Some(&(OptLevel::O3, 0)));
}
