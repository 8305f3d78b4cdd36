//! The drivers of this build.
//!
//! In: settings. Out: the drivers, in the order in which their devices are numbered. *Invariant:* a
//! driver is one row of [`DRIVERS`], and no other file of the runtime knows one by name. A driver
//! opens no library and searches for no device before it is asked for its devices.
#![forbid(unsafe_code)]

use sinter_core::names::readable;
use sinter_driver::Driver;
use sinter_driver_cuda::CudaOptions;
use sinter_driver_hip::HipOptions;
use sinter_driver_host::{CpuLevel, HostDriver, HostOptions, Loader, ObjectLoader, PerfMap};
use sinter_driver_level_zero::LevelZeroOptions;
use sinter_driver_opencl::OpenClOptions;
use sinter_driver_vulkan::VulkanOptions;
use std::{
    collections::{BTreeMap, BTreeSet},
    path::PathBuf,
};

/// A driver of this build: its names and its constructor.
pub struct Registration {
    /// Name in `SINTER_VISIBILITY_MASK`.
    pub name: &'static str,
    /// Name in `ONEAPI_DEVICE_SELECTOR`.
    pub one_api: &'static str,
    /// Name in `ACPP_VISIBILITY_MASK`.
    pub adaptive_cpp: &'static str,
    /// Environment variables that hide devices. The vendor's library reads them itself; here they
    /// only improve messages about missing devices.
    pub variables: &'static [&'static str],
    /// Creates the driver from the settings.
    pub make: fn(&Settings) -> Box<dyn Driver>,
}

/// Settings that drivers understand.
#[derive(Debug, Clone, Default)]
pub struct Settings {
    /// Threads for large commands on the host; `None` means as many as the process may use.
    pub threads: Option<usize>,
    /// True if each of these threads stays on one CPU.
    pub pinned_threads: bool,
    /// Instruction set level for host code; `None` means that of this CPU.
    pub host_level: Option<CpuLevel>,
    /// True if names of host functions are written for `perf`.
    pub perf_map: bool,
    /// Optimisation level of the CUDA driver's assembler; `None` means its default.
    pub jit_level: Option<u8>,
    /// True if Vulkan's validation layer checks the calls of its driver.
    pub vulkan_validation: bool,
    /// Folders of ROCm installations.
    pub rocm: Vec<PathBuf>,
    /// Names of the drivers that the visibility mask names explicitly.
    pub named: BTreeSet<&'static str>,
    /// Set variables of [`variables`], by name.
    pub variables: BTreeMap<&'static str, String>,
}

/// All drivers, GPUs first, so that device 0 is a GPU if there is one.
pub const DRIVERS: &[Registration] = &[
    Registration {
        name: "cuda",
        one_api: "cuda",
        adaptive_cpp: "cuda",
        variables: &["CUDA_VISIBLE_DEVICES"],
        make: cuda,
    },
    Registration {
        name: "hip",
        one_api: "hip",
        adaptive_cpp: "hip",
        variables: &["ROCR_VISIBLE_DEVICES", "HIP_VISIBLE_DEVICES", "CUDA_VISIBLE_DEVICES", "GPU_DEVICE_ORDINAL"],
        make: hip,
    },
    Registration {
        name: "level-zero",
        one_api: "level_zero",
        adaptive_cpp: "ze",
        variables: &["ZE_AFFINITY_MASK"],
        make: level_zero,
    },
    Registration {
        name: "opencl",
        one_api: "opencl",
        adaptive_cpp: "ocl",
        variables: &["OCL_ICD_VENDORS"],
        make: opencl,
    },
    Registration {
        name: "vulkan",
        one_api: "vulkan",
        adaptive_cpp: "vk",
        variables: &["VK_DRIVER_FILES", "VK_ICD_FILENAMES"],
        make: vulkan,
    },
    Registration { name: "host", one_api: "native_cpu", adaptive_cpp: "omp", variables: &[], make: host },
];

/// Names of the variables that vendor libraries read.
pub fn variables() -> impl Iterator<Item = &'static str> {
    DRIVERS.iter().flat_map(|driver| driver.variables).copied()
}

/// The first variable of a driver that is set, with its value. Explains why the driver has no
/// devices.
fn hiding<'s>(settings: &'s Settings, driver: &str) -> Option<(&'static str, &'s String)> {
    let row = DRIVERS.iter().find(|row| row.name == driver)?;
    row.variables.iter().find_map(|name| Some((*name, settings.variables.get(name)?)))
}

fn value(settings: &Settings, driver: &str) -> Option<String> {
    hiding(settings, driver).map(|(_, value)| value.clone())
}

fn cuda(settings: &Settings) -> Box<dyn Driver> {
    let (jit_level, visible_devices) = (settings.jit_level, value(settings, "cuda"));
    Box::new(sinter_driver_cuda::driver(CudaOptions { jit_level, visible_devices, ..CudaOptions::default() }))
}

fn hip(settings: &Settings) -> Box<dyn Driver> {
    let visible_devices = hiding(settings, "hip").map(|(name, value)| format!("{name}={value}"));
    let installations = settings.rocm.clone();
    Box::new(sinter_driver_hip::driver(HipOptions { installations, visible_devices, ..HipOptions::default() }))
}

fn level_zero(settings: &Settings) -> Box<dyn Driver> {
    let affinity_mask = value(settings, "level-zero");
    Box::new(sinter_driver_level_zero::driver(LevelZeroOptions { affinity_mask, ..LevelZeroOptions::default() }))
}

/// CPUs belong to the host driver, unless the mask names OpenCL explicitly.
fn opencl(settings: &Settings) -> Box<dyn Driver> {
    let (cpus, vendors) = (settings.named.contains("opencl"), value(settings, "opencl"));
    Box::new(sinter_driver_opencl::driver(OpenClOptions { cpus, vendors, ..OpenClOptions::default() }))
}

/// Most GPUs have another driver here, so Vulkan is used only where the mask names it.
fn vulkan(settings: &Settings) -> Box<dyn Driver> {
    let (wanted, files) = (settings.named.contains("vulkan"), value(settings, "vulkan"));
    let validation = settings.vulkan_validation;
    Box::new(sinter_driver_vulkan::driver(VulkanOptions { wanted, files, validation, ..VulkanOptions::default() }))
}

fn host(settings: &Settings) -> Box<dyn Driver> {
    let loader: Box<dyn Loader> = match settings.perf_map {
        true => Box::new(ObjectLoader::with_perf_map(PerfMap::new(readable))),
        false => Box::<ObjectLoader>::default(),
    };
    let Settings { threads, pinned_threads: pinned, host_level: level, .. } = *settings;
    Box::new(HostDriver::with_options(HostOptions { threads, pinned, level, loader }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_driver_has_the_name_of_its_row() {
        for row in DRIVERS {
            assert_eq!((row.make)(&Settings::default()).name(), row.name);
        }
    }

    #[test]
    fn the_first_variable_that_is_set_counts() {
        let variables = [("GPU_DEVICE_ORDINAL", "1"), ("HIP_VISIBLE_DEVICES", "2")];
        let variables = variables.into_iter().map(|(name, value)| (name, value.to_owned())).collect();
        let settings = Settings { variables, ..Settings::default() };
        assert_eq!(hiding(&settings, "hip"), Some(("HIP_VISIBLE_DEVICES", &"2".to_owned())));
        assert_eq!((value(&settings, "cuda"), value(&settings, "host")), (None, None));
    }
}
