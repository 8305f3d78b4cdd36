//! Fakes of the parts that only drivers of GPUs have.
//!
//! *Invariant:* the fake machine code names its assembler, so that a test can tell them apart.

use sinter_core::{Assembly, CodeFormat, CodeObject, EntryInfo, LaunchShape, PtxTarget, Target};
use sinter_driver::{DriverError, Keep, Kernel, Profile, Queue, Ticket};
use std::{
    any::Any,
    ffi::c_void,
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicUsize, Ordering},
    },
    time::Duration,
};

/// A fake assembler of a driver.
pub struct FakeAssembler {
    /// Name that it writes into its code.
    pub name: &'static str,
    /// Number of calls.
    pub count: AtomicUsize,
    /// Makes every call fail.
    pub refuse: AtomicBool,
    /// Makes every call fail for lack of memory.
    pub starve: AtomicBool,
}

/// Target of devices that assemble.
pub fn ptx() -> Target {
    Target::Ptx(PtxTarget { sm: 90, isa: 85, line_tables: false })
}

impl FakeAssembler {
    pub fn new(name: &'static str) -> Arc<Self> {
        let (count, refuse, starve) = Default::default();
        Arc::new(FakeAssembler { name, count, refuse, starve })
    }

    pub fn total(&self) -> usize {
        self.count.load(Ordering::SeqCst)
    }

    pub fn made(&self, code: &CodeObject) -> bool {
        code.assembly.as_ref().is_some_and(|assembly| assembly.assembler == self.name)
    }

    pub fn assemble(&self, code: &CodeObject) -> Result<Option<CodeObject>, DriverError> {
        if self.made(code) {
            return Ok(None);
        }
        self.count.fetch_add(1, Ordering::SeqCst);
        if self.starve.load(Ordering::SeqCst) {
            let source = std::io::Error::from_raw_os_error(libc::ENOMEM);
            return Err(DriverError::System { context: "told to fail".to_owned(), source });
        }
        if self.refuse.load(Ordering::SeqCst) {
            let reason = "ptxas: line 7: unknown symbol".to_owned();
            let device = "recording".to_owned();
            return Err(DriverError::Load { device, kernel: code.entry.symbol.clone(), reason });
        }
        let text = code.assembly.as_ref().map_or(&code.bytes, |assembly| &assembly.text);
        let assembly = Assembly { format: CodeFormat::Ptx, text: Arc::clone(text), assembler: self.name.to_owned() };
        let bytes = [self.name.as_bytes(), text].concat().into();
        Ok(Some(CodeObject { format: CodeFormat::Cubin, bytes, assembly: Some(assembly), ..code.clone() }))
    }
}

/// A kernel that chooses its work-group size.
pub struct GroupChooser {
    pub kernel: Arc<dyn Kernel>,
    pub group: [u32; 3],
}

impl Kernel for GroupChooser {
    fn entry(&self) -> &EntryInfo {
        self.kernel.entry()
    }
    fn choose_group_size(&self, _global: [u64; 3]) -> Option<[u32; 3]> {
        Some(self.group)
    }
    fn as_any(&self) -> &dyn Any {
        self.kernel.as_any()
    }
}

/// A kernel to whose code its driver adds a byte when it is launched for the first time.
pub struct Growing {
    pub kernel: Arc<dyn Kernel>,
    pub code: CodeObject,
}

impl Kernel for Growing {
    fn entry(&self) -> &EntryInfo {
        self.kernel.entry()
    }
    fn keep_with(&self, make: &dyn Fn() -> Keep) {
        let keep = make();
        (keep.spent)(Duration::from_nanos(1));
        (keep.store)(&CodeObject { bytes: [&self.code.bytes, &[b'+'][..]].concat().into(), ..self.code.clone() });
    }
    fn as_any(&self) -> &dyn Any {
        self.kernel.as_any()
    }
}

/// A queue whose first wait returns the error of an earlier command, while the command that was
/// waited for still runs.
pub struct FailingQueue {
    inner: Arc<dyn Queue>,
    waits: AtomicUsize,
}

impl FailingQueue {
    pub fn new(inner: Arc<dyn Queue>) -> Self {
        FailingQueue { inner, waits: AtomicUsize::new(0) }
    }
}

impl Queue for FailingQueue {
    unsafe fn launch(
        &self,
        kernel: &Arc<dyn Kernel>,
        shape: &LaunchShape,
        arguments: &[u8],
    ) -> Result<Ticket, DriverError> {
        // SAFETY: the contract is the caller's.
        unsafe { self.inner.launch(kernel, shape, arguments) }
    }
    unsafe fn copy(&self, to: *mut c_void, from: *const c_void, size: usize) -> Result<Ticket, DriverError> {
        // SAFETY: the contract is the caller's.
        unsafe { self.inner.copy(to, from, size) }
    }
    unsafe fn fill(&self, to: *mut c_void, pattern: &[u8], count: usize) -> Result<Ticket, DriverError> {
        // SAFETY: the contract is the caller's.
        unsafe { self.inner.fill(to, pattern, count) }
    }
    fn depend(&self, other: &Arc<dyn Queue>, ticket: Ticket) -> Result<(), DriverError> {
        self.inner.depend(other, ticket)
    }
    fn last(&self) -> Ticket {
        self.inner.last()
    }
    fn is_complete(&self, ticket: Ticket) -> Result<bool, DriverError> {
        Ok(ticket == Ticket(0) || self.waits.load(Ordering::SeqCst) > 1)
    }
    fn wait(&self, ticket: Ticket) -> Result<(), DriverError> {
        if self.waits.fetch_add(1, Ordering::SeqCst) == 0 {
            let (device, reason) = ("recording".to_owned(), "told to fail".to_owned());
            return Err(DriverError::Asynchronous { device, reason });
        }
        self.inner.wait(ticket)
    }
    fn enable_profiling(&self) -> Result<(), DriverError> {
        self.inner.enable_profiling()
    }
    fn profile(&self, ticket: Ticket) -> Result<Option<Profile>, DriverError> {
        self.inner.profile(ticket)
    }
}
