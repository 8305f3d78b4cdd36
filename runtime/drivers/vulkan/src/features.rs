//! Describes a physical device by its answers to queries.
//!
//! In: a physical device. Out: its properties, limits and target, or the features that it lacks.
//! *Invariant:* code uses only features that the device reports and that are then enabled.

use crate::{
    chosen::{Chosen, PipelineId},
    failure::called,
    instance::Instance,
};
use ash::{amd, arm, ext, khr, nv, vk};
use sinter_core::{SpirvDevice, SpirvEnvironment, SpirvFeature, SpirvTarget, spirv::LARGEST_GROUP};
use sinter_driver::{DeviceFeatures, DeviceInfo, DeviceKind};
use sinter_driver_common::{Failure, Limits};
use std::{
    collections::BTreeSet,
    ffi::{CStr, CString},
    thread,
};

/// Most queues of a family to use.
const QUEUES: u32 = 8;
/// Number of compute units to assume where the device does not tell: launches that leave the
/// group size open then have at least as many groups.
const UNKNOWN_UNITS: u32 = 16;
/// Newest version of SPIR-V that Vulkan 1.3 has to accept, times ten.
const SPIRV: u32 = 16;
const VENDORS: [(u32, &str); 9] = [
    (0x1002, "AMD"),
    (0x1010, "Imagination Technologies"),
    (0x106b, "Apple"),
    (0x10de, "NVIDIA"),
    (0x13b5, "Arm"),
    (0x14e4, "Broadcom"),
    (0x5143, "Qualcomm"),
    (0x8086, "Intel"),
    (0x1_0005, "Mesa"),
];

/// Properties of a device on which nothing was created yet.
pub(crate) struct Found {
    pub(crate) chosen: Chosen,
    pub(crate) info: DeviceInfo,
    pub(crate) limits: Limits,
    pub(crate) target: SpirvTarget,
}

/// The physical devices of an instance.
pub(crate) fn physical_devices(instance: &Instance) -> Result<Vec<vk::PhysicalDevice>, Failure> {
    // SAFETY: the instance is alive.
    called("vkEnumeratePhysicalDevices", unsafe { instance.instance.enumerate_physical_devices() })
}

/// The answers of a device.
struct Answers {
    physical: vk::PhysicalDevice,
    properties: vk::PhysicalDeviceProperties,
    v11: vk::PhysicalDeviceVulkan11Properties<'static>,
    v12: vk::PhysicalDeviceVulkan12Properties<'static>,
    v13: vk::PhysicalDeviceVulkan13Properties<'static>,
    memory: vk::PhysicalDeviceMemoryProperties,
    families: Vec<vk::QueueFamilyProperties>,
    extensions: BTreeSet<CString>,
    features: Features,
    units: Option<u32>,
    /// Alignment of addresses at which memory is placed.
    placement: u64,
}

/// The features that a device reports.
#[derive(Default)]
struct Features {
    core: vk::PhysicalDeviceFeatures,
    v11: vk::PhysicalDeviceVulkan11Features<'static>,
    v12: vk::PhysicalDeviceVulkan12Features<'static>,
    v13: vk::PhysicalDeviceVulkan13Features<'static>,
    adds: vk::PhysicalDeviceShaderAtomicFloatFeaturesEXT<'static>,
    mosts: vk::PhysicalDeviceShaderAtomicFloat2FeaturesEXT<'static>,
    clock: vk::PhysicalDeviceShaderClockFeaturesKHR<'static>,
    placed: vk::PhysicalDeviceMapMemoryPlacedFeaturesEXT<'static>,
}

impl Features {
    fn ask(instance: &ash::Instance, physical: vk::PhysicalDevice, has: &impl Fn(&CStr) -> bool) -> Self {
        let mut features = Features::default();
        let Features { core, v11, v12, v13, adds, mosts, clock, placed } = &mut features;
        let mut all = vk::PhysicalDeviceFeatures2::default().push_next(v11).push_next(v12).push_next(v13);
        if has(ext::shader_atomic_float::NAME) {
            all = all.push_next(adds);
        }
        if has(ext::shader_atomic_float2::NAME) {
            all = all.push_next(mosts);
        }
        if has(khr::shader_clock::NAME) {
            all = all.push_next(clock);
        }
        if places(has) {
            all = all.push_next(placed);
        }
        // SAFETY: the device is the instance's, and has the extensions of the structures.
        unsafe { instance.get_physical_device_features2(physical, &mut all) };
        *core = all.features;
        features
    }

    /// Names of the required features that are missing.
    fn missing(&self) -> Vec<&'static str> {
        let Features { core, v11, v12, v13, .. } = self;
        let required = [
            ("bufferDeviceAddress", v12.buffer_device_address),
            ("vulkanMemoryModel", v12.vulkan_memory_model),
            ("vulkanMemoryModelDeviceScope", v12.vulkan_memory_model_device_scope),
            ("timelineSemaphore", v12.timeline_semaphore),
            ("scalarBlockLayout", v12.scalar_block_layout),
            ("shaderInt64", core.shader_int64),
            ("shaderInt16", core.shader_int16),
            ("shaderInt8", v12.shader_int8),
            ("storageBuffer8BitAccess", v12.storage_buffer8_bit_access),
            ("shaderSubgroupExtendedTypes", v12.shader_subgroup_extended_types),
            ("storageBuffer16BitAccess", v11.storage_buffer16_bit_access),
            ("maintenance4", v13.maintenance4),
            ("synchronization2", v13.synchronization2),
        ];
        required.into_iter().filter(|(_, has)| *has == vk::FALSE).map(|(name, _)| name).collect()
    }
}

/// True if the device has the extensions with which the host chooses the addresses of memory.
fn places(has: &impl Fn(&CStr) -> bool) -> bool {
    has(ext::map_memory_placed::NAME) && has(khr::map_memory2::NAME)
}

fn extensions(instance: &ash::Instance, physical: vk::PhysicalDevice) -> BTreeSet<CString> {
    // SAFETY: the device is the instance's.
    let found = unsafe { instance.enumerate_device_extension_properties(physical) }.unwrap_or_default();
    found.iter().filter_map(|one| one.extension_name_as_c_str().ok()).map(CStr::to_owned).collect()
}

impl Answers {
    fn ask(instance: &ash::Instance, physical: vk::PhysicalDevice) -> Self {
        let extensions = extensions(instance, physical);
        let has = |name: &CStr| extensions.contains(name);
        let (mut v11, mut v12, mut v13) = Default::default();
        let mut placed = vk::PhysicalDeviceMapMemoryPlacedPropertiesEXT::default();
        let (mut nvidia, mut amd_cores, mut arm_cores) = (
            vk::PhysicalDeviceShaderSMBuiltinsPropertiesNV::default(),
            vk::PhysicalDeviceShaderCorePropertiesAMD::default(),
            vk::PhysicalDeviceShaderCoreBuiltinsPropertiesARM::default(),
        );
        let mut all =
            vk::PhysicalDeviceProperties2::default().push_next(&mut v11).push_next(&mut v12).push_next(&mut v13);
        if has(nv::shader_sm_builtins::NAME) {
            all = all.push_next(&mut nvidia);
        }
        if has(amd::shader_core_properties::NAME) {
            all = all.push_next(&mut amd_cores);
        }
        if has(arm::shader_core_builtins::NAME) {
            all = all.push_next(&mut arm_cores);
        }
        if places(&has) {
            all = all.push_next(&mut placed);
        }
        // SAFETY: the device is the instance's, and has the extensions of the structures.
        unsafe { instance.get_physical_device_properties2(physical, &mut all) };
        let properties = all.properties;
        let of_amd = amd_cores.shader_engine_count
            * amd_cores.shader_arrays_per_engine_count
            * amd_cores.compute_units_per_shader_array;
        let units = [nvidia.shader_sm_count, of_amd, arm_cores.shader_core_count].into_iter().find(|units| *units > 0);
        // SAFETY: as above.
        let memory = unsafe { instance.get_physical_device_memory_properties(physical) };
        // SAFETY: as above.
        let families = unsafe { instance.get_physical_device_queue_family_properties(physical) };
        let features = Features::ask(instance, physical, &has);
        let placement = placed.min_placed_memory_map_alignment;
        Answers { physical, properties, v11, v12, v13, memory, families, extensions, features, units, placement }
    }

    fn name(&self) -> String {
        self.properties.device_name_as_c_str().unwrap_or(c"a device").to_string_lossy().into_owned()
    }

    fn kind(&self) -> DeviceKind {
        match self.properties.device_type {
            vk::PhysicalDeviceType::CPU => DeviceKind::Cpu,
            vk::PhysicalDeviceType::OTHER => DeviceKind::Other,
            _ => DeviceKind::Gpu,
        }
    }

    /// True if compute shaders have all of these sub-group operations.
    fn sub_groups(&self, operations: vk::SubgroupFeatureFlags) -> bool {
        self.v11.subgroup_supported_stages.contains(vk::ShaderStageFlags::COMPUTE)
            && self.v11.subgroup_supported_operations.contains(operations)
    }

    fn is_lavapipe(&self) -> bool {
        self.v12.driver_id == vk::DriverId::MESA_LLVMPIPE
    }

    /// True if a control of arithmetic exists for every floating-point type that the device has.
    /// Given are the answers for 16, 32 and 64 bits.
    fn controls(&self, [half, single, double]: [vk::Bool32; 3]) -> bool {
        let Features { core, v12, .. } = &self.features;
        let exists = |has: vk::Bool32, exists: vk::Bool32| has == vk::FALSE || exists != vk::FALSE;
        single != vk::FALSE && exists(core.shader_float64, double) && exists(v12.shader_float16, half)
    }

    fn has(&self, feature: SpirvFeature) -> bool {
        use SpirvFeature::*;
        use vk::SubgroupFeatureFlags as Operations;
        let Features { core, v12, v13, adds, mosts, clock, .. } = &self.features;
        let answers = &self.v12;
        let yes = match feature {
            Fp16 => v12.shader_float16,
            Fp64 => core.shader_float64,
            Int64Atomics => v12.shader_buffer_int64_atomics,
            AtomicAddF32 => adds.shader_buffer_float32_atomic_add,
            AtomicAddF64 => adds.shader_buffer_float64_atomic_add,
            AtomicMinMaxF32 => mosts.shader_buffer_float32_atomic_min_max,
            AtomicMinMaxF64 => mosts.shader_buffer_float64_atomic_min_max,
            FloatControls => self
                .controls([
                    answers.shader_signed_zero_inf_nan_preserve_float16,
                    answers.shader_signed_zero_inf_nan_preserve_float32,
                    answers.shader_signed_zero_inf_nan_preserve_float64,
                ])
                .into(),
            Subnormals => self
                .controls([
                    answers.shader_denorm_preserve_float16,
                    answers.shader_denorm_preserve_float32,
                    answers.shader_denorm_preserve_float64,
                ])
                .into(),
            RoundToNearest => self
                .controls([
                    answers.shader_rounding_mode_rte_float16,
                    answers.shader_rounding_mode_rte_float32,
                    answers.shader_rounding_mode_rte_float64,
                ])
                .into(),
            LocalInt64Atomics => v12.shader_shared_int64_atomics,
            // Seen in 22.3.6: a fence makes the items wait for each other, and those that came past
            // it are lost.
            DivergentFences => (!self.is_lavapipe()).into(),
            // NVIDIA makes no pipeline of such shaders (580.159.04), lavapipe takes minutes.
            LargePrivateMemory => {
                let is_nvidia = self.v12.driver_id == vk::DriverId::NVIDIA_PROPRIETARY;
                (!is_nvidia && !self.is_lavapipe()).into()
            }
            ShaderClock => clock.shader_device_clock & clock.shader_subgroup_clock,
            SubGroupSize => {
                let stages = self.v13.required_subgroup_size_stages;
                let computes = stages.contains(vk::ShaderStageFlags::COMPUTE);
                v13.subgroup_size_control & v13.compute_full_subgroups & u32::from(computes)
            }
            SubGroups => self.sub_groups(Operations::BASIC | Operations::BALLOT).into(),
            SubGroupVote => self.sub_groups(Operations::VOTE).into(),
            SubGroupArithmetic => self.sub_groups(Operations::ARITHMETIC).into(),
            SubGroupShuffle => self.sub_groups(Operations::SHUFFLE).into(),
            SubGroupShuffleRelative => self.sub_groups(Operations::SHUFFLE_RELATIVE).into(),
            _ => vk::FALSE,
        };
        yes != vk::FALSE
    }

    /// Checks that the device has every required feature.
    fn check(&self) -> Result<(), String> {
        let version = self.properties.api_version;
        if version < vk::API_VERSION_1_3 {
            let (major, minor) = (vk::api_version_major(version), vk::api_version_minor(version));
            return Err(format!("it has Vulkan {major}.{minor}, not 1.3"));
        }
        let mut missing = self.features.missing();
        if !self.sub_groups(vk::SubgroupFeatureFlags::BASIC) {
            missing.push("sub-groups in compute shaders");
        }
        if missing.is_empty() { Ok(()) } else { Err(format!("it lacks {}", missing.join(", "))) }
    }

    /// The family of queues: one for computing alone if there is any.
    fn family(&self) -> Option<(u32, &vk::QueueFamilyProperties)> {
        let computes = |family: &&(u32, &vk::QueueFamilyProperties)| {
            family.1.queue_count > 0 && family.1.queue_flags.contains(vk::QueueFlags::COMPUTE)
        };
        let families: Vec<_> = (0..).zip(&self.families).collect();
        let mut found: Vec<_> = families.iter().filter(computes).copied().collect();
        found.sort_by_key(|(_, family)| family.queue_flags.contains(vk::QueueFlags::GRAPHICS));
        found.first().copied()
    }

    /// The first type of memory that has the properties, and not the unwanted ones if possible.
    /// Types that no buffer of ours may be in do not count.
    fn memory_type(&self, needed: vk::MemoryPropertyFlags, unwanted: vk::MemoryPropertyFlags) -> Option<u32> {
        let special = vk::MemoryPropertyFlags::LAZILY_ALLOCATED | vk::MemoryPropertyFlags::PROTECTED;
        let types: Vec<_> = (0..).zip(self.memory.memory_types_as_slice()).collect();
        let fits = |kind: &&(u32, &vk::MemoryType)| {
            kind.1.property_flags.contains(needed) && !kind.1.property_flags.intersects(special)
        };
        let best = types.iter().filter(fits).find(|kind| !kind.1.property_flags.intersects(unwanted));
        best.or_else(|| types.iter().find(fits)).map(|kind| kind.0)
    }

    fn chosen(&self) -> Option<Chosen> {
        use vk::MemoryPropertyFlags as Flags;
        let (family, properties) = self.family()?;
        let device_memory = self.memory_type(Flags::DEVICE_LOCAL, Flags::HOST_VISIBLE)?;
        let shared = Flags::HOST_VISIBLE | Flags::HOST_COHERENT;
        let host_memory = self.memory_type(shared | Flags::HOST_CACHED, Flags::DEVICE_LOCAL);
        let host_memory = host_memory.or_else(|| self.memory_type(shared, Flags::DEVICE_LOCAL))?;
        let types = (0..).zip(self.memory.memory_types_as_slice());
        let visible =
            types.filter(|kind| kind.1.property_flags.contains(shared)).fold(0, |bits, kind| bits | 1 << kind.0);
        let features: BTreeSet<_> = SpirvFeature::all().filter(|feature| self.has(*feature)).collect();
        let limits = &self.properties.limits;
        Some(Chosen {
            physical: self.physical,
            family,
            queues: properties.queue_count.min(QUEUES),
            device_memory,
            host_memory,
            visible,
            timestamp_bits: properties.timestamp_valid_bits,
            timestamp_period: limits.timestamp_period,
            dispatch: limits.max_compute_work_group_count,
            most_sub_groups: self.v13.max_compute_workgroup_subgroups,
            pipeline_id: PipelineId {
                vendor: self.properties.vendor_id,
                device: self.properties.device_id,
                uuid: self.properties.pipeline_cache_uuid,
            },
            is_cpu: self.kind() == DeviceKind::Cpu,
            placement: self.placement(),
            extensions: self.wanted_extensions(),
            has_budget: self.extensions.contains(ext::memory_budget::NAME),
            features,
        })
    }

    /// Alignment of addresses at which the host can place memory. A CPU has its memory at one
    /// address anyway.
    fn placement(&self) -> Option<u64> {
        let places = self.features.placed.memory_map_placed != vk::FALSE && self.kind() != DeviceKind::Cpu;
        places.then_some(self.placement.max(1))
    }

    fn wanted_extensions(&self) -> Vec<CString> {
        let clock = self.has(SpirvFeature::ShaderClock).then_some(khr::shader_clock::NAME);
        let placed = self.placement().is_some();
        let names = [
            placed.then_some(khr::map_memory2::NAME),
            placed.then_some(ext::map_memory_placed::NAME),
            Some(ext::shader_atomic_float::NAME),
            Some(ext::shader_atomic_float2::NAME),
            Some(ext::memory_budget::NAME),
            clock,
        ];
        names.into_iter().flatten().filter(|name| self.extensions.contains(*name)).map(CStr::to_owned).collect()
    }

    fn limits(&self) -> Limits {
        let limits = &self.properties.limits;
        let local_memory = limits.max_compute_shared_memory_size;
        let cpus = || thread::available_parallelism().ok().and_then(|count| u32::try_from(count.get()).ok());
        let units = if self.kind() == DeviceKind::Cpu { cpus() } else { self.units };
        Limits {
            group: limits.max_compute_work_group_invocations.min(LARGEST_GROUP),
            group_sizes: limits.max_compute_work_group_size.map(|size| size.min(LARGEST_GROUP)),
            grid: [u32::MAX.into(); 3],
            local_memory,
            most_local_memory: local_memory,
            processors: units.unwrap_or(UNKNOWN_UNITS).max(1),
            registers: 0,
            managed: false,
            prefetch: false,
        }
    }

    fn sub_group_sizes(&self) -> Vec<u64> {
        let (least, most) = (self.v13.min_subgroup_size, self.v13.max_subgroup_size);
        if !self.has(SpirvFeature::SubGroupSize) || least == 0 {
            return vec![self.v11.subgroup_size.max(1).into()];
        }
        std::iter::successors(Some(u64::from(least)), |size| Some(size * 2)).take_while(|s| *s <= most.into()).collect()
    }

    /// The translator computes half precision in `float` where the device has none.
    fn bits(&self) -> u64 {
        let known =
            [(SpirvFeature::Fp64, DeviceFeatures::FP64), (SpirvFeature::Int64Atomics, DeviceFeatures::ATOMIC64)];
        // Mesa's lavapipe keeps subnormal numbers without saying so.
        let keeps = self.has(SpirvFeature::Subnormals) || self.is_lavapipe();
        let subnormals = if keeps { DeviceFeatures::SUBNORMALS } else { 0 };
        let has_times = self.family().is_some_and(|(_, family)| family.timestamp_valid_bits > 0);
        let times = if has_times { DeviceFeatures::TIMES } else { 0 };
        let always = DeviceFeatures::FP16 | DeviceFeatures::USM_DEVICE | subnormals | times;
        known.into_iter().filter(|(feature, _)| self.has(*feature)).fold(always, |bits, (_, bit)| bits | bit)
    }

    fn vendor(&self) -> String {
        let id = self.properties.vendor_id;
        let known = VENDORS.iter().find(|(known, _)| *known == id);
        known.map_or_else(|| format!("vendor {id:#x}"), |(_, name)| (*name).to_owned())
    }

    fn driver_version(&self) -> String {
        let words = [self.v12.driver_name_as_c_str(), self.v12.driver_info_as_c_str()];
        let words: Vec<_> = words.into_iter().flatten().map(CStr::to_string_lossy).collect();
        words.join(" ").trim().to_owned()
    }

    fn info(&self, chosen: &Chosen, limits: &Limits) -> DeviceInfo {
        let kind = self.memory.memory_types[chosen.device_memory as usize];
        let global_memory = self.memory.memory_heaps[kind.heap_index as usize].size;
        let largest = [self.v11.max_memory_allocation_size, self.v13.max_buffer_size, global_memory];
        DeviceInfo {
            name: self.name(),
            vendor: self.vendor(),
            vendor_id: self.properties.vendor_id,
            driver: "vulkan",
            driver_version: self.driver_version(),
            kind: self.kind(),
            compute_units: limits.processors,
            max_work_group_size: limits.group.into(),
            max_work_item_sizes: limits.group_sizes.map(u64::from),
            global_memory,
            local_memory: limits.most_local_memory.into(),
            max_allocation: largest.into_iter().min().unwrap_or(0),
            clock_mhz: 0,
            cache_line: 0,
            sub_group_sizes: self.sub_group_sizes(),
            features: DeviceFeatures(self.bits()),
        }
    }

    fn target(&self, chosen: &Chosen) -> Option<SpirvTarget> {
        let target = SpirvTarget::for_device(SpirvEnvironment::Vulkan, SPIRV, chosen.features.clone())?;
        let device = match self.kind() {
            DeviceKind::Cpu => SpirvDevice::Cpu,
            DeviceKind::Gpu => SpirvDevice::Gpu,
            DeviceKind::Other => SpirvDevice::Accelerator,
        };
        Some(SpirvTarget { device, ..target })
    }
}

/// Describes a device of an instance. The error is the reason why it is left out.
pub(crate) fn describe(instance: &Instance, physical: vk::PhysicalDevice) -> Result<Found, String> {
    let answers = Answers::ask(&instance.instance, physical);
    let left_out = |reason: &str| format!("{}: {reason}", answers.name());
    answers.check().map_err(|reason| left_out(&reason))?;
    let chosen = answers.chosen().ok_or_else(|| left_out("it has no queue for computing, or no memory for it"))?;
    let target = answers.target(&chosen).ok_or_else(|| left_out("it takes no known version of SPIR-V"))?;
    let limits = answers.limits();
    Ok(Found { info: answers.info(&chosen, &limits), chosen, limits, target })
}
