//! The bridge between clang's pass manager and stage 1.
//!
//! In: the module that clang is about to optimise. Out: the same module, changed, or an error that
//! clang prints. *Invariant:* no panic crosses into C++, and the module is never freed here: it
//! belongs to clang.

use super::diagnose::{self, Place, Severity};
use inkwell::module::Module;
use llvm_sys::prelude::LLVMModuleRef;
use std::{
    ffi::{CStr, c_char, c_void},
    mem::ManuallyDrop,
    panic,
    path::PathBuf,
    sync::{Mutex, OnceLock, PoisonError},
};

/// A pass over a module in a pipeline of an optimisation level; returns true if it changed the
/// module.
pub type Stage1 = fn(&Module<'_>, Level, Moment) -> bool;

/// The place of a pass in its pipeline.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Moment {
    /// Before all other passes.
    Start,
    /// Behind the inliner. Not in a pipeline that does not optimise.
    Late,
}

/// The N of clang's `-ON`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Level(pub u32);

/// `llvm::PassPluginLibraryInfo`.
#[repr(C)]
#[derive(Debug)]
pub struct PluginInfo {
    api_version: u32,
    name: *const c_char,
    version: *const c_char,
    register: Option<unsafe extern "C" fn(*mut c_void)>,
}

unsafe extern "C" {
    fn sinter_plugin_info(run: extern "C" fn(LLVMModuleRef, u32, bool) -> bool) -> PluginInfo;
    fn sinter_emit_hcf() -> *const c_char;
    fn sinter_stdpar() -> *const c_char;
    fn sinter_device_module(source: *const c_char) -> *const c_char;
}

static STAGE1: OnceLock<Stage1> = OnceLock::new();
static LAST_PANIC: Mutex<String> = Mutex::new(String::new());

/// The result of `llvmGetPassPluginInfo` for a plugin that runs `stage1` at the [`Moment`]s of
/// each pipeline.
pub fn plugin_info(stage1: Stage1) -> PluginInfo {
    STAGE1.get_or_init(|| stage1);
    // SAFETY: `run` does not unwind and may be called at any time.
    unsafe { sinter_plugin_info(run) }
}

/// Registers the options `-mllvm -sinter-emit-hcf=PATH`, `-mllvm -sinter-stdpar=WORDS` and `-mllvm
/// -sinter-device-module=SOURCE=FILE`. Must be called when the plugin is loaded, before clang
/// parses its options.
pub fn register_options() {
    // SAFETY: constructs a function-local static; its value is read later.
    unsafe { sinter_emit_hcf() };
    // SAFETY: as above.
    unsafe { sinter_stdpar() };
    // SAFETY: as above.
    unsafe { sinter_device_module(c"".as_ptr()) };
}

/// The option of units with parallel algorithms.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Stdpar {
    /// True if allocations are interposed.
    pub interposes: bool,
    /// Severity of algorithms that stay on the host.
    pub stays: Severity,
}

/// The option of a unit with parallel algorithms: `interpose` if its allocations are interposed,
/// and `warning` or `error` for algorithms that stay on the host, with commas between. `None`
/// without.
pub fn stdpar() -> Option<Stdpar> {
    // SAFETY: a C string that lives as long as the option, which is not changed after clang has
    // started.
    let words = unsafe { CStr::from_ptr(sinter_stdpar()) }.to_string_lossy();
    let has = |word: &str| words.split(',').any(|found| found == word);
    let stays = match (has("warning"), has("error")) {
        (_, true) => Severity::Error,
        (true, false) => Severity::Warning,
        (false, false) => Severity::Remark,
    };
    (!words.is_empty()).then(|| Stdpar { interposes: has("interpose"), stays })
}

/// Additional output path for the container; `None` if it is only embedded.
pub fn emit_hcf() -> Option<PathBuf> {
    // SAFETY: a C string that lives as long as the option, which is not changed after clang has
    // started.
    let path = unsafe { CStr::from_ptr(sinter_emit_hcf()) }.to_string_lossy();
    (!path.is_empty()).then(|| PathBuf::from(path.as_ref()))
}

/// The module with the device code of a source that was parsed for devices too; `None` for others.
pub fn device_module(source: &CStr) -> Option<PathBuf> {
    // SAFETY: both are C strings; the result lives as long as the option, which is not changed
    // after clang has started.
    let path = unsafe { CStr::from_ptr(sinter_device_module(source.as_ptr())) }.to_string_lossy();
    (!path.is_empty()).then(|| PathBuf::from(path.as_ref()))
}

extern "C" fn run(module: LLVMModuleRef, level: u32, is_late: bool) -> bool {
    // SAFETY: clang passes a live module and keeps it.
    let module = ManuallyDrop::new(unsafe { Module::new(module) });
    let Some(stage1) = STAGE1.get() else { return false };
    let moment = if is_late { Moment::Late } else { Moment::Start };
    match without_panic(|| stage1(&module, Level(level), moment)) {
        Ok(changed) => changed,
        Err(message) => {
            diagnose::error(&module, Place::Module, &format!("internal error in Sinter's stage 1: {message}"));
            true
        }
    }
}

fn without_panic(work: impl FnOnce() -> bool) -> Result<bool, String> {
    let previous = panic::take_hook();
    panic::set_hook(Box::new(|info| *LAST_PANIC.lock().unwrap_or_else(PoisonError::into_inner) = info.to_string()));
    let result = panic::catch_unwind(panic::AssertUnwindSafe(work));
    panic::set_hook(previous);
    result.map_err(|_| LAST_PANIC.lock().unwrap_or_else(PoisonError::into_inner).replace('\n', " "))
}

#[cfg(test)]
mod tests {
    use super::without_panic;

    #[test]
    fn a_panic_becomes_a_message() {
        assert_eq!(without_panic(|| true), Ok(true));
        let message = without_panic(|| panic!("two\nlines")).unwrap_err();
        assert!(message.contains("two lines") && !message.contains('\n'), "{message}");
    }
}
