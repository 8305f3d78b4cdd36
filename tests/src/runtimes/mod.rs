//! Fakes of translator, driver and program, so that the runtime is tested alone.
//!
//! *Invariant:* the fakes count their calls; tests read counters, never log text.

pub mod gpu;
pub mod table;

use gpu::{FailingQueue, FakeAssembler, GroupChooser, Growing};
use sinter::{
    Registry, Runtime, RuntimeOptions, TuningOptions, abi,
    cache::{CacheLocation, DiskCacheOptions},
    code::tiers::{AheadOptions, JitMode},
    code::translator::TranslatorSource,
    code::variant::CodeOptions,
    settings::{CacheMode, Tunables},
    vendor::LibraryOptions,
};
use sinter_core::{
    Argument, Candidate, CodeFormat, CodeObject, EntryInfo, Fingerprint, LaunchShape, Observer, OptLevel,
    Specialization, Target, TranslateCause, TranslateError, TranslateRequest, Translator,
    container::{Container, ContainerBuilder, ImageRecord, KernelRecord, LAUNCHED_OVER, LaunchForm},
};
use sinter_driver::{
    Device, DeviceInfo, Driver, DriverError, Kernel, Memory, Queue,
    recording::{Call, RecordingDriver},
};
use std::{
    collections::HashMap,
    ffi::CString,
    path::Path,
    sync::{
        Arc, Mutex, RwLock,
        atomic::{AtomicBool, AtomicUsize, Ordering},
    },
    time::Duration,
};

/// A translator whose code is the name of the kernel, padded.
pub struct FakeTranslator {
    pub fingerprint: Fingerprint,
    pub delay: Duration,
    /// Error that translations return.
    pub failure: Mutex<Option<TranslateCause>>,
    /// Translations per kernel.
    pub counts: Mutex<HashMap<String, usize>>,
    /// The image of the last request.
    pub image: Mutex<Vec<u8>>,
    /// The imports of the last request.
    pub imports: Mutex<Vec<Vec<u8>>>,
    /// The target and the libraries of the last request.
    pub last: Mutex<Option<(Target, Vec<Vec<u8>>)>>,
    /// Specialisation of each request.
    pub specializations: Mutex<Vec<Specialization>>,
    /// Local memory that the kernels declare.
    pub local_memory: Mutex<u32>,
    /// Makes the code depend on the allocations of its request.
    pub depends_on_allocations: AtomicBool,
    /// Parameters that code for one value may gain by.
    pub candidates: Mutex<Vec<Candidate>>,
    /// The kernels have quick code.
    pub has_quick_code: AtomicBool,
    /// Error of translations to full code alone.
    pub failure_of_full: Mutex<Option<TranslateCause>>,
    /// Translations to full code wait until nobody writes here.
    pub gate: RwLock<()>,
    /// Translations that have come there.
    pub at_gate: AtomicUsize,
}

impl FakeTranslator {
    pub fn new() -> Arc<Self> {
        Arc::new(FakeTranslator {
            fingerprint: Fingerprint { abi: 1, llvm: [19, 1, 7], build: [3; 32] },
            delay: Duration::from_millis(2),
            failure: Mutex::default(),
            counts: Mutex::default(),
            image: Mutex::default(),
            imports: Mutex::default(),
            last: Mutex::default(),
            specializations: Mutex::default(),
            local_memory: Mutex::default(),
            depends_on_allocations: AtomicBool::default(),
            candidates: Mutex::default(),
            has_quick_code: AtomicBool::default(),
            failure_of_full: Mutex::default(),
            gate: RwLock::default(),
            at_gate: AtomicUsize::default(),
        })
    }

    pub fn total(&self) -> usize {
        self.counts.lock().unwrap().values().sum()
    }

    /// The level of the code for a request, whose kernel it may keep waiting.
    fn level(&self, request: &TranslateRequest) -> OptLevel {
        if self.has_quick_code.load(Ordering::Relaxed) && request.config.opt_level == OptLevel::O1 {
            return OptLevel::O1;
        }
        self.at_gate.fetch_add(1, Ordering::Relaxed);
        let _open = self.gate.read().unwrap();
        OptLevel::O3
    }
}

/// Code object that the fake translator returns for a kernel: it reads all parameters except the
/// second.
pub fn code_of(kernel: &str) -> CodeObject {
    let argument = |parameter, offset, size| Argument { parameter, offset, size, is_pointer: false };
    CodeObject {
        format: CodeFormat::HostElf,
        bytes: kernel.bytes().chain([0; 64]).collect(),
        entry: EntryInfo {
            symbol: kernel.to_owned(),
            arguments: vec![argument(0, 0, 8), argument(2, 8, 4)],
            argument_size: 16,
            argument_align: 8,
            local_memory: 0,
            item_memory: 0,
            takes_local_memory: false,
            depends_on_allocations: false,
            followed: Default::default(),
            may_wait: false,
            candidates: Vec::new(),
            device_globals: Vec::new(),
            constants: Vec::new(),
            remarks: Vec::new(),
        },
        assembly: None,
        level: OptLevel::O3,
    }
}

impl Translator for FakeTranslator {
    fn fingerprint(&self) -> Fingerprint {
        self.fingerprint
    }

    fn translate(&self, request: &TranslateRequest, _observer: &Observer) -> Result<CodeObject, TranslateError> {
        std::thread::sleep(self.delay);
        let level = self.level(request);
        *self.counts.lock().unwrap().entry(request.config.entry.clone()).or_default() += 1;
        *self.image.lock().unwrap() = request.image.bytes.to_vec();
        *self.imports.lock().unwrap() = request.imports.iter().map(|image| image.bytes.to_vec()).collect();
        let libraries = request.libraries.iter().map(|image| image.bytes.to_vec()).collect();
        *self.last.lock().unwrap() = Some((request.target.clone(), libraries));
        self.specializations.lock().unwrap().push(request.config.specialization.clone());
        let of_full = || self.failure_of_full.lock().unwrap().clone().filter(|_| level == OptLevel::O3);
        match self.failure.lock().unwrap().clone().or_else(of_full) {
            Some(cause) => Err(TranslateError::new(request, "fake", cause)),
            None => {
                let mut code = CodeObject { level, ..code_of(&request.config.entry) };
                code.entry.local_memory = *self.local_memory.lock().unwrap();
                code.entry.depends_on_allocations = self.depends_on_allocations.load(Ordering::Relaxed);
                code.entry.candidates.clone_from(&self.candidates.lock().unwrap());
                if let Target::Ptx(_) = request.target {
                    code.format = CodeFormat::Ptx;
                }
                Ok(code)
            }
        }
    }
}

/// The recording driver, with a device that can reject code and may have another target.
#[derive(Clone)]
pub struct TestDriver {
    pub recording: RecordingDriver,
    pub refuse_next_load: Arc<AtomicBool>,
    /// The next load fails for want of file descriptors.
    pub starve_next_load: Arc<AtomicBool>,
    pub target: Option<Target>,
    /// Assembler of the driver, if it has one.
    pub assembler: Option<Arc<FakeAssembler>>,
    /// Work-group size that kernels choose for themselves.
    pub kernel_group: Option<[u32; 3]>,
    /// The driver adds to the code of kernels.
    pub grows: bool,
    /// The first wait on each queue returns an error while its command still runs.
    pub fail_first_wait: bool,
}

impl TestDriver {
    pub fn new() -> Self {
        TestDriver {
            recording: RecordingDriver::new(),
            refuse_next_load: Arc::default(),
            starve_next_load: Arc::default(),
            target: None,
            assembler: None,
            kernel_group: None,
            grows: false,
            fail_first_wait: false,
        }
    }

    pub fn launches(&self) -> Vec<(String, LaunchShape, Vec<u8>)> {
        let launch = |call| match call {
            Call::Launch { symbol, shape, arguments, .. } => Some((symbol, shape, arguments)),
            _ => None,
        };
        self.recording.calls().into_iter().filter_map(launch).collect()
    }
}

impl Driver for TestDriver {
    fn name(&self) -> &'static str {
        "recording"
    }
    fn devices(&self) -> Result<Vec<Arc<dyn Device>>, DriverError> {
        let inner = self.recording.devices()?.remove(0);
        Ok(vec![Arc::new(TestDevice { inner, driver: self.clone() })])
    }
    fn absence(&self) -> Option<String> {
        None
    }
}

struct TestDevice {
    inner: Arc<dyn Device>,
    driver: TestDriver,
}

impl Device for TestDevice {
    fn info(&self) -> &DeviceInfo {
        self.inner.info()
    }
    fn target(&self) -> &Target {
        self.driver.target.as_ref().unwrap_or(self.inner.target())
    }
    fn assembler(&self) -> Option<&str> {
        self.driver.assembler.as_ref().map(|assembler| assembler.name)
    }
    fn is_assembled(&self, code: &CodeObject) -> bool {
        self.driver.assembler.as_ref().is_none_or(|assembler| assembler.made(code))
    }
    fn assemble(&self, code: &CodeObject) -> Result<Option<CodeObject>, DriverError> {
        self.driver.assembler.as_ref().map_or(Ok(None), |assembler| assembler.assemble(code))
    }
    fn load(&self, code: &CodeObject) -> Result<Arc<dyn Kernel>, DriverError> {
        if self.driver.refuse_next_load.swap(false, Ordering::SeqCst) {
            let (device, kernel) = ("recording".to_owned(), code.entry.symbol.clone());
            return Err(DriverError::Load { device, kernel, reason: "told to refuse".to_owned() });
        }
        if self.driver.starve_next_load.swap(false, Ordering::SeqCst) {
            let source = std::io::Error::from_raw_os_error(libc::EMFILE);
            return Err(DriverError::System { context: "told to fail".to_owned(), source });
        }
        if self.driver.assembler.is_some() {
            assert_eq!(code.format, CodeFormat::Cubin, "code that was not assembled is loaded");
        }
        let kernel = self.inner.load(code)?;
        Ok(match self.driver.kernel_group {
            Some(group) => Arc::new(GroupChooser { kernel, group }),
            None if self.driver.grows => Arc::new(Growing { kernel, code: code.clone() }),
            None => kernel,
        })
    }
    fn create_queue(&self) -> Result<Arc<dyn Queue>, DriverError> {
        let inner = self.inner.create_queue()?;
        Ok(if self.driver.fail_first_wait { Arc::new(FailingQueue::new(inner)) } else { inner })
    }
    fn choose_group_size(&self, global: [u64; 3]) -> [u32; 3] {
        self.inner.choose_group_size(global)
    }
    fn memory(&self) -> &dyn Memory {
        self.inner.memory()
    }
}

/// Parameter records of every kernel here: a pointer, a double, an int.
pub const PARAMETERS: [abi::Parameter; 3] = [
    abi::Parameter { byte_offset: 0, byte_size: 8, original_index: 0, kind: 0 },
    abi::Parameter { byte_offset: 8, byte_size: 8, original_index: 1, kind: 2 },
    abi::Parameter { byte_offset: 16, byte_size: 4, original_index: 2, kind: 1 },
];
/// Size of the argument block of every kernel here.
pub const BLOCK: usize = 24;

/// Data that stage 1 emits into a program: one container and its kernel descriptors. Leaked, since
/// a program's data has static lifetime.
pub struct Program {
    pub container: &'static abi::Container,
    pub kernels: Vec<&'static mut abi::Kernel>,
}

// SAFETY: the pointers refer to leaked memory that tests change only while no launch runs.
unsafe impl Sync for Program {}
// SAFETY: as above.
unsafe impl Send for Program {}

pub fn hash_of(kernel: &str) -> [u8; 32] {
    *blake3::hash(kernel.as_bytes()).as_bytes()
}

/// A container with these kernels.
pub fn payload(kernels: &[String]) -> Vec<u8> {
    let mut builder = ContainerBuilder::new();
    builder.image(ImageRecord { name: "image".into(), bytes: b"BC not really".to_vec(), ..ImageRecord::default() });
    for symbol in kernels {
        builder.kernel(KernelRecord {
            symbol: symbol.clone(),
            image_providers: vec!["image".into()],
            ir_hash: hash_of(symbol),
            block_size: BLOCK as u64,
            compile_options: vec![(LAUNCHED_OVER.to_owned(), LaunchForm::Range(1).to_string())],
            ..KernelRecord::default()
        });
    }
    builder.build().unwrap()
}

impl Program {
    pub fn new(kernels: &[String]) -> Self {
        Self::with_payload(kernels, payload(kernels))
    }

    /// Data of programs that were compiled before there were tables of images.
    pub fn with_payload(kernels: &[String], payload: Vec<u8>) -> Self {
        let object_id =
            Container::parse(&payload).ok().and_then(|parsed| parsed.object_id_bytes()).unwrap_or([0xab; 32]);
        let payload: &'static [u8] = payload.leak();
        let container: &'static abi::Container = Box::leak(Box::new(abi::Container {
            struct_size: size_of::<abi::Container>() as u32,
            abi_version: abi::ABI_VERSION,
            data: payload.as_ptr().cast(),
            size: payload.len() as u64,
            object_id,
        }));
        let kernel = |symbol: &String| {
            Box::leak(Box::new(abi::Kernel {
                struct_size: size_of::<abi::Kernel>() as u32,
                parameter_count: PARAMETERS.len() as u32,
                container,
                symbol: CString::new(symbol.as_str()).unwrap().into_raw(),
                parameters: PARAMETERS.as_ptr(),
                block_size: BLOCK as u64,
                ir_hash: hash_of(symbol),
                slot: std::ptr::null_mut(),
            }))
        };
        Program { container, kernels: kernels.iter().map(kernel).collect() }
    }

    pub fn named(count: usize) -> Self {
        Self::new(&(0..count).map(|i| format!("kernel{i}")).collect::<Vec<_>>())
    }
}

pub fn options(driver: &TestDriver, translator: Arc<FakeTranslator>, cache: Option<&Path>) -> RuntimeOptions {
    let mode = if cache.is_some() { CacheMode::On } else { CacheMode::Off };
    RuntimeOptions {
        drivers: vec![Box::new(driver.clone())],
        translator: TranslatorSource::Injected(translator),
        cache: DiskCacheOptions {
            mode,
            ..DiskCacheOptions::new(
                CacheLocation::explicit(cache.unwrap_or(Path::new("/nowhere")).to_owned()),
                &Tunables::default(),
            )
        },
        visibility: None,
        dump: None,
        code: CodeOptions::default(),
        jit_mode: JitMode::Sync,
        ahead: AheadOptions::default(),
        specials: 0,
        tuning: TuningOptions::default(),
        libraries: LibraryOptions::substitutes(),
        progress: false,
        shared_buffers: true,
    }
}

/// A runtime with `program` registered.
pub fn runtime(options: RuntimeOptions, program: &Program) -> Runtime {
    let registry = Arc::new(Registry::new());
    // SAFETY: the program's memory is leaked.
    unsafe { registry.register(program.container) };
    Runtime::new(options, registry)
}

pub fn block() -> [u8; BLOCK] {
    std::array::from_fn(|i| i as u8)
}

pub fn range(items: u64) -> sinter::LaunchSize {
    sinter::LaunchSize { dimensions: 1, global: [items, 1, 1], group: None, local_memory: 0 }
}

/// Launches one kernel over a range, on a new queue.
pub fn launch(runtime: &Runtime, kernel: &abi::Kernel) -> Result<(), sinter::RuntimeError> {
    launch_on(runtime, 0, kernel)
}

/// Like [`launch`], on the device with this number.
pub fn launch_on(runtime: &Runtime, device: u32, kernel: &abi::Kernel) -> Result<(), sinter::RuntimeError> {
    let queue = runtime.create_queue(device)?;
    // SAFETY: the descriptor is one of a `Program`; no argument is dereferenced.
    unsafe { runtime.launch(&queue, kernel, &block(), &range(10)) }.map(drop)
}
