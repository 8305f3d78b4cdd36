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

/// The loaded object that contains an address.
struct LoadedObject {
    address: usize,
    /// Its name and base address.
    found: Option<(PathBuf, usize)>,
}

/// Looks for an address in one loaded object. Not 0: it is there.
///
/// # Safety
/// `data` is a [`LoadedObject`], and `info` what [`libc::dl_iterate_phdr`] passes.
unsafe extern "C" fn look_for(info: *mut libc::dl_phdr_info, _: usize, data: *mut c_void) -> libc::c_int {
    // SAFETY: the contract of this function.
    let (info, wanted) = unsafe { (&*info, &mut *data.cast::<LoadedObject>()) };
    let base = info.dlpi_addr as usize;
    // SAFETY: the loader passes that many headers, which stay while it calls.
    let headers = unsafe { std::slice::from_raw_parts(info.dlpi_phdr, info.dlpi_phnum.into()) };
    let offset = wanted.address.wrapping_sub(base);
    let contains = |header: &libc::Elf64_Phdr| {
        header.p_type == libc::PT_LOAD && offset.wrapping_sub(header.p_vaddr as usize) < header.p_memsz as usize
    };
    if !headers.iter().any(contains) {
        return 0;
    }
    // SAFETY: the name is a string that stays while the loader calls.
    let name = unsafe { CStr::from_ptr(info.dlpi_name) };
    wanted.found = Some((PathBuf::from(OsStr::from_bytes(name.to_bytes())), base));
    1
}

/// File and base address of the loaded object that contains `address`. The program itself has no
/// name. Another thread may unload the object meanwhile.
fn object_of(address: *const c_void) -> Option<(PathBuf, usize)> {
    let mut wanted = LoadedObject { address: address.addr(), found: None };
    // SAFETY: the function gets what it expects, and ends without a panic.
    unsafe { libc::dl_iterate_phdr(Some(look_for), (&raw mut wanted).cast()) };
    wanted.found
}

/// CPUs that the process may use.
pub(crate) fn cpus() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

/// Base address of the loaded object that contains an address.
pub(crate) fn base_of(address: *const c_void) -> Option<usize> {
    object_of(address).map(|(_, base)| base)
}

/// File that contains this code: `libsinter.so`, or the program that the runtime is linked into.
pub fn own_object() -> Option<PathBuf> {
    file_of(own_object as *const c_void)
}

/// File of the program or library that contains an address.
pub(crate) fn file_of(address: *const c_void) -> Option<PathBuf> {
    let (name, base) = object_of(address)?;
    let program = object_of(program_headers().as_ptr().cast());
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
