//! The aspects of SYCL that a device has.
//!
//! In: a device's information. Out: a bit for each aspect, by its number in
//! `sycl/info/aspects.def`. *Invariant:* names and numbers are those of that file alone; an aspect
//! that is not known here is one that no device has.
#![forbid(unsafe_code)]

use sinter_driver::{DeviceFeatures, DeviceInfo, DeviceKind};

/// Names and numbers of all aspects.
fn all() -> impl Iterator<Item = (&'static str, u32)> {
    include_str!("../include/sycl/info/aspects.def").lines().filter_map(|line| {
        let (name, number) = line.strip_prefix("__SYCL_ASPECT(")?.strip_suffix(')')?.split_once(", ")?;
        Some((name, number.parse().ok().filter(|number| *number < u64::BITS)?))
    })
}

fn has(device: &DeviceInfo, aspect: &str) -> bool {
    let feature = |bit| device.features.0 & bit != 0;
    let is_cpu = device.kind == DeviceKind::Cpu;
    match aspect {
        "cpu" => is_cpu,
        "gpu" => device.kind == DeviceKind::Gpu,
        "accelerator" => !is_cpu && device.kind != DeviceKind::Gpu,
        "fp16" => feature(DeviceFeatures::FP16),
        "fp64" => feature(DeviceFeatures::FP64),
        "atomic64" => feature(DeviceFeatures::ATOMIC64),
        "usm_device_allocations" => feature(DeviceFeatures::USM_DEVICE),
        "usm_host_allocations" => feature(DeviceFeatures::USM_HOST),
        "usm_shared_allocations" => feature(DeviceFeatures::USM_SHARED),
        "usm_system_allocations" => feature(DeviceFeatures::USM_SYSTEM),
        "usm_atomic_host_allocations" => is_cpu && feature(DeviceFeatures::USM_HOST),
        "usm_atomic_shared_allocations" => is_cpu && feature(DeviceFeatures::USM_SHARED),
        "queue_profiling" => feature(DeviceFeatures::TIMES),
        "image" | "online_compiler" | "online_linker" => true,
        _ => false,
    }
}

/// The aspects of a device.
pub fn of(device: &DeviceInfo) -> u64 {
    all().filter(|(name, _)| has(device, name)).fold(0, |bits, (_, number)| bits | 1 << number)
}

/// Names of aspects, separated by commas. A number without a name stands for itself.
pub fn names(bits: u64) -> String {
    let name = |bit| all().find(|(_, number)| *number == bit).map_or_else(|| bit.to_string(), |(name, _)| name.into());
    let set = (0..u64::BITS).filter(|bit| bits >> bit & 1 != 0);
    set.map(name).collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use sinter_driver::{Driver, recording::RecordingDriver};

    #[test]
    fn each_aspect_of_the_header_has_a_number_of_its_own() {
        let numbers: std::collections::BTreeSet<_> = all().map(|(_, number)| number).collect();
        assert_eq!(numbers.len(), all().count());
        assert!(all().count() >= 43, "the lines of the header are read");
    }

    #[test]
    fn bits_are_those_of_the_names() {
        assert_eq!(names(1 << 1 | 1 << 6 | 1 << 63), "gpu, fp16, 63");
        let recording = RecordingDriver::new().devices().expect("a device");
        let features = DeviceFeatures(DeviceFeatures::FP64);
        let device = DeviceInfo { kind: DeviceKind::Cpu, features, ..recording[0].info().clone() };
        let found = names(of(&device));
        assert!(found.starts_with("cpu, fp64, image, "), "{found}");
        assert!(!found.contains("usm") && !found.contains("ext_"), "{found}");
    }
}
