//! Parses the variables that select devices in other SYCL implementations.
//!
//! In: the value of `ONEAPI_DEVICE_SELECTOR` (sycl/doc/EnvironmentVariables.md of intel/llvm) or of
//! `ACPP_VISIBILITY_MASK` (doc/env_variables.md of AdaptiveCpp). Out: a mask. *Invariant:* these
//! masks are sets: devices keep the order of the drivers. Terms without a meaning here, such as a
//! part of a device, are errors.

use super::{MaskEntry, MaskError, VisibilityMask};
use sinter_driver::DeviceKind;

const ONE_API: &str = "ONEAPI_DEVICE_SELECTOR";
const ADAPTIVE_CPP: &str = "ACPP_VISIBILITY_MASK";

const ONE_API_SYNTAX: MaskError = MaskError(
    "terms such as level_zero:gpu or cuda:0,1 with ; between them, those with ! last: a backend (*, cuda, hip, \
     level_zero, opencl, \
     native_cpu), a colon, and *, cpu, gpu, fpga or numbers of whole devices",
);
const ADAPTIVE_CPP_SYNTAX: MaskError = MaskError(
    "backends (omp, cuda, hip, ocl, ze) such as cuda or ocl:0,1 with ; between them, with numbers of devices",
);

/// Drivers by their names in `ONEAPI_DEVICE_SELECTOR`. Our CPU is not a device of OpenCL.
const ONE_API_BACKENDS: [(&str, &str); 5] =
    [("cuda", "cuda"), ("hip", "hip"), ("level_zero", "level-zero"), ("opencl", "opencl"), ("native_cpu", "host")];
const ADAPTIVE_CPP_BACKENDS: [(&str, &str); 5] =
    [("omp", "host"), ("cuda", "cuda"), ("hip", "hip"), ("ocl", "opencl"), ("ze", "level-zero")];
const ONE_API_KINDS: [(&str, DeviceKind); 3] =
    [("cpu", DeviceKind::Cpu), ("gpu", DeviceKind::Gpu), ("fpga", DeviceKind::Other)];

fn find<T: Copy>(table: &[(&str, T)], text: &str) -> Option<T> {
    table.iter().find(|(name, _)| name.eq_ignore_ascii_case(text)).map(|(_, value)| *value)
}

/// The devices that `ONEAPI_DEVICE_SELECTOR` selects.
pub fn one_api(text: &str) -> Result<VisibilityMask, MaskError> {
    let mut mask = VisibilityMask { is_ordered: false, ..VisibilityMask::nothing(ONE_API) };
    for term in text.split(';').map(str::trim) {
        match term.strip_prefix('!') {
            Some(term) => mask.hidden.extend(one_api_term(term)?),
            // DPC++ accepts no such term after one with `!`.
            None if mask.hidden.is_empty() => mask.entries.extend(one_api_term(term)?),
            None => return Err(ONE_API_SYNTAX),
        }
    }
    if mask.entries.is_empty() {
        mask.entries.push(MaskEntry::default());
    }
    Ok(mask)
}

fn one_api_term(term: &str) -> Result<Vec<MaskEntry>, MaskError> {
    let (backend, devices) = term.split_once(':').ok_or(ONE_API_SYNTAX)?;
    let driver = match backend.trim() {
        "*" => None,
        name => Some(find(&ONE_API_BACKENDS, name).ok_or(ONE_API_SYNTAX)?.to_owned()),
    };
    devices.split(',').map(|device| one_api_device(driver.clone(), device.trim())).collect()
}

fn one_api_device(driver: Option<String>, device: &str) -> Result<MaskEntry, MaskError> {
    let any = MaskEntry { driver, ..MaskEntry::default() };
    match (device, find(&ONE_API_KINDS, device)) {
        ("*", _) => Ok(any),
        (_, Some(kind)) => Ok(MaskEntry { kind: Some(kind), ..any }),
        (number, None) => {
            let index = number.parse().map_err(|_| ONE_API_SYNTAX)?;
            Ok(MaskEntry { indices: Some(vec![index]), ..any })
        }
    }
}

/// The devices that `ACPP_VISIBILITY_MASK` selects. The CPU is always among them.
pub fn adaptive_cpp(text: &str) -> Result<VisibilityMask, MaskError> {
    let cpu = MaskEntry { driver: Some("host".to_owned()), ..MaskEntry::default() };
    let mut mask = VisibilityMask { is_ordered: false, entries: vec![cpu], ..VisibilityMask::nothing(ADAPTIVE_CPP) };
    for entry in text.split(';').map(str::trim) {
        let (backend, devices) = entry.split_once(':').map_or((entry, "*"), |(backend, devices)| (backend, devices));
        let driver = find(&ADAPTIVE_CPP_BACKENDS, backend.trim()).ok_or(ADAPTIVE_CPP_SYNTAX)?.to_owned();
        let number = |device: &str| device.trim().parse().map_err(|_| ADAPTIVE_CPP_SYNTAX);
        let indices = match devices {
            "*" => None,
            list => Some(list.split(',').map(number).collect::<Result<_, _>>()?),
        };
        mask.entries.push(MaskEntry { driver: Some(driver), kind: None, indices });
    }
    Ok(mask)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Those of a few devices that a mask selects.
    fn left(mask: &VisibilityMask) -> Vec<String> {
        let (cpu, gpu) = (DeviceKind::Cpu, DeviceKind::Gpu);
        let devices = [
            ("cuda", gpu, 0),
            ("cuda", gpu, 1),
            ("level-zero", gpu, 0),
            ("opencl", gpu, 0),
            ("opencl", cpu, 1),
            ("host", cpu, 0),
        ];
        let is_left = |&(driver, kind, index): &(&str, DeviceKind, usize)| {
            let has = |entries: &[MaskEntry]| entries.iter().any(|entry| entry.has(driver, kind, index));
            mask.wants(driver) && has(&mask.entries) && !has(&mask.hidden)
        };
        devices.into_iter().filter(is_left).map(|(driver, _, index)| format!("{driver}:{index}")).collect()
    }

    #[test]
    fn one_api_selectors_select_what_they_say() {
        let cases: [(&str, &[&str]); 9] = [
            ("level_zero:gpu", &["level-zero:0"]),
            ("CUDA:1", &["cuda:1"]),
            ("*:gpu", &["cuda:0", "cuda:1", "level-zero:0", "opencl:0"]),
            ("*:cpu", &["opencl:1", "host:0"]),
            ("opencl:cpu,gpu;native_cpu:*", &["opencl:0", "opencl:1", "host:0"]),
            ("*:0", &["cuda:0", "level-zero:0", "opencl:0", "host:0"]),
            ("!opencl:*", &["cuda:0", "cuda:1", "level-zero:0", "host:0"]),
            ("*:gpu;!cuda:0;!opencl:*", &["cuda:1", "level-zero:0"]),
            ("opencl:fpga", &[]),
        ];
        for (text, expected) in cases {
            assert_eq!(left(&one_api(text).expect(text)), expected, "{text}");
        }
    }

    #[test]
    fn one_api_selectors_without_meaning_here_are_refused() {
        for text in ["gpu", "level_zero", "cuda:", "cuda:1.0", "metal:*", "!cuda:0;hip:*", "*:gpu;", "cuda:-1"] {
            assert_eq!(one_api(text), Err(ONE_API_SYNTAX), "{text}");
        }
    }

    #[test]
    fn masks_of_adaptive_cpp_always_have_the_cpu() {
        let cases: [(&str, &[&str]); 4] = [
            ("omp", &["host:0"]),
            ("cuda", &["cuda:0", "cuda:1", "host:0"]),
            ("omp;ocl:0", &["opencl:0", "host:0"]),
            ("ze;cuda:1", &["cuda:1", "level-zero:0", "host:0"]),
        ];
        for (text, expected) in cases {
            assert_eq!(left(&adaptive_cpp(text).expect(text)), expected, "{text}");
        }
        for text in ["host", "omp;ocl:0.0", "ocl:Intel.0", "cuda:x", ";"] {
            assert_eq!(adaptive_cpp(text), Err(ADAPTIVE_CPP_SYNTAX), "{text}");
        }
    }
}
