//! Launches through the runtime, with a fake translator and a recording driver.
#![allow(clippy::unwrap_used, reason = "a test says what it expects by unwrapping")]

use sinter::{LaunchSize, Registry, Runtime, RuntimeError};
use sinter_core::{
    LaunchShape, TranslateCause,
    container::{ContainerBuilder, ImageRecord, KernelRecord},
};
use sinter_driver::{Device, Driver, DriverError, Ticket, recording::Call};
use sinter_tests::runtimes::{
    BLOCK, FakeTranslator, Program, TestDriver, block, hash_of, launch, options, payload, range, runtime,
};
use std::{
    sync::{Arc, Barrier},
    thread,
};

#[test]
fn sixteen_threads_translate_fifty_kernels_once_each() {
    let (driver, translator, program) = (TestDriver::new(), FakeTranslator::new(), Program::named(50));
    let runtime = runtime(options(&driver, Arc::clone(&translator), None), &program);
    let start = Barrier::new(16);
    thread::scope(|scope| {
        for thread in 0..16 {
            let (runtime, program, start) = (&runtime, &program, &start);
            scope.spawn(move || {
                start.wait();
                for i in 0..50 {
                    launch(runtime, program.kernels[(i + thread) % 50]).unwrap();
                }
            });
        }
    });
    let counts = translator.counts.lock().unwrap();
    assert_eq!(counts.len(), 50);
    assert!(counts.values().all(|count| *count == 1), "{counts:?}");
    let statistics = runtime.statistics();
    assert_eq!((statistics.launches, statistics.translated, statistics.memory_hits), (800, 50, 750));
    assert_eq!(driver.launches().len(), 800);
}

#[test]
fn arguments_are_packed_as_the_code_wants_them() {
    let (driver, program) = (TestDriver::new(), Program::named(1));
    let runtime = runtime(options(&driver, FakeTranslator::new(), None), &program);
    launch(&runtime, program.kernels[0]).unwrap();
    let shape = LaunchShape { global: [10, 1, 1], group: [10, 1, 1], local_memory: 0 };
    let arguments = vec![0, 1, 2, 3, 4, 5, 6, 7, 16, 17, 18, 19, 0, 0, 0, 0];
    assert_eq!(driver.launches(), [("kernel0".to_owned(), shape, arguments)]);
}

#[test]
fn an_empty_launch_submits_nothing() {
    let (driver, program) = (TestDriver::new(), Program::named(1));
    let runtime = runtime(options(&driver, FakeTranslator::new(), None), &program);
    let queue = runtime.create_queue(0).unwrap();
    // SAFETY: the descriptor is one of a `Program`.
    let ticket = unsafe { runtime.launch(&queue, program.kernels[0], &block(), &range(0)) }.unwrap();
    assert_eq!(ticket, Ticket(0));
    assert_eq!(runtime.statistics().launches, 0);
    assert!(driver.launches().is_empty());
}

#[test]
fn group_sizes_make_variants_and_ranges_do_not() {
    let (driver, translator, program) = (TestDriver::new(), FakeTranslator::new(), Program::named(1));
    let runtime = runtime(options(&driver, Arc::clone(&translator), None), &program);
    let queue = runtime.create_queue(0).unwrap();
    let sizes = [
        range(10),
        range(1000),
        range(1 << 31),
        LaunchSize { group: Some([16, 1, 1]), ..range(64) },
        LaunchSize { group: Some([32, 1, 1]), ..range(64) },
        LaunchSize { group: Some([16, 1, 1]), ..range(128) },
    ];
    for size in &sizes {
        // SAFETY: the descriptor is one of a `Program`.
        unsafe { runtime.launch(&queue, program.kernels[0], &block(), size) }.unwrap();
    }
    assert_eq!(translator.total(), 4);
}

#[test]
fn a_launch_that_repeats_the_last_one_runs_in_its_shape_and_any_other_in_its_own() {
    let (driver, program) = (TestDriver::new(), Program::named(2));
    let runtime = runtime(options(&driver, FakeTranslator::new(), None), &program);
    let queue = runtime.create_queue(0).unwrap();
    let grouped = LaunchSize { group: Some([16, 1, 1]), ..range(64) };
    let wide = LaunchSize { local_memory: 128, ..range(64) };
    let flat = LaunchSize { dimensions: 2, ..range(64) };
    let sizes = [range(64), range(64), grouped, grouped, range(64), range(32), range(64), wide, range(64), flat];
    for (kernel, size) in sizes.iter().flat_map(|size| [(0, size), (1, size)]) {
        // SAFETY: the descriptor is one of a `Program`.
        unsafe { runtime.launch(&queue, program.kernels[kernel], &block(), size) }.unwrap();
    }
    let launches = driver.launches();
    assert_eq!(launches.len(), 2 * sizes.len());
    for ((name, shape, _), (kernel, size)) in launches.iter().zip(sizes.iter().flat_map(|s| [(0, s), (1, s)])) {
        let group = size.group.unwrap_or([size.global[0] as u32, 1, 1]);
        assert_eq!(*shape, LaunchShape { global: size.global, group, local_memory: size.local_memory });
        assert_eq!(*name, format!("kernel{kernel}"));
    }
    assert_eq!(runtime.statistics().launches, launches.len() as u64);
    // A repeated launch is checked like any other.
    // SAFETY: the descriptor is one of a `Program`.
    let short = unsafe { runtime.launch(&queue, program.kernels[0], &block()[1..], &flat) };
    assert!(matches!(short, Err(RuntimeError::BlockSize { .. })), "{short:?}");
}

#[test]
fn shapes_that_no_device_can_run_are_refused() {
    let program = Program::named(1);
    let runtime = runtime(options(&TestDriver::new(), FakeTranslator::new(), None), &program);
    let queue = runtime.create_queue(0).unwrap();
    let wrong = [
        LaunchSize { group: Some([3, 1, 1]), ..range(64) },
        LaunchSize { dimensions: 2, group: Some([16, 0, 1]), ..range(64) },
        LaunchSize { group: Some([2048, 1, 1]), ..range(4096) },
        LaunchSize { dimensions: 3, global: [64, 64, 1], group: Some([64, 64, 1]), local_memory: 0 },
        LaunchSize { dimensions: 3, global: [1 << 40, 1 << 40, 1], group: None, local_memory: 0 },
    ];
    for size in &wrong {
        // SAFETY: the descriptor is one of a `Program`.
        let result = unsafe { runtime.launch(&queue, program.kernels[0], &block(), size) };
        assert!(matches!(result, Err(RuntimeError::Launch { .. })), "{size:?}: {result:?}");
        assert!(result.unwrap_err().to_string().starts_with("kernel `kernel0` on "), "{size:?}");
    }
    let too_much = LaunchSize { local_memory: 1 << 20, ..range(64) };
    // SAFETY: as above.
    let result = unsafe { runtime.launch(&queue, program.kernels[0], &block(), &too_much) };
    assert!(matches!(result, Err(RuntimeError::LocalMemory { .. })), "{result:?}");
}

#[test]
fn sizes_of_dimensions_that_a_launch_does_not_have_are_refused() {
    let program = Program::named(1);
    let runtime = runtime(options(&TestDriver::new(), FakeTranslator::new(), None), &program);
    let queue = runtime.create_queue(0).unwrap();
    let wrong = [
        LaunchSize { global: [64, 2, 1], ..range(64) },
        LaunchSize { group: Some([16, 2, 1]), ..range(64) },
        LaunchSize { dimensions: 2, global: [64, 2, 2], ..range(64) },
        LaunchSize { dimensions: 0, ..range(64) },
        LaunchSize { dimensions: 4, ..range(64) },
    ];
    for size in &wrong {
        // SAFETY: the descriptor is one of a `Program`.
        let result = unsafe { runtime.launch(&queue, program.kernels[0], &block(), size) };
        assert!(matches!(result, Err(RuntimeError::Dimensions { .. })), "{size:?}: {result:?}");
        assert!(result.unwrap_err().to_string().starts_with("kernel `kernel0` cannot be launched: "), "{size:?}");
    }
}

#[test]
fn a_block_of_another_size_is_refused_before_and_after_the_first_launch() {
    let program = Program::named(1);
    let runtime = runtime(options(&TestDriver::new(), FakeTranslator::new(), None), &program);
    let queue = runtime.create_queue(0).unwrap();
    for _ in 0..2 {
        // SAFETY: the descriptor is one of a `Program`.
        let result = unsafe { runtime.launch(&queue, program.kernels[0], &block()[1..], &range(1)) };
        assert!(matches!(result, Err(RuntimeError::BlockSize { expected: 24, given: 23, .. })), "{result:?}");
        launch(&runtime, program.kernels[0]).unwrap();
    }
}

#[test]
fn a_lasting_failure_is_remembered_and_a_passing_one_is_not() {
    let (translator, program) = (FakeTranslator::new(), Program::named(2));
    let runtime = runtime(options(&TestDriver::new(), Arc::clone(&translator), None), &program);
    let set = |cause| *translator.failure.lock().unwrap() = cause;
    set(Some(TranslateCause::UnsetConstant { name: "c".into() }));
    for _ in 0..3 {
        let error = launch(&runtime, program.kernels[0]).unwrap_err();
        assert!(error.to_string().contains("kernel `kernel0`"), "{error}");
    }
    assert_eq!(translator.total(), 1);
    set(Some(TranslateCause::Io { path: "/dev/shm/x".into(), message: "full".into() }));
    launch(&runtime, program.kernels[1]).unwrap_err();
    set(None);
    launch(&runtime, program.kernels[1]).unwrap();
    launch(&runtime, program.kernels[0]).unwrap_err();
    assert_eq!(translator.total(), 3);
}

#[test]
fn a_translator_that_is_unavailable_is_asked_again_and_leaves_no_request() {
    let (root, translator, program) = (tempfile::tempdir().unwrap(), FakeTranslator::new(), Program::named(1));
    let runtime = runtime(options(&TestDriver::new(), Arc::clone(&translator), Some(root.path())), &program);
    let set = |cause| *translator.failure.lock().unwrap() = cause;
    set(Some(TranslateCause::Unavailable { message: "the process is exiting".into() }));
    let error = launch(&runtime, program.kernels[0]).unwrap_err();
    let RuntimeError::Translate(error) = error else { panic!("{error}") };
    assert_eq!(error.replay, None);
    assert!(!root.path().join("failed").exists());
    set(None);
    launch(&runtime, program.kernels[0]).unwrap();
    assert_eq!(translator.total(), 2);
}

#[test]
fn a_load_that_fails_for_want_of_resources_is_tried_again() {
    let (root, translator, program) = (tempfile::tempdir().unwrap(), FakeTranslator::new(), Program::named(1));
    for _ in 0..2 {
        let driver = TestDriver::new();
        let runtime = runtime(options(&driver, Arc::clone(&translator), Some(root.path())), &program);
        driver.starve_next_load.store(true, std::sync::atomic::Ordering::SeqCst);
        assert!(matches!(launch(&runtime, program.kernels[0]), Err(RuntimeError::Driver(_))));
        launch(&runtime, program.kernels[0]).unwrap();
        assert_eq!(runtime.statistics().cache_errors, 0);
    }
    assert_eq!(translator.total(), 1);
}

#[test]
fn code_that_does_not_load_is_not_translated_again_and_again() {
    let (driver, translator, program) = (TestDriver::new(), FakeTranslator::new(), Program::named(1));
    let runtime = runtime(options(&driver, Arc::clone(&translator), None), &program);
    driver.refuse_next_load.store(true, std::sync::atomic::Ordering::SeqCst);
    for _ in 0..3 {
        assert!(matches!(launch(&runtime, program.kernels[0]), Err(RuntimeError::Driver(_))));
    }
    assert_eq!(translator.total(), 1);
}

#[test]
fn unregistering_unloads_and_a_second_program_at_the_same_addresses_gets_its_own_kernels() {
    let (driver, translator) = (TestDriver::new(), FakeTranslator::new());
    let names = ["first".to_owned(), "other".to_owned()];
    let mut program = Program::new(&names);
    let registry = Arc::new(Registry::new());
    // SAFETY: the program's memory is leaked.
    unsafe { registry.register(program.container) };
    let runtime = Runtime::new(options(&driver, Arc::clone(&translator), None), Arc::clone(&registry));
    launch(&runtime, program.kernels[0]).unwrap();
    assert_eq!(registry.unregister(program.container), 0);
    runtime.forget(program.container);
    let replacement = *program.kernels[1];
    *program.kernels[0] = replacement;
    // SAFETY: as above.
    unsafe { registry.register(program.container) };
    launch(&runtime, program.kernels[0]).unwrap();
    let symbols: Vec<_> = driver.launches().into_iter().map(|(symbol, ..)| symbol).collect();
    assert_eq!(symbols, names);
    let unloaded = |call: &Call| matches!(call, Call::Unload { symbol } if symbol == "first");
    launch(&runtime, program.kernels[0]).unwrap();
    for _ in 0..8 {
        // Evict the stale entry from this thread's recent kernels.
        launch(&runtime, Program::named(1).kernels[0]).unwrap();
    }
    assert!(driver.recording.calls().iter().any(unloaded));
}

#[test]
fn two_descriptors_of_one_kernel_share_its_code() {
    let (driver, translator) = (TestDriver::new(), FakeTranslator::new());
    let (a, b) = (Program::named(1), Program::named(1));
    let runtime = runtime(options(&driver, Arc::clone(&translator), None), &a);
    launch(&runtime, a.kernels[0]).unwrap();
    launch(&runtime, b.kernels[0]).unwrap();
    assert_eq!(translator.total(), 1);
    let loads = driver.recording.calls().iter().filter(|call| matches!(call, Call::Load { .. })).count();
    assert_eq!(loads, 1);
}

#[test]
fn a_kernel_can_be_asked_for_without_a_launch() {
    let (driver, translator, program) = (TestDriver::new(), FakeTranslator::new(), Program::named(1));
    let runtime = runtime(options(&driver, Arc::clone(&translator), None), &program);
    let queue = runtime.create_queue(0).unwrap();
    let ask = |size: &LaunchSize| {
        // SAFETY: the descriptor is one of a `Program`.
        unsafe { runtime.loaded_kernel(&queue, program.kernels[0], &block(), size, &[]) }
    };
    let kernel = ask(&range(10)).unwrap();
    assert_eq!(kernel.entry().symbol, "kernel0");
    launch(&runtime, program.kernels[0]).unwrap();
    assert!(Arc::ptr_eq(&kernel, &ask(&range(99)).unwrap()));
    assert_eq!((translator.total(), driver.launches().len(), runtime.statistics().launches), (1, 1, 1));
    let grouped = ask(&LaunchSize { group: Some([8, 1, 1]), ..range(64) }).unwrap();
    assert!(!Arc::ptr_eq(&kernel, &grouped));
    assert!(matches!(ask(&range(0)), Err(RuntimeError::InvalidArgument { .. })));
}

#[test]
fn damaged_containers_are_errors_that_name_the_kernel() {
    let names = ["k".to_owned()];
    let whole = payload(&names);
    for length in (0..whole.len()).step_by(7) {
        let program = Program::with_payload(&names, whole[..length].to_vec());
        let runtime = runtime(options(&TestDriver::new(), FakeTranslator::new(), None), &program);
        let error = launch(&runtime, program.kernels[0]).unwrap_err();
        assert!(matches!(error, RuntimeError::Container { .. } | RuntimeError::Kernel { .. }), "{length}: {error}");
        assert!(error.to_string().contains("`k`"), "{error}");
    }
}

#[test]
fn descriptors_that_are_not_of_this_runtime_are_refused() {
    let mut program = Program::named(1);
    let runtime = runtime(options(&TestDriver::new(), FakeTranslator::new(), None), &Program::named(1));
    let good = *program.kernels[0];
    let mut bad = vec![good; 7];
    bad[0].struct_size = 8;
    bad[1].symbol = std::ptr::null();
    bad[2].container = std::ptr::null();
    bad[3].parameters = std::ptr::null();
    bad[4].parameter_count = u32::MAX;
    bad[5].block_size = 8;
    bad[6].ir_hash = [9; 32];
    for (index, kernel) in bad.into_iter().enumerate() {
        *program.kernels[0] = kernel;
        assert!(launch(&runtime, program.kernels[0]).is_err(), "{index}");
    }
    *program.kernels[0] = good;
    launch(&runtime, program.kernels[0]).unwrap();
    assert_eq!(BLOCK, 24);
}

/// A container with one image, which defines `kernel`.
fn library(kernel: &str, bytes: &[u8], exports: &[&str], imports: &[&str]) -> Program {
    let list = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect();
    let mut builder = ContainerBuilder::new();
    builder.image(ImageRecord {
        name: "image".into(),
        bytes: bytes.to_vec(),
        exported_symbols: list(exports),
        imported_symbols: list(imports),
        has_debug: false,
    });
    builder.kernel(KernelRecord {
        symbol: kernel.into(),
        image_providers: vec!["image".into()],
        ir_hash: hash_of(kernel),
        ..KernelRecord::default()
    });
    Program::with_payload(&[kernel.to_owned()], builder.build().unwrap())
}

/// Launches the kernel of the first program with all of them registered, in this order; returns the
/// imports of the request.
fn imports_of(programs: &[&Program], translator: &Arc<FakeTranslator>) -> Vec<Vec<u8>> {
    let runtime = runtime(options(&TestDriver::new(), Arc::clone(translator), None), programs[0]);
    for program in &programs[1..] {
        // SAFETY: the memory of programs is leaked.
        unsafe { runtime.registry().register(program.container) };
    }
    launch(&runtime, programs[0].kernels[0]).unwrap();
    translator.imports.lock().unwrap().clone()
}

#[test]
fn imports_are_found_transitively_and_in_any_order_of_registration() {
    let translator = FakeTranslator::new();
    let main = library("main", b"A", &[], &["f", "nobody"]);
    let (f, g) = (library("f_kernel", b"F", &["f"], &["g"]), library("g_kernel", b"G", &["g"], &["f"]));
    let (other, damaged) = (library("x", b"X", &["x"], &[]), Program::with_payload(&[], b"damaged".to_vec()));
    let expected = [b"F".to_vec(), b"G".to_vec()];
    assert_eq!(imports_of(&[&main, &f, &g, &other, &damaged], &translator), expected);
    assert_eq!(imports_of(&[&main, &damaged, &other, &g, &f], &translator), expected);
}

#[test]
fn a_changed_import_changes_the_key() {
    let (root, translator) = (tempfile::tempdir().unwrap(), FakeTranslator::new());
    let main = library("main", b"A", &[], &["f"]);
    for bytes in [b"F1", b"F1", b"F2"] {
        let runtime = runtime(options(&TestDriver::new(), Arc::clone(&translator), Some(root.path())), &main);
        // SAFETY: the memory of programs is leaked.
        unsafe { runtime.registry().register(library("f_kernel", bytes, &["f"], &[]).container) };
        launch(&runtime, main.kernels[0]).unwrap();
    }
    assert_eq!(translator.total(), 2);
}

#[test]
fn the_mask_chooses_and_orders_devices() {
    let count = |mask: &str| {
        let mut options = options(&TestDriver::new(), FakeTranslator::new(), None);
        options.visibility = Some(mask.parse().unwrap());
        Runtime::new(options, Arc::new(Registry::new())).devices().visible.len()
    };
    assert_eq!(["recording", "cuda:0;recording:0", "recording;recording"].map(count), [1, 1, 2]);
    assert_eq!(["cuda;recording:1", "recording:1"].map(count), [0, 0]);
    // A mask with unknown names is more likely a mistake than a request for all devices.
    assert_eq!(["cuda", "nowhere;elsewhere:1", "gpu", "cpu"].map(count), [0, 0, 0, 0]);
}

/// A driver whose library must not be opened.
struct Untouched;

impl Driver for Untouched {
    fn name(&self) -> &'static str {
        "cuda"
    }
    fn devices(&self) -> Result<Vec<Arc<dyn Device>>, DriverError> {
        panic!("the driver was asked for its devices")
    }
    fn absence(&self) -> Option<String> {
        panic!("the driver was asked for a reason")
    }
}

#[test]
fn a_driver_that_the_mask_does_not_name_is_not_asked() {
    let mut options = options(&TestDriver::new(), FakeTranslator::new(), None);
    options.drivers.insert(0, Box::new(Untouched));
    options.visibility = Some("recording".parse().unwrap());
    let runtime = Runtime::new(options, Arc::new(Registry::new()));
    let devices = runtime.devices();
    assert_eq!((devices.visible.len(), devices.visible[0].index), (1, 0));
    assert!(devices.drivers[0].absence.as_ref().unwrap().contains("SINTER_VISIBILITY_MASK"));
    runtime.create_queue(0).unwrap();
}

#[test]
fn a_device_that_does_not_exist_is_an_error() {
    let program = Program::named(1);
    let runtime = runtime(options(&TestDriver::new(), FakeTranslator::new(), None), &program);
    let error = runtime.create_queue(3).map(drop).unwrap_err();
    assert_eq!(error.to_string(), "there is no device 3; the only device is 0");
    for (mask, expected) in [
        ("recording", "there is no device 3; the only device that SINTER_VISIBILITY_MASK leaves is 0"),
        (
            "recording:1",
            "there is no device 3; SINTER_VISIBILITY_MASK leaves none: SINTER_VISIBILITY_MASK: `recording` has no \
             device 1: it \
             has 1, numbered from 0",
        ),
    ] {
        let mut options = options(&TestDriver::new(), FakeTranslator::new(), None);
        options.visibility = Some(mask.parse().unwrap());
        let error = Runtime::new(options, Arc::new(Registry::new())).create_queue(3).map(drop).unwrap_err();
        assert_eq!(error.to_string(), expected);
    }
}
