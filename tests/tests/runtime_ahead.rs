//! Kernels that are prepared before their first launch, with a fake translator and a recording
//! driver.
#![allow(clippy::unwrap_used, reason = "a test says what it expects by unwrapping")]

use sinter::{
    LaunchSize, Registry, Runtime, RuntimeError, RuntimeOptions,
    cache::list,
    code::tiers::{AheadOptions, JitMode},
    settings::CacheMode,
    statistics::Reason,
};
use sinter_core::{Fingerprint, TranslateCause};
use sinter_tests::runtimes::{
    FakeTranslator, Program, TestDriver, block,
    gpu::{FakeAssembler, ptx},
    launch, options, range, runtime,
};
use std::{
    path::Path,
    sync::{Arc, atomic::Ordering},
    thread,
    time::{Duration, Instant},
};

/// More kernels than any program here has.
const ALL: usize = 100;

fn ahead(translator: &Arc<FakeTranslator>, cache: &Path, kernels: usize) -> RuntimeOptions {
    let ahead = AheadOptions { most: kernels, guesses: true };
    RuntimeOptions { ahead, ..options(&TestDriver::new(), Arc::clone(translator), Some(cache)) }
}

/// A translator of another build, for which no cache has code.
fn another(build: u8) -> Arc<FakeTranslator> {
    let translator = Arc::into_inner(FakeTranslator::new()).unwrap();
    let fingerprint = Fingerprint { build: [build; 32], ..translator.fingerprint };
    Arc::new(FakeTranslator { fingerprint, ..translator })
}

fn wait_until(what: &str, mut is_true: impl FnMut() -> bool) {
    let start = Instant::now();
    while !is_true() {
        assert!(start.elapsed() < Duration::from_secs(60), "not within a minute: {what}");
        thread::sleep(Duration::from_millis(1));
    }
}

/// The time in which a thread of the background would translate something.
fn give_time() {
    thread::sleep(Duration::from_millis(200));
}

fn files(cache: &Path, kind: list::FileKind) -> usize {
    list::files(cache).unwrap().iter().filter(|file| file.kind == kind).count()
}

fn lists(cache: &Path) -> usize {
    files(cache, list::FileKind::List)
}

/// Code in the cache, which later launches find: a translation ends before.
fn stored(cache: &Path) -> usize {
    files(cache, list::FileKind::Entry)
}

fn launch_all(runtime: &Runtime, program: &Program, kernels: &[usize]) {
    kernels.iter().for_each(|kernel| launch(runtime, program.kernels[*kernel]).unwrap());
}

#[test]
fn the_first_queue_has_the_kernels_of_a_small_program_prepared() {
    let (root, translator, program) = (tempfile::tempdir().unwrap(), FakeTranslator::new(), Program::named(6));
    let runtime = runtime(ahead(&translator, root.path(), ALL), &program);
    assert_eq!(translator.total(), 0, "a runtime without a queue does nothing");
    runtime.create_queue(0).unwrap();
    wait_until("all are prepared", || stored(root.path()) == 6);
    launch_all(&runtime, &program, &[2, 0, 1, 3, 4, 5]);
    assert_eq!((translator.total(), runtime.statistics().disk_hits), (6, 0), "from memory");
}

#[test]
fn the_first_process_of_a_large_program_prepares_nothing_and_the_setting_bounds_what_others_do() {
    let (root, program) = (tempfile::tempdir().unwrap(), Program::named(9));
    let translator = FakeTranslator::new();
    let first = runtime(ahead(&translator, root.path(), ALL), &program);
    launch_all(&first, &program, &[8, 7, 6]);
    give_time();
    first.forget(program.container);
    assert_eq!((translator.total(), lists(root.path())), (3, 1));
    for (build, kernels) in [(7, 2), (8, 0)] {
        let translator = another(build);
        let second = runtime(ahead(&translator, root.path(), kernels), &program);
        second.create_queue(0).unwrap();
        wait_until("some are prepared", || translator.total() == kernels);
        give_time();
        assert_eq!(translator.total(), kernels);
    }
}

/// Launches of different kinds, as a program with four of six kernels would do.
fn run(runtime: &Runtime, program: &Program, until: usize) {
    let queue = runtime.create_queue(0).unwrap();
    let given = |group| LaunchSize { group, global: [64, 1, 1], ..range(64) };
    let plane = LaunchSize { dimensions: 2, global: [8, 8, 1], ..range(64) };
    let sizes = [given(None), given(Some([32, 1, 1])), given(Some([8, 1, 1])), plane];
    for (kernel, size) in program.kernels.iter().zip(sizes).take(until) {
        // SAFETY: the descriptor is one of a `Program`; no argument is dereferenced.
        unsafe { runtime.launch(&queue, &raw const **kernel, &block(), &size) }.unwrap();
    }
}

#[test]
fn what_the_last_process_launched_is_prepared_as_it_was_launched() {
    let (root, program) = (tempfile::tempdir().unwrap(), Program::named(9));
    let first = runtime(ahead(&FakeTranslator::new(), root.path(), ALL), &program);
    run(&first, &program, 4);
    first.forget(program.container);
    let before = stored(root.path());
    let translator = another(7);
    let second = runtime(ahead(&translator, root.path(), ALL), &program);
    second.create_queue(0).unwrap();
    wait_until("all are prepared", || stored(root.path()) == before + 4);
    run(&second, &program, 4);
    give_time();
    assert_eq!(translator.total(), 4);
}

#[test]
fn a_process_that_finds_all_code_prepares_nothing_and_writes_no_list() {
    let (root, translator, program) = (tempfile::tempdir().unwrap(), FakeTranslator::new(), Program::named(4));
    let first = runtime(ahead(&translator, root.path(), ALL), &program);
    launch_all(&first, &program, &[0, 1]);
    wait_until("all are prepared", || stored(root.path()) == 4);
    first.forget(program.container);
    let list = || list::files(root.path()).unwrap().into_iter().find(|file| file.kind == list::FileKind::List).unwrap();
    let written = list().path.metadata().unwrap().modified().unwrap();
    let second = runtime(ahead(&translator, root.path(), ALL), &program);
    launch_all(&second, &program, &[0, 1]);
    give_time();
    second.forget(program.container);
    assert_eq!((translator.total(), list().path.metadata().unwrap().modified().unwrap()), (4, written));
}

#[test]
fn without_a_cache_that_is_read_nothing_is_prepared() {
    let (root, translator, program) = (tempfile::tempdir().unwrap(), FakeTranslator::new(), Program::named(4));
    let mut off = ahead(&translator, root.path(), ALL);
    off.cache.mode = CacheMode::Off;
    let dumped = RuntimeOptions { dump: Some(root.path().join("dump")), ..ahead(&translator, root.path(), ALL) };
    let required = RuntimeOptions { jit_mode: JitMode::Require, ..ahead(&translator, root.path(), ALL) };
    for options in [off, dumped, required] {
        let runtime = runtime(options, &program);
        let _ = launch(&runtime, program.kernels[0]);
        give_time();
        runtime.forget(program.container);
    }
    assert_eq!((translator.total(), lists(root.path())), (2, 0));
}

#[test]
fn code_is_prepared_for_a_cache_that_is_not_written() {
    let (root, translator, program) = (tempfile::tempdir().unwrap(), FakeTranslator::new(), Program::named(3));
    let mut options = ahead(&translator, root.path(), ALL);
    options.cache.mode = CacheMode::ReadOnly;
    let runtime = runtime(options, &program);
    runtime.create_queue(0).unwrap();
    wait_until("all are prepared", || translator.total() == 3);
    give_time();
    launch_all(&runtime, &program, &[0, 1, 2]);
    runtime.forget(program.container);
    assert_eq!((translator.total(), list::files(root.path()).unwrap().len()), (3, 0));
}

#[test]
fn quick_code_is_prepared_where_launches_wait_for_quick_code() {
    let (root, translator, program) = (tempfile::tempdir().unwrap(), FakeTranslator::new(), Program::named(5));
    translator.has_quick_code.store(true, Ordering::Relaxed);
    let options = RuntimeOptions { jit_mode: JitMode::Fallback, ..ahead(&translator, root.path(), ALL) };
    let runtime = runtime(options, &program);
    let closed = translator.gate.write().unwrap();
    runtime.create_queue(0).unwrap();
    wait_until("quick code is prepared", || stored(root.path()) == 5);
    launch_all(&runtime, &program, &[0, 1, 2, 3, 4]);
    assert_eq!(runtime.statistics().translated, 5);
    drop(closed);
    runtime.wait_for_jit();
    assert_eq!(translator.total(), 10, "full code of all, too");
}

/// A launch that needs what a thread of the background does not finish.
#[test]
fn no_launch_waits_for_work_that_stands_still() {
    let (root, translator, program) = (tempfile::tempdir().unwrap(), FakeTranslator::new(), Program::named(1));
    let runtime = runtime(ahead(&translator, root.path(), ALL), &program);
    let closed = translator.gate.write().unwrap();
    runtime.create_queue(0).unwrap();
    let at_gate = || translator.at_gate.load(Ordering::Relaxed);
    wait_until("it is being prepared", || at_gate() == 1);
    thread::scope(|scope| {
        let (runtime, program) = (&runtime, &program);
        scope.spawn(move || launch_all(runtime, program, &[0]));
        wait_until("the launch translates as well", || at_gate() == 2);
        drop(closed);
    });
    wait_until("both end", || translator.total() == 2);
}

/// An assembler of a vendor may start, and register what it does at the end of the process, with
/// its first use.
#[test]
fn assemblers_are_called_once_a_launch_calls_them() {
    let (root, translator, program) = (tempfile::tempdir().unwrap(), FakeTranslator::new(), Program::named(4));
    let assembler = FakeAssembler::new("A");
    let driver = TestDriver { target: Some(ptx()), assembler: Some(Arc::clone(&assembler)), ..TestDriver::new() };
    let ahead = AheadOptions { most: ALL, guesses: true };
    let options = RuntimeOptions { ahead, ..options(&driver, Arc::clone(&translator), Some(root.path())) };
    let runtime = runtime(options, &program);
    runtime.create_queue(0).unwrap();
    wait_until("all are translated", || stored(root.path()) == 4);
    give_time();
    assert_eq!(assembler.total(), 0);
    launch_all(&runtime, &program, &[2]);
    wait_until("all are assembled", || assembler.total() == 4);
    give_time();
    launch_all(&runtime, &program, &[0, 1, 3]);
    assert_eq!((translator.total(), assembler.total()), (4, 4));
}

#[test]
fn failures_of_what_nobody_asked_for_are_forgotten() {
    let (root, translator, program) = (tempfile::tempdir().unwrap(), FakeTranslator::new(), Program::named(4));
    let runtime = runtime(ahead(&translator, root.path(), ALL), &program);
    *translator.failure.lock().unwrap() = Some(TranslateCause::UnsetConstant { name: "c".into() });
    runtime.create_queue(0).unwrap();
    wait_until("all were tried", || translator.total() == 4);
    give_time();
    assert_eq!(files(root.path(), list::FileKind::Request), 0);
    *translator.failure.lock().unwrap() = None;
    launch_all(&runtime, &program, &[1, 2, 3]);
    assert_eq!(runtime.statistics().translated, 3);
}

#[test]
fn a_region_and_a_function_of_the_program_are_told() {
    let (root, translator, program) = (tempfile::tempdir().unwrap(), FakeTranslator::new(), Program::named(1));
    let runtime = runtime(ahead(&translator, root.path(), ALL), &program);
    let (sender, told) = std::sync::mpsc::channel();
    let _observation = runtime.observe_compilations(move |one| {
        let _ = sender.send((one.symbol.clone(), one.reason, one.variant.clone()));
    });
    let region = runtime.open_region();
    runtime.create_queue(0).unwrap();
    let expected = ("kernel0".to_owned(), Reason::Ahead, "1-D range, 32-bit".to_owned());
    assert_eq!(told.recv_timeout(Duration::from_secs(60)).unwrap(), expected);
    let Err(RuntimeError::Compiled { compilations }) = region.end() else { panic!("something was compiled") };
    assert!(compilations[0].to_string().ends_with("for a launch that may follow)"), "{}", compilations[0]);
}

#[test]
fn unloading_keeps_the_list_and_drops_what_nobody_has_begun() {
    let (root, translator, program) = (tempfile::tempdir().unwrap(), FakeTranslator::new(), Program::named(30));
    let registry = Arc::new(Registry::new());
    // SAFETY: the program's memory is leaked.
    unsafe { registry.register(program.container) };
    let first = Runtime::new(ahead(&translator, root.path(), ALL), Arc::clone(&registry));
    launch_all(&first, &program, &(0..30).collect::<Vec<_>>());
    registry.unregister(program.container);
    first.forget(program.container);
    assert_eq!(lists(root.path()), 1);
    // SAFETY: as above.
    unsafe { registry.register(program.container) };
    let translator = another(7);
    let second = Runtime::new(ahead(&translator, root.path(), ALL), Arc::clone(&registry));
    second.create_queue(0).unwrap();
    wait_until("some are prepared", || translator.total() > 0);
    registry.unregister(program.container);
    second.forget(program.container);
    give_time();
    let total = translator.total();
    give_time();
    assert!(translator.total() == total && total < 30, "nothing goes on");
}

#[test]
fn a_runtime_that_prepares_kernels_can_be_dropped() {
    let (root, translator, program) = (tempfile::tempdir().unwrap(), FakeTranslator::new(), Program::named(8));
    let runtime = runtime(ahead(&translator, root.path(), ALL), &program);
    runtime.create_queue(0).unwrap();
    drop(runtime);
    wait_until("the last job lets go of the translator", || Arc::strong_count(&translator) == 1);
}
