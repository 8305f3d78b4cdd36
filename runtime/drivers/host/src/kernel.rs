//! Loads a code object as a kernel that can be called.
//!
//! In: a code object and a loader. Out: a [`HostKernel`]. *Invariant:* code stays loaded while a
//! kernel or a submitted launch refers to it.

use crate::{
    cost::Cost,
    group_size,
    loader::{Image, LoadError, Loader},
};
use sinter_core::{CodeFormat, CodeObject, EntryInfo, host_abi::HostEntry, names::readable};
use sinter_driver::{DriverError, Kernel, Usage, meter::Meter};
use std::{
    any::Any,
    cell::Cell,
    ffi::c_void,
    ptr,
    ptr::NonNull,
    sync::{Arc, OnceLock},
    time::Duration,
};

/// Alignment of argument buffers in bytes; kernels that require more are refused.
pub(crate) const ARGUMENT_ALIGNMENT: usize = 64;

/// Loaded code with its entry and its measured cost.
pub(crate) struct Code {
    pub(crate) entry: EntryInfo,
    pub(crate) function: HostEntry,
    /// Shared by all copies of the code.
    pub(crate) cost: Arc<Cost>,
    /// Receives the time of each run.
    pub(crate) meter: Option<Arc<Meter>>,
    /// Code that work-groups run which have not begun.
    successor: OnceLock<Arc<Code>>,
    /// Keeps `function` loaded.
    image: Arc<dyn Image>,
}

impl Code {
    /// The code for work-groups that begin now.
    pub(crate) fn current(&self) -> &Code {
        self.successor.get().map_or(self, |successor| successor)
    }

    /// Notes a run of some work-items, with the time summed over threads.
    pub(crate) fn learn(&self, items: u64, taken: Duration) {
        self.cost.learn(items, taken);
        if let Some(meter) = &self.meter {
            meter.note(items, taken);
        }
    }
}

/// A loaded kernel of the host driver.
pub(crate) struct HostKernel {
    pub(crate) code: Arc<Code>,
}

impl Kernel for HostKernel {
    fn entry(&self) -> &EntryInfo {
        &self.code.entry
    }

    fn group_sizes(&self, global: [u64; 3]) -> Vec<[u32; 3]> {
        group_size::others(global)
    }

    /// Of a work-item's private memory only the part that is live across barriers is known.
    fn usage(&self) -> Usage {
        Usage { private_memory: Some(self.code.entry.item_memory), ..Usage::default() }
    }

    fn metered(&self, meter: &Arc<Meter>) -> Option<Arc<dyn Kernel>> {
        let Code { entry, function, cost, image, .. } = &*self.code;
        let meter = Some(Arc::clone(meter));
        let (entry, cost, image) = (entry.clone(), Arc::clone(cost), Arc::clone(image));
        let code = Code { entry, function: *function, cost, meter, successor: OnceLock::new(), image };
        Some(Arc::new(HostKernel { code: Arc::new(code) }))
    }

    fn continue_with(&self, other: &Arc<dyn Kernel>) {
        if let Some(other) = other.as_any().downcast_ref::<HostKernel>()
            && other.code.entry.takes_same_launches(&self.code.entry)
        {
            // The first one stays: work-groups may be running it.
            let _ = self.code.successor.set(Arc::clone(&other.code));
        }
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}

impl HostKernel {
    /// Publishes a code object.
    pub(crate) fn load(device: &str, loader: &dyn Loader, code: &CodeObject) -> Result<Self, DriverError> {
        let symbol = &code.entry.symbol;
        let refused = |reason: String| DriverError::Load { device: device.to_owned(), kernel: symbol.clone(), reason };
        if code.format != CodeFormat::HostElf {
            return Err(refused(format!("it is {}, not code for the host", code.format.name())));
        }
        if code.entry.argument_align as usize > ARGUMENT_ALIGNMENT {
            return Err(refused(format!("its arguments need an alignment above {ARGUMENT_ALIGNMENT}")));
        }
        // Loaders write a map for profilers, and a file if the system requires one for executable
        // code.
        let image = sinter_signals::with_signals_blocked(|| loader.load(symbol, &code.bytes));
        let image = image.map_err(|error| failed(device, symbol, error))?;
        let function = entry_function(image.entry());
        let (entry, cost, meter, successor) = (code.entry.clone(), Arc::default(), None, OnceLock::new());
        let code = Code { entry, function, cost, meter, successor, image: Arc::from(image) };
        Ok(HostKernel { code: Arc::new(code) })
    }
}

/// Distinguishes refusals by the system, which may not recur, from code that never loads.
fn failed(device: &str, symbol: &str, error: LoadError) -> DriverError {
    let loading =
        |what: &str| format!("the code of kernel `{}` cannot be loaded on {device} now: {what}", readable(symbol));
    match error {
        LoadError::System { attempt, source } => DriverError::System { context: loading(attempt), source },
        _ => DriverError::Load { device: device.to_owned(), kernel: symbol.to_owned(), reason: error.to_string() },
    }
}

fn entry_function(address: NonNull<c_void>) -> HostEntry {
    // SAFETY: a code object's entry has this type (`sinter_core::host_abi`).
    unsafe { std::mem::transmute::<*mut c_void, HostEntry>(address.as_ptr()) }
}

thread_local! {
    static RUNNING: Cell<*const Code> = const { Cell::new(ptr::null()) };
}

/// Marks the code that the calling thread runs until it is dropped.
pub(crate) struct RunningMark(*const Code);

impl RunningMark {
    pub(crate) fn new(code: &Code) -> Self {
        RunningMark(RUNNING.replace(ptr::from_ref(code)))
    }
}

impl Drop for RunningMark {
    fn drop(&mut self) {
        RUNNING.set(self.0);
    }
}

/// Entry symbol of the kernel that the calling thread runs; `None` outside a kernel.
pub fn running_kernel() -> Option<String> {
    // SAFETY: a mark borrows its code, and clears the pointer when it is dropped.
    unsafe { RUNNING.get().as_ref() }.map(|code| code.entry.symbol.clone())
}
