//! Presents Level Zero's devices.
//!
//! In: the properties that drivers report for their devices. Out: devices that load code, create
//! queues and allocate memory. *Invariant:* detecting devices creates no context; the first queue,
//! allocation or kernel of a driver's devices does.

use crate::{
    assemble::Compiler,
    detect::{Detected, detect},
    features,
    gpu::Gpu,
    kernel::{self, rules},
    options::LevelZeroOptions,
};
use sinter_core::{CodeObject, Target};
use sinter_driver::{DeviceInfo, DriverError};
use sinter_driver_common::{
    Context, Described, Found, LoadedKernel, Model, Resources, StreamDriver, group_size::GroupSizeRules,
};
use std::sync::Arc;

/// Largest sub-group size to assume if the driver does not report one.
const SUB_GROUP: u64 = 32;

/// The driver for Level Zero's devices. Opens nothing before devices are requested.
///
/// A queue that a program passes in must be an immediate command list of the context that
/// [`Device::native`](sinter_driver::Device::native) returns, because events and memory belong to a
/// context.
pub fn driver(options: LevelZeroOptions) -> StreamDriver {
    StreamDriver::new("level-zero", move || {
        let Detected { devices, left_out } = detect(&options);
        Found { devices: devices.into_iter().map(describe).collect(), left_out }
    })
}

fn describe(found: features::Found) -> Described<Gpu, Spirv> {
    let features::Found { gpu, info, limits, target, properties } = found;
    let sub_group = info.sub_group_sizes.last().copied().unwrap_or(SUB_GROUP) as u32;
    let compiler = Compiler::new(&info.driver_version, &properties, &target);
    let model = Spirv { target: Target::Spirv(target), sub_group, compiler };
    Described { number: gpu.number, api: Arc::new(gpu), info, limits, model }
}

/// The target of one device and its compiler.
struct Spirv {
    target: Target,
    sub_group: u32,
    compiler: Compiler,
}

impl Model for Spirv {
    type Vendor = Gpu;

    fn target(&self) -> &Target {
        &self.target
    }

    fn rules(&self, _info: &DeviceInfo) -> GroupSizeRules {
        rules(self.sub_group)
    }

    fn assembler(&self) -> Option<&str> {
        Some(&self.compiler.assembler.name)
    }

    fn is_assembled(&self, code: &CodeObject) -> bool {
        self.compiler.assembler.is_ready(code)
    }

    fn assemble(&self, context: &Arc<Context<Gpu>>, code: &CodeObject) -> Result<Option<CodeObject>, DriverError> {
        self.compiler.assemble(context, code).map(Some)
    }

    fn load(&self, resources: &Arc<Resources<Gpu>>, code: &CodeObject) -> Result<LoadedKernel<Gpu>, DriverError> {
        kernel::load(resources, &self.compiler, code, self.sub_group)
    }
}
