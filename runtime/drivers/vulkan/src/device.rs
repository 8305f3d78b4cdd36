//! Presents what Vulkan finds as devices.
//!
//! In: the properties that Vulkan reports for its devices. Out: devices that load code, create
//! queues and allocate memory. *Invariant:* detecting a GPU creates nothing on it, unless its
//! memory may be shared with the host.

use crate::{
    detect::{Detected, Usable, detect},
    forms::Forms,
    kernel::{self, rules},
    options::VulkanOptions,
    vendor::Vulkan,
};
use sinter_core::{CodeObject, Target};
use sinter_driver::{DeviceInfo, DriverError};
use sinter_driver_common::{
    Described, Found, LoadedKernel, Model, Resources, StreamDriver, group_size::GroupSizeRules,
};
use std::sync::Arc;

/// The driver for Vulkan devices. Opens nothing before devices are requested.
pub fn driver(options: VulkanOptions) -> StreamDriver {
    StreamDriver::new("vulkan", move || {
        let Detected { devices, left_out } = detect(&options);
        Found { devices: devices.into_iter().map(describe).collect(), left_out }
    })
}

fn describe(found: Usable) -> Described<Vulkan, Spirv> {
    let Usable { vulkan, info, limits, target } = found;
    let forms = Arc::new(Forms::new(&info, vulkan.chosen.pipeline_id, &target));
    let model = Spirv { forms, target: Target::Spirv(target) };
    Described { number: vulkan.number, api: Arc::new(vulkan), info, limits, model }
}

/// The target of one device.
struct Spirv {
    forms: Arc<Forms>,
    target: Target,
}

impl Model for Spirv {
    type Vendor = Vulkan;

    fn target(&self) -> &Target {
        &self.target
    }

    fn rules(&self, info: &DeviceInfo) -> GroupSizeRules {
        let sub_group = info.sub_group_sizes.iter().max().copied().unwrap_or(1) as u32;
        rules(info.kind, sub_group)
    }

    fn assembler(&self) -> Option<&str> {
        Some(&self.forms.assembler.name)
    }

    fn load(&self, resources: &Arc<Resources<Vulkan>>, code: &CodeObject) -> Result<LoadedKernel<Vulkan>, DriverError> {
        kernel::load(resources, &self.forms, code)
    }
}
