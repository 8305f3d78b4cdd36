//! Describes a device by its answers to queries.
//!
//! In: a device of a platform. Out: its properties, limits and target, or why it cannot be used.
//! *Invariant:* code uses only features that the device reports; an unknown feature counts as
//! absent.

use crate::{
    memory::{Allocator, Svm},
    queries::{Questions, spirv_version, version},
};
use opencl_sys::{
    Api, Usm,
    types::{
        ATOMIC_SCOPE_ALL_DEVICES, Device, FP_DENORM, GLOBAL_FP_ATOMIC_ADD, GLOBAL_FP_ATOMIC_MIN_MAX,
        LOCAL_FP_ATOMIC_ADD, LOCAL_FP_ATOMIC_MIN_MAX, MEMORY_ACCESS, Platform, SVM_ATOMICS, SVM_COARSE_GRAIN_BUFFER,
        SVM_FINE_GRAIN_BUFFER, SVM_FINE_GRAIN_SYSTEM, TYPE_CPU, TYPE_GPU, device,
    },
};
use sinter_core::{SpirvDevice, SpirvEnvironment, SpirvFeature, SpirvTarget, spirv::LARGEST_GROUP};
use sinter_driver::{DeviceFeatures, DeviceInfo, DeviceKind};
use sinter_driver_common::{Failure, Limits};
use std::collections::BTreeSet;

/// `DenormPreserve`, `DenormFlushToZero`, `SignedZeroInfNanPreserve`, `RoundingModeRTE` and
/// `RoundingModeRTZ`, as SPIR-V capabilities.
const FLOAT_CONTROLS: [u32; 5] = [4464, 4465, 4466, 4467, 4468];
/// `CL_FP_CORRECTLY_ROUNDED_DIVIDE_SQRT`.
const CORRECTLY_ROUNDED: u64 = 1 << 7;

/// Properties of a device on which nothing was created yet.
pub(crate) struct Found {
    pub(crate) info: DeviceInfo,
    pub(crate) limits: Limits,
    pub(crate) target: SpirvTarget,
    pub(crate) allocator: Allocator,
    /// True if programs are created by the extension `cl_khr_il_program`.
    pub(crate) by_extension: bool,
    /// True if division and square root of `float` can be correctly rounded.
    pub(crate) rounds_correctly: bool,
}

/// Reason why a device cannot be used.
#[derive(Debug)]
pub(crate) enum Unusable {
    Failed(Failure),
    /// It lacks a required feature.
    Lacks(String),
}

impl From<Failure> for Unusable {
    fn from(failure: Failure) -> Self {
        Unusable::Failed(failure)
    }
}

fn lacks(what: impl Into<String>) -> Unusable {
    Unusable::Lacks(what.into())
}

/// The result of a query that is only valid under a condition; empty otherwise.
fn when<T: Ord>(condition: bool, query: impl FnOnce() -> Vec<T>) -> BTreeSet<T> {
    if condition { query().into_iter().collect() } else { BTreeSet::new() }
}

/// Answers of a device that several properties need.
struct Described<'a> {
    questions: &'a Questions<'a>,
    version: u32,
    spirv: u32,
    extensions: BTreeSet<String>,
    /// From `cl_khr_spirv_queries`; empty without it.
    spirv_extensions: BTreeSet<String>,
    spirv_capabilities: BTreeSet<u32>,
}

impl<'a> Described<'a> {
    fn new(questions: &'a Questions<'a>) -> Result<Self, Failure> {
        let words = |text: String| text.split_whitespace().map(str::to_owned).collect::<BTreeSet<_>>();
        let extensions = words(questions.text(device::EXTENSIONS)?);
        let asked = extensions.contains("cl_khr_spirv_queries");
        Ok(Described {
            version: version(&questions.text(device::VERSION)?),
            spirv: spirv_version(&questions.text(device::IL_VERSION).unwrap_or_default()),
            spirv_extensions: when(asked, || questions.texts(device::SPIRV_EXTENSIONS)),
            spirv_capabilities: when(asked, || questions.words(device::SPIRV_CAPABILITIES)),
            questions,
            extensions,
        })
    }

    fn extension(&self, name: &str) -> bool {
        self.extensions.contains(name)
    }

    fn is(&self, name: u32) -> bool {
        self.questions.any_number(name) != 0
    }

    /// True if the device has all of these bits in a query of `cl_ext_float_atomics`.
    fn float_atomics(&self, name: u32, bits: u64) -> bool {
        self.extension("cl_ext_float_atomics") && self.questions.any_number(name) & bits == bits
    }

    fn has_sub_groups(&self) -> bool {
        self.extension("cl_khr_subgroups") || self.version >= 21 && self.is(device::MAX_NUM_SUB_GROUPS)
    }

    fn has(&self, feature: SpirvFeature) -> bool {
        use SpirvFeature::*;
        let by_extension = || feature.opencl_extension().is_some_and(|name| self.extension(name));
        let by_spirv = || feature.spirv_extension().is_some_and(|name| self.spirv_extensions.contains(name));
        let (add, most) =
            (GLOBAL_FP_ATOMIC_ADD | LOCAL_FP_ATOMIC_ADD, GLOBAL_FP_ATOMIC_MIN_MAX | LOCAL_FP_ATOMIC_MIN_MAX);
        match feature {
            Fp64 => by_extension() || self.is(device::DOUBLE_FP_CONFIG),
            // Always present in OpenCL 2; OpenCL 3 has a query.
            Generic => self.version < 30 || self.is(device::GENERIC_ADDRESS_SPACE_SUPPORT),
            GlobalVariables => self.is(device::MAX_GLOBAL_VARIABLE_SIZE),
            // The base extension has additions and exchanges; minimum, maximum and bitwise
            // operations need the extended one.
            Int64Atomics => by_extension() && self.extension("cl_khr_int64_extended_atomics"),
            AtomicAddF32 => self.float_atomics(device::SINGLE_FP_ATOMIC_CAPABILITIES, add),
            AtomicAddF64 => self.float_atomics(device::DOUBLE_FP_ATOMIC_CAPABILITIES, add),
            AtomicMinMaxF32 => self.float_atomics(device::SINGLE_FP_ATOMIC_CAPABILITIES, most),
            AtomicMinMaxF64 => self.float_atomics(device::DOUBLE_FP_ATOMIC_CAPABILITIES, most),
            SubGroups => self.has_sub_groups(),
            FloatControls => FLOAT_CONTROLS.iter().all(|number| self.spirv_capabilities.contains(number)),
            // OpenCL 2 ties this scope to atomics in SVM; OpenCL 3 has a query of its own.
            SystemScope => {
                self.questions.any_number(device::ATOMIC_MEMORY_CAPABILITIES) & ATOMIC_SCOPE_ALL_DEVICES != 0
                    || self.version < 30 && self.questions.any_number(device::SVM_CAPABILITIES) & SVM_ATOMICS != 0
            }
            _ => by_extension() || by_spirv(),
        }
    }

    fn rounds_correctly(&self) -> bool {
        self.questions.number(device::SINGLE_FP_CONFIG).is_ok_and(|config| config & CORRECTLY_ROUNDED != 0)
    }

    fn target(&self) -> Option<SpirvTarget> {
        let features = SpirvFeature::all().filter(|feature| self.has(*feature)).collect();
        let target = SpirvTarget::for_device(SpirvEnvironment::OpenCl, self.spirv, features)?;
        let device = match kind(self.questions).ok()? {
            DeviceKind::Cpu => SpirvDevice::Cpu,
            DeviceKind::Gpu => SpirvDevice::Gpu,
            DeviceKind::Other => SpirvDevice::Accelerator,
        };
        Some(SpirvTarget { device, ..target })
    }

    /// Checks for defects that make the device unusable for every kernel.
    fn check(&self) -> Result<(), Unusable> {
        if self.version < 20 {
            return Err(lacks("OpenCL 2.0"));
        }
        if self.version < 21 && !self.extension("cl_khr_il_program") || self.spirv == 0 {
            return Err(lacks("compiler that takes SPIR-V (cl_khr_il_program)"));
        }
        if self.questions.number(device::ADDRESS_BITS)? != 64 || !self.is(device::ENDIAN_LITTLE) {
            return Err(lacks("pointers of 64 bits, lowest byte first"));
        }
        match self.is(device::AVAILABLE) && self.is(device::COMPILER_AVAILABLE) {
            true => Ok(()),
            false => Err(lacks("compiler that can be used now")),
        }
    }

    /// Selects the allocator, with bits of [`DeviceFeatures`] for the kinds of memory.
    fn memory(&self, usm: Option<Usm>) -> Result<(Allocator, u64), Unusable> {
        let when = |condition: bool, bit: u64| if condition { bit } else { 0 };
        let accesses = |name| self.questions.any_number(name) & MEMORY_ACCESS != 0;
        if let Some(usm) = usm.filter(|_| accesses(device::DEVICE_MEM_CAPABILITIES)) {
            let features = DeviceFeatures::USM_DEVICE
                | when(accesses(device::HOST_MEM_CAPABILITIES), DeviceFeatures::USM_HOST)
                | when(accesses(device::SHARED_MEM_CAPABILITIES), DeviceFeatures::USM_SHARED)
                | when(accesses(device::SYSTEM_MEM_CAPABILITIES), DeviceFeatures::USM_SYSTEM);
            return Ok((Allocator::Usm(usm), features));
        }
        let capabilities = self.questions.any_number(device::SVM_CAPABILITIES);
        let has = |bit| capabilities & bit != 0;
        if !has(SVM_COARSE_GRAIN_BUFFER) && !has(SVM_FINE_GRAIN_BUFFER) {
            return Err(lacks("memory that has addresses (cl_intel_unified_shared_memory, shared virtual memory)"));
        }
        let features = DeviceFeatures::USM_DEVICE
            | when(has(SVM_FINE_GRAIN_BUFFER), DeviceFeatures::USM_HOST | DeviceFeatures::USM_SHARED)
            | when(has(SVM_FINE_GRAIN_SYSTEM), DeviceFeatures::USM_SYSTEM);
        Ok((Allocator::Svm(Svm::new(capabilities)), features))
    }

    fn limits(&self, has_shared: bool, prefetch: bool) -> Result<Limits, Failure> {
        let narrow = |number: u64| u32::try_from(number).unwrap_or(u32::MAX);
        let sizes = self.questions.sizes(device::MAX_WORK_ITEM_SIZES);
        let size = |dimension| sizes.get(dimension).copied().map_or(1, narrow);
        let local_memory = narrow(self.questions.number(device::LOCAL_MEM_SIZE)?);
        Ok(Limits {
            group: narrow(self.questions.number(device::MAX_WORK_GROUP_SIZE)?).min(LARGEST_GROUP),
            group_sizes: std::array::from_fn(|dimension| size(dimension).min(LARGEST_GROUP)),
            grid: [u32::MAX.into(); 3],
            local_memory,
            most_local_memory: local_memory,
            processors: narrow(self.questions.number(device::MAX_COMPUTE_UNITS)?).max(1),
            registers: 0,
            managed: has_shared,
            prefetch: has_shared && prefetch,
        })
    }

    /// The sizes that the device reports, or the one that its hardware has, or 1 if nothing is
    /// known.
    fn sub_group_sizes(&self, target: &SpirvTarget) -> Vec<u64> {
        let known = self.questions.sizes(device::SUB_GROUP_SIZES);
        if target.has(SpirvFeature::SubGroupSize) && !known.is_empty() {
            return known;
        }
        let hardware = [device::WARP_SIZE, device::WAVEFRONT_WIDTH].map(|name| self.questions.any_number(name));
        vec![hardware.into_iter().find(|size| *size != 0).unwrap_or(1)]
    }

    /// The translator computes half precision in `float` where the device has none.
    fn features(&self, target: &SpirvTarget) -> u64 {
        let keeps = self.questions.any_number(device::SINGLE_FP_CONFIG) & FP_DENORM != 0;
        let subnormals = if keeps { DeviceFeatures::SUBNORMALS } else { 0 };
        let known =
            [(SpirvFeature::Fp64, DeviceFeatures::FP64), (SpirvFeature::Int64Atomics, DeviceFeatures::ATOMIC64)];
        known
            .into_iter()
            .filter(|(feature, _)| target.has(*feature))
            .fold(DeviceFeatures::FP16 | DeviceFeatures::TIMES | subnormals, |bits, (_, bit)| bits | bit)
    }

    fn info(&self, limits: &Limits, target: &SpirvTarget, memory: u64) -> Result<DeviceInfo, Failure> {
        let questions = self.questions;
        Ok(DeviceInfo {
            name: questions.text(device::NAME)?,
            vendor: questions.text(device::VENDOR)?,
            vendor_id: questions.any_number(device::VENDOR_ID) as u32,
            driver: "opencl",
            driver_version: questions.text(device::DRIVER_VERSION)?,
            kind: kind(questions)?,
            compute_units: limits.processors,
            max_work_group_size: limits.group.into(),
            max_work_item_sizes: limits.group_sizes.map(u64::from),
            global_memory: questions.number(device::GLOBAL_MEM_SIZE)?,
            local_memory: limits.most_local_memory.into(),
            max_allocation: questions.number(device::MAX_MEM_ALLOC_SIZE)?,
            clock_mhz: questions.any_number(device::MAX_CLOCK_FREQUENCY) as u32,
            cache_line: questions.any_number(device::GLOBAL_MEM_CACHELINE_SIZE) as u32,
            sub_group_sizes: self.sub_group_sizes(target),
            features: DeviceFeatures(memory | self.features(target)),
        })
    }
}

/// Kind of the device.
pub(crate) fn kind(questions: &Questions) -> Result<DeviceKind, Failure> {
    let bits = questions.number(device::TYPE)?;
    Ok(match (bits & TYPE_GPU != 0, bits & TYPE_CPU != 0) {
        (true, _) => DeviceKind::Gpu,
        (_, true) => DeviceKind::Cpu,
        _ => DeviceKind::Other,
    })
}

/// Describes a device of a platform.
///
/// # Safety
/// Platform and device were returned by the library.
pub(crate) unsafe fn describe(
    api: &Api,
    platform: Platform,
    device: Device,
    without_usm: bool,
) -> Result<Found, Unusable> {
    // SAFETY: upheld by the caller.
    let questions = unsafe { Questions::new(api, device) };
    let described = Described::new(&questions)?;
    described.check()?;
    let wanted = described.extension("cl_intel_unified_shared_memory") && !without_usm;
    // SAFETY: upheld by the caller. A platform that lacks one of the functions is used with shared
    // virtual memory, if it has that.
    let usm = wanted.then(|| unsafe { Usm::of(api, platform) }.ok()).flatten();
    let (allocator, memory) = described.memory(usm)?;
    let has_shared = memory & DeviceFeatures::USM_SHARED != 0;
    let limits = described.limits(has_shared, matches!(allocator, Allocator::Usm(_)))?;
    let target = described.target().ok_or_else(|| lacks("known version of SPIR-V"))?;
    let info = described.info(&limits, &target, memory)?;
    Ok(Found {
        info,
        limits,
        target,
        allocator,
        by_extension: described.version < 21,
        rounds_correctly: described.rounds_correctly(),
    })
}
