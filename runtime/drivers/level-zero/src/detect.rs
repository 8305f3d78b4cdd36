//! Detects the loader, its drivers and their devices.
//!
//! In: the Level Zero loader, if there is one. Out: devices with their targets, and the reason for
//! each that is left out. *Invariant:* anything missing or broken is a reason with a remedy, never
//! an error or a panic.

use crate::{
    features::{Found, Unusable, describe},
    library::{LevelZeroError, Library},
    options::LevelZeroOptions,
    platform::{Platform, list},
};
use level_zero_sys::{
    Api,
    open::OpenError,
    result::UNINITIALIZED,
    types::{DRIVERS_OF_GPUS, Driver, DriverTypeDesc, Structure},
};
use sinter_driver_common::{Failure, Handle};
use std::{fs, path::Path, ptr, sync::Arc};

/// Folder of the system's device files for GPUs.
const FILES: &str = "/dev/dri";

/// Result of detection.
#[derive(Default)]
pub(crate) struct Detected {
    pub(crate) devices: Vec<Found>,
    /// One reason for each device that was left out, or for the lack of any.
    pub(crate) left_out: Vec<String>,
}

/// Detects the devices.
pub(crate) fn detect(options: &LevelZeroOptions) -> Detected {
    let mut detected = Detected::default();
    match Api::open(options.library.as_deref()) {
        Ok(api) => find_all(&Arc::new(Library { api }), options, &mut detected),
        Err(error) => detected.left_out.push(not_opened(&error)),
    }
    detected
}

fn not_opened(error: &OpenError) -> String {
    let place = error.place();
    match error {
        OpenError::NotLoaded { reason, .. } => format!(
            "the Level Zero loader cannot be loaded (looked for {place}): install it and Intel's compute runtime to use Intel's GPUs, on Debian and \
             Ubuntu the packages libze1 and libze-intel-gpu1 ({reason})"
        ),
        OpenError::TooOld { symbol, .. } => format!(
            "the Level Zero loader {place} has no function {symbol}: it is too old; install version 1.8 or newer"
        ),
    }
}

fn find_all(library: &Arc<Library>, options: &LevelZeroOptions, detected: &mut Detected) {
    let drivers = match drivers(library) {
        Ok(drivers) => drivers,
        Err(failure) => {
            return detected.left_out.push(reason_for_no_device(library, failure, options, Path::new(FILES)));
        }
    };
    for driver in drivers {
        if let Err(failure) = find_devices(library, driver, detected) {
            detected.left_out.push(description(library, failure));
        }
    }
    if detected.devices.is_empty() && detected.left_out.is_empty() {
        detected.left_out.push(hidden(options, Path::new(FILES)));
    }
}

/// The drivers, from the function that initialises and lists them, or from those that did so before
/// specification 1.10.
fn drivers(library: &Library) -> Result<Vec<Driver>, Failure> {
    let (api, mut desc, mut unknown) = (&library.api, DriverTypeDesc::new(), false);
    desc.flags = DRIVERS_OF_GPUS;
    let started = list(ptr::null_mut(), |count, places| {
        // SAFETY: count and array follow the function's protocol, and the structure states its
        // type.
        let asked = unsafe { api.init_drivers(count, places, &raw mut desc) };
        unknown |= asked.is_none();
        asked.unwrap_or(Ok(()))
    });
    // A loader may have the function and its driver may not.
    match started {
        Ok(drivers) if !unknown && !drivers.is_empty() => return Ok(drivers),
        _ => {}
    }
    // SAFETY: no flags means every driver.
    unsafe { api.init(0) }?;
    // SAFETY: count and array follow the function's protocol.
    list(ptr::null_mut(), |count, places| unsafe { api.driver_get(count, places) })
}

fn find_devices(library: &Arc<Library>, driver: Driver, detected: &mut Detected) -> Result<(), Failure> {
    let platform = Arc::new(Platform::new(library, driver)?);
    let mut numbers = Vec::new();
    for device in platform.all_devices()? {
        let number = detected.devices.len() as i32;
        match describe(&platform, device, number) {
            Ok(found) => {
                numbers.push((Handle(device), number));
                detected.devices.push(found);
            }
            Err(unusable) => detected.left_out.push(explain(library, unusable)),
        }
    }
    platform.number(numbers);
    Ok(())
}

fn explain(library: &Library, unusable: Unusable) -> String {
    match unusable {
        Unusable::Failed(failure) => description(library, failure),
        Unusable::WithoutSpirv(name) => format!("{name} takes no SPIR-V, so there is no code for it"),
        Unusable::WithoutCompute(name) => format!("{name} has no queue that runs kernels"),
    }
}

/// The specification's description of a failure.
fn description(library: &Library, failure: Failure) -> String {
    format!("{} reported {}", failure.call, LevelZeroError::new(library, failure.code))
}

/// The reason why an installed loader has no drivers.
fn reason_for_no_device(library: &Library, failure: Failure, options: &LevelZeroOptions, files: &Path) -> String {
    if failure.code != UNINITIALIZED {
        return description(library, failure);
    }
    let remedy = "install Intel's compute runtime, on Debian and Ubuntu the package libze-intel-gpu1 (intel-level-zero-gpu \
                  on older systems)";
    let reason = no_file(files).unwrap_or_else(|| remedy.to_owned());
    let reason = options.affinity_mask.as_ref().map_or(reason, |mask| hidden_by(mask));
    format!("{}; the loader found no driver with a device: {reason}", description(library, failure))
}

fn hidden_by(mask: &str) -> String {
    format!("ZE_AFFINITY_MASK={mask} hides all devices, if there are any; unset it, or name a device")
}

/// The reason why drivers that report no error have no device.
fn hidden(options: &LevelZeroOptions, files: &Path) -> String {
    let reason = options.affinity_mask.as_deref().map(hidden_by).or_else(|| no_file(files));
    let reason = reason.unwrap_or_else(|| {
        format!("check that {FILES}/renderD* may be read and written (groups `render` and `video`)")
    });
    format!("Level Zero's drivers have no device: {reason}")
}

/// The reason if the system has no device file for a GPU.
fn no_file(files: &Path) -> Option<String> {
    let is_gpu = |entry: fs::DirEntry| entry.file_name().to_string_lossy().starts_with("renderD");
    let found = fs::read_dir(files).is_ok_and(|entries| entries.flatten().any(is_gpu));
    (!found).then(|| {
        format!(
            "there is no {FILES}/renderD*: this machine has no GPU, or its kernel module is not loaded, or this container was \
             started without --device={FILES}"
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reasons_have_remedies() {
        let missing =
            OpenError::NotLoaded { tried: vec!["libze_loader.so.1".into()], reason: "No such file".to_owned() };
        assert!(not_opened(&missing).contains("libze1"));
        assert!(not_opened(&OpenError::TooOld { path: None, symbol: "zeInit" }).contains("zeInit"));
        let options = LevelZeroOptions { affinity_mask: Some("7".to_owned()), ..LevelZeroOptions::default() };
        assert!(hidden(&options, Path::new("/")).contains("ZE_AFFINITY_MASK=7"));
        assert!(hidden(&LevelZeroOptions::default(), Path::new("/no/such/folder")).contains("/dev/dri/renderD*"));
    }
}
