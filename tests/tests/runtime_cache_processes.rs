//! The disk cache between processes: many that start at once, and some that are killed at the worst
//! moment.
//!
//! A test starts its own binary again with a variable that makes it act as one of the processes.
#![allow(clippy::unwrap_used, reason = "a test says what it expects by unwrapping")]

use sinter::{
    cache::{CacheLocation, DiskCache, DiskCacheOptions, list},
    code::translator::TranslatorSource,
    settings::Tunables,
};
use sinter_core::{CodeObject, Fingerprint, KeyFields, Observer, TranslateError, TranslateRequest, Translator};
use sinter_tests::runtimes::{FakeTranslator, Program, TestDriver, code_of, launch, options, runtime};
use std::{
    ffi::OsStr,
    fs,
    os::unix::{
        fs::{PermissionsExt, chown},
        process::ExitStatusExt,
    },
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    sync::{
        Arc, Condvar, Mutex,
        atomic::{AtomicBool, AtomicUsize, Ordering},
    },
    thread,
    time::{Duration, Instant},
};

/// Environment variable that makes this binary a process of a test; the value is its folder.
const FOLDER: &str = "SINTER_TEST_FOLDER";
const SECOND: Duration = Duration::from_secs(1);

/// The folder, if this is a process of a test.
fn folder_of_child() -> Option<PathBuf> {
    std::env::var_os(FOLDER).map(PathBuf::from)
}

/// A process that runs only `test`, which then sees `folder`.
fn process(test: &str, folder: &Path) -> Command {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.args(["--exact", test, "--quiet", "--nocapture", "--test-threads=1"]).env(FOLDER, folder);
    command.stdout(Stdio::null());
    command
}

/// Launches `count` kernels and writes the number of translations to a file beside the cache.
fn work(folder: &Path, count: usize, delay: Duration, patience: Duration) {
    let mut translator = Arc::into_inner(FakeTranslator::new()).unwrap();
    translator.delay = delay;
    let (program, translator) = (Program::named(count), Arc::new(translator));
    let mut patient = options(&TestDriver::new(), Arc::clone(&translator), Some(folder));
    patient.cache.patience = patience;
    let runtime = runtime(patient, &program);
    program.kernels.iter().for_each(|kernel| launch(&runtime, kernel).unwrap());
    let report = folder.with_extension(std::process::id().to_string());
    fs::write(report, translator.total().to_string()).unwrap();
}

/// Sum of the numbers that [`work`] wrote.
fn translations(folder: &Path) -> usize {
    let reports = fs::read_dir(folder.parent().unwrap()).unwrap().map(|item| item.unwrap().path());
    reports.filter(|path| path.is_file()).map(|path| fs::read_to_string(path).unwrap().parse::<usize>().unwrap()).sum()
}

fn expect_success(children: Vec<Child>) {
    children.into_iter().for_each(|mut child| assert!(child.wait().unwrap().success()));
}

fn signal(child: &Child, signal: i32) {
    // SAFETY: the child was started here and not waited for, so its process ID is not reused.
    assert_eq!(unsafe { libc::kill(child.id() as i32, signal) }, 0);
}

fn is_locked(file: &list::CacheFile) -> bool {
    let held = |file: fs::File| matches!(file.try_lock(), Err(fs::TryLockError::WouldBlock));
    file.kind == list::FileKind::Lock && fs::File::open(&file.path).is_ok_and(held)
}

/// Waits until a process holds a lock in the cache.
fn wait_for_lock(folder: &Path) {
    let start = Instant::now();
    while !list::files(folder).unwrap().iter().any(is_locked) {
        assert!(start.elapsed() < 60 * SECOND, "nobody took the lock");
        thread::sleep(Duration::from_millis(2));
    }
}

/// Sixty-four processes that start with an empty cache and the same kernels compile each kernel
/// once.
#[test]
fn sixty_four_processes_share_the_work() {
    if let Some(folder) = folder_of_child() {
        return work(&folder, 8, Duration::from_millis(2), 30 * SECOND);
    }
    let root = tempfile::tempdir().unwrap();
    let folder = root.path().join("cache");
    let mut command = process("sixty_four_processes_share_the_work", &folder);
    expect_success((0..64).map(|_| command.spawn().unwrap()).collect());
    assert_eq!(translations(&folder), 8);
    assert!(list::files(&folder).unwrap().iter().all(|file| file.kind == list::FileKind::Entry));
}

const OWNER: &str = "SINTER_TEST_OWNER";

/// Starts a process whose compilation never ends.
fn start_owner(test: &str, folder: &Path) -> Child {
    let owner = process(test, folder).env(OWNER, "").spawn().unwrap();
    wait_for_lock(folder);
    owner
}

fn is_owner() -> bool {
    std::env::var_os(OWNER).is_some()
}

#[test]
fn when_the_process_that_compiles_is_killed_one_of_sixteen_takes_over() {
    if let Some(folder) = folder_of_child() {
        let delay = if is_owner() { 3600 * SECOND } else { Duration::from_millis(50) };
        return work(&folder, 1, delay, 30 * SECOND);
    }
    let root = tempfile::tempdir().unwrap();
    let folder = root.path().join("cache");
    let test = "when_the_process_that_compiles_is_killed_one_of_sixteen_takes_over";
    let mut owner = start_owner(test, &folder);
    let mut command = process(test, &folder);
    let waiting = (0..16).map(|_| command.spawn().unwrap()).collect();
    thread::sleep(Duration::from_millis(300));
    assert_eq!(translations(&folder), 0);
    owner.kill().unwrap();
    owner.wait().unwrap();
    expect_success(waiting);
    assert_eq!(translations(&folder), 1);
}

#[test]
fn a_process_that_is_stopped_while_it_compiles_holds_up_nobody() {
    if let Some(folder) = folder_of_child() {
        let delay = if is_owner() { 3600 * SECOND } else { Duration::from_millis(2) };
        return work(&folder, 1, delay, Duration::from_millis(1500));
    }
    let root = tempfile::tempdir().unwrap();
    let folder = root.path().join("cache");
    let test = "a_process_that_is_stopped_while_it_compiles_holds_up_nobody";
    let mut owner = start_owner(test, &folder);
    signal(&owner, libc::SIGSTOP);
    let mut command = process(test, &folder);
    let start = Instant::now();
    expect_success((0..4).map(|_| command.spawn().unwrap()).collect());
    assert!(start.elapsed() >= SECOND, "nobody waited");
    owner.kill().unwrap();
    owner.wait().unwrap();
    assert!((1..=4).contains(&translations(&folder)));
}

#[test]
fn a_process_that_compiles_for_long_is_waited_for() {
    if let Some(folder) = folder_of_child() {
        let delay = if is_owner() { 4 * SECOND } else { Duration::from_millis(2) };
        return work(&folder, 1, delay, 2 * SECOND);
    }
    let root = tempfile::tempdir().unwrap();
    let folder = root.path().join("cache");
    let test = "a_process_that_compiles_for_long_is_waited_for";
    let owner = start_owner(test, &folder);
    let mut command = process(test, &folder);
    let waiting = (0..4).map(|_| command.spawn().unwrap());
    expect_success(waiting.chain([owner]).collect());
    assert_eq!(translations(&folder), 1);
}

fn cache_in(folder: &Path) -> DiskCache {
    let location = CacheLocation::explicit(folder.to_owned());
    DiskCache::open(&DiskCacheOptions::new(location, &Tunables::default()), Arc::default())
}

fn fields_of(kernel: &str) -> KeyFields {
    let mut fields = KeyFields::new();
    fields.add_text("kernel", kernel);
    fields
}

fn put(cache: &DiskCache, kernel: &str) -> bool {
    let mut code = code_of(kernel);
    code.bytes = [0x5a; 640].into();
    cache.put(&fields_of(kernel), &code)
}

fn is_there(cache: &DiskCache, kernel: &str) -> bool {
    let hit = cache.get(&fields_of(kernel).key());
    hit.is_some_and(|hit| {
        assert!(hit.code.entry.symbol == kernel && hit.code.bytes[..] == [0x5a; 640]);
        true
    })
}

/// Runs `body` in a forked process, which exits without any clean-up.
fn fork(body: impl FnOnce()) -> i32 {
    // SAFETY: the child has only this thread. It uses the cache, which takes no lock that another
    // thread could hold, and exits without running destructors.
    match unsafe { libc::fork() } {
        0 => {
            body();
            // SAFETY: ends the child.
            unsafe { libc::_exit(0) }
        }
        child => child,
    }
}

/// The signal that ended a child, if one did.
fn wait(child: i32) -> Option<i32> {
    let mut status = 0;
    // SAFETY: `child` was forked here; `status` outlives the call.
    assert_eq!(unsafe { libc::waitpid(child, &raw mut status, 0) }, child);
    std::process::ExitStatus::from_raw(status).signal()
}

fn limit(resource: libc::__rlimit_resource_t, bytes: u64) {
    let limit = libc::rlimit { rlim_cur: bytes, rlim_max: libc::RLIM_INFINITY };
    // SAFETY: lowers a limit of this process, a child that ends soon.
    assert_eq!(unsafe { libc::setrlimit(resource, &raw const limit) }, 0);
}

fn expect_intact(folder: &Path) {
    for file in list::files(folder).unwrap() {
        match file.kind {
            list::FileKind::Entry => assert!(file.read().is_ok(), "{}", file.path.display()),
            kind => assert_eq!(kind, list::FileKind::Temporary, "{}", file.path.display()),
        }
    }
}

/// A translator that blocks until enough translations are under way at the same time, of which one
/// may be ahead.
struct Gate {
    inner: Arc<FakeTranslator>,
    ahead: AtomicBool,
    size: usize,
    arrived: Mutex<usize>,
    enough: Condvar,
    /// Number of translations that continued with too few others.
    alone: AtomicUsize,
}

impl Gate {
    fn pass(&self) {
        if self.ahead.swap(false, Ordering::SeqCst) {
            return thread::sleep(SECOND / 4);
        }
        let mut arrived = self.arrived.lock().unwrap();
        *arrived += 1;
        self.enough.notify_all();
        let waited = self.enough.wait_timeout_while(arrived, 5 * SECOND, |count| *count < self.size).unwrap();
        self.alone.fetch_add(usize::from(waited.1.timed_out()), Ordering::SeqCst);
    }
}

impl Translator for Gate {
    fn fingerprint(&self) -> Fingerprint {
        self.inner.fingerprint()
    }

    fn translate(&self, request: &TranslateRequest, observer: &Observer) -> Result<CodeObject, TranslateError> {
        self.pass();
        let code = self.inner.translate(request, observer)?;
        Ok(CodeObject { bytes: vec![0x5a; 100 << 10].into(), ..code })
    }
}

/// Launches one kernel in six runtimes, each a separate process as seen by the cache, in a process
/// with a limit of `largest` bytes for files. Returns the number of translations that continued
/// alone.
fn launch_together(folder: &Path, largest: u64, ahead: bool) -> usize {
    limit(libc::RLIMIT_FSIZE, largest);
    let (size, inner) = (if ahead { 5 } else { 6 }, FakeTranslator::new());
    let (arrived, enough, alone) = (Mutex::default(), Condvar::new(), AtomicUsize::new(0));
    let gate = Arc::new(Gate { inner: Arc::clone(&inner), ahead: ahead.into(), size, arrived, enough, alone });
    let program = Program::named(1);
    let start = || {
        let program = &program;
        let mut gated = options(&TestDriver::new(), Arc::clone(&inner), Some(folder));
        gated.translator = TranslatorSource::Injected(Arc::clone(&gate) as Arc<dyn Translator>);
        let runtime = runtime(gated, program);
        launch(&runtime, program.kernels[0]).unwrap();
        assert_eq!(runtime.statistics().cache_errors, 1);
    };
    thread::scope(|scope| (0..6).for_each(|_| drop(scope.spawn(start))));
    assert_eq!(inner.total(), 6);
    gate.alone.load(Ordering::SeqCst)
}

#[test]
fn processes_do_not_wait_for_each_other_where_nothing_can_be_stored() {
    if let Some(folder) = folder_of_child() {
        assert_eq!(launch_together(&folder, 4096, false), 0);
        return;
    }
    let root = tempfile::tempdir().unwrap();
    let test = "processes_do_not_wait_for_each_other_where_nothing_can_be_stored";
    let folder = root.path().join("cache");
    expect_success(vec![process(test, &folder).spawn().unwrap()]);
    assert!(list::files(&folder).unwrap().is_empty(), "no lock is left, and no file that was tried");
}

/// The first cache accepts the probe file, but not the code, which is larger.
#[test]
fn those_who_wait_go_on_together_when_the_first_cannot_store_its_code() {
    if let Some(folder) = folder_of_child() {
        assert_eq!(launch_together(&folder, 80 << 10, true), 0);
        return;
    }
    let root = tempfile::tempdir().unwrap();
    let test = "those_who_wait_go_on_together_when_the_first_cannot_store_its_code";
    let folder = root.path().join("cache");
    expect_success(vec![process(test, &folder).spawn().unwrap()]);
    let left: Vec<_> = list::files(&folder).unwrap().iter().map(|file| file.kind).collect();
    assert_eq!(left, [list::FileKind::Lock]);
    // After an owner that stores its code, the lock works normally again.
    work(&folder, 1, Duration::ZERO, 30 * SECOND);
    assert!(list::files(&folder).unwrap().iter().all(|file| file.kind == list::FileKind::Entry));
}

/// On a full file system of its own, if this process may mount one.
#[test]
fn a_full_file_system_holds_up_nobody() {
    let test = "a_full_file_system_holds_up_nobody";
    if let Some(folder) = folder_of_child() {
        assert_eq!(launch_together(&folder, libc::RLIM_INFINITY, false), 0);
        return;
    }
    let root = tempfile::tempdir().unwrap();
    let mount = |command: &str| {
        let mut shell = Command::new("sh");
        shell.args(["-c", command]).arg(root.path()).stderr(Stdio::piped()).output().unwrap()
    };
    let mounted = mount("mount -t tmpfs -o size=1m,mode=700 sinter \"$0\"");
    if !mounted.status.success() {
        println!("skipped: no file system can be mounted: {}", String::from_utf8_lossy(&mounted.stderr).trim());
        return;
    }
    let filled = fs::write(root.path().join("filler"), vec![1; 2 << 20]);
    let status = process(test, &root.path().join("cache")).status();
    let left = list::files(&root.path().join("cache")).unwrap();
    assert!(mount("umount \"$0\"").status.success());
    assert!(filled.is_err() && status.unwrap().success() && left.is_empty(), "{left:?}");
}

/// The system ends a process at exactly the byte that exceeds its file size limit.
#[test]
fn a_process_killed_at_any_byte_of_a_write_leaves_no_damage() {
    if let Some(folder) = folder_of_child() {
        let cache = cache_in(&folder);
        assert!(put(&cache, "first"));
        let mut killed = 0;
        for byte in 0..1000 {
            let name = format!("kernel{byte}");
            let child = fork(|| {
                limit(libc::RLIMIT_CORE, 0);
                limit(libc::RLIMIT_FSIZE, byte);
                put(&cache, &name);
            });
            killed += usize::from(wait(child) == Some(libc::SIGXFSZ));
            // A damaged entry would be quarantined here, which is detected below.
            is_there(&cache, &name);
            assert!(is_there(&cache, "first"), "{byte}");
        }
        assert!(killed > 700, "{killed}");
        assert!(put(&cache, "last") && is_there(&cache, "last"));
        return expect_intact(&folder);
    }
    let root = tempfile::tempdir().unwrap();
    let test = "a_process_killed_at_any_byte_of_a_write_leaves_no_damage";
    expect_success(vec![process(test, &root.path().join("cache")).spawn().unwrap()]);
}

#[test]
fn a_process_killed_at_any_time_leaves_no_damage() {
    if let Some(folder) = folder_of_child() {
        let cache = cache_in(&folder);
        for round in 0..300u64 {
            let child = fork(|| {
                for i in 0..10_000 {
                    put(&cache, &format!("kernel{}", i % 50));
                }
            });
            thread::sleep(Duration::from_micros(200 + round * 7));
            // SAFETY: the child was forked here and not waited for.
            assert_eq!(unsafe { libc::kill(child, libc::SIGKILL) }, 0);
            assert_eq!(wait(child), Some(libc::SIGKILL));
        }
        for i in 0..50 {
            is_there(&cache, &format!("kernel{i}"));
        }
        return expect_intact(&folder);
    }
    let root = tempfile::tempdir().unwrap();
    let test = "a_process_killed_at_any_time_leaves_no_damage";
    expect_success(vec![process(test, &root.path().join("cache")).spawn().unwrap()]);
}

/// Permissions do not bind root, so the process first changes to another user.
#[test]
fn a_folder_without_write_permission_is_read() {
    if let Some(folder) = folder_of_child() {
        // SAFETY: changes the user of this process only; without the right to do so it keeps its
        // own, which then is not root.
        unsafe { libc::setuid(65_534) };
        work(&folder, 1, Duration::ZERO, SECOND);
        let locked = fs::read_dir(&folder).unwrap().map(|item| item.unwrap().path()).filter(|path| path.is_dir());
        for path in locked.chain([folder.clone()]) {
            fs::set_permissions(path, fs::Permissions::from_mode(0o555)).unwrap();
        }
        let (program, translator) = (Program::named(2), FakeTranslator::new());
        let runtime = runtime(options(&TestDriver::new(), Arc::clone(&translator), Some(&folder)), &program);
        program.kernels.iter().for_each(|kernel| launch(&runtime, kernel).unwrap());
        let statistics = runtime.statistics();
        assert_eq!((statistics.disk_hits, statistics.translated, statistics.cache_errors), (1, 1, 1));
        return;
    }
    let root = tempfile::tempdir().unwrap();
    // Fails for users other than root, who need no other user.
    let _ = chown(root.path(), Some(65_534), Some(65_534));
    let folder = root.path().join("cache");
    expect_success(vec![process("a_folder_without_write_permission_is_read", &folder).spawn().unwrap()]);
    for path in fs::read_dir(&folder).unwrap().map(|item| item.unwrap().path()).chain([folder.clone()]) {
        // Restores permissions for the removal of the folder.
        fs::set_permissions(path, fs::Permissions::from_mode(0o755)).unwrap();
    }
}

const PROGRESS: &str = "SINTER_TEST_PROGRESS";

#[test]
fn a_long_compilation_is_announced_once_per_kernel_unless_switched_off() {
    if let Some(folder) = folder_of_child() {
        let mut translator = Arc::into_inner(FakeTranslator::new()).unwrap();
        translator.delay = Duration::from_millis(2200);
        let program = Program::new(&["_Z5triadPfi".to_owned()]);
        let mut announced = options(&TestDriver::new(), Arc::new(translator), Some(&folder));
        announced.progress = std::env::var_os(PROGRESS).as_deref() == Some(OsStr::new("on"));
        launch(&runtime(announced, &program), program.kernels[0]).unwrap();
        return;
    }
    let root = tempfile::tempdir().unwrap();
    let test = "a_long_compilation_is_announced_once_per_kernel_unless_switched_off";
    let start = |mode| {
        let mut command = process(test, &root.path().join(mode));
        command.env(PROGRESS, mode).stderr(Stdio::piped()).spawn().unwrap()
    };
    let texts = ["on", "off"].map(start).map(|child| {
        let output = child.wait_with_output().unwrap();
        assert!(output.status.success());
        String::from_utf8(output.stderr).unwrap()
    });
    assert_eq!(texts[0], "sinter: compiling triad(float*, int) for host:generic (1 s so far) ...\n");
    assert_eq!(texts[1], "");
}

#[test]
fn many_threads_that_compile_are_one_line() {
    let test = "many_threads_that_compile_are_one_line";
    if let Some(folder) = folder_of_child() {
        let mut translator = Arc::into_inner(FakeTranslator::new()).unwrap();
        translator.delay = Duration::from_millis(3200);
        let program = Program::named(24);
        let mut announced = options(&TestDriver::new(), Arc::new(translator), Some(&folder));
        announced.progress = true;
        let runtime = runtime(announced, &program);
        let run = |index: usize| {
            let program = &program;
            launch(&runtime, program.kernels[index]).unwrap();
        };
        thread::scope(|scope| (0..24).for_each(|index| drop(scope.spawn(move || run(index)))));
        return;
    }
    let root = tempfile::tempdir().unwrap();
    let output = process(test, &root.path().join("cache")).stderr(Stdio::piped()).output().unwrap();
    assert!(output.status.success());
    let text = String::from_utf8(output.stderr).unwrap();
    assert_eq!(text, "sinter: compiling 24 kernels for host:generic (1 s so far) ...\n");
}
