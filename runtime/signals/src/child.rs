//! Continues the program in a child process, so that a signal that ends the child is an error and
//! not the end of the program.
//!
//! In: a process with one thread. Out: in the child, the program as it was; in the parent, the way
//! in which the child ended. *Invariant:* no child outlives its parent.

use std::{fs, io};

/// The end of a child process.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ended {
    /// It exited with this status.
    Exit(u8),
    /// This signal ended it.
    Signal(i32),
}

impl Ended {
    /// True for signals that a defect in the child's code raises.
    pub fn is_crash(self) -> bool {
        let crashes = [libc::SIGSEGV, libc::SIGBUS, libc::SIGILL, libc::SIGFPE, libc::SIGABRT, libc::SIGTRAP];
        matches!(self, Ended::Signal(signal) if crashes.contains(&signal))
    }
}

/// Forks, and waits in the parent for the end of the child. Returns `None` in the child. Fails in a
/// process with several threads.
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

/// Makes the kernel end this process when its parent ends. Ends it now if the parent has ended
/// already.
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
