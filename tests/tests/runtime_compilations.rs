//! Functions that are told of compilations, regions without any, and modes of queues, with a fake
//! translator and a recording driver.
#![allow(clippy::unwrap_used, reason = "a test says what it expects by unwrapping")]

use sinter::{
    Queue, Runtime, RuntimeError, RuntimeOptions,
    abi::Kernel,
    code::tiers::JitMode,
    compilations::{Compilation, Outcome},
    error::RequiredBy,
    statistics::{Reason, Source},
};
use sinter_core::{Candidate, OptLevel, TranslateCause};
use sinter_tests::runtimes::{FakeTranslator, Program, TestDriver, block, launch, options, range, runtime};
use std::{
    panic,
    path::Path,
    sync::{
        Arc, Barrier, Mutex, Weak,
        atomic::{AtomicBool, AtomicUsize, Ordering},
    },
    thread,
    time::Duration,
};

/// A translator whose kernels have quick code.
fn quick_translator() -> Arc<FakeTranslator> {
    let translator = FakeTranslator::new();
    translator.has_quick_code.store(true, Ordering::Relaxed);
    translator
}

fn with_mode(jit_mode: JitMode, translator: &Arc<FakeTranslator>, cache: Option<&Path>) -> RuntimeOptions {
    RuntimeOptions { jit_mode, ..options(&TestDriver::new(), Arc::clone(translator), cache) }
}

fn launch_on(runtime: &Runtime, queue: &Queue, kernel: &Kernel) -> Result<(), RuntimeError> {
    // SAFETY: the descriptor is one of a `Program`; no argument is dereferenced.
    unsafe { runtime.launch(queue, kernel, &block(), &range(10)) }.map(drop)
}

/// Kernel, reason, and level and source of the code or `None` for a failure.
type Told = (String, Reason, Option<(OptLevel, Source)>);

fn told(one: &Compilation) -> Told {
    let made = match &one.outcome {
        Outcome::Ready(made) => Some((made.level, made.source)),
        Outcome::Failed(_) | Outcome::UnderWay => None,
    };
    (one.kernel(), one.reason, made)
}

/// Collects what a runtime tells of.
#[derive(Default)]
struct Collected(Mutex<Vec<Told>>);

impl Collected {
    fn of(runtime: &Runtime) -> (Arc<Collected>, sinter::compilations::Observation) {
        let collected = Arc::<Collected>::default();
        let own = Arc::clone(&collected);
        (collected, runtime.observe_compilations(move |one| own.0.lock().unwrap().push(told(one))))
    }

    fn take(&self) -> Vec<Told> {
        std::mem::take(&mut self.0.lock().unwrap())
    }
}

fn ready(kernel: &str, reason: Reason, level: OptLevel, source: Source) -> Told {
    (kernel.to_owned(), reason, Some((level, source)))
}

#[test]
fn an_observer_is_told_where_the_code_of_each_first_launch_came_from() {
    let (root, translator, program) = (tempfile::tempdir().unwrap(), FakeTranslator::new(), Program::named(2));
    let make = || runtime(with_mode(JitMode::Sync, &translator, Some(root.path())), &program);
    for source in [Source::Translated, Source::Disk] {
        let runtime = make();
        let (collected, _observation) = Collected::of(&runtime);
        for _ in 0..3 {
            launch(&runtime, program.kernels[0]).unwrap();
        }
        assert_eq!(collected.take(), [ready("kernel0", Reason::Launch, OptLevel::O3, source)]);
    }
    let twice = [Program::named(1), Program::named(1)];
    let runtime = runtime(with_mode(JitMode::Sync, &translator, None), &twice[0]);
    let (collected, observation) = Collected::of(&runtime);
    twice.iter().for_each(|program| launch(&runtime, program.kernels[0]).unwrap());
    let sources: Vec<_> = collected.take().into_iter().filter_map(|(_, _, made)| Some(made?.1)).collect();
    assert_eq!(sources, [Source::Translated, Source::Memory]);
    observation.stop().unwrap();
    launch(&runtime, Program::named(3).kernels[2]).unwrap();
    assert_eq!(collected.take(), [], "it was stopped");
}

#[test]
fn an_observer_is_told_of_upgrades_and_of_values() {
    let (translator, program) = (quick_translator(), Program::named(1));
    *translator.candidates.lock().unwrap() = vec![Candidate { parameter: 2, weight: 16 }];
    let options = RuntimeOptions { specials: 4, ..with_mode(JitMode::Fallback, &translator, None) };
    let runtime = runtime(options, &program);
    let (collected, _observation) = Collected::of(&runtime);
    launch(&runtime, program.kernels[0]).unwrap();
    runtime.wait_for_jit();
    let first = collected.take();
    assert_eq!(first[0], ready("kernel0", Reason::Launch, OptLevel::O1, Source::Translated));
    assert!(first[1..].contains(&ready("kernel0", Reason::Upgrade, OptLevel::O3, Source::Translated)), "{first:?}");
    (0..100).for_each(|_| launch(&runtime, program.kernels[0]).unwrap());
    runtime.wait_for_jit();
    let later = collected.take();
    assert!(later.contains(&ready("kernel0", Reason::Values, OptLevel::O3, Source::Translated)), "{later:?}");
}

#[test]
fn a_failure_is_told_of_once_with_its_message() {
    let (translator, program) = (FakeTranslator::new(), Program::named(1));
    *translator.failure.lock().unwrap() = Some(TranslateCause::UnsetConstant { name: "speed".into() });
    let runtime = runtime(with_mode(JitMode::Sync, &translator, None), &program);
    let messages = Arc::<Mutex<Vec<String>>>::default();
    let own = Arc::clone(&messages);
    let _observation = runtime.observe_compilations(move |one| match &one.outcome {
        Outcome::Failed(message) => own.lock().unwrap().push(message.clone()),
        other => panic!("{other:?}"),
    });
    for _ in 0..3 {
        launch(&runtime, program.kernels[0]).unwrap_err();
    }
    let messages = messages.lock().unwrap();
    assert!(messages.len() == 1 && messages[0].contains("speed"), "{messages:?}");
    let failures = runtime.variants().failures();
    assert!(failures.len() == 1 && failures[0].message.contains("speed"), "{failures:?}");
}

#[test]
fn a_launch_that_needs_code_is_refused_in_a_call_and_others_are_not() {
    let (translator, program) = (FakeTranslator::new(), Arc::new(Program::named(2)));
    let runtime = Arc::new(runtime(with_mode(JitMode::Sync, &translator, None), &program));
    launch(&runtime, program.kernels[0]).unwrap();
    let results = Arc::<Mutex<Vec<Option<String>>>>::default();
    let (own, weak, kernels): (_, Weak<Runtime>, _) =
        (Arc::clone(&results), Arc::downgrade(&runtime), program.kernels.iter().map(|one| &raw const **one as usize));
    let kernels: Vec<usize> = kernels.collect();
    let more = Program::named(3);
    let unknown = &raw const *more.kernels[2] as usize;
    let _observation = runtime.observe_compilations(move |_| {
        let runtime = weak.upgrade().unwrap();
        let queue = runtime.create_queue(0).unwrap();
        for kernel in [kernels[0], unknown] {
            // SAFETY: descriptors of programs, whose memory is leaked.
            let result = unsafe { runtime.launch(&queue, kernel as *const Kernel, &block(), &range(10)) };
            own.lock().unwrap().push(result.err().map(|error| error.to_string()));
        }
    });
    launch(&runtime, program.kernels[1]).unwrap();
    let results = results.lock().unwrap().clone();
    assert_eq!(results.len(), 2);
    assert_eq!(results[0], None, "a launch whose code is loaded");
    assert!(results[1].as_ref().is_some_and(|text| text.contains("told of a compilation")), "{results:?}");
    launch(&runtime, more.kernels[2]).unwrap();
}

#[test]
fn stopping_waits_for_calls_of_other_threads() {
    let (translator, program) = (FakeTranslator::new(), Program::named(1));
    let runtime = runtime(with_mode(JitMode::Sync, &translator, None), &program);
    let (entered, has_returned) = (Arc::new(Barrier::new(2)), Arc::new(AtomicBool::new(false)));
    let (own_entered, own_returned) = (Arc::clone(&entered), Arc::clone(&has_returned));
    let observation = runtime.observe_compilations(move |_| {
        own_entered.wait();
        thread::sleep(Duration::from_millis(50));
        own_returned.store(true, Ordering::Release);
    });
    let (runtime, program) = (&runtime, &program);
    thread::scope(|scope| {
        scope.spawn(move || launch(runtime, program.kernels[0]).unwrap());
        entered.wait();
        observation.stop().unwrap();
        assert!(has_returned.load(Ordering::Acquire), "no call goes on");
    });
}

#[test]
fn an_observer_cannot_be_stopped_in_a_call_and_a_panic_there_ends_no_launch() {
    let (translator, program) = (FakeTranslator::new(), Program::named(2));
    let runtime = runtime(with_mode(JitMode::Sync, &translator, None), &program);
    let other = Mutex::new(Some(runtime.observe_compilations(|_| ())));
    let calls = Arc::<AtomicUsize>::default();
    let own = Arc::clone(&calls);
    let _observation = runtime.observe_compilations(move |_| {
        own.fetch_add(1, Ordering::Relaxed);
        if let Some(other) = other.lock().unwrap().take() {
            other.stop().unwrap_err();
        }
        panic!("deliberate");
    });
    let hook = panic::take_hook();
    panic::set_hook(Box::new(|_| ()));
    program.kernels.iter().for_each(|kernel| launch(&runtime, kernel).unwrap());
    panic::set_hook(hook);
    assert_eq!(calls.load(Ordering::Relaxed), 2);
}

/// The kernels that an error of a region names.
fn compiled(error: &RuntimeError) -> Vec<String> {
    let RuntimeError::Compiled { compilations } = error else { panic!("{error}") };
    compilations.iter().map(Compilation::kernel).collect()
}

#[test]
fn a_region_names_what_was_compiled_or_loaded_in_it() {
    let (root, translator, program) = (tempfile::tempdir().unwrap(), FakeTranslator::new(), Program::named(3));
    let runtime = runtime(with_mode(JitMode::Sync, &translator, Some(root.path())), &program);
    let run = |index: usize| launch(&runtime, program.kernels[index]).unwrap();
    run(0);
    assert_eq!(runtime.compiles_nothing(|| (0..9).map(|_| run(0)).count()).unwrap(), 9);
    let error = runtime.compiles_nothing(|| [0, 2, 1].map(run)).unwrap_err();
    assert_eq!(compiled(&error), ["kernel2", "kernel1"]);
    let text = error.to_string();
    assert!(text.contains("`kernel2` (translated in ") && text.contains("sinter_wait_for_jit"), "{text}");
    runtime.compiles_nothing(|| [0, 2, 1].map(run)).unwrap();
    // The same code for a kernel of another container is in the process already.
    let again = Program::named(1);
    runtime.compiles_nothing(|| launch(&runtime, again.kernels[0]).unwrap()).unwrap();
}

#[test]
fn a_region_names_what_a_cache_had() {
    let (root, translator, program) = (tempfile::tempdir().unwrap(), FakeTranslator::new(), Program::named(1));
    let make = || runtime(with_mode(JitMode::Sync, &translator, Some(root.path())), &program);
    launch(&make(), program.kernels[0]).unwrap();
    let second = make();
    let error = second.compiles_nothing(|| launch(&second, program.kernels[0]).unwrap()).unwrap_err();
    assert!(error.to_string().contains("`kernel0` (from the disk cache in "), "{error}");
}

#[test]
fn a_region_names_what_the_background_compiles_in_it() {
    let (translator, program) = (quick_translator(), Program::named(1));
    let runtime = runtime(with_mode(JitMode::Fallback, &translator, None), &program);
    let closed = translator.gate.write().unwrap();
    launch(&runtime, program.kernels[0]).unwrap();
    let (first, second) = (runtime.open_region(), runtime.open_region());
    while translator.at_gate.load(Ordering::Relaxed) == 0 {
        thread::sleep(Duration::from_millis(1));
    }
    let error = first.end().unwrap_err();
    assert!(error.to_string().contains("`kernel0` (still being compiled after "), "{error}");
    drop(closed);
    runtime.wait_for_jit();
    let error = second.end().unwrap_err();
    assert!(compiled(&error).iter().all(|kernel| kernel == "kernel0"), "{error}");
    assert!(error.to_string().contains("an upgrade in the background"), "{error}");
    while translator.total() < 2 {
        thread::sleep(Duration::from_millis(1));
    }
}

#[test]
fn a_queue_has_a_mode_of_its_own() {
    let (translator, program) = (quick_translator(), Program::named(2));
    let runtime = runtime(with_mode(JitMode::Sync, &translator, None), &program);
    let queue = |mode| {
        let queue = runtime.create_queue(0).unwrap();
        queue.set_jit_mode(mode);
        assert_eq!(queue.jit_mode(), mode);
        queue
    };
    let [usual, quick, strict] = [None, Some(JitMode::Fallback), Some(JitMode::Require)].map(queue);
    let error = launch_on(&runtime, &strict, program.kernels[0]).unwrap_err();
    assert!(matches!(error, RuntimeError::NotReady { by: RequiredBy::Queue, .. }), "{error}");
    assert!(error.to_string().contains("mode `require` of its queue"), "{error}");
    assert_eq!(translator.total(), 0);
    let (collected, _observation) = Collected::of(&runtime);
    let closed = translator.gate.write().unwrap();
    launch_on(&runtime, &quick, program.kernels[0]).unwrap();
    launch_on(&runtime, &strict, program.kernels[0]).unwrap();
    let levels = |all: Vec<Told>| all.into_iter().map(|(_, _, made)| made.unwrap()).collect::<Vec<_>>();
    assert_eq!(levels(collected.take()), [(OptLevel::O1, Source::Translated), (OptLevel::O1, Source::Memory)]);
    drop(closed);
    launch_on(&runtime, &usual, program.kernels[0]).unwrap();
    runtime.wait_for_jit();
    let rest = levels(collected.take());
    assert!(
        rest.len() >= 2 && rest.iter().all(|(level, _)| *level == OptLevel::O3),
        "sync waits for full code: {rest:?}"
    );
    // The launch that requires code looks again, and finds full code.
    launch_on(&runtime, &strict, program.kernels[0]).unwrap();
    assert_eq!(levels(collected.take()), [(OptLevel::O3, Source::Memory)]);
    for queue in [&usual, &quick, &strict] {
        runtime.compiles_nothing(|| launch_on(&runtime, queue, program.kernels[0])).unwrap().unwrap();
    }
    strict.set_jit_mode(None);
    launch_on(&runtime, &strict, program.kernels[1]).unwrap();
}

#[test]
fn a_queue_may_compile_where_the_settings_forbid_it() {
    let (translator, program) = (FakeTranslator::new(), Program::named(1));
    let runtime = runtime(with_mode(JitMode::Require, &translator, None), &program);
    let error = launch(&runtime, program.kernels[0]).unwrap_err();
    assert!(matches!(error, RuntimeError::NotReady { by: RequiredBy::Setting, .. }), "{error}");
    let queue = runtime.create_queue(0).unwrap();
    queue.set_jit_mode(Some(JitMode::Sync));
    launch_on(&runtime, &queue, program.kernels[0]).unwrap();
    launch(&runtime, program.kernels[0]).unwrap();
    assert_eq!(translator.total(), 1);
}
