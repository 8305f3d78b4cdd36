//! Links one object to a shared object with lld, in this process.
//!
//! In: an object that [`Machine::emit`](crate::Machine::emit) just made. Out: the bytes of a shared object.
//! *Invariant:* lld sees only objects of ours and a private temporary folder, never a file that another process can
//! change: it ends the process on a damaged input or a full disk. lld has global state: one link at a time. Nothing
//! is left behind in the temporary folder, whatever happens.

use crate::{
    error::LlvmError,
    guard::{guarded, poison},
    text::{c_string, take_message},
};
use std::{
    ffi::{CString, c_char, c_int},
    fs, io,
    path::{Path, PathBuf},
    ptr,
    sync::{Mutex, PoisonError},
};

/// Set in the shim's result when lld could not clean up after itself.
const CANNOT_RUN_AGAIN: c_int = 0x100;
/// A folder in memory, where the system has one.
const MEMORY_FOLDER: &str = "/dev/shm";
/// More than the headers, dynamic tables and padding to pages that linking adds.
const HEADERS: usize = 64 << 10;
/// No build id: the bytes depend on the code alone. The output is written, not mapped: should the folder fill up at the
/// wrong moment, that is a fatal error of LLVM and not a bus error.
const OPTIONS: [&str; 5] = ["ld.lld", "-shared", "--threads=1", "--no-mmap-output-file", "--build-id=none"];
/// `-z noseparate-code`, `--no-rosegment` and `-z norelro` keep the number of memory mappings per object small: a
/// process may have 65,530. Nothing looks at the symbol table.
const HOST_OPTIONS: [&str; 7] =
    ["--strip-all", "--no-rosegment", "-z", "noseparate-code", "-z", "norelro", "--hash-style=gnu"];
/// As clang links for these GPUs: nothing is left out that AMD's loader may look at, and nothing is left open.
const AMDGPU_OPTIONS: [&str; 1] = ["--no-undefined"];

/// What a shared object is for. lld sees in the object which machine it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Shared {
    /// A library of this machine.
    Host,
    /// A code object of an AMD GPU.
    Amdgpu,
}

impl Shared {
    fn options(self) -> &'static [&'static str] {
        match self {
            Shared::Host => &HOST_OPTIONS,
            Shared::Amdgpu => &AMDGPU_OPTIONS,
        }
    }
}

unsafe extern "C-unwind" {
    fn sinter_lld_link(arguments: *const *const c_char, count: usize, message: *mut *mut c_char) -> c_int;
}

static ONE_LINK: Mutex<()> = Mutex::new(());

/// Links an object of ours to a shared object.
pub fn link_shared(object: &[u8], kind: Shared) -> Result<Vec<u8>, LlvmError> {
    link_in_first(&[PathBuf::from(MEMORY_FOLDER), std::env::temp_dir()], object, kind)
}

/// Links in the first of several folders that has room: memory may be scarce (64 MB in a container) or full.
fn link_in_first(folders: &[PathBuf], object: &[u8], kind: Shared) -> Result<Vec<u8>, LlvmError> {
    let mut result = link_in(&folders[0], object, kind);
    for folder in &folders[1..] {
        if !matches!(result, Err(LlvmError::Io { .. } | LlvmError::Link { .. })) {
            break;
        }
        result = link_in(folder, object, kind);
    }
    result
}

fn link_in(parent: &Path, object: &[u8], kind: Shared) -> Result<Vec<u8>, LlvmError> {
    let folder = ScratchFolder::create_in(parent)?;
    let (input, output) = (folder.0.join("code.o"), folder.0.join("code.so"));
    fs::write(&input, object).map_err(|error| io_error(&input, &error))?;
    reserve(&output, object.len())?;
    run_lld(&input, &output, kind)?;
    fs::read(&output).map_err(|error| io_error(&output, &error))
}

/// Fails where there is no room for the output, which lld would not survive. It replaces the file.
fn reserve(output: &Path, object_size: usize) -> Result<(), LlvmError> {
    let room = vec![0; 2 * object_size + HEADERS];
    fs::write(output, room).map_err(|error| io_error(output, &error))?;
    fs::remove_file(output).map_err(|error| io_error(output, &error))
}

fn run_lld(input: &Path, output: &Path, kind: Shared) -> Result<(), LlvmError> {
    let paths = [output, input].map(|path| path.to_string_lossy().into_owned());
    let options = OPTIONS.into_iter().chain(kind.options().iter().copied()).chain(["-o"]);
    let arguments: Vec<CString> = options.chain(paths.iter().map(String::as_str)).map(c_string).collect();
    let pointers: Vec<*const c_char> = arguments.iter().map(|argument| argument.as_ptr()).collect();
    let mut message = ptr::null_mut();
    let code = {
        let _one = ONE_LINK.lock().unwrap_or_else(PoisonError::into_inner);
        // SAFETY: `pointers` are C strings that outlive the call; the lock makes it the only one.
        guarded(|| unsafe { sinter_lld_link(pointers.as_ptr(), pointers.len(), &mut message) })?
    };
    let message = take_message(message);
    if code & CANNOT_RUN_AGAIN != 0 {
        poison("the linker could not clean up after an error");
    }
    if code == 0 { Ok(()) } else { Err(LlvmError::Link { message: message.trim_end().to_owned() }) }
}

fn io_error(path: &Path, error: &io::Error) -> LlvmError {
    LlvmError::Io { path: path.display().to_string(), message: error.to_string() }
}

/// A folder that only this user can enter, removed when dropped.
struct ScratchFolder(PathBuf);

impl ScratchFolder {
    fn create_in(parent: &Path) -> Result<Self, LlvmError> {
        let template = parent.join("sinter-XXXXXX");
        let mut bytes = c_string(&template.to_string_lossy()).into_bytes_with_nul();
        // SAFETY: a writable C string that ends in XXXXXX, which mkdtemp replaces in place.
        let made = unsafe { libc::mkdtemp(bytes.as_mut_ptr().cast()) };
        if made.is_null() {
            return Err(io_error(&template, &io::Error::last_os_error()));
        }
        bytes.pop();
        Ok(ScratchFolder(PathBuf::from(String::from_utf8_lossy(&bytes).into_owned())))
    }
}

impl Drop for ScratchFolder {
    fn drop(&mut self) {
        // Nothing can be done about a failure here, and the folder is private.
        let _ = fs::remove_dir_all(&self.0);
    }
}

#[cfg(test)]
mod tests {
    use super::{LlvmError, Shared, link_in_first};
    use std::path::PathBuf;

    #[test]
    fn a_folder_without_room_is_passed_over() {
        let (full, temporary) = (PathBuf::from("/proc"), std::env::temp_dir());
        let link = |folders: &[PathBuf]| link_in_first(folders, b"damaged", Shared::Host);
        assert!(matches!(link(&[full.clone(), temporary]), Err(LlvmError::Link { .. })));
        assert!(matches!(link(&[full]), Err(LlvmError::Io { .. })));
    }
}
