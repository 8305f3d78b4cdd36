//! Presents Level Zero's devices.
//!
//! In: what drivers say about their devices. Out: devices that load code, make queues and hold memory. *Invariant:* finding
//! devices makes no context; the first queue, allocation or kernel of a driver's devices does.

use crate::{
    assemble::Compiler,
    detect::detect,
    features::Found,
    gpu::Gpu,
    kernel::{self, habits},
};
use sinter_core::{CodeObject, Target};
use sinter_driver::{Device, DeviceInfo, Driver, DriverError, Kernel, Memory, NativeKind, Queue};
use sinter_driver_common::{Base, StreamMemory, Vendor, fork::Generation, refuse_child, vendor_error};
use std::{
    any::Any,
    ffi::c_void,
    path::PathBuf,
    sync::{Arc, OnceLock},
};

/// Work-items of the largest sub-groups where the driver does not say.
const SUB_GROUP: u64 = 32;

/// What may be chosen about the driver.
#[derive(Debug, Clone, Default)]
pub struct LevelZeroOptions {
    /// The Level Zero loader, where it is not the installed `libze_loader.so.1`.
    pub library: Option<PathBuf>,
    /// The value of `ZE_AFFINITY_MASK`, which drivers read themselves. Here it only makes a reason more exact.
    pub affinity_mask: Option<String>,
}

/// The driver for Level Zero's devices.
#[derive(Default)]
pub struct LevelZeroDriver {
    options: LevelZeroOptions,
    found: OnceLock<(Vec<Arc<LevelZeroDevice>>, Vec<String>)>,
}

impl LevelZeroDriver {
    /// The installed loader. Nothing is opened before somebody asks for devices.
    pub fn new() -> Self {
        Self::default()
    }

    /// A driver with options.
    pub fn with_options(options: LevelZeroOptions) -> Self {
        LevelZeroDriver { options, found: OnceLock::new() }
    }

    fn found(&self) -> &(Vec<Arc<LevelZeroDevice>>, Vec<String>) {
        self.found.get_or_init(|| {
            // Before the drivers start, so that a fork of another thread while they do is noticed.
            let generation = Generation::now();
            let detected = detect(&self.options);
            for reason in &detected.left_out {
                tracing::debug!("left out: {reason}");
            }
            let make = |found| Arc::new(LevelZeroDevice::new(found, generation));
            (detected.devices.into_iter().map(make).collect(), detected.left_out)
        })
    }
}

impl Driver for LevelZeroDriver {
    fn name(&self) -> &'static str {
        "level-zero"
    }

    fn devices(&self) -> Result<Vec<Arc<dyn Device>>, DriverError> {
        Ok(self.found().0.iter().map(|device| Arc::clone(device) as Arc<dyn Device>).collect())
    }

    fn absence(&self) -> Option<String> {
        let (devices, left_out) = self.found();
        devices.is_empty().then(|| left_out.join("; "))
    }
}

/// One device.
pub(crate) struct LevelZeroDevice {
    base: Arc<Base<Gpu>>,
    target: Target,
    sub_group: u32,
    compiler: Compiler,
    memory: StreamMemory<Gpu>,
}

impl LevelZeroDevice {
    fn new(found: Found, generation: Generation) -> Self {
        let Found { gpu, info, limits, target, properties } = found;
        let sub_group = info.sub_group_sizes.last().copied().unwrap_or(SUB_GROUP) as u32;
        let compiler = Compiler::new(&info.driver_version, &properties, &target);
        let number = gpu.number;
        let base = Base::new(&Arc::new(gpu), number, info, limits, generation);
        let memory = StreamMemory::new(Arc::clone(&base));
        LevelZeroDevice { memory, base, target: Target::Spirv(target), sub_group, compiler }
    }
}

impl Device for LevelZeroDevice {
    fn info(&self) -> &DeviceInfo {
        &self.base.info
    }

    fn target(&self) -> &Target {
        &self.target
    }

    fn assemble(&self, code: &CodeObject) -> Result<Option<CodeObject>, DriverError> {
        if self.compiler.assembler.is_ready(code) {
            return Ok(None);
        }
        self.compiler.assemble(self.base.context()?, code).map(Some)
    }

    fn is_assembled(&self, code: &CodeObject) -> bool {
        self.compiler.assembler.is_ready(code)
    }

    fn load(&self, code: &CodeObject) -> Result<Arc<dyn Kernel>, DriverError> {
        self.base.load(|context| kernel::load(context, &self.compiler, code, self.sub_group))
    }

    fn create_queue(&self) -> Result<Arc<dyn Queue>, DriverError> {
        self.base.create_queue()
    }

    fn choose_group_size(&self, global: [u64; 3]) -> [u32; 3] {
        self.base.choose_group_size(&habits(self.sub_group), global)
    }

    fn memory(&self) -> &dyn Memory {
        &self.memory
    }

    fn native(&self, kind: NativeKind) -> Result<Option<*mut c_void>, DriverError> {
        self.base.native(kind)
    }

    /// The list must be an immediate one of the context that [`Device::native`] gives, since events and memory belong to a context.
    unsafe fn adopt_queue(&self, handle: *mut c_void) -> Result<Arc<dyn Queue>, DriverError> {
        // SAFETY: passed on to the caller.
        unsafe { self.base.adopt_queue(handle.cast()) }
    }

    /// Nothing can be forbidden: what is possible is so from the start.
    fn set_peer_access(&self, other: &dyn Device, _enable: bool) -> Result<bool, DriverError> {
        let Some(other) = other.as_any().and_then(|other| other.downcast_ref::<LevelZeroDevice>()) else {
            return Ok(false);
        };
        let (base, peer) = (&self.base, &other.base);
        if Arc::ptr_eq(base, peer) {
            return Ok(true);
        }
        if !base.api.shares_events(&peer.api) {
            return Ok(false);
        }
        refuse_child(base.generation, &base.info)?;
        let possible = base.api.can_use_peer(base.device, peer.device);
        possible.map_err(|failure| vendor_error(base.api.as_ref(), &base.info, failure))
    }

    fn as_any(&self) -> Option<&dyn Any> {
        Some(self)
    }
}
