//! Presents AMD's GPUs as devices.
//!
//! In: what the library says about its devices. Out: devices that load code, make queues and hold memory. *Invariant:* finding
//! devices allocates nothing on them.

use crate::{
    detect::{Detected, detect},
    features::Found,
    kernel::{self, habits},
    library::Hip,
};
use hip_sys::types::STREAM_PER_THREAD;
use sinter_core::{AmdgcnTarget, CodeObject, Target};
use sinter_driver::{Device, DeviceInfo, Driver, DriverError, Kernel, Memory, NativeKind, Queue};
use sinter_driver_common::{Base, StreamMemory, Vendor, fork::Generation};
use std::{
    any::Any,
    ffi::c_void,
    path::PathBuf,
    sync::{Arc, OnceLock},
};

/// What may be chosen about the driver.
#[derive(Debug, Clone, Default)]
pub struct HipOptions {
    /// AMD's HIP library, where it is not the installed `libamdhip64.so`.
    pub library: Option<PathBuf>,
    /// Folders of ROCm installations that the environment names, which are looked into before the usual one.
    pub installations: Vec<PathBuf>,
    /// The setting of the environment that hides GPUs from HIP, which reads it itself, such as `HIP_VISIBLE_DEVICES=1`. Here it only makes
    /// a reason more exact.
    pub visible_devices: Option<String>,
}

/// The driver for AMD's GPUs.
#[derive(Default)]
pub struct HipDriver {
    options: HipOptions,
    found: OnceLock<(Vec<Arc<HipDevice>>, Vec<String>)>,
}

impl HipDriver {
    /// The installed library. Nothing is opened before somebody asks for devices.
    pub fn new() -> Self {
        Self::default()
    }

    /// A driver with options.
    pub fn with_options(options: HipOptions) -> Self {
        HipDriver { options, found: OnceLock::new() }
    }

    fn found(&self) -> &(Vec<Arc<HipDevice>>, Vec<String>) {
        self.found.get_or_init(|| {
            // Before the library starts, so that a fork of another thread while it does is noticed.
            let generation = Generation::now();
            let Detected { hip, devices, left_out, .. } = detect(&self.options);
            for reason in &left_out {
                tracing::debug!("left out: {reason}");
            }
            let make = |hip: Arc<Hip>| -> Vec<_> {
                devices.into_iter().map(|found| Arc::new(HipDevice::new(&hip, found, generation))).collect()
            };
            (hip.map(make).unwrap_or_default(), left_out)
        })
    }
}

impl Driver for HipDriver {
    fn name(&self) -> &'static str {
        "hip"
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
pub(crate) struct HipDevice {
    base: Arc<Base<Hip>>,
    gpu: AmdgcnTarget,
    target: Target,
    memory: StreamMemory<Hip>,
}

impl HipDevice {
    fn new(hip: &Arc<Hip>, found: Found, generation: Generation) -> Self {
        let Found { device, info, limits, target } = found;
        let base = Base::new(hip, device, info, limits, generation);
        let memory = StreamMemory::new(Arc::clone(&base));
        HipDevice { memory, base, target: Target::Amdgcn(target.clone()), gpu: target }
    }
}

impl Device for HipDevice {
    fn info(&self) -> &DeviceInfo {
        &self.base.info
    }

    fn target(&self) -> &Target {
        &self.target
    }

    fn load(&self, code: &CodeObject) -> Result<Arc<dyn Kernel>, DriverError> {
        self.base.load(|context| kernel::load(context, &self.gpu, code))
    }

    fn create_queue(&self) -> Result<Arc<dyn Queue>, DriverError> {
        self.base.create_queue()
    }

    fn choose_group_size(&self, global: [u64; 3]) -> [u32; 3] {
        self.base.choose_group_size(&habits(&self.gpu), global)
    }

    fn memory(&self) -> &dyn Memory {
        &self.memory
    }

    fn native(&self, kind: NativeKind) -> Result<Option<*mut c_void>, DriverError> {
        Ok(match kind {
            NativeKind::Device => Some(self.base.api.native_device(self.base.device)),
            _ => None,
        })
    }

    unsafe fn adopt_queue(&self, handle: *mut c_void) -> Result<Arc<dyn Queue>, DriverError> {
        if handle.addr() == STREAM_PER_THREAD {
            let feature =
                "queue for hipStreamPerThread, which is another stream on each thread: pass a stream of its own";
            return Err(DriverError::Unsupported { device: self.base.info.name.clone(), feature: feature.to_owned() });
        }
        // SAFETY: passed on to the caller.
        unsafe { self.base.adopt_queue(handle.cast()) }
    }

    fn set_peer_access(&self, other: &dyn Device, enable: bool) -> Result<bool, DriverError> {
        let Some(other) = other.as_any().and_then(|other| other.downcast_ref::<HipDevice>()) else {
            return Ok(false);
        };
        self.base.set_peer_access(&other.base, enable)
    }

    fn as_any(&self) -> Option<&dyn Any> {
        Some(self)
    }
}
