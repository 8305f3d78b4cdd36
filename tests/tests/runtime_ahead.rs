//! Kernels that are prepared before their first launch, with a fake translator and a recording
//! driver.
#![allow(clippy::unwrap_used, reason = "a test says what it expects by unwrapping")]

use sinter::{LaunchSize, Registry, Runtime, RuntimeOptions, cache::list, code::tiers::JitMode, settings::CacheMode};
use sinter_core::{Fingerprint, TranslateCause};
use sinter_tests::runtimes::{FakeTranslator, Program, TestDriver, block, launch, options, range, runtime};
use std::{
    path::Path,
    sync::{Arc, atomic::Ordering},
    thread,
    time::{Duration, Instant},
};

/// More kernels than any program here has.
const ALL: usize = 100;

fn ahead(translator: &Arc<FakeTranslator>, cache: &Path, kernels: usize) -> RuntimeOptions {
    RuntimeOptions { ahead: kernels, ..options(&TestDriver::new(), Arc::clone(translator), Some(cache)) }
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

fn translated_by_launches(runtime: &Runtime) -> u64 {
    runtime.statistics().translated
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
fn other_kernels_of_a_container_are_prepared_for_launches_like_the_first() {
    let (root, translator, program) = (tempfile::tempdir().unwrap(), FakeTranslator::new(), Program::named(6));
    let runtime = runtime(ahead(&translator, root.path(), ALL), &program);
    launch_all(&runtime, &program, &[2]);
    wait_until("all are prepared", || stored(root.path()) == 6);
    launch_all(&runtime, &program, &[0, 1, 3, 4, 5]);
    assert_eq!((translated_by_launches(&runtime), translator.total()), (1, 6));
    assert_eq!(runtime.statistics().disk_hits, 5);
}

#[test]
fn the_budget_bounds_what_is_prepared_and_nothing_is_off() {
    for budget in [0, 2] {
        let (root, translator, program) = (tempfile::tempdir().unwrap(), FakeTranslator::new(), Program::named(6));
        let runtime = runtime(ahead(&translator, root.path(), budget), &program);
        launch_all(&runtime, &program, &[5]);
        wait_until("some are prepared", || translator.total() > budget);
        give_time();
        assert_eq!(translator.total(), 1 + budget);
        runtime.forget(program.container);
        assert_eq!(lists(root.path()), usize::from(budget > 0));
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
fn what_the_last_run_launched_is_prepared_as_it_was_launched() {
    let (root, program) = (tempfile::tempdir().unwrap(), Program::named(6));
    let first = runtime(ahead(&FakeTranslator::new(), root.path(), ALL), &program);
    run(&first, &program, 4);
    first.forget(program.container);
    assert_eq!(lists(root.path()), 1);
    give_time();
    let before = stored(root.path());
    let translator = another(7);
    let second = runtime(ahead(&translator, root.path(), ALL), &program);
    run(&second, &program, 1);
    wait_until("the others are prepared", || stored(root.path()) == before + 4);
    run(&second, &program, 4);
    give_time();
    assert_eq!((translated_by_launches(&second), translator.total()), (1, 4));
}

#[test]
fn a_run_that_finds_all_code_prepares_nothing_and_keeps_no_list() {
    let (root, translator, program) = (tempfile::tempdir().unwrap(), FakeTranslator::new(), Program::named(4));
    launch_all(&runtime(ahead(&translator, root.path(), 0), &program), &program, &[0, 1]);
    let second = runtime(ahead(&translator, root.path(), ALL), &program);
    launch_all(&second, &program, &[0, 1]);
    give_time();
    second.forget(program.container);
    assert_eq!((translator.total(), lists(root.path())), (2, 0));
}

#[test]
fn without_a_cache_that_is_read_nothing_is_prepared() {
    let (root, translator, program) = (tempfile::tempdir().unwrap(), FakeTranslator::new(), Program::named(4));
    let mut off = ahead(&translator, root.path(), ALL);
    off.cache.mode = CacheMode::Off;
    let dumped = RuntimeOptions { dump: Some(root.path().join("dump")), ..ahead(&translator, root.path(), ALL) };
    for options in [off, dumped] {
        let runtime = runtime(options, &program);
        launch_all(&runtime, &program, &[0]);
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
    launch_all(&runtime, &program, &[0]);
    wait_until("all are prepared", || translator.total() == 3);
    give_time();
    launch_all(&runtime, &program, &[1, 2]);
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
    launch_all(&runtime, &program, &[0]);
    drop(closed);
    wait_until("all are prepared", || translator.total() == 6);
    give_time();
    assert_eq!(translator.total(), 6, "quick code of five kernels, full code of one");
    let closed = translator.gate.write().unwrap();
    launch_all(&runtime, &program, &[1, 2, 3, 4]);
    assert_eq!(translated_by_launches(&runtime), 2);
    drop(closed);
    runtime.wait_for_jit();
}

/// A launch that needs what a thread of the background does not finish.
#[test]
fn no_launch_waits_for_work_that_stands_still() {
    let (root, translator, program) = (tempfile::tempdir().unwrap(), FakeTranslator::new(), Program::named(2));
    let runtime = runtime(ahead(&translator, root.path(), ALL), &program);
    let closed = translator.gate.write().unwrap();
    thread::scope(|scope| {
        let (runtime, program) = (&runtime, &program);
        let launch = move |kernel: usize| launch(runtime, program.kernels[kernel]).unwrap();
        scope.spawn(move || launch(0));
        give_time();
        scope.spawn(move || launch(1));
        give_time();
        drop(closed);
    });
    wait_until("the background ends", || translator.total() == 3);
    assert_eq!(translator.counts.lock().unwrap()["kernel1"], 2);
    assert_eq!(translated_by_launches(&runtime), 2);
}

#[test]
fn failures_of_what_nobody_asked_for_are_forgotten() {
    let (root, translator, program) = (tempfile::tempdir().unwrap(), FakeTranslator::new(), Program::named(4));
    let runtime = runtime(ahead(&translator, root.path(), ALL), &program);
    *translator.failure.lock().unwrap() = Some(TranslateCause::UnsetConstant { name: "c".into() });
    launch(&runtime, program.kernels[0]).unwrap_err();
    wait_until("all were tried", || translator.total() == 4);
    give_time();
    let requests = list::files(root.path()).unwrap().into_iter().filter(|file| file.kind == list::FileKind::Request);
    assert_eq!(requests.count(), 1, "that of the launch");
    *translator.failure.lock().unwrap() = None;
    launch_all(&runtime, &program, &[1, 2, 3]);
    assert_eq!(translated_by_launches(&runtime), 3);
}

#[test]
fn unloading_keeps_the_list_and_drops_what_nobody_has_begun() {
    let (root, translator, program) = (tempfile::tempdir().unwrap(), FakeTranslator::new(), Program::named(30));
    let registry = Arc::new(Registry::new());
    // SAFETY: the program's memory is leaked.
    unsafe { registry.register(program.container) };
    let runtime = Runtime::new(ahead(&translator, root.path(), ALL), Arc::clone(&registry));
    launch_all(&runtime, &program, &[0, 1]);
    registry.unregister(program.container);
    runtime.forget(program.container);
    assert_eq!(lists(root.path()), 1);
    give_time();
    let total = translator.total();
    give_time();
    assert_eq!(translator.total(), total, "nothing goes on");
    // SAFETY: as above.
    unsafe { registry.register(program.container) };
    launch_all(&runtime, &program, &[2, 29]);
}

#[test]
fn a_runtime_that_prepares_kernels_can_be_dropped() {
    let (root, translator, program) = (tempfile::tempdir().unwrap(), FakeTranslator::new(), Program::named(30));
    let runtime = runtime(ahead(&translator, root.path(), ALL), &program);
    launch_all(&runtime, &program, &[0]);
    drop(runtime);
    wait_until("the last job lets go of the translator", || Arc::strong_count(&translator) == 1);
    assert!(translator.total() < 30, "some were dropped");
}
