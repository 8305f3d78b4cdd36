//! The parts of a physical device that the driver uses.
//!
//! In: nothing. Out: plain values. *Invariant:* a value describes a device that has every required
//! feature.
#![forbid(unsafe_code)]

use ash::vk;
use sinter_core::SpirvFeature;
use std::{collections::BTreeSet, ffi::CString};

/// Identifies the device and driver version that compiled pipelines are for, as the header of
/// their data does (VkPipelineCacheHeaderVersionOne).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct PipelineId {
    pub(crate) vendor: u32,
    pub(crate) device: u32,
    pub(crate) uuid: [u8; vk::UUID_SIZE],
}

/// A physical device, its queue family and its types of memory.
#[derive(Debug, Clone)]
pub(crate) struct Chosen {
    pub(crate) physical: vk::PhysicalDevice,
    /// Family of queues for computing, and the number of its queues to use.
    pub(crate) family: u32,
    pub(crate) queues: u32,
    /// Type of memory for kernels.
    pub(crate) device_memory: u32,
    /// Type of memory that both host and kernels can access.
    pub(crate) host_memory: u32,
    /// Bit `i` is set if the host can access memory of type `i` without flushes.
    pub(crate) visible: u32,
    /// Bits of a timestamp that count, 0 if there are no timestamps, and nanoseconds of a tick.
    pub(crate) timestamp_bits: u32,
    pub(crate) timestamp_period: f32,
    /// Largest number of work-groups of one dispatch in each dimension.
    pub(crate) dispatch: [u32; 3],
    /// Largest number of sub-groups in a work-group whose kernel requires a sub-group size.
    pub(crate) most_sub_groups: u32,
    pub(crate) pipeline_id: PipelineId,
    /// True for a device that is the host's CPU.
    pub(crate) is_cpu: bool,
    /// Features to enable.
    pub(crate) features: BTreeSet<SpirvFeature>,
    /// Extensions to enable.
    pub(crate) extensions: Vec<CString>,
    /// Alignment of addresses at which the host can place memory; `None` if it cannot choose any.
    pub(crate) placement: Option<u64>,
    /// True if the free memory can be asked for.
    pub(crate) has_budget: bool,
}

impl Chosen {
    /// True if code may use a feature.
    pub(crate) fn has(&self, feature: SpirvFeature) -> bool {
        self.features.contains(&feature)
    }
}
