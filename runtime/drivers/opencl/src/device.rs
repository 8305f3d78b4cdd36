//! Presents what OpenCL finds as devices.
//!
//! In: the properties that the library reports for its devices. Out: devices that load code, create
//! queues and allocate memory. *Invariant:* detecting devices allocates nothing on them.

use crate::{
    assemble::Compiler,
    detect::{Detected, Usable, detect},
    kernel::{self, rules},
    library::OpenCl,
    options::OpenClOptions,
};
use sinter_core::{CodeObject, Target};
use sinter_driver::{DeviceInfo, DriverError};
use sinter_driver_common::{
    Context, Described, Found, LoadedKernel, Model, Resources, StreamDriver, group_size::GroupSizeRules,
};
use std::sync::Arc;

/// The driver for OpenCL devices. Opens nothing before devices are requested.
pub fn driver(options: OpenClOptions) -> StreamDriver {
    StreamDriver::new("opencl", move || {
        let Detected { devices, left_out } = detect(&options);
        Found { devices: devices.into_iter().map(describe).collect(), left_out }
    })
}

fn describe(found: Usable) -> Described<OpenCl, Spirv> {
    let Usable { opencl, info, limits, target } = found;
    let compiler = Compiler::new(&info, opencl.options, &target);
    let model = Spirv { target: Target::Spirv(target), compiler };
    Described { number: opencl.number, api: Arc::new(opencl), info, limits, model }
}

/// The target of one device and its compiler.
struct Spirv {
    target: Target,
    compiler: Compiler,
}

impl Model for Spirv {
    type Vendor = OpenCl;

    fn target(&self) -> &Target {
        &self.target
    }

    fn rules(&self, info: &DeviceInfo) -> GroupSizeRules {
        let sub_group = info.sub_group_sizes.iter().max().copied().unwrap_or(1) as u32;
        rules(info.kind, sub_group)
    }

    fn assembler(&self) -> Option<&str> {
        Some(self.compiler.name())
    }

    fn is_assembled(&self, code: &CodeObject) -> bool {
        self.compiler.is_ready(code)
    }

    fn assemble(&self, context: &Arc<Context<OpenCl>>, code: &CodeObject) -> Result<Option<CodeObject>, DriverError> {
        self.compiler.assemble(context, code)
    }

    fn load(&self, resources: &Arc<Resources<OpenCl>>, code: &CodeObject) -> Result<LoadedKernel<OpenCl>, DriverError> {
        kernel::load(resources, &self.compiler, code)
    }
}
