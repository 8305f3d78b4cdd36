//! Presents AMD's GPUs as devices.
//!
//! In: the properties that the library reports for its devices. Out: devices that load code, create
//! queues and allocate memory. *Invariant:* detecting devices allocates nothing on them.

use crate::{
    detect::{Detected, detect},
    features,
    kernel::{self, rules},
    library::Hip,
    options::HipOptions,
};
use sinter_core::{AmdgcnTarget, CodeObject, Target};
use sinter_driver::{DeviceInfo, DriverError};
use sinter_driver_common::{
    Described, Found, LoadedKernel, Model, Resources, StreamDriver, group_size::GroupSizeRules,
};
use std::sync::Arc;

/// The driver for AMD's GPUs. Opens nothing before devices are requested.
pub fn driver(options: HipOptions) -> StreamDriver {
    StreamDriver::new("hip", move || found(detect(&options)))
}

fn found(detected: Detected) -> Found<Hip, Gpu> {
    let Detected { hip, devices, left_out, .. } = detected;
    let described = |hip: Arc<Hip>| devices.into_iter().map(|found| describe(&hip, found)).collect();
    Found { devices: hip.map(described).unwrap_or_default(), left_out }
}

fn describe(hip: &Arc<Hip>, found: features::Found) -> Described<Hip, Gpu> {
    let features::Found { device, info, limits, target: gpu } = found;
    let model = Gpu { target: Target::Amdgcn(gpu.clone()), gpu };
    Described { api: Arc::clone(hip), number: device, info, limits, model }
}

/// The target of one GPU.
struct Gpu {
    target: Target,
    gpu: AmdgcnTarget,
}

impl Model for Gpu {
    type Vendor = Hip;

    fn target(&self) -> &Target {
        &self.target
    }

    fn rules(&self, _info: &DeviceInfo) -> GroupSizeRules {
        rules(&self.gpu)
    }

    fn load(&self, resources: &Arc<Resources<Hip>>, code: &CodeObject) -> Result<LoadedKernel<Hip>, DriverError> {
        kernel::load(resources, &self.gpu, code)
    }
}
