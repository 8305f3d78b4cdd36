//! Signal state of a process after a failed write.
//!
//! Each test runs its body in a separate process, because limits and handlers belong to the
//! process.
#![allow(clippy::unwrap_used, reason = "a test says what it expects by unwrapping")]

use sinter_signals::{while_starting_threads, with_signals_blocked, with_signals_restored};
use std::{
    fs::File,
    io::{self, ErrorKind, PipeReader, Write},
    os::unix::process::ExitStatusExt,
    process::{Command, Stdio},
    ptr, thread,
};

const PART: &str = "SINTER_TEST_PART";

/// Runs `body` in a process that runs only `test`. Returns the signal that killed it.
fn in_process(test: &str, body: impl FnOnce()) -> Option<i32> {
    if std::env::var_os(PART).is_some() {
        body();
        std::process::exit(0);
    }
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.args(["--exact", test, "--test-threads=1"]).env(PART, "").stdout(Stdio::null());
    let status = command.status().unwrap();
    assert!(status.success() || status.signal().is_some(), "{status}");
    status.signal()
}

/// A file at its size limit, in this process, which leaves no core file behind.
fn full_file() -> File {
    for resource in [libc::RLIMIT_FSIZE, libc::RLIMIT_CORE] {
        let limit = libc::rlimit { rlim_cur: 0, rlim_max: libc::RLIM_INFINITY };
        // SAFETY: lowers a limit of this process, which ends with the test.
        assert_eq!(unsafe { libc::setrlimit(resource, &raw const limit) }, 0);
    }
    tempfile::tempfile().unwrap()
}

fn blocked() -> Vec<i32> {
    let mut set = std::mem::MaybeUninit::uninit();
    // SAFETY: queries this thread's mask, which is written to `set`.
    let set = unsafe {
        assert_eq!(libc::pthread_sigmask(libc::SIG_BLOCK, ptr::null(), set.as_mut_ptr()), 0);
        set.assume_init()
    };
    // SAFETY: the set is initialised.
    (1..32).filter(|signal| unsafe { libc::sigismember(&raw const set, *signal) } == 1).collect()
}

fn block(signal: i32, how: i32) {
    let mut set = std::mem::MaybeUninit::uninit();
    // SAFETY: the set is initialised before it is used.
    unsafe {
        libc::sigemptyset(set.as_mut_ptr());
        libc::sigaddset(set.as_mut_ptr(), signal);
        assert_eq!(libc::pthread_sigmask(how, set.as_ptr(), ptr::null_mut()), 0);
    }
}

/// Rust's runtime ignores SIGPIPE; most programs do not.
fn expect_signals() {
    // SAFETY: restores the disposition that a process starts with.
    unsafe { libc::signal(libc::SIGPIPE, libc::SIG_DFL) };
}

#[test]
fn a_write_past_the_limit_is_an_error() {
    let body = || {
        let mut file = full_file();
        assert_eq!(with_signals_blocked(|| file.write_all(b"x")).unwrap_err().kind(), ErrorKind::FileTooLarge);
        let nested = with_signals_blocked(|| with_signals_blocked(|| file.write_all(b"x")));
        assert_eq!(nested.unwrap_err().kind(), ErrorKind::FileTooLarge);
        assert_eq!(blocked(), []);
    };
    assert_eq!(in_process("a_write_past_the_limit_is_an_error", body), None);
}

#[test]
fn a_write_into_a_pipe_without_a_reader_is_an_error() {
    let body = || {
        expect_signals();
        let (reader, mut writer) = io::pipe().unwrap();
        drop::<PipeReader>(reader);
        assert_eq!(with_signals_blocked(|| writer.write_all(b"x")).unwrap_err().kind(), ErrorKind::BrokenPipe);
        assert_eq!(blocked(), []);
    };
    assert_eq!(in_process("a_write_into_a_pipe_without_a_reader_is_an_error", body), None);
}

#[test]
fn the_programs_own_writes_end_it_as_before() {
    let body = || {
        let mut file = full_file();
        let _ = with_signals_blocked(|| file.write_all(b"x"));
        let _ = file.write_all(b"x");
    };
    assert_eq!(in_process("the_programs_own_writes_end_it_as_before", body), Some(libc::SIGXFSZ));
}

#[test]
fn threads_that_the_work_starts_are_quiet() {
    let body = || {
        let mut file = full_file();
        let write = || thread::scope(|scope| scope.spawn(|| file.write_all(b"x")).join().unwrap());
        assert_eq!(with_signals_blocked(write).unwrap_err().kind(), ErrorKind::FileTooLarge);
    };
    assert_eq!(in_process("threads_that_the_work_starts_are_quiet", body), None);
}

#[test]
fn a_signal_that_waits_already_stays() {
    let body = || {
        let mut file = full_file();
        block(libc::SIGXFSZ, libc::SIG_BLOCK);
        let _ = file.write_all(b"the program's own");
        let _ = with_signals_blocked(|| file.write_all(b"x"));
        assert_eq!(blocked(), [libc::SIGXFSZ]);
        block(libc::SIGXFSZ, libc::SIG_UNBLOCK);
    };
    assert_eq!(in_process("a_signal_that_waits_already_stays", body), Some(libc::SIGXFSZ));
}

#[test]
fn a_signal_that_the_program_blocks_does_not_wait_for_it() {
    let body = || {
        let mut file = full_file();
        block(libc::SIGXFSZ, libc::SIG_BLOCK);
        let _ = with_signals_blocked(|| file.write_all(b"x"));
        block(libc::SIGXFSZ, libc::SIG_UNBLOCK);
    };
    assert_eq!(in_process("a_signal_that_the_program_blocks_does_not_wait_for_it", body), None);
}

#[test]
fn work_that_panics_restores_the_mask() {
    let body = || {
        assert!(std::panic::catch_unwind(|| with_signals_blocked(|| panic!("deliberate"))).is_err());
        assert_eq!(blocked(), []);
    };
    assert_eq!(in_process("work_that_panics_restores_the_mask", body), None);
}

#[test]
fn threads_that_are_started_aloud_have_the_mask_of_the_program() {
    let body = || {
        let mut file = full_file();
        with_signals_blocked(|| {
            let _ = file.write_all(b"x");
            let threads = with_signals_restored(|| thread::spawn(blocked).join().unwrap());
            assert_eq!(threads, []);
            assert_eq!(file.write_all(b"x").unwrap_err().kind(), ErrorKind::FileTooLarge);
            let inner = with_signals_restored(|| with_signals_blocked(|| file.write_all(b"x")));
            assert_eq!(inner.unwrap_err().kind(), ErrorKind::FileTooLarge);
        });
        assert_eq!(blocked(), []);
    };
    assert_eq!(in_process("threads_that_are_started_aloud_have_the_mask_of_the_program", body), None);
}

/// The signal that kills a single-threaded process that runs `work`, which takes no locks.
fn alone(work: impl FnOnce()) -> Option<i32> {
    // SAFETY: the child makes only system calls, and exits without running code of its parent.
    let child = unsafe { libc::fork() };
    if child == 0 {
        expect_signals();
        work();
        // SAFETY: ends the process.
        unsafe { libc::_exit(0) };
    }
    let mut status = 0;
    // SAFETY: waits for the child above, and writes to `status`.
    assert_eq!(unsafe { libc::waitpid(child, &raw mut status, 0) }, child);
    libc::WIFSIGNALED(status).then(|| libc::WTERMSIG(status))
}

#[test]
fn a_signal_that_is_sent_to_the_process_is_not_taken() {
    // SAFETY: sends a signal to the process itself.
    let send = || with_signals_blocked(|| unsafe { libc::kill(libc::getpid(), libc::SIGPIPE) });
    assert_eq!(alone(|| assert_eq!(send(), 0)), Some(libc::SIGPIPE));
    assert_eq!(alone(|| with_signals_blocked(|| ())), None);
}

#[test]
fn new_threads_take_only_signals_that_they_cause() {
    let test = "new_threads_take_only_signals_that_they_cause";
    let ended = in_process(test, || {
        block(libc::SIGUSR2, libc::SIG_BLOCK);
        let thread = while_starting_threads(|| thread::spawn(blocked));
        assert_eq!(blocked(), [libc::SIGUSR2]);
        let found = thread.join().unwrap();
        for signal in [libc::SIGHUP, libc::SIGINT, libc::SIGTERM, libc::SIGUSR1, libc::SIGUSR2, libc::SIGCHLD] {
            assert!(found.contains(&signal), "{signal}");
        }
        for signal in [libc::SIGSEGV, libc::SIGBUS, libc::SIGFPE, libc::SIGABRT, libc::SIGPIPE, libc::SIGPROF] {
            assert!(!found.contains(&signal), "{signal}");
        }
    });
    assert_eq!(ended, None);
}
