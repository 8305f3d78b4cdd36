//! Presents NVIDIA's GPUs as devices.
//!
//! In: the properties that the driver reports for its devices. Out: devices that load code, create
//! queues and allocate memory. *Invariant:* detecting devices creates no context; the first queue,
//! allocation or kernel does.

use crate::{
    api::{self, Api},
    assemble::Compiler,
    context::Context,
    detect::{Detected, Usable, detect},
    group_size, kernel,
    options::CudaOptions,
};
use sinter_core::{CodeObject, Target};
use sinter_driver::{DeviceInfo, DriverError};
use sinter_driver_common::{
    Described, Found, LoadedKernel, Model, Resources, StreamDriver, group_size::GroupSizeRules,
};
use std::sync::Arc;

/// The driver for NVIDIA's GPUs. Opens nothing before devices are requested.
pub fn driver(options: CudaOptions) -> StreamDriver {
    StreamDriver::new("cuda", move || found(detect(&options), &options))
}

fn found(detected: Detected, options: &CudaOptions) -> Found<Api, Gpu> {
    let Detected { api, version, build, devices, left_out } = detected;
    let described = |api: Arc<Api>| {
        let compiler = |sm| Compiler::new(&version, build.as_deref(), sm, options.jit_level);
        devices.into_iter().map(|usable| describe(&api, compiler(usable.found.sm), usable)).collect()
    };
    Found { devices: api.map(described).unwrap_or_default(), left_out }
}

fn describe(api: &Arc<Api>, compiler: Compiler, usable: Usable) -> Described<Api, Gpu> {
    let Usable { found, target } = usable;
    let model = Gpu { target: Target::Ptx(target), compiler };
    Described { api: Arc::clone(api), number: found.device, info: found.info, limits: found.limits, model }
}

/// The target of one GPU and its compiler.
struct Gpu {
    target: Target,
    compiler: Compiler,
}

impl Model for Gpu {
    type Vendor = Api;

    fn target(&self) -> &Target {
        &self.target
    }

    fn rules(&self, _info: &DeviceInfo) -> GroupSizeRules {
        group_size::RULES
    }

    fn open_assembler(&self) {
        api::open_assembler();
    }

    fn assembler(&self) -> Option<&str> {
        Some(&self.compiler.assembler.name)
    }

    fn is_assembled(&self, code: &CodeObject) -> bool {
        self.compiler.assembler.is_ready(code)
    }

    fn assemble(&self, context: &Arc<Context>, code: &CodeObject) -> Result<Option<CodeObject>, DriverError> {
        self.compiler.assemble(context, code).map(Some)
    }

    fn load(&self, resources: &Arc<Resources<Api>>, code: &CodeObject) -> Result<LoadedKernel<Api>, DriverError> {
        kernel::load(resources, &self.compiler, code)
    }
}
