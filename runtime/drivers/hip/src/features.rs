//! Describes a GPU by its attributes.
//!
//! In: a device of the library. Out: its properties, limits and target. *Invariant:* the property
//! structure, which differs between versions of ROCm, is only used for the target ID; everything
//! else is an attribute.

use crate::library::Hip;
use hip_sys::types::{Attribute, Properties, TARGET_OFFSET_5, TARGET_OFFSET_6, TARGET_SIZE};
use sinter_core::{
    AmdgcnTarget,
    amdgcn::{AmdgcnTargetError, Wave},
};
use sinter_driver::{DeviceFeatures, DeviceInfo, DeviceKind};
use sinter_driver_common::{Failure, Limits};
use std::ffi::CStr;

/// AMD's PCI vendor ID.
const VENDOR_ID: u32 = 0x1002;

/// Properties of a device on which nothing was created yet.
pub(crate) struct Found {
    pub(crate) device: i32,
    pub(crate) info: DeviceInfo,
    pub(crate) limits: Limits,
    pub(crate) target: AmdgcnTarget,
}

/// Reason why a device cannot be used.
#[derive(Debug)]
pub(crate) enum Unusable {
    Failed(Failure),
    /// The translator does not support its target.
    Target {
        name: String,
        error: AmdgcnTargetError,
    },
}

impl From<Failure> for Unusable {
    fn from(failure: Failure) -> Self {
        Unusable::Failed(failure)
    }
}

/// Queries attributes of one device.
struct Attributes<'a> {
    hip: &'a Hip,
    device: i32,
}

impl Attributes<'_> {
    fn number(&self, attribute: Attribute) -> Result<u32, Failure> {
        let mut value = 0;
        // SAFETY: the device is one of the library's, and `value` is writable.
        unsafe { self.hip.api.device_attribute(&raw mut value, attribute, self.device) }?;
        Ok(u32::try_from(value).unwrap_or(0))
    }

    /// True if an attribute is set. Attributes that a version does not know count as absent.
    fn has(&self, attribute: Attribute) -> bool {
        self.number(attribute).is_ok_and(|value| value != 0)
    }

    fn numbers(&self, attributes: [Attribute; 3]) -> Result<[u32; 3], Failure> {
        let [x, y, z] = attributes;
        Ok([self.number(x)?, self.number(y)?, self.number(z)?])
    }

    fn limits(&self) -> Result<Limits, Failure> {
        use Attribute::*;
        let local_memory = self.number(MaxSharedMemoryPerBlock)?;
        // Without concurrent access the host must not touch managed memory while a kernel runs, and
        // no SYCL program promises that.
        let managed = self.has(ManagedMemory) && self.has(ConcurrentManagedAccess);
        Ok(Limits {
            group: self.number(MaxThreadsPerBlock)?,
            group_sizes: self.numbers([MaxBlockDimX, MaxBlockDimY, MaxBlockDimZ])?,
            grid: self.numbers([MaxGridDimX, MaxGridDimY, MaxGridDimZ])?.map(u64::from),
            local_memory,
            most_local_memory: local_memory,
            processors: self.number(MultiprocessorCount)?.max(1),
            registers: 0,
            managed,
            prefetch: managed,
        })
    }

    fn features(&self, limits: &Limits) -> DeviceFeatures {
        use Attribute::*;
        let when = |condition: bool, feature: u64| if condition { feature } else { 0 };
        // Every supported GPU has these. System memory, which kernels can access if attribute 65,
        // `hipDeviceAttributePageableMemoryAccess`, says so, is not offered: the library cannot
        // fill memory that it does not know.
        let numbers = DeviceFeatures::FP64 | DeviceFeatures::FP16 | DeviceFeatures::SUBNORMALS;
        let always = numbers | DeviceFeatures::ATOMIC64 | DeviceFeatures::USM_DEVICE | DeviceFeatures::TIMES;
        DeviceFeatures(
            always
                | when(self.has(CanMapHostMemory), DeviceFeatures::USM_HOST)
                | when(limits.managed, DeviceFeatures::USM_SHARED),
        )
    }

    fn name(&self) -> Result<String, Failure> {
        let mut name = [0u8; 256];
        // SAFETY: the buffer has the length that is passed, less its last byte, which stays 0.
        unsafe { self.hip.api.device_name(name.as_mut_ptr().cast(), name.len() as i32 - 1, self.device) }?;
        Ok(text(&name))
    }

    fn memory(&self) -> Result<u64, Failure> {
        let mut bytes = 0usize;
        // SAFETY: the device is one of the library's, and `bytes` is writable.
        unsafe { self.hip.api.device_memory(&raw mut bytes, self.device) }?;
        Ok(bytes as u64)
    }

    /// The target ID: from the properties of ROCm 6 and 7 if the library has them and they contain
    /// a valid one, otherwise from those of ROCm 5.
    fn target(&self) -> Result<Result<AmdgcnTarget, AmdgcnTargetError>, Failure> {
        let of_6 = self.id_6().transpose()?.map(|text| text.parse::<AmdgcnTarget>());
        if let Some(Ok(target)) = of_6 {
            return Ok(Ok(target));
        }
        let of_5 = self.id_5().transpose()?.unwrap_or_default().parse::<AmdgcnTarget>();
        Ok(of_5.map_err(|error| of_6.and_then(Result::err).unwrap_or(error)))
    }

    fn id_6(&self) -> Option<Result<String, Failure>> {
        let mut properties = Properties([0; 8192]);
        let place = (&raw mut properties.0).cast();
        // SAFETY: the structure is smaller than the buffer.
        let asked = unsafe { self.hip.api.device_properties_6(place, self.device) }?;
        Some(asked.map(|()| text(&properties.0[TARGET_OFFSET_6..][..TARGET_SIZE])))
    }

    fn id_5(&self) -> Option<Result<String, Failure>> {
        let mut properties = Properties([0; 8192]);
        let place = (&raw mut properties.0).cast();
        // SAFETY: the structure is smaller than the buffer.
        let asked = unsafe { self.hip.api.device_properties_5(place, self.device) }?;
        Some(asked.map(|()| text(&properties.0[TARGET_OFFSET_5..][..TARGET_SIZE])))
    }
}

/// The string up to the first null character.
fn text(bytes: &[u8]) -> String {
    let text = CStr::from_bytes_until_nul(bytes).map(CStr::to_string_lossy);
    text.map_or_else(|_| String::new(), String::from)
}

/// Bytes in a line of the last-level cache: 64 in the first GPUs of the ninth generation (AMD,
/// "Vega Instruction Set Architecture"), 128 since (white papers on CDNA 2, CDNA 3 and RDNA).
fn cache_line(target: &AmdgcnTarget) -> u32 {
    let is_old = target.version()[0] == 9 && !matches!(target.processor.as_str(), "gfx90a" | "gfx942");
    if is_old { 64 } else { 128 }
}

/// Describes a device of a library of this version.
pub(crate) fn describe(hip: &Hip, device: i32, version: &str) -> Result<Found, Unusable> {
    let attributes = Attributes { hip, device };
    let name = attributes.name()?;
    let mut target = match attributes.target()? {
        Ok(target) => target,
        Err(error) => return Err(Unusable::Target { name, error }),
    };
    match attributes.number(Attribute::WarpSize)? {
        32 => target.wave = Wave::Wave32,
        64 => target.wave = Wave::Wave64,
        _ => {}
    }
    let (limits, memory) = (attributes.limits()?, attributes.memory()?);
    let info = DeviceInfo {
        name: if name.is_empty() { format!("AMD {}", target.processor) } else { name },
        vendor: "AMD".to_owned(),
        vendor_id: VENDOR_ID,
        driver: "hip",
        driver_version: version.to_owned(),
        kind: DeviceKind::Gpu,
        compute_units: limits.processors,
        max_work_group_size: limits.group.into(),
        max_work_item_sizes: limits.group_sizes.map(u64::from),
        global_memory: memory,
        local_memory: limits.most_local_memory.into(),
        max_allocation: memory,
        clock_mhz: attributes.number(Attribute::ClockRate).unwrap_or(0) / 1000,
        cache_line: cache_line(&target),
        sub_group_sizes: vec![target.wave.size().into()],
        features: attributes.features(&limits),
    };
    Ok(Found { device, info, limits, target })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_grew_with_gfx90a() {
        let line = |text: &str| cache_line(&text.parse().expect("a target"));
        assert_eq!(["gfx906", "gfx90c", "gfx90a", "gfx942", "gfx1030"].map(line), [64, 64, 128, 128, 128]);
    }
}
