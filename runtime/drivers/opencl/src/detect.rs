//! Detects the library and its devices.
//!
//! In: the OpenCL library, if there is one. Out: devices with their targets, and the reason for
//! each that is left out. *Invariant:* anything missing or broken is a reason with a remedy, never
//! an error or a panic. On a system without a device file of a GPU the library is not looked for
//! unless CPUs are wanted, because opening it opens the libraries of all platforms.

use crate::{
    failure::{OpenClError, is_any, remedy},
    features::{Found, Unusable, describe, kind},
    library::{CORRECTLY_ROUNDED, OpenCl, Platform},
    options::OpenClOptions,
    queries::{Questions, platform_text},
    registration::without_platform,
};
use opencl_sys::{
    Api, IlProgram,
    open::{NAMES, OpenError},
    types::{self, DeviceStruct, PlatformStruct, TYPE_ALL, error, platform},
};
use sinter_core::SpirvTarget;
use sinter_driver::{DeviceInfo, DeviceKind};
use sinter_driver_common::{Failure, Handle, Limits, lock};
use std::{
    fs,
    path::Path,
    ptr,
    sync::{Arc, Mutex},
};

/// Device files of GPUs: Direct Rendering Manager, the Windows Subsystem for Linux, and those of
/// Arm and Qualcomm.
const FILES: [&str; 4] = ["/dev/dri", "/dev/dxg", "/dev/mali0", "/dev/kgsl-3d0"];

/// Held while platforms are queried: PoCL 3.1 terminates the process if threads make their first
/// queries concurrently.
static STARTING: Mutex<()> = Mutex::new(());

/// A usable device.
pub(crate) struct Usable {
    pub(crate) opencl: OpenCl,
    pub(crate) info: DeviceInfo,
    pub(crate) limits: Limits,
    pub(crate) target: SpirvTarget,
}

/// Result of detection.
#[derive(Default)]
pub(crate) struct Detected {
    pub(crate) devices: Vec<Usable>,
    /// One reason for each device that was left out, or for the lack of any.
    pub(crate) left_out: Vec<String>,
}

/// True if any of the files exists. A folder must have an entry.
fn is_any_there(paths: &[&str]) -> bool {
    let is_there = |path: &&str| match fs::read_dir(path) {
        Ok(mut entries) => entries.next().is_some(),
        Err(_) => Path::new(path).exists(),
    };
    paths.iter().any(is_there)
}

/// Detects the devices.
pub(crate) fn detect(options: &OpenClOptions) -> Detected {
    let mut detected = Detected::default();
    // An explicitly chosen library is used regardless of device files.
    if options.library.is_none() && !options.cpus && !is_any_there(&FILES) {
        detected.left_out.push(format!(
            "there is no {}: this machine has no GPU, or this container was started without --device=/dev/dri; {} was not looked \
             for (SINTER_VISIBILITY_MASK=opencl also finds CPUs and other devices)",
            FILES[0], NAMES[0]
        ));
        return detected;
    }
    let _starting = lock(&STARTING);
    match Api::open(options.library.as_deref()) {
        Ok(api) => find_all(&Arc::new(api), options, &mut detected),
        Err(error) => detected.left_out.push(not_opened(&error)),
    }
    // GPUs come first, so their numbers do not depend on whether CPUs are wanted.
    let rank = |kind| [DeviceKind::Gpu, DeviceKind::Other, DeviceKind::Cpu].iter().position(|other| *other == kind);
    detected.devices.sort_by_key(|usable| rank(usable.info.kind));
    (0..).zip(&mut detected.devices).for_each(|(number, usable)| usable.opencl.number = number);
    detected
}

fn not_opened(error: &OpenError) -> String {
    let place = error.place();
    match error {
        OpenError::NotLoaded { reason, .. } => format!(
            "OpenCL's library cannot be loaded (looked for {place}): install the OpenCL driver of the GPU's vendor and the loader, on Debian \
             the packages intel-opencl-icd and ocl-icd-libopencl1 ({reason})"
        ),
        OpenError::TooOld { symbol, .. } => format!(
            "OpenCL's library {place} has no function {symbol}: it is too old; install one of OpenCL 2.1 or newer, on Debian \
             ocl-icd-libopencl1"
        ),
    }
}

/// OpenCL's description of a failure.
fn description(failure: Failure) -> String {
    let code = failure.code.cast_signed();
    let name = error::name(code).unwrap_or("an error that this driver does not name").to_owned();
    let error = OpenClError { code: failure.code, text: name.clone(), name, remedy: remedy(code) };
    format!("{} reported {error}", failure.call)
}

fn find_all(api: &Arc<Api>, options: &OpenClOptions, detected: &mut Detected) {
    let without = || without_platform(options.vendors.as_deref());
    match platforms(api) {
        Ok(platforms) if platforms.is_empty() => detected.left_out.push(without()),
        Ok(platforms) => platforms.into_iter().for_each(|platform| find(api, platform, options, detected)),
        Err(failure) if is_any(failure, &[error::PLATFORM_NOT_FOUND]) => detected.left_out.push(without()),
        Err(failure) => detected.left_out.push(description(failure)),
    }
}

fn platforms(api: &Api) -> Result<Vec<Handle<PlatformStruct>>, Failure> {
    let mut count = 0;
    // SAFETY: the count is writable.
    unsafe { api.platform_ids(0, ptr::null_mut(), &raw mut count) }?;
    let mut platforms = vec![ptr::null_mut(); count as usize];
    if count > 0 {
        // SAFETY: the array has the given size.
        unsafe { api.platform_ids(count, platforms.as_mut_ptr(), ptr::null_mut()) }?;
    }
    Ok(platforms.into_iter().map(Handle).collect())
}

fn devices(api: &Api, platform: Handle<PlatformStruct>) -> Result<Vec<Handle<DeviceStruct>>, Failure> {
    let mut count = 0;
    // SAFETY: the platform is the library's, and the count is writable.
    let asked = unsafe { api.device_ids(platform.0, TYPE_ALL, 0, ptr::null_mut(), &raw mut count) };
    if asked.is_err_and(|failure| is_any(failure, &[error::DEVICE_NOT_FOUND])) {
        return Ok(Vec::new());
    }
    asked?;
    let mut devices = vec![ptr::null_mut(); count as usize];
    // SAFETY: the platform is the library's, and the array has the given size.
    unsafe { api.device_ids(platform.0, TYPE_ALL, count, devices.as_mut_ptr(), ptr::null_mut()) }?;
    Ok(devices.into_iter().map(Handle).collect())
}

/// The name of a device for reasons.
fn name_of(api: &Api, device: types::Device) -> String {
    // SAFETY: the device is the library's.
    unsafe { Questions::new(api, device) }.text(types::device::NAME).unwrap_or_else(|_| "a device".to_owned())
}

/// Describes a device. The error is the reason why it is left out.
fn consider(
    api: &Api,
    platform: Handle<PlatformStruct>,
    device: Handle<DeviceStruct>,
    options: &OpenClOptions,
) -> Result<Found, String> {
    // SAFETY: the device is the library's.
    let kind = kind(&unsafe { Questions::new(api, device.0) }).map_err(description)?;
    if kind == DeviceKind::Cpu && !options.cpus {
        return Err("it is a CPU, where the driver host runs kernels; SINTER_VISIBILITY_MASK=opencl uses it".to_owned());
    }
    // SAFETY: both are the library's.
    unsafe { describe(api, platform.0, device.0, options.without_usm) }.map_err(|unusable| match unusable {
        Unusable::Failed(failure) => description(failure),
        Unusable::Lacks(what) => format!("it has no {what}"),
    })
}

/// Detects the devices of a platform.
fn find(api: &Arc<Api>, handle: Handle<PlatformStruct>, options: &OpenClOptions, detected: &mut Detected) {
    // SAFETY: the platform is the library's.
    let name = unsafe { platform_text(api, handle.0, platform::NAME) }.unwrap_or_else(|_| "a platform".to_owned());
    let devices = match devices(api, handle) {
        Ok(devices) if devices.is_empty() => return detected.left_out.push(format!("{name} has no devices")),
        Ok(devices) => devices,
        Err(failure) => return detected.left_out.push(format!("{name}: {}", description(failure))),
    };
    let mut found = Vec::new();
    for device in devices {
        match consider(api, handle, device, options) {
            Ok(usable) => found.push((device, usable)),
            Err(reason) => detected.left_out.push(format!("{name}: {}: {reason}", name_of(api, device.0))),
        }
    }
    // SAFETY: the platform is the library's.
    let il_program = unsafe { IlProgram::of(api, handle.0) }.ok().filter(|_| found.iter().any(|(_, f)| f.by_extension));
    let handles = found.iter().map(|(device, _)| *device).collect();
    let platform = Arc::new(Platform::new(api, handle, il_program, handles));
    detected.devices.extend(found.into_iter().map(|(device, found)| {
        let Found { info, limits, target, allocator, by_extension: _, rounds_correctly } = found;
        let options = if rounds_correctly { CORRECTLY_ROUNDED } else { c"" };
        Usable { opencl: OpenCl::new(&platform, 0, device, allocator, options), info, limits, target }
    }));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_empty_folder_counts_as_absent() {
        let folder = tempfile::tempdir().expect("temporary folder");
        let path = folder.path().to_str().expect("a path").to_owned();
        assert!(!is_any_there(&[&path, "/dev/no-such-file"]));
        fs::write(folder.path().join("renderD128"), "").expect("write");
        assert!(is_any_there(&[&path]) && is_any_there(&["/dev/null"]));
    }
}
