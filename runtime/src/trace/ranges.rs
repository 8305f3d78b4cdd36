//! Ranges of threads for tools that speak NVTX, such as Nsight Systems.
//!
//! In: the library that a tool names in `NVTX_INJECTION64_PATH`. Out: nested ranges of the domain
//! "Sinter". The protocol is that of NVTX 3 (github.com/NVIDIA/NVTX, `c/include/nvtx3/nvtxDetail`):
//! `nvtxInit.h` says how a tool is loaded, `nvtxTypes.h` has the tables that it fills with its
//! functions. *Invariant:* without a tool nothing is loaded. A tool that cannot be loaded, or takes
//! no ranges, is reported in the log and changes nothing else.
#![expect(unsafe_code, reason = "loads a tool and calls its functions")]

use libloading::os::unix::{Library, RTLD_LAZY, RTLD_LOCAL};
use std::{
    ffi::{CString, c_char, c_int, c_void},
    marker::PhantomData,
    mem,
    path::Path,
    ptr,
    sync::{
        OnceLock,
        atomic::{AtomicPtr, Ordering},
    },
};

/// Version of the protocol, `NVTX_VERSION`.
const VERSION: u32 = 3;
/// `NVTX_ETID_CALLBACKS` and `NVTX_ETID_VERSIONINFO`.
const CALLBACKS: u32 = 1;
const VERSION_INFO: u32 = 3;
/// Functions of each module, by `NvtxCallbackModule`; the first place of each is unused.
const SIZES: [usize; 7] = [0, 16, 9, 15, 7, 16, 7];
/// `NVTX_CB_MODULE_CORE`, and its functions.
const CORE: usize = 1;
const RANGE_PUSH: usize = 9;
const RANGE_POP: usize = 11;
/// `NVTX_CB_MODULE_CORE2`, and its functions.
const CORE2: usize = 5;
const DOMAIN_RANGE_PUSH: usize = 4;
const DOMAIN_RANGE_POP: usize = 5;
const DOMAIN_NAME_CATEGORY: usize = 8;
const DOMAIN_CREATE: usize = 12;

/// `NVTX_COLOR_ARGB` and `NVTX_MESSAGE_TYPE_ASCII`.
const ARGB: i32 = 1;
const ASCII: i32 = 1;

/// Kinds of ranges with their colours. A category is a position in this list, from 1.
const CATEGORIES: [(&str, u32); 10] = [
    ("launch", 0xff2e_86c1),
    ("translate", 0xffd3_5400),
    ("assemble", 0xffe5_9866),
    ("load", 0xfff4_d03f),
    ("copy", 0xff7d_3c98),
    ("fill", 0xffaf_7ac5),
    ("prefetch", 0xffd7_bde2),
    ("wait", 0xff90_9497),
    ("background", 0xff1e_8449),
    ("other", 0xff5d_6d7e),
];

/// `nvtxEventAttributes_t`.
#[repr(C)]
struct Attributes {
    version: u16,
    size: u16,
    category: u32,
    color_type: i32,
    color: u32,
    payload_type: i32,
    reserved: i32,
    payload: u64,
    message_type: i32,
    message: *const c_char,
}

/// `NvtxExportTableCallbacks`.
#[repr(C)]
struct CallbackTable {
    size: usize,
    functions: unsafe extern "C" fn(u32, *mut *const Slot, *mut u32) -> c_int,
}

/// `NvtxExportTableVersionInfo`.
#[repr(C)]
struct VersionTable {
    size: usize,
    version: u32,
    reserved: u32,
    set_version: extern "C" fn(u32),
}

/// Place of a pointer to a function, which a tool writes.
type Slot = *const AtomicPtr<c_void>;

/// The places of all modules: the arrays of pointers to them that the protocol hands out.
struct Modules([Box<[Slot]>; SIZES.len()]);

// SAFETY: the pointers are to atomics that live as long as the process.
unsafe impl Send for Modules {}
// SAFETY: as above.
unsafe impl Sync for Modules {}

impl Modules {
    fn new() -> Self {
        Modules(SIZES.map(|size| {
            let slots: &'static [AtomicPtr<c_void>] =
                (0..size).map(|_| AtomicPtr::default()).collect::<Vec<_>>().leak();
            let used = slots.iter().skip(1).map(ptr::from_ref);
            // The first and the last place are null.
            let ends = std::iter::once(ptr::null());
            ends.clone().chain(used).chain(ends).collect()
        }))
    }

    /// The function that the tool has given, if any.
    fn function(&self, module: usize, number: usize) -> Option<*mut c_void> {
        let slot = *self.0.get(module)?.get(number)?;
        // SAFETY: null, or an atomic that is never freed.
        let function = unsafe { slot.as_ref() }?.load(Ordering::Acquire);
        (!function.is_null()).then_some(function)
    }
}

static MODULES: OnceLock<Modules> = OnceLock::new();
static TOOL: OnceLock<Tool> = OnceLock::new();
static CALLBACK_TABLE: CallbackTable =
    CallbackTable { size: size_of::<CallbackTable>(), functions: functions_of_module };
static VERSION_TABLE: VersionTable =
    VersionTable { size: size_of::<VersionTable>(), version: VERSION, reserved: 0, set_version };

extern "C" fn set_version(_version: u32) {}

/// `GetModuleFunctionTable`.
///
/// # Safety
/// Both pointers are null or writable.
unsafe extern "C" fn functions_of_module(module: u32, table: *mut *const Slot, size: *mut u32) -> c_int {
    let Some(slots) = MODULES.get().and_then(|modules| modules.0.get(module as usize)).filter(|one| one.len() > 2)
    else {
        return 0;
    };
    if !size.is_null() {
        // SAFETY: writable by the caller's promise.
        unsafe { size.write(slots.len() as u32 - 1) };
    }
    if !table.is_null() {
        // SAFETY: as above.
        unsafe { table.write(slots.as_ptr()) };
    }
    1
}

extern "C" fn export_table(number: u32) -> *const c_void {
    match number {
        CALLBACKS => (&raw const CALLBACK_TABLE).cast(),
        VERSION_INFO => (&raw const VERSION_TABLE).cast(),
        _ => ptr::null(),
    }
}

type Initialize = unsafe extern "C" fn(extern "C" fn(u32) -> *const c_void) -> c_int;
type CreateDomain = unsafe extern "C" fn(*const c_char) -> *mut c_void;
type NameCategory = unsafe extern "C" fn(*mut c_void, u32, *const c_char);
type PushInDomain = unsafe extern "C" fn(*mut c_void, *const Attributes) -> c_int;
type PopInDomain = unsafe extern "C" fn(*mut c_void) -> c_int;
type Push = unsafe extern "C" fn(*const c_char) -> c_int;
type Pop = unsafe extern "C" fn() -> c_int;

/// The functions of a tool that ranges need.
enum Tool {
    /// With a domain of our own.
    Domain { domain: AtomicPtr<c_void>, push: PushInDomain, pop: PopInDomain },
    /// A tool that knows no domains.
    Plain { push: Push, pop: Pop },
}

impl Tool {
    /// Loads the library of a tool, which stays in the process.
    fn load(path: &Path) -> Result<Tool, String> {
        // SAFETY: the user names it so that it runs in this process.
        let library =
            unsafe { Library::open(Some(path), RTLD_LAZY | RTLD_LOCAL) }.map_err(|error| error.to_string())?;
        // SAFETY: the protocol gives the function of this name this type.
        let initialize = unsafe { library.get::<Initialize>(b"InitializeInjectionNvtx2\0") };
        let initialize = *initialize.map_err(|error| error.to_string())?;
        MODULES.get_or_init(Modules::new);
        // SAFETY: the function fills the tables that `export_table` returns.
        if unsafe { initialize(export_table) } == 0 {
            return Err("its InitializeInjectionNvtx2 returned 0".to_owned());
        }
        mem::forget(library);
        let tool = MODULES.get().and_then(Tool::of);
        tool.ok_or_else(|| "it takes no ranges".to_owned())
    }

    fn of(modules: &Modules) -> Option<Tool> {
        let (push, pop) = (modules.function(CORE2, DOMAIN_RANGE_PUSH), modules.function(CORE2, DOMAIN_RANGE_POP));
        if let (Some(push), Some(pop), Some(create)) = (push, pop, modules.function(CORE2, DOMAIN_CREATE)) {
            // SAFETY: the protocol gives the function in this place this type.
            let create = unsafe { mem::transmute::<*mut c_void, CreateDomain>(create) };
            // SAFETY: the name is a string that outlives the call.
            let domain = unsafe { create(c"Sinter".as_ptr()) };
            name_categories(modules, domain);
            let domain = AtomicPtr::new(domain);
            // SAFETY: as for the function above.
            let push = unsafe { mem::transmute::<*mut c_void, PushInDomain>(push) };
            // SAFETY: as above.
            let pop = unsafe { mem::transmute::<*mut c_void, PopInDomain>(pop) };
            return Some(Tool::Domain { domain, push, pop });
        }
        let (push, pop) = (modules.function(CORE, RANGE_PUSH)?, modules.function(CORE, RANGE_POP)?);
        // SAFETY: as above.
        let push = unsafe { mem::transmute::<*mut c_void, Push>(push) };
        // SAFETY: as above.
        let pop = unsafe { mem::transmute::<*mut c_void, Pop>(pop) };
        Some(Tool::Plain { push, pop })
    }

    fn push(&self, kind: &str, message: CString) {
        match self {
            Tool::Domain { domain, push, .. } => {
                let attributes = attributes(kind, &message);
                // SAFETY: the attributes and the message outlive the call.
                unsafe { push(domain.load(Ordering::Relaxed), &raw const attributes) };
            }
            // SAFETY: the message outlives the call.
            Tool::Plain { push, .. } => drop(unsafe { push(message.as_ptr()) }),
        }
    }

    fn pop(&self) {
        match self {
            // SAFETY: the domain is that of the tool.
            Tool::Domain { domain, pop, .. } => unsafe { pop(domain.load(Ordering::Relaxed)) },
            // SAFETY: the function has no arguments.
            Tool::Plain { pop, .. } => unsafe { pop() },
        };
    }
}

fn name_categories(modules: &Modules, domain: *mut c_void) {
    let Some(name) = modules.function(CORE2, DOMAIN_NAME_CATEGORY) else { return };
    // SAFETY: the protocol gives the function in this place this type.
    let name = unsafe { mem::transmute::<*mut c_void, NameCategory>(name) };
    for (index, (category, _)) in CATEGORIES.iter().enumerate() {
        let category = CString::new(*category).unwrap_or_default();
        // SAFETY: the tool copies the string.
        unsafe { name(domain, index as u32 + 1, category.as_ptr()) };
    }
}

fn attributes(kind: &str, message: &CString) -> Attributes {
    let known = CATEGORIES.iter().position(|(category, _)| *category == kind);
    let index = known.unwrap_or(CATEGORIES.len() - 1);
    Attributes {
        version: VERSION as u16,
        size: size_of::<Attributes>() as u16,
        category: index as u32 + 1,
        color_type: ARGB,
        color: CATEGORIES[index].1,
        payload_type: 0,
        reserved: 0,
        payload: 0,
        message_type: ASCII,
        message: message.as_ptr(),
    }
}

/// Loads the tool of this process. True if it takes ranges; the first call counts.
pub(super) fn start(path: &Path) -> bool {
    if TOOL.get().is_none() {
        match Tool::load(path) {
            Ok(tool) => drop(TOOL.set(tool)),
            Err(reason) => tracing::warn!("no ranges for the tool in {}: {reason}", path.display()),
        }
    }
    TOOL.get().is_some()
}

/// A range of the calling thread, which ends when this is dropped. It stays on its thread.
pub(super) struct Range(PhantomData<*const ()>);

impl Range {
    /// Begins a range inside of those of the thread that are open.
    pub(super) fn begin(kind: &str, message: String) -> Option<Range> {
        let tool = TOOL.get()?;
        tool.push(kind, CString::new(message).unwrap_or_default());
        Some(Range(PhantomData))
    }
}

impl Drop for Range {
    fn drop(&mut self) {
        if let Some(tool) = TOOL.get() {
            tool.pop();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn structs_have_the_layout_of_the_protocol() {
        // Of nvtxEventAttributes_t on 64-bit machines.
        assert_eq!((size_of::<Attributes>(), mem::offset_of!(Attributes, message)), (48, 40));
        assert_eq!(size_of::<CallbackTable>(), 16);
        assert_eq!((size_of::<VersionTable>(), mem::offset_of!(VersionTable, set_version)), (24, 16));
    }

    #[test]
    fn tables_begin_and_end_with_null() {
        let modules = Modules::new();
        for (module, size) in SIZES.iter().enumerate().skip(1) {
            let table = &modules.0[module];
            assert_eq!(table.len(), size + 1);
            assert!(table[0].is_null() && table[*size].is_null() && !table[size - 1].is_null());
            assert_eq!(modules.function(module, 1), None);
        }
    }
}
