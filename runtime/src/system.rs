//! Facts about this process from the C library.
//!
//! *Invariant:* every function here is safe to call at any time. None changes anything of the
//! process but `yield_to_others`, which changes the calling thread.
#![expect(unsafe_code, reason = "calls into the C library")]

use std::{
    ffi::{CStr, CString, OsStr, c_void},
    io,
    os::unix::ffi::OsStrExt,
    path::{Path, PathBuf},
    time::Duration,
};

/// Effective user ID.
pub fn effective_user() -> u32 {
    // SAFETY: geteuid has no precondition and cannot fail.
    unsafe { libc::geteuid() }
}

/// True if this process may create files in a folder with its current rights.
pub fn may_write(folder: &Path) -> bool {
    let Ok(path) = CString::new(folder.as_os_str().as_bytes()) else { return false };
    // SAFETY: a C string that outlives the call, which only looks the folder up.
    unsafe { libc::faccessat(libc::AT_FDCWD, path.as_ptr(), libc::W_OK | libc::X_OK, libc::AT_EACCESS) == 0 }
}

/// True for transient shortages: file descriptors, memory, threads.
pub fn is_transient(error: &io::Error) -> bool {
    matches!(error.raw_os_error(), Some(libc::EMFILE | libc::ENFILE | libc::ENOMEM | libc::EAGAIN | libc::EINTR))
        || error.kind() == io::ErrorKind::OutOfMemory
}

/// Time of `CLOCK_MONOTONIC` in nanoseconds.
pub(crate) fn monotonic() -> u64 {
    let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: `time` is writable, and Linux always has this clock.
    unsafe { libc::clock_gettime(libc::CLOCK_MONOTONIC, &raw mut time) };
    time.tv_sec as u64 * 1_000_000_000 + time.tv_nsec as u64
}

/// Number of the calling thread, as the system and its tools show it.
pub(crate) fn thread_number() -> u32 {
    // SAFETY: gettid has no precondition and cannot fail.
    unsafe { libc::gettid() }.cast_unsigned()
}

/// The clock of the CPU time that the calling thread uses.
pub(crate) fn thread_clock() -> libc::clockid_t {
    let mut clock = libc::CLOCK_MONOTONIC;
    // SAFETY: a thread that runs, and a place for the result.
    unsafe { libc::pthread_getcpuclockid(libc::pthread_self(), &raw mut clock) };
    clock
}

/// The time of a clock of [`thread_clock`]; `None` if its thread has ended.
pub(crate) fn cpu_time(clock: libc::clockid_t) -> Option<Duration> {
    let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: `time` is writable; a clock that is not there is an error.
    let status = unsafe { libc::clock_gettime(clock, &raw mut time) };
    (status == 0).then(|| Duration::new(time.tv_sec as u64, time.tv_nsec as u32))
}

/// True if this many bytes of address space are available now.
pub(crate) fn has_address_space(size: usize) -> bool {
    // The mapping is writable, so that systems without overcommit count it.
    let (access, kind) = (libc::PROT_READ | libc::PROT_WRITE, libc::MAP_PRIVATE | libc::MAP_ANONYMOUS);
    // SAFETY: a new private mapping, which nothing refers to.
    let start = unsafe { libc::mmap(std::ptr::null_mut(), size, access, kind | libc::MAP_NORESERVE, -1, 0) };
    if start == libc::MAP_FAILED {
        return false;
    }
    // SAFETY: the mapping that was just made, whole.
    unsafe { libc::munmap(start, size) };
    true
}

/// Lets the calling thread, and those that it starts, run only where no other thread wants the CPU.
/// Without effect where the system refuses that.
pub(crate) fn yield_to_others() {
    // SAFETY: a plain structure, of which all zeros are a valid value: the only priority of the
    // class.
    let parameters: libc::sched_param = unsafe { std::mem::zeroed() };
    // SAFETY: 0 is the calling thread; the parameters are readable.
    unsafe { libc::sched_setscheduler(0, libc::SCHED_IDLE, &raw const parameters) };
}

/// True if the process has more rights than the user who started it, so that the environment must
/// not be trusted.
pub fn raised_privileges() -> bool {
    // SAFETY: getauxval reads the process's own auxiliary vector and has no precondition.
    unsafe { libc::getauxval(libc::AT_SECURE) != 0 }
}

/// True if the program is linked statically: it was started without a dynamic linker and cannot
/// open libraries.
pub fn is_static_program() -> bool {
    let headers = program_headers();
    !headers.is_empty() && headers.iter().all(|header| header.p_type != libc::PT_INTERP)
}

/// Program headers of the executable; empty if the kernel does not provide them.
fn program_headers() -> &'static [libc::Elf64_Phdr] {
    // SAFETY: getauxval reads the process's own auxiliary vector and has no precondition.
    let address = unsafe { libc::getauxval(libc::AT_PHDR) };
    // SAFETY: as above.
    let count = unsafe { libc::getauxval(libc::AT_PHNUM) };
    if address == 0 {
        return &[];
    }
    // SAFETY: the kernel mapped this many headers there with the program, which stays mapped.
    // Nothing writes to them.
    unsafe { std::slice::from_raw_parts(std::ptr::with_exposed_provenance(address as usize), count as usize) }
}

/// File and base address of the loaded object that contains `address`.
fn object_of(address: *const c_void) -> Option<(PathBuf, *mut c_void)> {
    let mut info = libc::Dl_info {
        dli_fname: std::ptr::null(),
        dli_fbase: std::ptr::null_mut(),
        dli_sname: std::ptr::null(),
        dli_saddr: std::ptr::null_mut(),
    };
    // SAFETY: dladdr only compares the address and fills `info`, which outlives the call.
    let found = unsafe { libc::dladdr(address, &raw mut info) } != 0;
    if !found || info.dli_fname.is_null() {
        return None;
    }
    // SAFETY: dladdr succeeded, so the name is a NUL-terminated string that the loader keeps as
    // long as the object.
    let name = unsafe { CStr::from_ptr(info.dli_fname) };
    Some((PathBuf::from(OsStr::from_bytes(name.to_bytes())), info.dli_fbase))
}

/// File that contains this code: `libsinter.so`, or the program that the runtime is linked into.
pub fn own_object() -> Option<PathBuf> {
    file_of(own_object as *const c_void)
}

/// File of the program or library that contains an address.
pub(crate) fn file_of(address: *const c_void) -> Option<PathBuf> {
    let (name, base) = object_of(address)?;
    let program = object_of(program_headers().as_ptr().cast());
    // For the program itself the loader reports argv[0], which need not be a path.
    if program.is_some_and(|(_, program_base)| program_base == base) {
        return std::env::current_exe().ok();
    }
    name.canonicalize().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folders_to_write_to_are_told_from_others() {
        assert!(may_write(&std::env::temp_dir()));
        assert!(!may_write(Path::new("/proc/1/no-such-folder")));
    }

    #[test]
    fn the_test_binary_can_open_libraries() {
        assert!(!is_static_program());
    }

    #[test]
    fn the_time_of_a_thread_passes_while_it_works() {
        let (clock, start) = (thread_clock(), std::time::Instant::now());
        let before = cpu_time(clock).expect("a time");
        while cpu_time(clock).expect("a time") == before {
            assert!(start.elapsed() < Duration::from_secs(60), "it stands still");
        }
    }

    #[test]
    fn finds_the_test_binary() {
        assert_eq!(own_object(), std::env::current_exe().ok());
    }
}
