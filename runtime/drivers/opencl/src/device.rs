//! Presents what OpenCL finds as devices.
//!
//! In: what the library says about its devices. Out: devices that load code, make queues and hold memory. *Invariant:* finding devices
//! allocates nothing on them.

use crate::{
    assemble::Compiler,
    detect::{Detected, Usable, detect},
    kernel::{self, habits},
    library::OpenCl,
    stream::Stream,
};
use opencl_sys::types::QueueStruct;
use sinter_core::{CodeObject, Target};
use sinter_driver::{Device, DeviceInfo, Driver, DriverError, Kernel, Memory, NativeKind, Queue};
use sinter_driver_common::{Base, StreamMemory, fork::Generation};
use std::{
    any::Any,
    ffi::c_void,
    path::PathBuf,
    sync::{Arc, OnceLock},
};

/// What may be chosen about the driver.
#[derive(Debug, Clone, Default)]
pub struct OpenClOptions {
    /// The library of OpenCL, where it is not the installed `libOpenCL.so.1`.
    pub library: Option<PathBuf>,
    /// The value of `OCL_ICD_VENDORS`, which the library reads itself. Here it only makes a reason more exact.
    pub vendors: Option<String>,
    /// Whether CPUs are devices, which the driver for the host runs kernels on as well.
    pub cpus: bool,
    /// Whether devices are used as if they had no `cl_intel_unified_shared_memory`, to see how others work.
    pub without_usm: bool,
}

/// The driver for devices of OpenCL.
#[derive(Default)]
pub struct OpenClDriver {
    options: OpenClOptions,
    found: OnceLock<(Vec<Arc<OpenClDevice>>, Vec<String>)>,
}

impl OpenClDriver {
    /// The installed library. Nothing is opened before somebody asks for devices.
    pub fn new() -> Self {
        Self::default()
    }

    /// A driver with options.
    pub fn with_options(options: OpenClOptions) -> Self {
        OpenClDriver { options, found: OnceLock::new() }
    }

    fn found(&self) -> &(Vec<Arc<OpenClDevice>>, Vec<String>) {
        self.found.get_or_init(|| {
            // Before the library starts, so that a fork of another thread while it does is noticed.
            let generation = Generation::now();
            let Detected { devices, left_out } = detect(&self.options);
            for reason in &left_out {
                tracing::debug!("left out: {reason}");
            }
            let make = |found| Arc::new(OpenClDevice::new(found, generation));
            (devices.into_iter().map(make).collect(), left_out)
        })
    }
}

impl Driver for OpenClDriver {
    fn name(&self) -> &'static str {
        "opencl"
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
pub(crate) struct OpenClDevice {
    base: Arc<Base<OpenCl>>,
    compiler: Compiler,
    target: Target,
    memory: StreamMemory<OpenCl>,
}

impl OpenClDevice {
    fn new(found: Usable, generation: Generation) -> Self {
        let Usable { opencl, info, limits, target } = found;
        let (number, compiler) = (opencl.number, Compiler::new(&info, opencl.options, &target));
        let base = Base::new(&Arc::new(opencl), number, info, limits, generation);
        let memory = StreamMemory::new(Arc::clone(&base));
        OpenClDevice { memory, base, target: Target::Spirv(target), compiler }
    }
}

impl Device for OpenClDevice {
    fn info(&self) -> &DeviceInfo {
        &self.base.info
    }

    fn target(&self) -> &Target {
        &self.target
    }

    fn assemble(&self, code: &CodeObject) -> Result<Option<CodeObject>, DriverError> {
        if self.compiler.is_ready(code) {
            return Ok(None);
        }
        self.compiler.assemble(self.base.context()?, code)
    }

    fn is_assembled(&self, code: &CodeObject) -> bool {
        self.compiler.is_ready(code)
    }

    fn load(&self, code: &CodeObject) -> Result<Arc<dyn Kernel>, DriverError> {
        self.base.load(|context| kernel::load(context, &self.compiler, code))
    }

    fn create_queue(&self) -> Result<Arc<dyn Queue>, DriverError> {
        self.base.create_queue()
    }

    fn choose_group_size(&self, global: [u64; 3]) -> [u32; 3] {
        let info = &self.base.info;
        let sub_group = info.sub_group_sizes.iter().max().copied().unwrap_or(1) as u32;
        self.base.choose_group_size(&habits(info.kind, sub_group), global)
    }

    fn memory(&self) -> &dyn Memory {
        &self.memory
    }

    fn native(&self, kind: NativeKind) -> Result<Option<*mut c_void>, DriverError> {
        self.base.native(kind)
    }

    unsafe fn adopt_queue(&self, handle: *mut c_void) -> Result<Arc<dyn Queue>, DriverError> {
        let (context, queue) = (self.base.context()?, handle.cast::<QueueStruct>());
        context.ready()?;
        // SAFETY: passed on to the caller.
        let stream = unsafe { Stream::adopt(&self.base.api.api, queue) }.map_err(|failure| context.report(failure))?;
        let unordered = || {
            let feature =
                "queue whose commands run out of order here: make it without CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE";
            DriverError::Unsupported { device: self.base.info.name.clone(), feature: feature.to_owned() }
        };
        let stream = stream.ok_or_else(unordered)?;
        // SAFETY: passed on to the caller.
        unsafe { self.base.adopt_queue(stream) }.inspect_err(|_| {
            // SAFETY: the stream was just made, and nobody else has it.
            drop(unsafe { Box::from_raw(stream) });
        })
    }

    fn set_peer_access(&self, other: &dyn Device, enable: bool) -> Result<bool, DriverError> {
        let Some(other) = other.as_any().and_then(|other| other.downcast_ref::<OpenClDevice>()) else {
            return Ok(false);
        };
        self.base.set_peer_access(&other.base, enable)
    }

    fn as_any(&self) -> Option<&dyn Any> {
        Some(self)
    }
}
