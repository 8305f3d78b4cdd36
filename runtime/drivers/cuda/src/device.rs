//! Presents NVIDIA's GPUs as devices.
//!
//! In: what the driver says about its devices. Out: devices that load code, make queues and hold memory. *Invariant:* finding
//! devices makes no context; the first queue, allocation or kernel does.

use crate::{
    api::Api,
    assemble::Compiler,
    detect::{Detected, Usable, detect},
    group_size, kernel,
};
use sinter_core::{CodeObject, Target};
use sinter_driver::{Device, DeviceInfo, Driver, DriverError, Kernel, Memory, NativeKind, Queue};
use sinter_driver_common::{Base, StreamMemory, fork::Generation};
use std::{
    any::Any,
    ffi::c_void,
    path::PathBuf,
    sync::{Arc, OnceLock},
};

/// `CU_STREAM_PER_THREAD`.
const PER_THREAD: usize = 2;

/// What may be chosen about the driver.
#[derive(Debug, Clone, Default)]
pub struct CudaOptions {
    /// NVIDIA's driver library, where it is not the installed `libcuda.so.1`.
    pub library: Option<PathBuf>,
    /// How hard the driver's assembler tries, from 0 to 4; its default is 4. Code of another level is assembled again.
    pub jit_level: Option<u8>,
    /// The value of `CUDA_VISIBLE_DEVICES`, which NVIDIA's driver reads itself. Here it only makes a reason more exact.
    pub visible_devices: Option<String>,
}

/// The driver for NVIDIA's GPUs.
pub struct CudaDriver {
    options: CudaOptions,
    found: OnceLock<(Vec<Arc<CudaDevice>>, Vec<String>)>,
}

impl Default for CudaDriver {
    fn default() -> Self {
        Self::new()
    }
}

impl CudaDriver {
    /// The installed driver. Nothing is opened before somebody asks for devices.
    pub fn new() -> Self {
        Self::with_options(CudaOptions::default())
    }

    /// A driver with options.
    pub fn with_options(options: CudaOptions) -> Self {
        CudaDriver { options, found: OnceLock::new() }
    }

    fn found(&self) -> &(Vec<Arc<CudaDevice>>, Vec<String>) {
        self.found.get_or_init(|| {
            // Before the driver starts, so that a fork of another thread while it does is noticed.
            let generation = Generation::now();
            let Detected { api, version, build, devices, left_out } = detect(&self.options);
            for reason in &left_out {
                tracing::debug!("left out: {reason}");
            }
            let level = self.options.jit_level;
            let compiler = |usable: &Usable| Compiler::new(&version, build.as_deref(), usable.found.sm, level);
            let make = |api: Arc<Api>| -> Vec<_> {
                let make = |usable| CudaDevice::new(&api, compiler(&usable), usable, generation);
                devices.into_iter().map(make).map(Arc::new).collect()
            };
            (api.map(make).unwrap_or_default(), left_out)
        })
    }
}

impl Driver for CudaDriver {
    fn name(&self) -> &'static str {
        "cuda"
    }

    fn devices(&self) -> Result<Vec<Arc<dyn Device>>, DriverError> {
        Ok(self.found().0.iter().map(|device| Arc::clone(device) as Arc<dyn Device>).collect())
    }

    fn absence(&self) -> Option<String> {
        let (devices, left_out) = self.found();
        devices.is_empty().then(|| left_out.join("; "))
    }
}

/// One GPU.
pub(crate) struct CudaDevice {
    base: Arc<Base<Api>>,
    target: Target,
    compiler: Compiler,
    memory: StreamMemory<Api>,
}

impl CudaDevice {
    fn new(api: &Arc<Api>, compiler: Compiler, usable: Usable, generation: Generation) -> Self {
        let Usable { found, target } = usable;
        let base = Base::new(api, found.device, found.info, found.limits, generation);
        CudaDevice { memory: StreamMemory::new(Arc::clone(&base)), base, target: Target::Ptx(target), compiler }
    }
}

impl Device for CudaDevice {
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
        self.base.load(|context| kernel::load(context, &self.compiler, code))
    }

    fn create_queue(&self) -> Result<Arc<dyn Queue>, DriverError> {
        self.base.create_queue()
    }

    fn choose_group_size(&self, global: [u64; 3]) -> [u32; 3] {
        self.base.choose_group_size(&group_size::HABITS, global)
    }

    fn memory(&self) -> &dyn Memory {
        &self.memory
    }

    fn native(&self, kind: NativeKind) -> Result<Option<*mut c_void>, DriverError> {
        self.base.native(kind)
    }

    unsafe fn adopt_queue(&self, handle: *mut c_void) -> Result<Arc<dyn Queue>, DriverError> {
        if handle.addr() == PER_THREAD {
            let feature =
                "queue for CU_STREAM_PER_THREAD, which is another stream on each thread: pass a stream of its own";
            return Err(DriverError::Unsupported { device: self.base.info.name.clone(), feature: feature.to_owned() });
        }
        // SAFETY: passed on to the caller.
        unsafe { self.base.adopt_queue(handle.cast()) }
    }

    fn set_peer_access(&self, other: &dyn Device, enable: bool) -> Result<bool, DriverError> {
        let Some(other) = other.as_any().and_then(|other| other.downcast_ref::<CudaDevice>()) else {
            return Ok(false);
        };
        self.base.set_peer_access(&other.base, enable)
    }

    fn as_any(&self) -> Option<&dyn Any> {
        Some(self)
    }
}
