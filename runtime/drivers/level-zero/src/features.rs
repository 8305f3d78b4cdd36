//! Describes a device by its properties.
//!
//! In: a device of a driver. Out: its properties, limits and target. *Invariant:* a feature is
//! claimed only if the driver reports it, or if every device of Level Zero has it.

use crate::{
    gpu::{Gpu, Timer},
    platform::{Platform, list, text},
};
use level_zero_sys::types::{
    ACCESS_RW, ComputeProperties, DEVICE_CPU, DEVICE_GPU, Device, DeviceProperties, FLOAT_ADD, FLOAT_ATOMICS,
    FLOAT_MIN_MAX, FloatAtomics, GROUP_COMPUTE, MODULE_FP16, MODULE_FP64, MODULE_INT64_ATOMICS, MemoryAccess,
    MemoryProperties, ModuleProperties, QueueGroup, SUB_GROUPS, Structure,
};
use sinter_core::{SpirvDevice, SpirvEnvironment, SpirvFeature, SpirvTarget, spirv::LARGEST_GROUP};
use sinter_driver::{DeviceFeatures, DeviceInfo, DeviceKind};
use sinter_driver_common::{Failure, Handle, Limits};
use std::{collections::BTreeSet, sync::Arc};

/// Intel's PCI vendor ID.
const INTEL: u32 = 0x8086;
/// Valid bits of a timestamp if the driver does not report their number.
const ALL_BITS: u32 = 64;

/// Properties of a device on which nothing was created yet.
pub(crate) struct Found {
    pub(crate) gpu: Gpu,
    pub(crate) info: DeviceInfo,
    pub(crate) limits: Limits,
    pub(crate) target: SpirvTarget,
    pub(crate) properties: DeviceProperties,
}

/// Reason why a device cannot be used.
#[derive(Debug)]
pub(crate) enum Unusable {
    Failed(Failure),
    /// It does not support SPIR-V; NPUs do not.
    WithoutSpirv(String),
    /// It has no queue that runs kernels.
    WithoutCompute(String),
}

impl From<Failure> for Unusable {
    fn from(failure: Failure) -> Self {
        Unusable::Failed(failure)
    }
}

/// All properties that the driver reports for a device.
struct Properties {
    device: DeviceProperties,
    compute: ComputeProperties,
    module: ModuleProperties,
    atomics: FloatAtomics,
    memory: Vec<MemoryProperties>,
    access: MemoryAccess,
    groups: Vec<QueueGroup>,
    sub_groups: bool,
}

impl Properties {
    fn query(platform: &Platform, device: Device) -> Result<Self, Failure> {
        let api = &platform.library.api;
        let (mut properties, mut compute, mut access) =
            (DeviceProperties::new(), ComputeProperties::new(), MemoryAccess::new());
        // SAFETY: the device is the driver's, and the structure states its type.
        unsafe { api.device_properties(device, &raw mut properties) }?;
        // SAFETY: as above.
        unsafe { api.compute_properties(device, &raw mut compute) }?;
        // SAFETY: as above.
        unsafe { api.memory_access(device, &raw mut access) }?;
        let (module, atomics) = ask_module(platform, device)?;
        // SAFETY: the device is the driver's; count and array follow the function's protocol.
        let memory = list(MemoryProperties::new(), |count, at| unsafe { api.memory_properties(device, count, at) })?;
        // SAFETY: as above.
        let groups = list(QueueGroup::new(), |count, at| unsafe { api.queue_groups(device, count, at) })?;
        let sub_groups = platform.has(SUB_GROUPS) && compute.sub_group_size_count > 0;
        Ok(Properties { device: properties, compute, module, atomics, memory, access, groups, sub_groups })
    }

    fn name(&self) -> String {
        text(&self.device.name)
    }

    /// Ordinal of the first queue group that runs kernels, with its properties.
    fn queue_group(&self) -> Option<(u32, &QueueGroup)> {
        (0..).zip(&self.groups).find(|(_, group)| group.flags & GROUP_COMPUTE != 0)
    }

    fn timer(&self) -> Timer {
        let DeviceProperties { timer_resolution, timestamp_valid_bits: bits, .. } = self.device;
        let bits = if bits == 0 { ALL_BITS } else { bits };
        let mask = 1u64.checked_shl(bits).map_or(u64::MAX, |beyond| beyond - 1);
        Timer { tick: 1e9 / timer_resolution.max(1) as f64, mask }
    }

    fn sub_group_sizes(&self) -> Vec<u64> {
        let count = self.compute.sub_group_size_count as usize;
        let mut sizes: Vec<u64> = self.compute.sub_group_sizes.iter().take(count).map(|size| (*size).into()).collect();
        sizes.sort_unstable();
        sizes
    }

    /// Number of parts of the device that each run a whole work-group.
    fn processors(&self) -> u32 {
        self.device.slices.saturating_mul(self.device.subslices_per_slice).max(1)
    }

    fn limits(&self) -> Limits {
        let ComputeProperties { max_total_group_size, max_group_sizes, max_group_counts, max_local_memory, .. } =
            self.compute;
        let managed = self.access.shared_single & ACCESS_RW != 0;
        Limits {
            group: max_total_group_size.min(LARGEST_GROUP),
            group_sizes: max_group_sizes.map(|size| size.min(LARGEST_GROUP)),
            grid: max_group_counts.map(u64::from),
            local_memory: max_local_memory,
            most_local_memory: max_local_memory,
            processors: self.processors(),
            registers: 0,
            managed,
            prefetch: managed,
        }
    }

    /// The translator computes half precision in `float` where the device has none.
    fn features(&self) -> DeviceFeatures {
        let when = |condition: bool, feature: u64| if condition { feature } else { 0 };
        let (module, access) = (self.module.flags, &self.access);
        DeviceFeatures(
            DeviceFeatures::FP16
                | DeviceFeatures::SUBNORMALS
                | DeviceFeatures::TIMES
                | when(module & MODULE_FP64 != 0, DeviceFeatures::FP64)
                | when(module & MODULE_INT64_ATOMICS != 0, DeviceFeatures::ATOMIC64)
                | when(access.device & ACCESS_RW != 0, DeviceFeatures::USM_DEVICE)
                | when(access.host & ACCESS_RW != 0, DeviceFeatures::USM_HOST)
                | when(access.shared_single & ACCESS_RW != 0, DeviceFeatures::USM_SHARED)
                | when(access.shared_system & ACCESS_RW != 0, DeviceFeatures::USM_SYSTEM),
        )
    }

    /// SPIR-V features that code may use. Every device supports pointers of the generic address
    /// space and global variables ("oneAPI Level Zero Specification", "SPIR-V Programming Guide",
    /// and `zeModuleGetGlobalPointer`); the no-wrap decorations are part of SPIR-V 1.4.
    fn spirv_features(&self) -> BTreeSet<SpirvFeature> {
        use SpirvFeature::*;
        let (module, FloatAtomics { fp32, fp64, .. }) = (self.module.flags, self.atomics);
        let all = |flags: u32, wanted: u32| flags & wanted == wanted;
        let claims = [
            (Generic, true),
            (GlobalVariables, true),
            (Fp16, all(module, MODULE_FP16)),
            (Fp64, all(module, MODULE_FP64)),
            (Int64Atomics, all(module, MODULE_INT64_ATOMICS)),
            (AtomicAddF32, all(fp32, FLOAT_ADD)),
            (AtomicMinMaxF32, all(fp32, FLOAT_MIN_MAX)),
            (AtomicAddF64, all(fp64, FLOAT_ADD)),
            (AtomicMinMaxF64, all(fp64, FLOAT_MIN_MAX)),
            (SubGroups, self.sub_groups),
            (SubGroupVote, self.sub_groups),
            (SubGroupArithmetic, self.sub_groups),
            (SubGroupShuffle, self.sub_groups),
            (SubGroupShuffleRelative, self.sub_groups),
            (SubGroupSize, self.sub_groups),
            (SystemScope, true),
        ];
        claims.into_iter().filter(|(_, there)| *there).map(|(feature, _)| feature).collect()
    }

    fn kind(&self) -> DeviceKind {
        match self.device.device_type {
            DEVICE_GPU => DeviceKind::Gpu,
            DEVICE_CPU => DeviceKind::Cpu,
            _ => DeviceKind::Other,
        }
    }

    fn target(&self) -> Option<SpirvTarget> {
        let (major, minor) = (self.module.spirv_version >> 16, self.module.spirv_version & 0xffff);
        let features = self.spirv_features();
        let target = SpirvTarget::for_device(SpirvEnvironment::LevelZero, major * 10 + minor.min(9), features)?;
        let device = match self.kind() {
            DeviceKind::Gpu => SpirvDevice::Gpu,
            DeviceKind::Cpu => SpirvDevice::Cpu,
            DeviceKind::Other => SpirvDevice::Accelerator,
        };
        Some(SpirvTarget { device, ..target })
    }

    fn info(&self, driver_version: &str, limits: &Limits) -> DeviceInfo {
        let memory: u64 = self.memory.iter().map(|memory| memory.total_size).sum();
        DeviceInfo {
            name: self.name(),
            vendor: vendor(self.device.vendor_id),
            vendor_id: self.device.vendor_id,
            driver: "level-zero",
            driver_version: driver_version.to_owned(),
            kind: self.kind(),
            compute_units: limits.processors,
            max_work_group_size: limits.group.into(),
            max_work_item_sizes: limits.group_sizes.map(u64::from),
            global_memory: memory,
            local_memory: limits.most_local_memory.into(),
            max_allocation: self.device.max_allocation,
            clock_mhz: self.device.core_clock_rate,
            cache_line: 0,
            sub_group_sizes: self.sub_group_sizes(),
            features: self.features(),
        }
    }
}

fn vendor(id: u32) -> String {
    if id == INTEL { "Intel".to_owned() } else { format!("vendor {id:#06x}") }
}

/// Queries the module properties, and the floating-point atomics if the driver reports them.
fn ask_module(platform: &Platform, device: Device) -> Result<(ModuleProperties, FloatAtomics), Failure> {
    let (mut module, mut atomics) = (ModuleProperties::new(), FloatAtomics::new());
    if platform.has(FLOAT_ATOMICS) {
        module.header.next = (&raw mut atomics).cast();
    }
    // SAFETY: the device is the driver's, the structures state their types, and the driver knows
    // these.
    unsafe { platform.library.api.module_properties(device, &raw mut module) }?;
    Ok((module, atomics))
}

/// Describes a device, which gets `number` in our driver.
pub(crate) fn describe(platform: &Arc<Platform>, device: Device, number: i32) -> Result<Found, Unusable> {
    let properties = Properties::query(platform, device)?;
    let target = properties.target().ok_or_else(|| Unusable::WithoutSpirv(properties.name()))?;
    let (ordinal, group) = properties.queue_group().ok_or_else(|| Unusable::WithoutCompute(properties.name()))?;
    let limits = properties.limits();
    Ok(Found {
        gpu: Gpu::new(platform, Handle(device), number, ordinal, group.max_fill_pattern, properties.timer()),
        info: properties.info(&platform.driver_version, &limits),
        limits,
        target,
        properties: properties.device,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use level_zero_sys::types::version;

    fn properties() -> Properties {
        Properties {
            device: DeviceProperties::new(),
            compute: ComputeProperties::new(),
            module: ModuleProperties::new(),
            atomics: FloatAtomics::new(),
            memory: Vec::new(),
            access: MemoryAccess::new(),
            groups: Vec::new(),
            sub_groups: false,
        }
    }

    #[test]
    fn features_are_those_that_the_driver_names() {
        let mut found = properties();
        assert_eq!(found.target(), None, "SPIR-V 0.0 is none");
        found.module.spirv_version = version(1, 2);
        assert_eq!(
            found.target().map(|target| target.to_string()),
            Some("level-zero:1.2:accelerator:-all:+generic:+global-variables:+system-scope".to_owned())
        );
        found.device.device_type = DEVICE_GPU;
        (found.module.spirv_version, found.module.flags, found.sub_groups) = (version(1, 5), 7, true);
        (found.atomics.fp32, found.atomics.fp64) = (FLOAT_ADD | FLOAT_MIN_MAX, 1 << 1);
        assert_eq!(
            found.target().map(|target| target.to_string()),
            Some(
                "level-zero:1.4:-atomic-add-f64:-atomic-min-max-f64:-uniform-group-arithmetic:-float-controls:\
                 -expect-assume:-bit-instructions:-shader-clock"
                    .to_owned()
            )
        );
    }

    #[test]
    fn times_have_the_bits_and_the_rate_of_the_device() {
        let mut found = properties();
        (found.device.timer_resolution, found.device.timestamp_valid_bits) = (12_500_000, 32);
        assert_eq!(found.timer(), Timer { tick: 80.0, mask: u64::from(u32::MAX) });
        found.device.timestamp_valid_bits = 64;
        assert_eq!(found.timer().mask, u64::MAX);
        found.device.timestamp_valid_bits = 0;
        assert_eq!(found.timer().mask, u64::MAX);
    }
}
