//! Publishes machine code in the process.
//!
//! In: the bytes of an ELF shared object and the name of its entry. Out: the entry's address, valid while the
//! [`Image`] lives. *Invariant:* no file is left behind and no other object is ever returned in place of a new one.
//!
//! glibc's `dlopen` compares the *name* with those of the objects already loaded. The number of a closed descriptor is
//! used again, so the name has to differ from every earlier one: see [`unique_path`].

use crate::elf;
use std::{
    ffi::{CStr, CString, c_void},
    fs::File,
    io::{self, Write},
    os::fd::{AsRawFd, FromRawFd},
    path::Path,
    ptr::NonNull,
    sync::{
        Once,
        atomic::{AtomicU64, Ordering},
    },
};

/// A folder in memory, where the system has one.
const MEMORY_FOLDER: &str = "/dev/shm";

/// Why code could not be published.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum LoadError {
    /// The bytes are not a shared object for this machine.
    #[error("it is damaged or of another kind: {reason}")]
    Malformed {
        /// What is wrong.
        reason: String,
    },
    /// The dynamic linker refused it.
    #[error("the dynamic linker refused it: {message}")]
    Linker {
        /// The dynamic linker's message.
        message: String,
    },
    /// It does not define the entry.
    #[error("it does not define its entry")]
    NoEntry,
    /// The dynamic linker lacked descriptors, mappings or permissions; nothing is wrong with the code.
    #[error("the dynamic linker failed: {message}")]
    Resources {
        /// The dynamic linker's message.
        message: String,
        /// The system's answer.
        #[source]
        source: io::Error,
    },
    /// The operating system refused a file.
    #[error("{attempt} failed: {source}")]
    System {
        /// What was attempted.
        attempt: &'static str,
        /// The system's answer.
        #[source]
        source: io::Error,
    },
}

/// Publishes machine code.
pub trait Loader: Send + Sync {
    /// Publishes a shared object and finds its entry `symbol`.
    fn load(&self, symbol: &str, bytes: &[u8]) -> Result<Box<dyn Image>, LoadError>;
}

/// Published code. Dropping it unloads it.
pub trait Image: Send + Sync {
    /// Address of the entry.
    fn entry(&self) -> NonNull<c_void>;
}

/// Publishes through the dynamic linker, from memory where the system allows and else from a private file.
#[derive(Debug, Clone, Copy, Default)]
pub struct MemfdLoader;

/// An object that the dynamic linker opened.
struct SharedObject {
    handle: NonNull<c_void>,
    entry: NonNull<c_void>,
}

// SAFETY: the dynamic linker's handles may be used from any thread.
unsafe impl Send for SharedObject {}
// SAFETY: as above; nothing is changed through a shared reference.
unsafe impl Sync for SharedObject {}

impl Image for SharedObject {
    fn entry(&self) -> NonNull<c_void> {
        self.entry
    }
}

impl Drop for SharedObject {
    fn drop(&mut self) {
        // SAFETY: the handle came from `dlopen` and is closed once.
        unsafe { libc::dlclose(self.handle.as_ptr()) };
    }
}

impl Loader for MemfdLoader {
    fn load(&self, symbol: &str, bytes: &[u8]) -> Result<Box<dyn Image>, LoadError> {
        elf::check(bytes).map_err(|reason| LoadError::Malformed { reason })?;
        let symbol = CString::new(symbol).map_err(|_| LoadError::NoEntry)?;
        publish_libm();
        let handle = from_memory(bytes).or_else(|_| from_file(bytes))?;
        let entry = find(handle, &symbol);
        let Some(entry) = entry else {
            // SAFETY: the handle came from `dlopen` and is given up here.
            unsafe { libc::dlclose(handle.as_ptr()) };
            return Err(LoadError::NoEntry);
        };
        Ok(Box::new(SharedObject { handle, entry }))
    }
}

/// Makes the functions of libm available to kernels, which are linked against nothing.
fn publish_libm() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        // SAFETY: the name ends with zero; libm's constructors have no requirements.
        let handle = unsafe { libc::dlopen(c"libm.so.6".as_ptr(), libc::RTLD_NOW | libc::RTLD_GLOBAL) };
        if handle.is_null() {
            tracing::warn!("libm.so.6 is missing: kernels that call its functions will not load");
        }
    });
}

fn find(handle: NonNull<c_void>, symbol: &CStr) -> Option<NonNull<c_void>> {
    // SAFETY: the handle is open and the name ends with zero.
    NonNull::new(unsafe { libc::dlsym(handle.as_ptr(), symbol.as_ptr()) })
}

fn open(path: &CStr) -> Result<NonNull<c_void>, LoadError> {
    // SAFETY: each thread has such a number, and may write it.
    unsafe { *libc::__errno_location() = 0 };
    // SAFETY: the path ends with zero, and the file was checked and belongs to us alone.
    let handle = unsafe { libc::dlopen(path.as_ptr(), libc::RTLD_NOW | libc::RTLD_LOCAL) };
    NonNull::new(handle).ok_or_else(linker_error)
}

/// What `dlopen` has just failed with. Its message is in the user's language; the number that its last system call
/// left behind tells the system's failures from those of the code.
fn linker_error() -> LoadError {
    const REFUSALS: [i32; 6] = [libc::EMFILE, libc::ENFILE, libc::ENOMEM, libc::EAGAIN, libc::EPERM, libc::EACCES];
    let (source, message) = (io::Error::last_os_error(), linker_message());
    if source.raw_os_error().is_some_and(|code| REFUSALS.contains(&code)) {
        return LoadError::Resources { message, source };
    }
    LoadError::Linker { message }
}

fn linker_message() -> String {
    // SAFETY: `dlerror` has no requirements; its text belongs to this thread until its next call.
    let message = unsafe { libc::dlerror() };
    if message.is_null() {
        return "no reason given".to_owned();
    }
    // SAFETY: a message that is not null ends with zero.
    unsafe { CStr::from_ptr(message) }.to_string_lossy().into_owned()
}

fn from_memory(bytes: &[u8]) -> Result<NonNull<c_void>, LoadError> {
    // SAFETY: the name ends with zero.
    let descriptor = unsafe { libc::memfd_create(c"sinter-kernel".as_ptr(), libc::MFD_CLOEXEC) };
    if descriptor < 0 {
        return Err(LoadError::System { attempt: "memfd_create", source: io::Error::last_os_error() });
    }
    // SAFETY: the descriptor is open and has no other owner.
    let mut file = unsafe { File::from_raw_fd(descriptor) };
    file.write_all(bytes).map_err(|source| LoadError::System { attempt: "writing a memory file", source })?;
    open(&unique_path("/proc/self/fd/", &file.as_raw_fd().to_string()))
}

/// `folder` and `name` joined by a spelling that was never used before.
///
/// The bits of a counter become `./` and `/`, which change the spelling but not the file.
fn unique_path(folder: &str, name: &str) -> CString {
    static COUNTER: AtomicU64 = AtomicU64::new(1);
    let number = COUNTER.fetch_add(1, Ordering::Relaxed);
    let bits = (0..number.ilog2() + 1).rev().map(|bit| if number >> bit & 1 == 1 { "./" } else { "/" });
    let path: String = [folder].into_iter().chain(bits).chain([name]).collect();
    CString::new(path.replace('\0', "")).unwrap_or_default()
}

/// Publishes a private file in the folder for temporary files or, where that is missing, full, read-only or forbids
/// execution, in a folder in memory. For systems without memory files or without `/proc`, as in a bare `chroot`.
fn from_file(bytes: &[u8]) -> Result<NonNull<c_void>, LoadError> {
    from_folders(&std::env::temp_dir(), &[Path::new(MEMORY_FOLDER)], bytes)
}

/// Tries one folder after the other. If all fail, what was wrong with the first is the error.
fn from_folders(first: &Path, others: &[&Path], bytes: &[u8]) -> Result<NonNull<c_void>, LoadError> {
    let result = from_folder(first, bytes);
    let retry = |error| others.iter().find_map(|folder| from_folder(folder, bytes).ok()).ok_or(error);
    result.or_else(retry)
}

fn from_folder(folder: &Path, bytes: &[u8]) -> Result<NonNull<c_void>, LoadError> {
    let failed = |source| LoadError::System { attempt: "writing a private temporary file", source };
    // The file is readable by its owner only, and is removed when it goes out of scope, after it was opened.
    let builder = || tempfile::Builder::new().prefix("sinter-kernel-").suffix(".so").tempfile_in(folder);
    let mut file = builder().map_err(failed)?;
    file.write_all(bytes).map_err(failed)?;
    let named = || io::Error::from(io::ErrorKind::InvalidFilename);
    let path = file.path().to_str().and_then(|path| path.rsplit_once('/')).ok_or_else(|| failed(named()))?;
    open(&unique_path(&format!("{}/", path.0), path.1))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::{fs, process::Command};

    /// A shared object whose function `answer` returns `value`.
    fn object(value: i32) -> Vec<u8> {
        let folder = tempfile::tempdir().expect("temporary folder");
        let (c, so) = (folder.path().join("a.c"), folder.path().join("a.so"));
        fs::write(&c, format!("int answer(void) {{ return {value}; }}\n")).expect("write");
        let status = Command::new("cc").args(["-shared", "-fPIC", "-nostdlib", "-o"]).arg(&so).arg(&c).status();
        assert!(status.expect("a C compiler named cc").success());
        fs::read(&so).expect("read")
    }

    fn answer(handle: NonNull<c_void>) -> i32 {
        let entry = find(handle, c"answer").expect("answer");
        // SAFETY: the object was made from the source above.
        let function = unsafe { std::mem::transmute::<*mut c_void, extern "C" fn() -> i32>(entry.as_ptr()) };
        function()
    }

    #[test]
    fn a_reused_descriptor_does_not_return_the_old_object() {
        let handles: Vec<_> = (0..8).map(|value| from_memory(&object(value)).expect("load")).collect();
        assert!((0..).zip(&handles).all(|(value, &handle)| answer(handle) == value));
    }

    #[test]
    fn without_memory_files_a_private_file_serves_and_is_gone() {
        let handle = from_file(&object(7)).expect("load");
        assert_eq!(answer(handle), 7);
        let maps = fs::read_to_string("/proc/self/maps").expect("maps");
        let ours = |line: &&str| line.contains("sinter-kernel-") && line.contains(".so");
        assert!(maps.lines().filter(ours).all(|line| line.ends_with("(deleted)")));
    }

    #[test]
    fn a_second_folder_serves_where_the_first_cannot() {
        let folder = tempfile::tempdir().expect("temporary folder");
        let missing = folder.path().join("missing");
        let handle = from_folders(&missing, &[folder.path()], &object(9)).expect("load");
        assert_eq!(answer(handle), 9);
        assert_eq!(fs::read_dir(folder.path()).expect("folder").count(), 0);
        assert!(matches!(from_folders(&missing, &[&missing], &object(9)), Err(LoadError::System { .. })));
    }

    #[test]
    fn paths_are_never_equal() {
        let paths: std::collections::HashSet<_> = (0..1000).map(|_| unique_path("/proc/self/fd/", "3")).collect();
        assert_eq!(paths.len(), 1000);
    }

    #[test]
    fn garbage_is_refused_before_the_linker_sees_it() {
        let good = object(1);
        for length in 0..good.len().min(4096) {
            assert!(
                matches!(MemfdLoader.load("answer", &good[..length]), Err(LoadError::Malformed { .. })),
                "{length}"
            );
        }
        assert!(matches!(MemfdLoader.load("other", &good), Err(LoadError::NoEntry)));
        assert!(matches!(MemfdLoader.load("a\0b", &good), Err(LoadError::NoEntry)));
    }
}
