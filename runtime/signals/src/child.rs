//! Hands the rest of the program's work to a child process, whose end by a signal is an error and not the end of the program.
//!
//! In: a process with one thread. Out: in the child, the program as it was; in the parent, how the child ended. *Invariant:* no
//! child outlives its parent.

use std::{fs, io};

/// How a child ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ended {
    /// By itself, with this status.
    Exit(u8),
    /// By this signal.
    Signal(i32),
}

impl Ended {
    /// Whether it ended by what a defect in its code sends.
    pub fn is_crash(self) -> bool {
        let crashes = [libc::SIGSEGV, libc::SIGBUS, libc::SIGILL, libc::SIGFPE, libc::SIGABRT, libc::SIGTRAP];
        matches!(self, Ended::Signal(signal) if crashes.contains(&signal))
    }
}

/// Starts a child that goes on where this process is and waits for its end. Gives nothing in the child.
pub fn hand_over() -> io::Result<Option<Ended>> {
    if fs::read_dir("/proc/self/task")?.count() != 1 {
        return Err(io::Error::other("a process with several threads cannot be copied"));
    }
    // SAFETY: takes no arguments.
    let parent = unsafe { libc::getpid() };
    // SAFETY: there is one thread, so that the child has all that the process had.
    match unsafe { libc::fork() } {
        -1 => Err(io::Error::last_os_error()),
        0 => {
            end_with(parent);
            Ok(None)
        }
        child => wait(child).map(Some),
    }
}

/// Ends this process when its parent ends, also where that has happened already.
fn end_with(parent: libc::pid_t) {
    // SAFETY: sets a property of this process.
    unsafe { libc::prctl(libc::PR_SET_PDEATHSIG, libc::SIGKILL) };
    // SAFETY: takes no arguments.
    if unsafe { libc::getppid() } != parent {
        std::process::abort();
    }
}

fn wait(child: libc::pid_t) -> io::Result<Ended> {
    let mut status = 0;
    loop {
        // SAFETY: waits for a child of this process, with a place for its status.
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
