//! Presents NVIDIA's GPUs as devices.
//!
//! In: what the driver says about its devices. Out: devices that load code, make queues and hold memory. *Invariant:* finding
//! devices makes no context; the first queue, allocation or kernel does.

use crate::{
    api::Api,
    assemble::Assembler,
    context::{Context, refuse_child, vendor},
    detect::{Detected, Usable, detect},
    error::{Failure, code},
    features::Limits,
    fork::Generation,
    group_size,
    kernel::CudaKernel,
    memory::CudaMemory,
    queue::CudaQueue,
    timeline::Timeline,
};
use cudarc::driver::sys::CUdevice;
use sinter_core::{CodeObject, Target};
use sinter_driver::{Device, DeviceInfo, Driver, DriverError, Kernel, Memory, NativeKind, Queue};
use std::{
    any::Any,
    ffi::c_void,
    path::PathBuf,
    ptr,
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
            let assembler = |usable: &Usable| Assembler::new(&version, build.as_deref(), usable.found.sm, level);
            let make = |api: Arc<Api>| -> Vec<_> {
                let make = |usable| CudaDevice::new(&api, assembler(&usable), usable, generation);
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

/// What a device and its memory share.
pub(crate) struct Base {
    pub(crate) api: Arc<Api>,
    pub(crate) device: CUdevice,
    pub(crate) info: Arc<DeviceInfo>,
    pub(crate) limits: Limits,
    generation: Generation,
    context: OnceLock<Arc<Context>>,
}

impl Base {
    /// The context, which is made if it must be. Several threads may make it at once: the driver counts.
    pub(crate) fn context(&self) -> Result<&Arc<Context>, DriverError> {
        refuse_child(self.generation, &self.info)?;
        if let Some(context) = self.context.get() {
            return Ok(context);
        }
        let made = Context::retain(&self.api, self.device, &self.info, self.limits, self.generation)?;
        Ok(self.context.get_or_init(|| Arc::new(made)))
    }

    /// The context, unless the device has none: neither we nor the program, with the driver itself, made it.
    fn existing_context(&self) -> Result<Option<&Arc<Context>>, DriverError> {
        refuse_child(self.generation, &self.info)?;
        let (mut flags, mut active) = (0, 0);
        // SAFETY: the device is one of the driver's, and both may be written.
        let asked = unsafe { self.api.primary_state(self.device, &raw mut flags, &raw mut active) };
        asked.map_err(|failure| vendor(&self.api, &self.info, failure))?;
        if active == 0 { Ok(None) } else { self.context().map(Some) }
    }

    /// The context, if something was made on the device.
    pub(crate) fn known_context(&self) -> Option<&Arc<Context>> {
        self.context.get().filter(|context| context.is_usable())
    }
}

/// One GPU.
pub(crate) struct CudaDevice {
    base: Arc<Base>,
    target: Target,
    assembler: Assembler,
    memory: CudaMemory,
}

impl CudaDevice {
    fn new(api: &Arc<Api>, assembler: Assembler, usable: Usable, generation: Generation) -> Self {
        let Usable { found, target } = usable;
        let base = Arc::new(Base {
            api: Arc::clone(api),
            device: found.device,
            info: Arc::new(found.info),
            limits: found.limits,
            generation,
            context: OnceLock::new(),
        });
        CudaDevice { memory: CudaMemory::new(Arc::clone(&base)), base, target: Target::Ptx(target), assembler }
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
        if self.assembler.is_ready(code) {
            return Ok(None);
        }
        self.assembler.assemble(self.base.context()?, code).map(Some)
    }

    fn is_assembled(&self, code: &CodeObject) -> bool {
        self.assembler.is_ready(code)
    }

    fn load(&self, code: &CodeObject) -> Result<Arc<dyn Kernel>, DriverError> {
        Ok(Arc::new(CudaKernel::load(self.base.context()?, &self.assembler, code)?))
    }

    fn create_queue(&self) -> Result<Arc<dyn Queue>, DriverError> {
        let timeline = Timeline::create(self.base.context()?)?;
        Ok(Arc::new(CudaQueue::new(timeline)))
    }

    fn choose_group_size(&self, global: [u64; 3]) -> [u32; 3] {
        group_size::choose(global, group_size::Preferred::USUAL, self.base.limits.group, &self.base.limits)
    }

    fn memory(&self) -> &dyn Memory {
        &self.memory
    }

    fn native(&self, kind: NativeKind) -> Result<Option<*mut c_void>, DriverError> {
        let handle = |context: &Arc<Context>| context.handle.0.cast();
        Ok(match kind {
            NativeKind::Device => Some(ptr::without_provenance_mut(self.base.device as usize)),
            NativeKind::Context => Some(handle(self.base.context()?)),
            NativeKind::ExistingContext => Some(self.base.existing_context()?.map_or(ptr::null_mut(), handle)),
            _ => None,
        })
    }

    unsafe fn adopt_queue(&self, handle: *mut c_void) -> Result<Arc<dyn Queue>, DriverError> {
        if handle.addr() == PER_THREAD {
            let feature =
                "queue for CU_STREAM_PER_THREAD, which is another stream on each thread: pass a stream of its own";
            return Err(DriverError::Unsupported { device: self.base.info.name.clone(), feature: feature.to_owned() });
        }
        let timeline = Timeline::adopt(self.base.context()?, handle.cast())?;
        Ok(Arc::new(CudaQueue::new(timeline)))
    }

    fn set_peer_access(&self, other: &dyn Device, enable: bool) -> Result<bool, DriverError> {
        let Some(other) = other.as_any().and_then(|other| other.downcast_ref::<CudaDevice>()) else {
            return Ok(false);
        };
        if Arc::ptr_eq(&self.base, &other.base) {
            return Ok(true);
        }
        set_peer_access(self.base.context()?, other.base.context()?, enable)
    }

    fn as_any(&self) -> Option<&dyn Any> {
        Some(self)
    }
}

/// Lets `context` use memory of `peer`, or forbids it. The answer is whether it can now.
fn set_peer_access(context: &Context, peer: &Context, enable: bool) -> Result<bool, DriverError> {
    let mut possible = 0;
    // SAFETY: both devices are the driver's, and `possible` may be written.
    let asked = unsafe { context.api.peer_possible(&raw mut possible, context.device, peer.device) };
    asked.map_err(|failure| context.report(failure))?;
    if possible == 0 {
        return Ok(false);
    }
    let _current = context.enter()?;
    let set = match enable {
        // SAFETY: the context of the peer is alive, and so is ours, which is current.
        true => unsafe { context.api.peer_enable(peer.handle.0, 0) },
        // SAFETY: as above.
        false => unsafe { context.api.peer_disable(peer.handle.0) },
    };
    let as_wanted =
        |failure: &Failure| matches!(failure.code, code::PEER_ACCESS_ALREADY_ENABLED | code::PEER_ACCESS_NOT_ENABLED);
    match set {
        Err(failure) if !as_wanted(&failure) => Err(context.report(failure)),
        _ => Ok(enable),
    }
}
