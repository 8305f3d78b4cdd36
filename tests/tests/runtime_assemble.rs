//! Machine code assembled by the device's driver: once for each key, cached, and assembled again by
//! another driver.
#![allow(clippy::unwrap_used, reason = "a test says what it expects by unwrapping")]

use sinter::{
    LaunchSize, Runtime, RuntimeError,
    cache::{entry, list},
    code::variant::{CodeOptions, LineTables},
    vendor::{Choice, FamilyIndex, LibraryOptions},
};
use sinter_core::{Approximations, CodeFormat, FloatMode, PtxTarget, Target};
use sinter_driver::recording::Call;
use sinter_tests::runtimes::{
    FakeTranslator, Program, TestDriver, block,
    gpu::{FakeAssembler, ptx},
    launch, launch_on, options, range, runtime,
};
use std::{
    fs,
    path::Path,
    process::{Command, Stdio},
    sync::{Arc, atomic::Ordering},
    thread,
    time::Duration,
};

/// A driver with an assembler of this name.
fn driver(assembler: &Arc<FakeAssembler>) -> TestDriver {
    TestDriver { target: Some(ptx()), assembler: Some(Arc::clone(assembler)), ..TestDriver::new() }
}

/// A runtime that appears as a separate process.
fn process(assembler: &Arc<FakeAssembler>, translator: &Arc<FakeTranslator>, folder: Option<&Path>) -> Runtime {
    let options = options(&driver(assembler), Arc::clone(translator), folder);
    runtime(options, &Program::named(1))
}

fn run(runtime: &Runtime) -> Result<(), RuntimeError> {
    launch(runtime, Program::named(1).kernels[0])
}

fn entries(folder: &Path) -> Vec<entry::Entry> {
    let files = list::files(folder).unwrap().into_iter().filter(|file| file.kind == list::FileKind::Entry);
    files.map(|file| entry::decode(&fs::read(&file.path).unwrap()).unwrap()).collect()
}

/// The only entry of a cache.
fn stored(folder: &Path) -> entry::Entry {
    let mut entries = entries(folder);
    assert_eq!(entries.len(), 1);
    entries.remove(0)
}

#[test]
fn what_is_cached_is_assembled_and_not_assembled_again() {
    let (root, translator, assembler) = (tempfile::tempdir().unwrap(), FakeTranslator::new(), FakeAssembler::new("A"));
    let first = process(&assembler, &translator, Some(root.path()));
    run(&first).unwrap();
    let code = stored(root.path()).code;
    let assembly = code.assembly.unwrap();
    assert_eq!((code.format, assembly.format, &*assembly.assembler), (CodeFormat::Cubin, CodeFormat::Ptx, "A"));
    assert!(code.bytes.starts_with(b"Akernel0") && assembly.text.starts_with(b"kernel0"));
    assert!(first.whole_statistics().times.assemble_nanoseconds > 0);
    let second = process(&assembler, &translator, Some(root.path()));
    run(&second).unwrap();
    assert_eq!((translator.total(), assembler.total()), (1, 1));
    assert_eq!((second.statistics().disk_hits, second.statistics().cache_errors), (1, 0));
    assert_eq!(second.whole_statistics().times.assemble_nanoseconds, 0);
}

#[test]
fn without_a_disk_cache_the_process_keeps_assembled_code() {
    let (translator, assembler, program) = (FakeTranslator::new(), FakeAssembler::new("A"), Program::named(1));
    let runtime = process(&assembler, &translator, None);
    for _ in 0..3 {
        run(&runtime).unwrap();
        runtime.forget(program.container);
    }
    assert_eq!((translator.total(), assembler.total()), (1, 1));
}

#[test]
fn drivers_of_one_target_assemble_from_one_text_and_keep_their_code() {
    let (root, translator) = (tempfile::tempdir().unwrap(), FakeTranslator::new());
    let assemblers = ["old", "new", "third"].map(FakeAssembler::new);
    for round in 0..3 {
        for assembler in &assemblers {
            let runtime = process(assembler, &translator, Some(root.path()));
            run(&runtime).unwrap();
            assert_eq!((translator.total(), assembler.total()), (1, 1), "{} in round {round}", assembler.name);
        }
    }
    let mut kept: Vec<_> = entries(root.path()).into_iter().map(|entry| entry.code).collect();
    kept.sort_by(|one, other| one.bytes.cmp(&other.bytes));
    for (code, name) in kept.iter().zip(["new", "old", "third"]) {
        assert!(code.bytes.starts_with(format!("{name}kernel0").as_bytes()));
        assert_eq!(code.assembly.as_ref().unwrap().assembler, name);
    }
}

#[test]
fn code_that_a_driver_adds_is_stored_at_the_place_of_its_assembler() {
    let (root, translator) = (tempfile::tempdir().unwrap(), FakeTranslator::new());
    let assemblers = ["old", "new"].map(FakeAssembler::new);
    for round in 1..=3 {
        for assembler in &assemblers {
            let driver = TestDriver { grows: true, ..driver(assembler) };
            let runtime = runtime(options(&driver, Arc::clone(&translator), Some(root.path())), &Program::named(1));
            run(&runtime).unwrap();
            assert_eq!((translator.total(), assembler.total()), (1, 1), "{} in round {round}", assembler.name);
            let added = runtime.whole_statistics().times.assemble_nanoseconds;
            assert!(if round == 1 { added > 1 } else { added == 1 }, "{added} ns");
        }
        let mut kept: Vec<_> = entries(root.path()).into_iter().map(|entry| entry.code).collect();
        kept.sort_by(|one, other| one.bytes.cmp(&other.bytes));
        assert_eq!(kept.len(), 2);
        for (code, name) in kept.iter().zip(["new", "old"]) {
            assert!(code.bytes.starts_with(format!("{name}kernel0").as_bytes()), "{name}");
            let added = code.bytes.iter().rev().take_while(|byte| **byte == b'+').count();
            assert_eq!((added, &*code.assembly.as_ref().unwrap().assembler), (round, name));
        }
    }
}

#[test]
fn without_a_disk_cache_two_devices_of_one_target_keep_their_code() {
    let (translator, program) = (FakeTranslator::new(), Program::named(1));
    let assemblers = ["old", "new"].map(FakeAssembler::new);
    let mut options = options(&driver(&assemblers[0]), Arc::clone(&translator), None);
    options.drivers.push(Box::new(driver(&assemblers[1])));
    let runtime = runtime(options, &program);
    for device in [0, 1, 0, 1] {
        launch_on(&runtime, device, program.kernels[0]).unwrap();
        // Drops what is loaded, so that the next launch looks for the code.
        runtime.forget(program.container);
    }
    assert_eq!((translator.total(), assemblers.map(|assembler| assembler.total())), (1, [1, 1]));
}

#[test]
fn machine_code_that_its_own_device_refuses_is_set_aside_and_that_of_another_is_not() {
    let (root, translator) = (tempfile::tempdir().unwrap(), FakeTranslator::new());
    let (old, new) = (FakeAssembler::new("old"), FakeAssembler::new("new"));
    [&old, &new].into_iter().for_each(|assembler| run(&process(assembler, &translator, Some(root.path()))).unwrap());
    let driver = driver(&new);
    driver.refuse_next_load.store(true, Ordering::SeqCst);
    run(&runtime(options(&driver, Arc::clone(&translator), Some(root.path())), &Program::named(1))).unwrap();
    let set_aside =
        list::files(root.path()).unwrap().into_iter().filter(|file| file.kind == list::FileKind::Quarantined);
    assert_eq!((set_aside.count(), translator.total(), new.total()), (1, 2, 2));
}

#[test]
fn text_that_another_driver_refuses_is_set_aside_and_translated_again() {
    let (root, translator) = (tempfile::tempdir().unwrap(), FakeTranslator::new());
    let (old, new) = (FakeAssembler::new("old"), FakeAssembler::new("new"));
    run(&process(&old, &translator, Some(root.path()))).unwrap();
    new.refuse.store(true, Ordering::SeqCst);
    let runtime = process(&new, &translator, Some(root.path()));
    let error = run(&runtime).unwrap_err();
    assert!(matches!(error, RuntimeError::Assemble { .. }), "{error}");
    assert_eq!((translator.total(), new.total()), (2, 2));
    let kinds: Vec<_> = list::files(root.path()).unwrap().into_iter().map(|file| file.kind).collect();
    assert!(kinds.contains(&list::FileKind::Quarantined) && kinds.contains(&list::FileKind::Request), "{kinds:?}");
}

#[test]
fn code_that_the_device_refuses_is_translated_and_assembled_again() {
    let (root, translator, assembler) = (tempfile::tempdir().unwrap(), FakeTranslator::new(), FakeAssembler::new("A"));
    run(&process(&assembler, &translator, Some(root.path()))).unwrap();
    let driver = driver(&assembler);
    driver.refuse_next_load.store(true, Ordering::SeqCst);
    let runtime = runtime(options(&driver, Arc::clone(&translator), Some(root.path())), &Program::named(1));
    run(&runtime).unwrap();
    assert_eq!((translator.total(), assembler.total()), (2, 2));
}

#[test]
fn a_failure_names_kernel_log_and_request_and_lasts() {
    let (root, translator, assembler) = (tempfile::tempdir().unwrap(), FakeTranslator::new(), FakeAssembler::new("A"));
    assembler.refuse.store(true, Ordering::SeqCst);
    let runtime = process(&assembler, &translator, Some(root.path()));
    for _ in 0..3 {
        let error = run(&runtime).unwrap_err();
        let text = error.to_string();
        assert!(text.contains("kernel `kernel0`") && text.contains("ptxas: line 7"), "{text}");
        let RuntimeError::Assemble { replay: Some((path, family)), .. } = error else { panic!("{error:?}") };
        assert!(path.is_file() && family == "ptx", "{path:?}");
    }
    assert_eq!((translator.total(), assembler.total()), (1, 1));
}

#[test]
fn a_driver_that_is_short_of_memory_is_asked_again() {
    let (translator, assembler) = (FakeTranslator::new(), FakeAssembler::new("A"));
    let runtime = process(&assembler, &translator, None);
    assembler.starve.store(true, Ordering::SeqCst);
    assert!(matches!(run(&runtime), Err(RuntimeError::Driver(_))));
    assembler.starve.store(false, Ordering::SeqCst);
    run(&runtime).unwrap();
    assert_eq!(assembler.total(), 2);
}

/// A runtime with two devices of one target, the second of which can assemble.
fn two_devices(first: &Arc<FakeAssembler>, translator: Arc<FakeTranslator>, program: &Program) -> Runtime {
    let mut options = options(&driver(first), translator, None);
    options.drivers.push(Box::new(driver(&FakeAssembler::new(first.name))));
    runtime(options, program)
}

#[test]
fn what_one_device_refuses_another_of_the_same_target_is_asked() {
    let (assembler, program) = (FakeAssembler::new("A"), Program::named(2));
    assembler.refuse.store(true, Ordering::SeqCst);
    let runtime = two_devices(&assembler, FakeTranslator::new(), &program);
    for _ in 0..2 {
        let error = launch_on(&runtime, 0, program.kernels[0]).unwrap_err();
        assert!(matches!(error, RuntimeError::Assemble { .. }), "{error}");
        launch_on(&runtime, 1, program.kernels[0]).unwrap();
    }
    assert_eq!(assembler.total(), 1, "the failure is remembered for its device");
}

#[test]
fn a_thread_that_waits_for_another_device_does_not_get_its_errors() {
    let (assembler, program) = (FakeAssembler::new("A"), Program::named(1));
    assembler.starve.store(true, Ordering::SeqCst);
    let delay = Duration::from_millis(300);
    let slow = Arc::new(FakeTranslator { delay, ..Arc::into_inner(FakeTranslator::new()).unwrap() });
    let runtime = two_devices(&assembler, slow, &program);
    let (runtime, program) = (&runtime, &program);
    thread::scope(|scope| {
        let starved = scope.spawn(move || launch_on(runtime, 0, program.kernels[0]));
        thread::sleep(delay / 3);
        launch_on(runtime, 1, program.kernels[0]).unwrap();
        assert!(matches!(starved.join().unwrap(), Err(RuntimeError::Driver(_))));
    });
}

#[test]
fn sixteen_threads_assemble_once() {
    let (translator, assembler, program) = (FakeTranslator::new(), FakeAssembler::new("A"), Program::named(4));
    let runtime = runtime(options(&driver(&assembler), Arc::clone(&translator), None), &program);
    let (runtime, program) = (&runtime, &program);
    thread::scope(|scope| {
        for _ in 0..16 {
            scope.spawn(move || program.kernels.iter().for_each(|kernel| launch(runtime, kernel).unwrap()));
        }
    });
    assert_eq!((translator.total(), assembler.total()), (4, 4));
}

/// Environment variables that make this binary a process of a test: its folder and the name of its
/// driver.
const FOLDER: &str = "SINTER_TEST_FOLDER";
const NEW_DRIVER: &str = "SINTER_TEST_NEW_DRIVER";

/// Starts this test again in sixteen processes; returns the numbers of translations and assemblies.
fn in_sixteen_processes(test: &str, folder: &Path, new_driver: bool) -> (usize, usize) {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.args(["--exact", test, "--quiet", "--nocapture"]).env(FOLDER, folder).stdout(Stdio::null());
    if new_driver {
        command.env(NEW_DRIVER, "");
    }
    let children: Vec<_> = (0..16).map(|_| command.spawn().unwrap()).collect();
    let reports = children.into_iter().map(|mut child| {
        assert!(child.wait().unwrap().success());
        let text = fs::read_to_string(folder.with_extension(child.id().to_string())).unwrap();
        let (translated, assembled) = text.split_once(' ').unwrap();
        (translated.parse::<usize>().unwrap(), assembled.parse::<usize>().unwrap())
    });
    reports.fold((0, 0), |(a, b), (c, d)| (a + c, b + d))
}

#[test]
fn sixteen_processes_assemble_once_for_each_driver() {
    if let Some(folder) = std::env::var_os(FOLDER) {
        let name = if std::env::var_os(NEW_DRIVER).is_some() { "new" } else { "old" };
        let (translator, assembler) = (FakeTranslator::new(), FakeAssembler::new(name));
        let folder = Path::new(&folder);
        run(&process(&assembler, &translator, Some(folder))).unwrap();
        let report = folder.with_extension(std::process::id().to_string());
        return fs::write(report, format!("{} {}", translator.total(), assembler.total())).unwrap();
    }
    let root = tempfile::tempdir().unwrap();
    let (folder, test) = (root.path().join("cache"), "sixteen_processes_assemble_once_for_each_driver");
    assert_eq!(in_sixteen_processes(test, &folder, false), (1, 1));
    assert_eq!(in_sixteen_processes(test, &folder, true), (0, 1));
}

/// Target and libraries that the translator gets for a device with `target`.
fn translated_with(target: Option<Target>, code: CodeOptions, libraries: LibraryOptions) -> (Target, Vec<Vec<u8>>) {
    let (translator, driver) = (FakeTranslator::new(), TestDriver { target, ..TestDriver::new() });
    let mut options = options(&driver, Arc::clone(&translator), None);
    (options.code, options.libraries) = (code, libraries);
    run(&runtime(options, &Program::named(1))).unwrap();
    translator.last.lock().unwrap().take().unwrap()
}

#[test]
fn libraries_and_line_tables_are_for_gpus_only() {
    let root = tempfile::tempdir().unwrap();
    let (file, bytes) = (root.path().join("libdevice.10.bc"), b"BC\xc0\xdelibrary".to_vec());
    let (ocml, of_amd) = (root.path().join("ocml.bc"), b"BC\xc0\xdeocml".to_vec());
    fs::write(&file, &bytes).unwrap();
    fs::write(&ocml, &of_amd).unwrap();
    let libraries = LibraryOptions::default().with(FamilyIndex::Libdevice, Choice::Place(file));
    let libraries = libraries.with(FamilyIndex::Rocm, Choice::Place(root.path().to_owned()));
    let code = CodeOptions { line_tables: LineTables::All, ..CodeOptions::default() };
    let (target, given) = translated_with(Some(ptx()), code, libraries.clone());
    assert_eq!(target, Target::Ptx(PtxTarget { sm: 90, isa: 85, line_tables: true }));
    assert_eq!(given, [bytes]);
    let (target, given) = translated_with(Some(amdgcn()), code, libraries.clone());
    assert!(matches!(target, Target::Amdgcn(gpu) if gpu.line_tables && gpu.processor == "gfx90a"));
    assert_eq!(given, [of_amd]);
    assert!(translated_with(None, code, libraries).1.is_empty());
}

fn amdgcn() -> Target {
    Target::Amdgcn("gfx90a:sramecc+:xnack-".parse().unwrap())
}

#[test]
fn a_library_of_amd_changes_the_key_of_its_gpus_alone() {
    let root = tempfile::tempdir().unwrap();
    let translator = FakeTranslator::new();
    let with = |target: Target, library: Option<&[u8]>| {
        let place = |bytes| {
            fs::write(root.path().join("ocml.bc"), bytes).unwrap();
            Choice::Place(root.path().to_owned())
        };
        let choice = library.map_or(Choice::Substitute, place);
        let driver = TestDriver { target: Some(target), ..TestDriver::new() };
        let mut options = options(&driver, Arc::clone(&translator), Some(&root.path().join("cache")));
        options.libraries = LibraryOptions::substitutes().with(FamilyIndex::Rocm, choice);
        run(&runtime(options, &Program::named(1))).unwrap();
        translator.total()
    };
    let (one, two) = (Some(&b"BC\xc0\xde1"[..]), Some(&b"BC\xc0\xde2"[..]));
    assert_eq!([with(amdgcn(), one), with(amdgcn(), one), with(amdgcn(), two)], [1, 1, 2]);
    assert_eq!([with(amdgcn(), None), with(amdgcn(), one)], [3, 3]);
    let other = Target::Amdgcn("gfx90a:sramecc+:xnack+".parse().unwrap());
    assert_eq!([with(other.clone(), one), with(other, one)], [4, 4]);
    assert_eq!([with(ptx(), one), with(ptx(), two)], [5, 5]);
}

#[test]
fn what_changes_code_changes_the_key() {
    let root = tempfile::tempdir().unwrap();
    let translator = FakeTranslator::new();
    let with = |code: CodeOptions, library: &[u8]| {
        let file = root.path().join("libdevice");
        fs::write(&file, library).unwrap();
        let driver = TestDriver { target: Some(ptx()), ..TestDriver::new() };
        let mut options = options(&driver, Arc::clone(&translator), Some(&root.path().join("cache")));
        options.libraries = LibraryOptions::substitutes().with(FamilyIndex::Libdevice, Choice::Place(file));
        options.code = code;
        run(&runtime(options, &Program::named(1))).unwrap();
        translator.total()
    };
    let (plain, one) = (CodeOptions::default(), b"BC\xc0\xde1");
    let approximate = Approximations { division: true, ..Approximations::default() };
    assert_eq!([with(plain, one), with(plain, one)], [1, 1]);
    assert_eq!(with(plain, b"BC\xc0\xde2"), 2);
    assert_eq!(with(CodeOptions { float_mode: FloatMode::Fast, ..plain }, one), 3);
    assert_eq!(with(CodeOptions { approximations: approximate, ..plain }, one), 4);
    assert_eq!(with(CodeOptions { line_tables: LineTables::All, ..plain }, one), 5);
    assert_eq!(with(plain, one), 5);
}

#[test]
fn a_kernel_chooses_the_group_size_of_launches_that_leave_it_open() {
    let (driver, program) = (TestDriver { kernel_group: Some([32, 1, 1]), ..TestDriver::new() }, Program::named(1));
    let translator = FakeTranslator::new();
    let runtime = runtime(options(&driver, Arc::clone(&translator), None), &program);
    let queue = runtime.create_queue(0).unwrap();
    for size in [range(1000), range(70), LaunchSize { group: Some([10, 1, 1]), ..range(1000) }] {
        // SAFETY: the descriptor is one of a `Program`.
        unsafe { runtime.launch(&queue, program.kernels[0], &block(), &size) }.unwrap();
    }
    let groups: Vec<_> = driver.launches().into_iter().map(|(_, shape, _)| (shape.global[0], shape.group[0])).collect();
    assert_eq!(groups, [(1000, 32), (70, 32), (1000, 10)]);
    assert_eq!(translator.total(), 2, "a size that is chosen makes no variant");
    let asked = |call: &Call| matches!(call, Call::ChooseGroupSize { .. });
    assert!(!driver.recording.calls().iter().any(asked), "the device need not choose as well");
}
