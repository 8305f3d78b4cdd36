//! Continues the program in a forked child, so that a signal that kills the child becomes an error
//! instead of the end of the program.
//!
//! In: a process with one thread. Out: in the child, the program as it was; in the parent, the exit
//! of the child. *Invariant:* no child outlives its parent.

use std::{fs, io};

/// Exit of a child process.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ended {
    /// Exit with this status.
    Exit(u8),
    /// Death by this signal.
    Signal(i32),
}

impl Ended {
    /// True for signals that a defect in the child's code raises.
    pub fn is_crash(self) -> bool {
        let crashes = [libc::SIGSEGV, libc::SIGBUS, libc::SIGILL, libc::SIGFPE, libc::SIGABRT, libc::SIGTRAP];
        matches!(self, Ended::Signal(signal) if crashes.contains(&signal))
    }
}

/// Forks. In the child, returns `None`; in the parent, waits and returns the exit of the child.
/// Fails in a process with several threads.
pub fn hand_over() -> io::Result<Option<Ended>> {
    if fs::read_dir("/proc/self/task")?.count() != 1 {
        return Err(io::Error::other("a process with several threads cannot be copied"));
    }
    // SAFETY: takes no arguments.
    let parent = unsafe { libc::getpid() };
    // SAFETY: there is only one thread, so the child is a complete copy of the process.
    match unsafe { libc::fork() } {
        -1 => Err(io::Error::last_os_error()),
        0 => {
            end_with(parent);
            Ok(None)
        }
        child => wait(child).map(Some),
    }
}

/// Asks the kernel to kill this process when its parent ends. Exits now if the parent has ended
/// already.
fn end_with(parent: libc::pid_t) {
    // SAFETY: sets a property of this process only.
    unsafe { libc::prctl(libc::PR_SET_PDEATHSIG, libc::SIGKILL) };
    // SAFETY: takes no arguments.
    if unsafe { libc::getppid() } != parent {
        std::process::abort();
    }
}

fn wait(child: libc::pid_t) -> io::Result<Ended> {
    let mut status = 0;
    loop {
        // SAFETY: waits for a child of this process; `status` is writable.
        if unsafe { libc::waitpid(child, &raw mut status, 0) } == child {
            break;
        }
        let error = io::Error::last_os_error();
        if error.kind() != io::ErrorKind::Interrupted {
            return Err(error);
        }
    }
    Ok(match libc::WIFSIGNALED(status) {
        true => Ended::Signal(libc::WTERMSIG(status)),
        false => Ended::Exit(libc::WEXITSTATUS(status) as u8),
    })
}
