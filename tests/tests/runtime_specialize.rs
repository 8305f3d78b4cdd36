//! Variants for values that launches repeat, with a fake translator and a recording driver.
#![allow(clippy::unwrap_used, reason = "a test says what it expects by unwrapping")]

use sinter::statistics::Verdict;
use sinter::{Registry, Runtime, RuntimeOptions, code::tiers::JitMode};
use sinter_core::{Candidate, ConstantValue, EntryInfo, LaunchShape, OptLevel, TranslateCause};
use sinter_driver::recording::RunTime;
use sinter_tests::runtimes::{FakeTranslator, Program, TestDriver, block, options, range, runtime};
use std::{
    sync::{Arc, Barrier, atomic::Ordering},
    thread,
    time::Duration,
};

/// Offset of the third parameter of every kernel, an integer of four bytes.
const OFFSET: usize = 16;

/// A translator that names the third parameter of each kernel.
fn translator() -> Arc<FakeTranslator> {
    let translator = FakeTranslator::new();
    *translator.candidates.lock().unwrap() = vec![Candidate { parameter: 2, weight: 16 }];
    translator
}

fn observing(driver: &TestDriver, translator: &Arc<FakeTranslator>, variants: usize) -> RuntimeOptions {
    RuntimeOptions { specials: variants, ..options(driver, Arc::clone(translator), None) }
}

/// Launches a kernel some times with a value.
fn launch(runtime: &Runtime, kernel: &sinter::abi::Kernel, value: u32, times: usize) {
    let queue = runtime.create_queue(0).unwrap();
    let mut block = block();
    block[OFFSET..OFFSET + 4].copy_from_slice(&value.to_le_bytes());
    for _ in 0..times {
        // SAFETY: the descriptor is one of a `Program`; no argument is dereferenced.
        unsafe { runtime.launch(&queue, kernel, &block, &range(10)) }.unwrap();
    }
}

/// Condition and number of launches of each variant, oldest first.
fn records(runtime: &Runtime) -> Vec<(String, u64)> {
    let variants = runtime.variants().variants();
    let condition = |text: &str| text.split_once(", if ").map_or(String::new(), |(_, condition)| condition.to_owned());
    variants
        .iter()
        .map(|record| (condition(&record.variant.description), record.launches.load(Ordering::Relaxed)))
        .collect()
}

#[test]
fn a_value_that_repeats_gets_code_of_its_own_and_others_do_not_run_it() {
    let (translator, program) = (translator(), Program::named(1));
    let runtime = runtime(observing(&TestDriver::new(), &translator, 8), &program);
    let kernel = &program.kernels[0];
    launch(&runtime, kernel, 5, 23);
    runtime.wait_for_jit();
    assert_eq!(translator.specializations.lock().unwrap()[1].arguments, [(2, ConstantValue::I32(5))]);
    launch(&runtime, kernel, 5, 3);
    launch(&runtime, kernel, 6, 2);
    launch(&runtime, kernel, 5, 1);
    let expected = [(String::new(), 25), ("argument 2 is 5".to_owned(), 4)];
    assert_eq!(records(&runtime), expected);
}

/// A runtime that has made a variant for the value 5 of a kernel, after 23 launches. Runs of code
/// seem to take `times`; that for values has no candidates.
fn with_timed_variant(program: &Program, translator: &Arc<FakeTranslator>, times: RunTime) -> Runtime {
    let driver = TestDriver::new();
    driver.recording.time_kernels(times);
    let runtime = runtime(observing(&driver, translator, 8), program);
    launch(&runtime, program.kernels[0], 5, 1);
    translator.candidates.lock().unwrap().clear();
    launch(&runtime, program.kernels[0], 5, 22);
    runtime.wait_for_jit();
    runtime
}

/// The comparison of the last variant with code for all values.
fn verdict(runtime: &Runtime) -> Option<Verdict> {
    runtime.variants().variants().last().unwrap().verdict.get().copied()
}

#[test]
fn a_variant_that_does_not_gain_is_dropped_and_not_made_again() {
    let (translator, program) = (translator(), Program::named(1));
    let kernel = &program.kernels[0];
    let slower =
        |entry: &EntryInfo, _: &LaunchShape| Duration::from_micros(if entry.candidates.is_empty() { 120 } else { 100 });
    let runtime = with_timed_variant(&program, &translator, slower);
    assert_eq!(verdict(&runtime), None);
    launch(&runtime, kernel, 5, 120);
    assert_eq!(verdict(&runtime), Some(Verdict { ratio: 1.2, is_kept: false }));
    runtime.wait_for_jit();
    let tried = records(&runtime)[1].1;
    assert!((32..80).contains(&tried), "{tried} launches compared it");
    launch(&runtime, kernel, 5, 5000);
    runtime.wait_for_jit();
    assert_eq!((records(&runtime)[1].1, records(&runtime).len(), translator.total()), (tried, 2, 2));
    launch(&runtime, kernel, 6, 5000);
    runtime.wait_for_jit();
    assert_eq!(records(&runtime).len(), 3, "other values may gain");
}

#[test]
fn a_variant_that_gains_runs_in_every_later_launch() {
    let (translator, program) = (translator(), Program::named(1));
    let faster =
        |entry: &EntryInfo, _: &LaunchShape| Duration::from_micros(if entry.candidates.is_empty() { 50 } else { 100 });
    let runtime = with_timed_variant(&program, &translator, faster);
    launch(&runtime, program.kernels[0], 5, 60);
    assert_eq!(verdict(&runtime), Some(Verdict { ratio: 0.5, is_kept: true }));
    let before = records(&runtime)[1].1;
    launch(&runtime, program.kernels[0], 5, 10);
    assert_eq!(records(&runtime)[1].1, before + 10);
}

#[test]
fn a_second_process_begins_with_the_variants_that_gained() {
    let (translator, program) = (translator(), Program::named(1));
    let kernel = &program.kernels[0];
    let folder = tempfile::tempdir().unwrap();
    let process = || {
        *translator.candidates.lock().unwrap() = vec![Candidate { parameter: 2, weight: 16 }];
        let driver = TestDriver::new();
        // The variant for 5 has no candidates and gains, that for 6 has two and does not.
        driver.recording.time_kernels(|entry, _| Duration::from_micros(70 + entry.candidates.len() as u64 * 30));
        let options = options(&driver, Arc::clone(&translator), Some(folder.path()));
        runtime(RuntimeOptions { specials: 8, ..options }, &program)
    };
    let first = process();
    launch(&first, kernel, 5, 1);
    translator.candidates.lock().unwrap().clear();
    for (value, candidates) in [(5, 0), (6, 2)] {
        *translator.candidates.lock().unwrap() = vec![Candidate { parameter: 2, weight: 16 }; candidates];
        for _ in 0..3 {
            launch(&first, kernel, value, 100);
            first.wait_for_jit();
        }
    }
    assert_eq!((records(&first).len(), translator.total()), (3, 3));
    drop(first);
    let second = process();
    for value in [5, 6] {
        launch(&second, kernel, value, 1);
        second.wait_for_jit();
        launch(&second, kernel, value, 100);
    }
    let records = records(&second);
    assert_eq!((records.len(), &*records[1].0, translator.total()), (2, "argument 2 is 5", 3), "{records:?}");
    assert!(records[1].1 > 0);
}

#[test]
fn values_that_change_and_kernels_that_gain_nothing_are_left_alone() {
    let (translator, program) = (translator(), Program::named(2));
    let runtime = runtime(observing(&TestDriver::new(), &translator, 8), &program);
    (0..100).for_each(|value| launch(&runtime, program.kernels[0], value, 1));
    translator.candidates.lock().unwrap().clear();
    launch(&runtime, program.kernels[1], 5, 100);
    runtime.wait_for_jit();
    assert_eq!((translator.total(), records(&runtime).len()), (2, 2));
}

#[test]
fn nothing_is_observed_unless_it_is_asked_for() {
    let (translator, program) = (translator(), Program::named(1));
    let modes = [(JitMode::Sync, 0), (JitMode::Fallback, 0)];
    for (jit_mode, specials) in modes {
        let options = RuntimeOptions { jit_mode, ..observing(&TestDriver::new(), &translator, specials) };
        let runtime = runtime(options, &program);
        launch(&runtime, program.kernels[0], 5, 100);
        runtime.wait_for_jit();
        assert_eq!(records(&runtime), [(String::new(), 100)]);
    }
}

#[test]
fn there_are_only_so_many_variants() {
    let (translator, program) = (translator(), Program::named(1));
    let runtime = runtime(observing(&TestDriver::new(), &translator, 2), &program);
    for (value, times) in [(1, 64), (2, 128), (3, 2048)] {
        launch(&runtime, program.kernels[0], value, times);
        runtime.wait_for_jit();
    }
    let before: Vec<_> = records(&runtime);
    launch(&runtime, program.kernels[0], 3, 5);
    let after: Vec<_> = records(&runtime);
    assert_eq!(after.len(), 4, "the general code and three variants: {after:?}");
    assert_eq!(after[3].1, before[3].1 + 5);
    [1, 2].into_iter().for_each(|value| launch(&runtime, program.kernels[0], value, 5));
    assert_eq!(records(&runtime)[0].1, after[0].1 + 5, "one of the first two made room");
}

#[test]
fn a_failure_leaves_the_general_code_and_is_not_repeated() {
    let (translator, program) = (translator(), Program::named(1));
    let runtime = runtime(observing(&TestDriver::new(), &translator, 8), &program);
    launch(&runtime, program.kernels[0], 5, 1);
    *translator.failure.lock().unwrap() = Some(TranslateCause::CodeGeneration { message: "no".into() });
    for value in [5, 6] {
        launch(&runtime, program.kernels[0], value, 100);
        runtime.wait_for_jit();
    }
    assert_eq!((records(&runtime), translator.total()), (vec![(String::new(), 201)], 2));
}

#[test]
fn quick_code_full_code_and_variants_replace_each_other_in_any_order() {
    let (translator, program) = (translator(), Program::named(1));
    translator.has_quick_code.store(true, Ordering::Relaxed);
    let options = RuntimeOptions { jit_mode: JitMode::Fallback, ..observing(&TestDriver::new(), &translator, 8) };
    let runtime = runtime(options, &program);
    let closed = translator.gate.write().unwrap();
    launch(&runtime, program.kernels[0], 5, 23);
    drop(closed);
    runtime.wait_for_jit();
    launch(&runtime, program.kernels[0], 5, 1);
    launch(&runtime, program.kernels[0], 6, 1);
    let variants = runtime.variants().variants();
    let launched = |level, is_special: bool| {
        let records = variants.iter().filter(|record| record.level == level);
        let of = records.filter(|record| record.variant.description.contains(", if ") == is_special);
        of.map(|record| record.launches.load(Ordering::Relaxed)).sum::<u64>()
    };
    assert_eq!(
        (launched(OptLevel::O1, false), launched(OptLevel::O3, true), launched(OptLevel::O3, false)),
        (23, 1, 1)
    );
}

#[test]
fn unloading_drops_variants_and_a_kernel_that_returns_gets_them_again() {
    let (translator, program) = (translator(), Program::named(1));
    let registry = Arc::new(Registry::new());
    // SAFETY: the program's memory is leaked.
    unsafe { registry.register(program.container) };
    let runtime = Runtime::new(observing(&TestDriver::new(), &translator, 8), Arc::clone(&registry));
    launch(&runtime, program.kernels[0], 5, 23);
    registry.unregister(program.container);
    runtime.forget(program.container);
    runtime.wait_for_jit();
    // SAFETY: as above.
    unsafe { registry.register(program.container) };
    for _ in 0..2 {
        launch(&runtime, program.kernels[0], 5, 23);
        runtime.wait_for_jit();
    }
    let last = records(&runtime).pop().unwrap();
    assert_eq!(last, ("argument 2 is 5".to_owned(), 23));
}

/// Each launch passes its own value; threads change values while variants are made and thrown away.
#[test]
fn threads_launch_while_values_change() {
    let (driver, translator, program) = (TestDriver::new(), translator(), Program::named(4));
    let runtime = runtime(observing(&driver, &translator, 2), &program);
    let (barrier, threads, rounds) = (Barrier::new(8), 8, 400);
    thread::scope(|scope| {
        for thread in 0..threads {
            let (runtime, program, barrier) = (&runtime, &program, &barrier);
            scope.spawn(move || {
                barrier.wait();
                for round in 0..rounds {
                    // Else a busy machine may make all code when its values are gone.
                    if thread == 0 && round % 100 == 50 {
                        runtime.wait_for_jit();
                    }
                    let value = (round / 100 * 3 + thread % 2) as u32;
                    launch(runtime, program.kernels[round % 4], value, 20);
                }
            });
        }
    });
    runtime.wait_for_jit();
    let launches: u64 = records(&runtime).iter().map(|(_, launches)| launches).sum();
    assert_eq!(launches, threads as u64 * rounds as u64 * 20);
    assert!(records(&runtime).iter().any(|(condition, launches)| !condition.is_empty() && *launches > 0));
}
