//! Detects the driver and its devices.
//!
//! In: NVIDIA's library, if there is one. Out: devices with their targets, and the reason for each
//! that is left out. *Invariant:* anything missing or broken is a reason with a remedy, never an
//! error or a panic.

use crate::{
    api::Api,
    error::{CudaError, code},
    features::{Found, describe},
    options::CudaOptions,
};
use sinter_core::PtxTarget;
use sinter_driver_common::Failure;
use std::{fs, sync::Arc};

/// Lists the GPUs that the kernel module drives.
const GPUS: &str = "/proc/driver/nvidia/gpus";

/// Names the driver build that the kernel module belongs to.
const BUILD: &str = "/proc/driver/nvidia/version";

/// A device that code can be compiled for.
pub(crate) struct Usable {
    pub(crate) found: Found,
    pub(crate) target: PtxTarget,
}

/// Result of detection.
pub(crate) struct Detected {
    pub(crate) api: Option<Arc<Api>>,
    /// CUDA version that the driver supports, such as 13.0.
    pub(crate) version: String,
    /// Build of the installed driver, such as 580.65.06, if it can be read.
    pub(crate) build: Option<String>,
    pub(crate) devices: Vec<Usable>,
    /// One reason for each device that was left out, or for the lack of any.
    pub(crate) left_out: Vec<String>,
}

/// The newest PTX version, times ten, that a driver for CUDA `version` accepts (PTX ISA, "Release
/// Notes"). `version` is 1000 times the major version plus ten times the minor one.
pub(crate) fn ptx_isa(version: i32) -> u32 {
    let (major, minor) = (version.max(0) as u32 / 1000, version.max(0) as u32 % 1000 / 10);
    match (major, minor) {
        (..=8, _) => 50,
        (9, _) => 60 + minor.min(2),
        (10, _) => 63 + minor.min(2),
        // CUDA 12.6 brought no new PTX version; from 12.7 on PTX is one minor version behind.
        (12, 6..) => 80 + minor.min(10) - 1,
        _ => (major - 4) * 10 + minor.min(9),
    }
}

/// Detects the devices.
pub(crate) fn detect(options: &CudaOptions) -> Detected {
    // An explicitly chosen library may be of another build than the kernel module.
    let build = fs::read_to_string(BUILD).ok().filter(|_| options.library.is_none());
    let build = build.as_deref().and_then(build_of).map(str::to_owned);
    let mut detected = Detected { api: None, version: String::new(), build, devices: Vec::new(), left_out: Vec::new() };
    let api = match Api::open(options.library.as_deref()) {
        Ok(api) => Arc::new(api),
        Err(reason) => {
            detected.left_out.push(reason);
            return detected;
        }
    };
    if let Err(failure) = start(&api, &mut detected) {
        detected.left_out.push(reason_for_no_device(&api, failure, options));
    }
    detected.api = Some(api);
    detected
}

/// The build in the kernel module's version file, whose first line ends with the build and its
/// date.
fn build_of(text: &str) -> Option<&str> {
    let is_build = |word: &&str| word.contains('.') && word.bytes().all(|byte| byte == b'.' || byte.is_ascii_digit());
    text.lines().next()?.split_whitespace().find(is_build)
}

fn start(api: &Api, detected: &mut Detected) -> Result<(), Failure> {
    let (mut version, mut count) = (0, 0);
    // SAFETY: the flags must be 0.
    unsafe { api.init(0) }?;
    // SAFETY: `version` is writable.
    unsafe { api.driver_version(&raw mut version) }?;
    // SAFETY: `count` is writable.
    unsafe { api.device_count(&raw mut count) }?;
    detected.version = format!("{}.{}", version / 1000, version % 1000 / 10);
    if count == 0 {
        return Err(Failure { call: "cuDeviceGetCount", code: code::NO_DEVICE });
    }
    for ordinal in 0..count {
        match find(api, ordinal, &detected.version) {
            Ok(found) => choose_target(found, ptx_isa(version), detected),
            Err(failure) => detected.left_out.push(format!("GPU {ordinal}: {}", description(api, failure))),
        }
    }
    Ok(())
}

fn find(api: &Api, ordinal: i32, version: &str) -> Result<Found, Failure> {
    let mut device = 0;
    // SAFETY: `device` is writable.
    unsafe { api.device_get(&raw mut device, ordinal) }?;
    describe(api, device, version)
}

fn choose_target(found: Found, isa: u32, detected: &mut Detected) {
    let (sm, name) = (found.sm, &found.info.name);
    match PtxTarget::for_device(sm, isa) {
        Some(target) => detected.devices.push(Usable { found, target }),
        None if sm < 70 => {
            detected.left_out.push(format!("{name}: it is older than Volta (compute capability {sm} of at least 70)"));
        }
        None => {
            let (version, ptx) = (&detected.version, f64::from(isa) / 10.0);
            detected.left_out.push(format!(
                "{name}: the driver is for CUDA {version}, whose PTX {ptx:.1} is too old for it; install a newer driver"
            ));
        }
    }
}

/// The driver's description of a failure.
fn description(api: &Api, failure: Failure) -> String {
    format!("{} reported {}", failure.call, CudaError::new(api, failure.code))
}

/// The reason why a driver that is installed has no devices.
fn reason_for_no_device(api: &Api, failure: Failure, options: &CudaOptions) -> String {
    if failure.code != code::NO_DEVICE {
        return description(api, failure);
    }
    match (options.visible_devices.as_deref(), present()) {
        (Some(visible), _) => {
            format!("CUDA_VISIBLE_DEVICES is `{visible}`, which hides all GPUs from CUDA; unset it, or name a GPU")
        }
        (None, 0) => format!("{}: there is no GPU of NVIDIA's", description(api, failure)),
        (None, gpus) => format!(
            "this machine has {gpus} GPUs of NVIDIA's but CUDA may use none: unset CUDA_VISIBLE_DEVICES, or name a GPU in it, \
             and check that /dev/nvidia* may be read and written"
        ),
    }
}

/// Number of GPUs that the kernel module drives.
fn present() -> usize {
    fs::read_dir(GPUS).map_or(0, Iterator::count)
}

#[cfg(test)]
mod tests {
    use super::{build_of, ptx_isa};

    #[test]
    fn the_build_is_in_the_first_line() {
        let old = "NVRM version: NVIDIA UNIX x86_64 Kernel Module  535.104.05  Sat Aug 19 01:15:15 UTC 2023\nGCC version:  12.3.0";
        let open = "NVRM version: NVIDIA UNIX Open Kernel Module for x86_64  580.65.06  Release Build  (dvs-builder)\n";
        assert_eq!([build_of(old), build_of(open)], [Some("535.104.05"), Some("580.65.06")]);
        assert_eq!([build_of(""), build_of("NVRM version: unknown\nGCC version:  12.3.0")], [None; 2]);
    }

    #[test]
    fn ptx_follows_the_driver() {
        let known = [
            (8000, 50),
            (9010, 61),
            (10_020, 65),
            (11_000, 70),
            (11_080, 78),
            (12_000, 80),
            (12_040, 84),
            (12_050, 85),
            (12_060, 85),
            (12_080, 87),
            (12_090, 88),
            (13_000, 90),
            (13_010, 91),
        ];
        for (version, isa) in known {
            assert_eq!(ptx_isa(version), isa, "CUDA {version}");
        }
        assert_eq!([ptx_isa(0), ptx_isa(-1)], [50; 2]);
    }
}
