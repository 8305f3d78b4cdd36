//! Detects the library and its devices.
//!
//! In: AMD's library, if there is one. Out: devices with their targets, and the reason for each
//! that is left out. *Invariant:* anything missing or broken is a reason with a remedy, never an
//! error or a panic. On a system without a device file for AMD's GPUs the library is not looked
//! for, because opening it maps a hundred megabytes.

use crate::{
    features::{Found, Unusable, describe},
    library::{Hip, HipError},
    options::HipOptions,
};
use hip_sys::{
    Api,
    open::OpenError,
    types::{VERSION_MAJOR, VERSION_MINOR},
};
use sinter_driver_common::{Failure, error::code};
use std::{
    ffi::{CString, c_int},
    fmt, io,
    os::unix::ffi::OsStrExt,
    path::{Path, PathBuf},
    sync::Arc,
};

/// Device file through which the kernel module drives GPUs.
const KFD: &str = "/dev/kfd";
/// Device file of the Windows Subsystem for Linux.
const DXG: &str = "/dev/dxg";
/// Default installation folder of ROCm.
const INSTALLATION: &str = "/opt/rocm";

/// The first version of ROCm that loads code objects of version 5, which the translator makes
/// (release notes of ROCm 5.2; the runtime of 5.0 knows versions 2 to 4).
const OLDEST: Version = Version { major: 5, minor: 2 };

/// A version of ROCm.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Version {
    major: c_int,
    minor: c_int,
}

impl Version {
    fn of_library(number: c_int) -> Self {
        Version { major: number / VERSION_MAJOR, minor: number % VERSION_MAJOR / VERSION_MINOR }
    }
}

impl fmt::Display for Version {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}", self.major, self.minor)
    }
}

/// Result of detection.
#[derive(Default)]
pub(crate) struct Detected {
    pub(crate) hip: Option<Arc<Hip>>,
    /// Version of ROCm, such as 6.2.
    pub(crate) version: String,
    pub(crate) devices: Vec<Found>,
    /// One reason for each device that was left out, or for the lack of any.
    pub(crate) left_out: Vec<String>,
}

/// Access rights to a file, for both reading and writing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Access {
    Granted,
    Refused,
    Missing,
}

fn access(path: &Path) -> Access {
    let Ok(name) = CString::new(path.as_os_str().as_bytes()) else { return Access::Missing };
    // SAFETY: the name is null-terminated.
    if unsafe { libc::access(name.as_ptr(), libc::R_OK | libc::W_OK) } == 0 {
        return Access::Granted;
    }
    match io::Error::last_os_error().kind() {
        io::ErrorKind::NotFound => Access::Missing,
        _ => Access::Refused,
    }
}

/// The reason to give up without opening the library, if the device file gives one.
fn without_file(kfd: Access) -> Option<String> {
    match kfd {
        Access::Granted => None,
        Access::Missing => Some(format!(
            "there is no {KFD}: this machine has no GPU of AMD's, or its kernel module amdgpu is not loaded, or this container was \
             started without --device={KFD} --device=/dev/dri"
        )),
        Access::Refused => Some(format!(
            "{KFD} may not be read and written by this user: add the user to the group `render` (`video` on older systems) and log in again"
        )),
    }
}

/// Detects the devices.
pub(crate) fn detect(options: &HipOptions) -> Detected {
    let mut detected = Detected::default();
    // An explicitly chosen library is used regardless of device files.
    let file = options.library.is_none() && access(Path::new(DXG)) == Access::Missing;
    if let Some(reason) = file.then(|| without_file(access(Path::new(KFD)))).flatten() {
        detected.left_out.push(format!("{reason}; {} was not looked for", hip_sys::open::NAMES[0]));
        return detected;
    }
    let installations: Vec<PathBuf> = options.installations.iter().cloned().chain([INSTALLATION.into()]).collect();
    match Api::open(options.library.as_deref(), &installations) {
        Ok(api) => start(api, options, &mut detected),
        Err(error) => detected.left_out.push(not_opened(&error)),
    }
    detected
}

fn not_opened(error: &OpenError) -> String {
    let place = error.place();
    match error {
        OpenError::NotLoaded { reason, .. } => format!(
            "AMD's HIP library cannot be loaded (looked for {place}): install ROCm's HIP runtime to use AMD's GPUs, on Debian the package \
             libamdhip64-5 ({reason})"
        ),
        OpenError::TooOld { symbol, .. } => {
            format!("AMD's HIP library {place} has no function {symbol}: it is too old; install ROCm {OLDEST} or newer")
        }
    }
}

fn start(api: Api, options: &HipOptions, detected: &mut Detected) {
    let mut version = 0;
    // SAFETY: `version` is writable. The function needs no device. If it fails, the version counts
    // as 0 and is not checked against the oldest one.
    let asked = unsafe { api.runtime_version(&raw mut version) };
    let version = Version::of_library(asked.map_or(0, |()| version));
    let hip = Arc::new(Hip::new(api, version.major));
    detected.version = version.to_string();
    if asked.is_ok() && version < OLDEST {
        let reason =
            format!("AMD's HIP library is that of ROCm {version}, which cannot load code objects of version 5");
        detected.left_out.push(format!("{reason}; install ROCm {OLDEST} or newer"));
    } else if let Err(failure) = find_all(&hip, detected) {
        detected.left_out.push(reason_for_no_device(&hip, failure, options));
    }
    detected.hip = Some(hip);
}

fn find_all(hip: &Hip, detected: &mut Detected) -> Result<(), Failure> {
    let mut count = 0;
    // SAFETY: the flags must be 0.
    unsafe { hip.api.init(0) }?;
    // SAFETY: `count` is writable.
    unsafe { hip.api.device_count(&raw mut count) }?;
    if count == 0 {
        return Err(Failure { call: "hipGetDeviceCount", code: code::NO_DEVICE });
    }
    for device in 0..count {
        match describe(hip, device, &detected.version) {
            Ok(found) => detected.devices.push(found),
            Err(unusable) => detected.left_out.push(format!("GPU {device}: {}", explain(hip, unusable))),
        }
    }
    Ok(())
}

fn explain(hip: &Hip, unusable: Unusable) -> String {
    match unusable {
        Unusable::Failed(failure) => description(hip, failure),
        Unusable::Target { name, error } => format!("there is no code for {name}: {error}"),
    }
}

/// The library's description of a failure.
fn description(hip: &Hip, failure: Failure) -> String {
    format!("{} reported {}", failure.call, HipError::new(hip, failure.code))
}

/// The reason why an installed library has no devices. `hipInit` of ROCm 5 reports that as an
/// invalid device.
fn reason_for_no_device(hip: &Hip, failure: Failure, options: &HipOptions) -> String {
    if !matches!(failure.code, code::NO_DEVICE | code::INVALID_DEVICE) {
        return description(hip, failure);
    }
    let file = without_file(access(Path::new(KFD)));
    let hidden = || {
        let visible = options.visible_devices.as_ref()?;
        Some(format!("{visible} hides all GPUs from HIP, if there are any; unset it, or name a GPU"))
    };
    let reason = hidden().or(file);
    let reason = reason.unwrap_or_else(|| {
        "HIP may use none of AMD's GPUs: check that /dev/dri/renderD* may be read and written (groups `render` and `video`) and that \
         ROCm supports the GPU"
            .to_owned()
    });
    format!("{}: {reason}", description(hip, failure))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_device_file_that_is_missing_or_closed_says_so() {
        assert_eq!(access(Path::new("/dev/null")), Access::Granted);
        assert_eq!(access(Path::new("/dev/no-such-file")), Access::Missing);
        let reason = without_file(Access::Refused).expect("a reason");
        assert!(reason.contains("/dev/kfd") && reason.contains("`render`") && reason.contains("`video`"), "{reason}");
        assert!(without_file(Access::Missing).expect("a reason").contains("amdgpu"));
        assert_eq!(without_file(Access::Granted), None);
    }
}
