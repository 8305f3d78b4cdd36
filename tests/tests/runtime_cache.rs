//! The disk cache under adverse conditions: damage, other processes, unusable folders.
#![allow(clippy::unwrap_used, reason = "a test says what it expects by unwrapping")]

use sinter::{
    Runtime,
    cache::{CacheLocation, DiskCache, DiskCacheOptions, entry, list, lock},
    settings::{CacheMode, Tunables},
};
use sinter_core::{
    CacheKey, Constant, Fingerprint, HostTarget, Image, KernelConfig, KeyFields, Target, TranslateCause,
    TranslateRequest,
};
use sinter_tests::runtimes::{FakeTranslator, Program, TestDriver, code_of, launch, options, runtime};
use std::{
    fs,
    os::unix::fs::{MetadataExt, PermissionsExt, chown, symlink},
    path::{Path, PathBuf},
    process::Command,
    sync::Arc,
    thread,
    time::{Duration, SystemTime},
};

/// Launches the one kernel of `program` in a runtime that appears as a separate process.
fn run(program: &Program, translator: &Arc<FakeTranslator>, folder: &Path) -> Runtime {
    let runtime = runtime(options(&TestDriver::new(), Arc::clone(translator), Some(folder)), program);
    launch(&runtime, program.kernels[0]).unwrap();
    runtime
}

fn entries(folder: &Path, kind: list::FileKind) -> Vec<PathBuf> {
    list::files(folder).unwrap().into_iter().filter(|file| file.kind == kind).map(|file| file.path).collect()
}

fn only_entry(folder: &Path) -> PathBuf {
    let found = entries(folder, list::FileKind::Entry);
    assert_eq!(found.len(), 1);
    found.into_iter().next().unwrap()
}

#[test]
fn the_second_process_translates_nothing() {
    let (root, program, translator) = (tempfile::tempdir().unwrap(), Program::named(1), FakeTranslator::new());
    let folder = root.path().join("cache");
    assert_eq!(run(&program, &translator, &folder).statistics().translated, 1);
    let second = run(&program, &translator, &folder).statistics();
    assert_eq!((second.translated, second.disk_hits, second.cache_errors), (0, 1, 0));
    assert_eq!(translator.total(), 1);
    let entry = only_entry(&folder);
    assert_eq!(fs::metadata(&folder).unwrap().mode() & 0o777, 0o700);
    assert_eq!(fs::metadata(entry.parent().unwrap()).unwrap().mode() & 0o777, 0o700);
    assert_eq!(fs::metadata(&entry).unwrap().mode() & 0o077, 0);
    assert!(entries(&folder, list::FileKind::Lock).is_empty());
}

#[test]
fn a_flipped_bit_anywhere_is_found_and_repaired() {
    let (root, program, translator) = (tempfile::tempdir().unwrap(), Program::named(1), FakeTranslator::new());
    run(&program, &translator, root.path());
    let entry = only_entry(root.path());
    let whole = fs::read(&entry).unwrap();
    // One byte in each field of the header, in the key fields and in the code, and the last byte.
    let mut translated = 1;
    for position in [0, 9, 13, 17, 30, 60, 90, 200, whole.len() - 80, whole.len() - 1] {
        let mut damaged = whole.clone();
        damaged[position] ^= 0x10;
        fs::write(&entry, &damaged).unwrap();
        let statistics = run(&program, &translator, root.path()).statistics();
        translated += 1;
        assert_eq!((statistics.translated, statistics.disk_hits, statistics.cache_errors), (1, 0, 1), "{position}");
        assert_eq!(fs::read(&entry).unwrap(), whole, "{position}");
        assert_eq!(fs::read(entry.with_extension("bad")).unwrap(), damaged);
    }
    assert_eq!(translator.total(), translated);
}

#[test]
fn ten_thousand_flipped_bits_are_found() {
    let mut fields = KeyFields::new();
    fields.add_text("kernel", "triad");
    let mut code = code_of("triad");
    code.bytes = (0..2000u32).flat_map(u32::to_le_bytes).collect();
    let mut bytes = entry::encode(&fields, &code).unwrap();
    let mut random = 1u64;
    for _ in 0..10_000 {
        random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        let (position, bit) = ((random >> 33) as usize % bytes.len(), 1 << (random >> 60 & 7));
        bytes[position] ^= bit;
        assert!(entry::decode(&bytes).is_err(), "byte {position}, bit {bit:#x}");
        bytes[position] ^= bit;
    }
    assert!(entry::decode_for(&bytes, &fields.key()).is_ok());
}

#[test]
fn truncated_and_empty_entries_are_repaired() {
    let (root, program, translator) = (tempfile::tempdir().unwrap(), Program::named(1), FakeTranslator::new());
    run(&program, &translator, root.path());
    let entry = only_entry(root.path());
    let whole = fs::read(&entry).unwrap();
    for length in [0, 7, 50, 88, whole.len() / 2, whole.len() - 1] {
        fs::write(&entry, &whole[..length]).unwrap();
        assert_eq!(run(&program, &translator, root.path()).statistics().translated, 1, "{length}");
        assert_eq!(fs::read(&entry).unwrap(), whole);
    }
}

#[test]
fn an_entry_under_the_name_of_another_key_is_not_served() {
    let (root, translator) = (tempfile::tempdir().unwrap(), FakeTranslator::new());
    let (a, b) = (Program::new(&["a".to_owned()]), Program::new(&["b".to_owned()]));
    run(&a, &translator, root.path());
    let entry_a = only_entry(root.path());
    run(&b, &translator, root.path());
    let entry_b = entries(root.path(), list::FileKind::Entry).into_iter().find(|path| *path != entry_a).unwrap();
    fs::copy(&entry_a, &entry_b).unwrap();
    assert_eq!(run(&b, &translator, root.path()).statistics().translated, 1);
}

#[test]
fn code_from_disk_that_does_not_load_is_translated_again() {
    let (root, program, translator) = (tempfile::tempdir().unwrap(), Program::named(1), FakeTranslator::new());
    run(&program, &translator, root.path());
    let driver = TestDriver::new();
    driver.refuse_next_load.store(true, std::sync::atomic::Ordering::SeqCst);
    let runtime = runtime(options(&driver, Arc::clone(&translator), Some(root.path())), &program);
    launch(&runtime, program.kernels[0]).unwrap();
    assert_eq!((runtime.statistics().translated, runtime.statistics().cache_errors), (1, 1));
    assert_eq!(entries(root.path(), list::FileKind::Quarantined).len(), 1);
    only_entry(root.path());
}

#[test]
fn folders_that_cannot_be_used_leave_the_cache_in_memory() {
    let (root, program) = (tempfile::tempdir().unwrap(), Program::named(1));
    let (file, link, target) = (root.path().join("file"), root.path().join("link"), root.path().join("target"));
    fs::write(&file, "").unwrap();
    fs::create_dir(&target).unwrap();
    symlink(&target, &link).unwrap();
    // The last one exists and belongs to us, but no file can be created in it.
    let unwritable = PathBuf::from("/proc/self/task");
    for folder in [file, link, root.path().join("file/below"), PathBuf::from("/proc/no-such-folder"), unwritable] {
        let translator = FakeTranslator::new();
        let runtime = run(&program, &translator, &folder);
        // The same kernel with another descriptor comes from memory.
        launch(&runtime, Program::named(1).kernels[0]).unwrap();
        assert_eq!(translator.total(), 1, "{}", folder.display());
        assert!(runtime.statistics().cache_errors >= 1, "{}", folder.display());
    }
    assert_eq!(fs::read_dir(&target).unwrap().count(), 0);
}

#[test]
fn without_a_usable_folder_the_code_stays_in_memory_after_its_kernel_is_gone() {
    let (program, translator) = (Program::named(1), FakeTranslator::new());
    let runtime = run(&program, &translator, Path::new("/proc/no-such-folder"));
    runtime.forget(program.container);
    for _ in 0..9 {
        launch(&runtime, Program::named(1).kernels[0]).unwrap();
    }
    assert_eq!(translator.total(), 1);
}

/// Runs in a child with a file size limit: files can be created but not filled, as on a full disk.
/// A write beyond the limit would end a program.
#[test]
fn a_full_disk_leaves_no_partial_file_and_no_error() {
    let (root, child) = (tempfile::tempdir().unwrap(), "SINTER_TEST_FULL_DISK");
    if let Some(folder) = std::env::var_os(child) {
        let limit = libc::rlimit { rlim_cur: 16, rlim_max: libc::RLIM_INFINITY };
        // SAFETY: changes the limit of this child process only.
        assert_eq!(unsafe { libc::setrlimit(libc::RLIMIT_FSIZE, &raw const limit) }, 0);
        let (program, translator) = (Program::named(2), FakeTranslator::new());
        let runtime = run(&program, &translator, Path::new(&folder));
        launch(&runtime, program.kernels[1]).unwrap();
        assert_eq!((translator.total(), runtime.statistics().cache_errors), (2, 1));
        return;
    }
    let status = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "a_full_disk_leaves_no_partial_file_and_no_error", "--quiet"])
        .env(child, root.path())
        .stdout(std::process::Stdio::null())
        .status();
    assert!(status.unwrap().success());
    assert!(list::files(root.path()).unwrap().is_empty());
}

#[test]
fn a_failed_translation_leaves_its_request() {
    let (root, program, translator) = (tempfile::tempdir().unwrap(), Program::named(1), FakeTranslator::new());
    *translator.failure.lock().unwrap() = Some(TranslateCause::UnsetConstant { name: "c".into() });
    let runtime = runtime(options(&TestDriver::new(), translator, Some(root.path())), &program);
    let error = launch(&runtime, program.kernels[0]).unwrap_err();
    let sinter::RuntimeError::Translate(error) = error else { panic!("{error}") };
    let bytes = fs::read(error.replay.as_ref().unwrap()).unwrap();
    assert_eq!(TranslateRequest::from_bytes(&bytes).unwrap().config.entry, "kernel0");
    assert!(error.replay.as_ref().unwrap().starts_with(root.path().join("failed")));
}

#[test]
fn dumping_does_not_read_the_cache() {
    let (root, program, translator) = (tempfile::tempdir().unwrap(), Program::named(1), FakeTranslator::new());
    run(&program, &translator, root.path());
    let mut dumping = options(&TestDriver::new(), Arc::clone(&translator), Some(root.path()));
    dumping.dump = Some(root.path().join("dump"));
    launch(&runtime(dumping, &program), program.kernels[0]).unwrap();
    assert_eq!(translator.total(), 2);
}

#[test]
fn a_read_only_cache_is_read_and_not_written() {
    let (root, translator) = (tempfile::tempdir().unwrap(), FakeTranslator::new());
    let program = Program::named(2);
    run(&program, &translator, root.path());
    let mut read_only = options(&TestDriver::new(), Arc::clone(&translator), Some(root.path()));
    read_only.cache.mode = CacheMode::ReadOnly;
    let runtime = runtime(read_only, &program);
    launch(&runtime, program.kernels[0]).unwrap();
    launch(&runtime, program.kernels[1]).unwrap();
    assert_eq!((runtime.statistics().disk_hits, runtime.statistics().translated), (1, 1));
    only_entry(root.path());
}

#[test]
fn a_cache_folder_that_is_removed_is_made_again() {
    let (root, translator, program) = (tempfile::tempdir().unwrap(), FakeTranslator::new(), Program::named(2));
    let folder = root.path().join("cache");
    let runtime = runtime(options(&TestDriver::new(), translator, Some(&folder)), &program);
    launch(&runtime, program.kernels[0]).unwrap();
    fs::remove_dir_all(&folder).unwrap();
    launch(&runtime, program.kernels[1]).unwrap();
    only_entry(&folder);
    assert_eq!(fs::metadata(&folder).unwrap().mode() & 0o777, 0o700);
    assert_eq!(runtime.statistics().cache_errors, 0);
}

/// Both a symbolic link and another folder of the same user.
#[test]
fn what_takes_the_place_of_an_open_cache_is_neither_read_nor_written() {
    let (root, program) = (tempfile::tempdir().unwrap(), Program::named(3));
    let path = |name: &str| root.path().join(name);
    // A cache with code of all kernels, which must not be used.
    run_all(&program, &FakeTranslator::new(), &path("other"));
    for (round, is_link) in [true, false].into_iter().enumerate() {
        let (cache, moved, translator) = (path("cache"), path(&format!("moved{round}")), FakeTranslator::new());
        let runtime = run(&program, &translator, &cache);
        fs::rename(&cache, &moved).unwrap();
        if is_link {
            symlink(path("other"), &cache).unwrap()
        } else {
            fs::rename(path("other"), &cache).unwrap()
        }
        let before = entries(&cache, list::FileKind::Entry);
        launch(&runtime, program.kernels[1]).unwrap();
        launch(&runtime, program.kernels[2]).unwrap();
        assert_eq!((translator.total(), runtime.statistics().disk_hits), (3, 0), "{is_link}");
        assert_eq!(entries(&moved, list::FileKind::Entry).len(), 3);
        assert_eq!(entries(&cache, list::FileKind::Entry), before);
        if is_link { fs::remove_file(&cache).unwrap() } else { fs::rename(&cache, path("other")).unwrap() }
    }
}

fn run_all(program: &Program, translator: &Arc<FakeTranslator>, folder: &Path) -> Runtime {
    let runtime = run(program, translator, folder);
    program.kernels.iter().for_each(|kernel| launch(&runtime, kernel).unwrap());
    runtime
}

/// A program may close all descriptors that it does not own, and then get the same numbers again.
#[test]
fn a_descriptor_that_the_program_closed_and_used_again_is_left_alone() {
    let (root, child) = (tempfile::tempdir().unwrap(), "SINTER_TEST_CLOSED");
    if let Some(folder) = std::env::var_os(child).map(PathBuf::from) {
        let (program, translator) = (Program::named(2), FakeTranslator::new());
        let runtime = run(&program, &translator, &folder.join("cache"));
        // SAFETY: closes all descriptors of this process, which runs one test, except the standard
        // streams.
        assert_eq!(unsafe { libc::close_range(3, u32::MAX, 0) }, 0);
        let other = folder.join("other");
        fs::create_dir(&other).unwrap();
        let own: Vec<_> = (0..20).map(|_| fs::File::open(&other).unwrap()).collect();
        launch(&runtime, program.kernels[1]).unwrap();
        drop(runtime);
        assert!(own.iter().all(|file| file.metadata().is_ok_and(|metadata| metadata.is_dir())));
        assert_eq!(fs::read_dir(&other).unwrap().count(), 0);
        assert_eq!(entries(&folder.join("cache"), list::FileKind::Entry).len(), 2);
        // The test harness has lost its descriptors.
        std::process::exit(0);
    }
    let status = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "a_descriptor_that_the_program_closed_and_used_again_is_left_alone", "--test-threads=1"])
        .env(child, root.path())
        .stdout(std::process::Stdio::null())
        .status();
    assert!(status.unwrap().success());
}

/// Entries that cannot be loaded for lack of descriptors stay, and so do entries that are not read
/// for that reason.
#[test]
fn a_shortage_throws_no_entry_away_and_is_not_remembered() {
    let (root, program, translator) = (tempfile::tempdir().unwrap(), Program::named(21), FakeTranslator::new());
    run_all(&program, &translator, root.path());
    let driver = TestDriver::new();
    let runtime = runtime(options(&driver, Arc::clone(&translator), Some(root.path())), &program);
    for kernel in &program.kernels {
        driver.starve_next_load.store(true, std::sync::atomic::Ordering::SeqCst);
        let error = launch(&runtime, kernel).unwrap_err().chain();
        assert!(error.contains("told to fail") && error.contains("Too many open files"), "{error}");
    }
    assert!(entries(root.path(), list::FileKind::Quarantined).is_empty());
    program.kernels.iter().for_each(|kernel| launch(&runtime, kernel).unwrap());
    assert_eq!((translator.total(), runtime.statistics().cache_errors), (21, 0));
}

#[test]
fn translations_that_failed_for_want_of_something_are_tried_again() {
    let (root, program, translator) = (tempfile::tempdir().unwrap(), Program::named(20), FakeTranslator::new());
    let runtime = runtime(options(&TestDriver::new(), Arc::clone(&translator), Some(root.path())), &program);
    let message = || "cannot open output file: Too many open files".to_owned();
    for cause in [
        TranslateCause::Link { message: message() },
        TranslateCause::Io { path: "code.o".into(), message: message() },
        TranslateCause::Unavailable { message: message() },
    ] {
        *translator.failure.lock().unwrap() = Some(cause);
        program.kernels.iter().for_each(|kernel| drop(launch(&runtime, kernel).unwrap_err()));
    }
    *translator.failure.lock().unwrap() = None;
    program.kernels.iter().for_each(|kernel| launch(&runtime, kernel).unwrap());
    assert_eq!(entries(root.path(), list::FileKind::Entry).len(), 20);
}

#[test]
fn a_folder_that_takes_entries_again_gets_them() {
    let (root, program, translator) = (tempfile::tempdir().unwrap(), Program::named(3), FakeTranslator::new());
    let folder = root.path().join("cache");
    fs::write(&folder, "in the way").unwrap();
    let mut impatient = options(&TestDriver::new(), translator, Some(&folder));
    impatient.cache.retry = Duration::from_millis(100);
    let runtime = runtime(impatient, &program);
    launch(&runtime, program.kernels[0]).unwrap();
    fs::remove_file(&folder).unwrap();
    launch(&runtime, program.kernels[1]).unwrap();
    assert!(!folder.exists(), "it is not tried at once");
    thread::sleep(Duration::from_millis(100));
    launch(&runtime, program.kernels[2]).unwrap();
    assert_eq!(entries(&folder, list::FileKind::Entry).len(), 1);
    assert_eq!(runtime.statistics().cache_errors, 1);
}

/// Runs in a child with a temporary limit on file descriptors.
#[test]
fn a_passing_failure_to_write_does_not_turn_writing_off() {
    let (root, child) = (tempfile::tempdir().unwrap(), "SINTER_TEST_NO_FILES");
    if let Some(folder) = std::env::var_os(child) {
        let limit = |rlim_cur| {
            let limit = libc::rlimit { rlim_cur, rlim_max: 1024 };
            // SAFETY: changes the limit of this child process only.
            assert_eq!(unsafe { libc::setrlimit(libc::RLIMIT_NOFILE, &raw const limit) }, 0);
        };
        let (program, translator) = (Program::named(3), FakeTranslator::new());
        let runtime = run(&program, &translator, Path::new(&folder));
        limit(0);
        launch(&runtime, program.kernels[1]).unwrap();
        limit(1024);
        launch(&runtime, program.kernels[2]).unwrap();
        assert_eq!(entries(Path::new(&folder), list::FileKind::Entry).len(), 2);
        return;
    }
    let status = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "a_passing_failure_to_write_does_not_turn_writing_off", "--quiet"])
        .env(child, root.path())
        .stdout(std::process::Stdio::null())
        .status();
    assert!(status.unwrap().success());
}

#[test]
fn entries_that_others_can_write_and_links_are_not_served() {
    let (root, program, translator) = (tempfile::tempdir().unwrap(), Program::named(1), FakeTranslator::new());
    run(&program, &translator, root.path());
    let entry = only_entry(root.path());
    fs::set_permissions(&entry, fs::Permissions::from_mode(0o666)).unwrap();
    assert_eq!(run(&program, &translator, root.path()).statistics().translated, 1);
    assert_eq!(fs::metadata(&entry).unwrap().mode() & 0o077, 0);
    let other = root.path().join("other");
    fs::rename(&entry, &other).unwrap();
    symlink(&other, &entry).unwrap();
    assert_eq!(run(&program, &translator, root.path()).statistics().translated, 1);
    assert!(fs::symlink_metadata(&entry).unwrap().is_file());
    assert!(fs::symlink_metadata(entry.with_extension("bad")).unwrap().is_symlink(), "the link was set aside");
    assert_eq!(run(&program, &translator, root.path()).statistics().disk_hits, 1);
}

#[test]
fn a_hit_renews_a_time_in_the_future() {
    let (root, program, translator) = (tempfile::tempdir().unwrap(), Program::named(1), FakeTranslator::new());
    run(&program, &translator, root.path());
    let entry = fs::File::open(only_entry(root.path())).unwrap();
    entry.set_modified(SystemTime::now() + Duration::from_secs(1 << 30)).unwrap();
    run(&program, &translator, root.path());
    assert!(entry.metadata().unwrap().modified().unwrap() <= SystemTime::now());
}

#[test]
fn the_cache_stays_below_its_limit() {
    let (root, program, translator) = (tempfile::tempdir().unwrap(), Program::named(40), FakeTranslator::new());
    let mut small = options(&TestDriver::new(), Arc::clone(&translator), Some(root.path()));
    small.cache.limits.bytes = 8 << 10;
    let runtime = runtime(small, &program);
    program.kernels.iter().for_each(|kernel| launch(&runtime, kernel).unwrap());
    let used: u64 = list::files(root.path()).unwrap().iter().map(|file| file.size).sum();
    assert!((1..=8 << 10).contains(&used), "{used}");
}

#[test]
fn a_process_waits_for_the_one_that_compiles() {
    let (root, program, translator) = (tempfile::tempdir().unwrap(), Program::named(1), FakeTranslator::new());
    let other = tempfile::tempdir().unwrap();
    run(&program, &translator, other.path());
    let finished = only_entry(other.path());
    let entry = root.path().join(finished.strip_prefix(other.path()).unwrap());
    fs::create_dir_all(entry.parent().unwrap()).unwrap();
    // Acts as another process: acquires the lock, compiles, writes, releases.
    let held = lock::acquire(&entry.with_extension("lock"), "kernel0", Duration::from_secs(10));
    let statistics = thread::scope(|scope| {
        let waiting = scope.spawn(|| run(&program, &translator, root.path()).statistics());
        thread::sleep(Duration::from_millis(50));
        fs::copy(&finished, &entry).unwrap();
        drop(held);
        waiting.join().unwrap()
    });
    assert_eq!((statistics.translated, statistics.disk_hits), (0, 1));
    assert_eq!(translator.total(), 1);
}

/// A cache that an administrator filled and made readable for all users.
fn site_cache(folder: &Path, program: &Program) {
    run(program, &FakeTranslator::new(), folder);
    for path in [folder.to_owned(), only_entry(folder).parent().unwrap().to_owned()] {
        fs::set_permissions(path, fs::Permissions::from_mode(0o755)).unwrap();
    }
    fs::set_permissions(only_entry(folder), fs::Permissions::from_mode(0o644)).unwrap();
}

fn below(own: &Path, site: &Path, translator: &Arc<FakeTranslator>, program: &Program) -> Runtime {
    let mut layered = options(&TestDriver::new(), Arc::clone(translator), Some(own));
    layered.cache.layers = vec![PathBuf::from("/no/such/folder"), site.to_owned()];
    runtime(layered, program)
}

#[test]
fn a_cache_that_is_only_read_serves_and_is_left_alone() {
    let (root, program, translator) = (tempfile::tempdir().unwrap(), Program::named(2), FakeTranslator::new());
    let (own, site) = (root.path().join("own"), root.path().join("site"));
    site_cache(&site, &program);
    let before = fs::metadata(only_entry(&site)).unwrap().modified().unwrap();
    let runtime = below(&own, &site, &translator, &program);
    program.kernels.iter().for_each(|kernel| launch(&runtime, kernel).unwrap());
    let statistics = runtime.statistics();
    assert_eq!((statistics.disk_hits, statistics.translated, statistics.cache_errors), (1, 1, 0));
    assert_eq!(runtime.variants().system_hits.load(std::sync::atomic::Ordering::Relaxed), 1);
    assert_eq!(runtime.variants().variants()[0].source.name(), "system");
    assert_eq!(entries(&own, list::FileKind::Entry).len(), 1);
    assert_eq!(fs::metadata(only_entry(&site)).unwrap().modified().unwrap(), before);
}

#[test]
fn what_is_wrong_in_a_cache_that_is_only_read_is_translated() {
    let (root, program, translator) = (tempfile::tempdir().unwrap(), Program::named(1), FakeTranslator::new());
    let (own, site) = (root.path().join("own"), root.path().join("site"));
    site_cache(&site, &program);
    fs::write(only_entry(&site), "damaged").unwrap();
    let first = below(&own, &site, &translator, &program);
    launch(&first, program.kernels[0]).unwrap();
    assert_eq!((first.statistics().translated, first.statistics().cache_errors), (1, 2));
    assert_eq!(fs::read(only_entry(&site)).unwrap(), b"damaged");
    let second = below(&own, &site, &translator, &program);
    launch(&second, program.kernels[0]).unwrap();
    assert_eq!((second.statistics().disk_hits, second.statistics().cache_errors), (1, 0));
}

#[test]
fn a_cache_that_others_can_write_to_is_not_read() {
    let (root, program, translator) = (tempfile::tempdir().unwrap(), Program::named(1), FakeTranslator::new());
    let (own, site) = (root.path().join("own"), root.path().join("site"));
    site_cache(&site, &program);
    fs::set_permissions(&site, fs::Permissions::from_mode(0o777)).unwrap();
    launch(&below(&own, &site, &translator, &program), program.kernels[0]).unwrap();
    assert_eq!(translator.total(), 1);
}

/// Only root can change the owner of files.
#[test]
fn what_belongs_to_somebody_else_is_not_used() {
    let (root, program, translator) = (tempfile::tempdir().unwrap(), Program::named(1), FakeTranslator::new());
    let (folder, nobody) = (root.path().join("cache"), Some(65_534));
    run(&program, &translator, &folder);
    let entry = only_entry(&folder);
    if chown(&entry, nobody, nobody).is_err() {
        println!("skipped: only root can give files away");
        return;
    }
    assert_eq!(run(&program, &translator, &folder).statistics().translated, 1);
    assert_eq!(fs::metadata(&entry).unwrap().uid(), fs::metadata(&folder).unwrap().uid());
    chown(&folder, nobody, nobody).unwrap();
    let statistics = run(&program, &translator, &folder).statistics();
    assert_eq!((statistics.translated, statistics.disk_hits, statistics.cache_errors), (1, 0, 1));
    launch(&below(&root.path().join("own"), &folder, &translator, &program), program.kernels[0]).unwrap();
    assert_eq!(translator.total(), 4);
}

#[test]
fn requests_of_failed_translations_do_not_pile_up() {
    let (root, program, translator) = (tempfile::tempdir().unwrap(), Program::named(80), FakeTranslator::new());
    *translator.failure.lock().unwrap() = Some(TranslateCause::UnsetConstant { name: "c".into() });
    let runtime = runtime(options(&TestDriver::new(), translator, Some(root.path())), &program);
    program.kernels.iter().for_each(|kernel| drop(launch(&runtime, kernel).unwrap_err()));
    assert_eq!(entries(root.path(), list::FileKind::Request).len(), 64);
}

fn request() -> TranslateRequest {
    TranslateRequest {
        image: Image { hash: Some([1; 32]), bytes: Arc::from(&b"BC"[..]) },
        imports: vec![],
        libraries: vec![],
        target: Target::Host(HostTarget {
            triple: "t".into(),
            cpu: "c".into(),
            features: "+avx2".into(),
            line_tables: false,
        }),
        config: KernelConfig::generic("k"),
    }
}

#[test]
fn cpu_features_llvm_version_and_constants_miss_the_cache() {
    let root = tempfile::tempdir().unwrap();
    let location = CacheLocation::explicit(root.path().to_owned());
    let cache_options = DiskCacheOptions::new(location, &Tunables::default());
    let cache = DiskCache::open(&cache_options, Arc::default());
    let fingerprint = FakeTranslator::new().fingerprint;
    assert!(cache.put(&request().key_fields(&fingerprint), &code_of("k")));
    let found = |request: &TranslateRequest, fingerprint: &Fingerprint| cache.get(&request.key(fingerprint)).is_some();
    assert!(found(&request(), &fingerprint));
    let mut features = request();
    let Target::Host(host) = &mut features.target else { unreachable!() };
    host.features = "+avx2,+avx512f".into();
    let mut constant = request();
    constant.config.specialization.constants.push("n=i32:4".parse::<Constant>().unwrap());
    assert!(!found(&features, &fingerprint) && !found(&constant, &fingerprint));
    assert!(!found(&request(), &Fingerprint { llvm: [19, 1, 8], ..fingerprint }));
    assert!(!found(&request(), &Fingerprint { build: [4; 32], ..fingerprint }));
    assert!(cache.get(&CacheKey([0; 32])).is_none());
}

#[test]
fn another_target_of_the_same_kernel_misses_the_cache() {
    let (root, program, translator) = (tempfile::tempdir().unwrap(), Program::named(1), FakeTranslator::new());
    run(&program, &translator, root.path());
    let target = Target::Host(HostTarget {
        triple: "recording".into(),
        cpu: "generic".into(),
        features: "+sse4".into(),
        line_tables: false,
    });
    let driver = TestDriver { target: Some(target), ..TestDriver::new() };
    launch(&runtime(options(&driver, Arc::clone(&translator), Some(root.path())), &program), program.kernels[0])
        .unwrap();
    assert_eq!(translator.total(), 2);
}
