//! Parses the variables that select devices in other SYCL implementations.
//!
//! In: the value of `ONEAPI_DEVICE_SELECTOR` (sycl/doc/EnvironmentVariables.md of intel/llvm) or of
//! `ACPP_VISIBILITY_MASK` (doc/env_variables.md of AdaptiveCpp). Out: a mask. *Invariant:* these
//! masks are sets: devices keep the order of the drivers. A term without a meaning here, such as a
//! part of a device, is a bad word of the mask, which selects nothing.

use super::mask::{BadWord, MaskEntry, VisibilityMask, numbers, plain};
use crate::drivers::{DRIVERS, Registration};
use sinter_driver::DeviceKind;

const ONE_API: &str = "ONEAPI_DEVICE_SELECTOR";
const ADAPTIVE_CPP: &str = "ACPP_VISIBILITY_MASK";

const ONE_API_SYNTAX: &str = "terms such as level_zero:gpu or cuda:0,1 with ; between them, those with ! last: a \
    backend (*, cuda, hip, level_zero, opencl, \
     vulkan, native_cpu), a colon, and *, cpu, gpu, fpga or numbers of whole devices";
const ADAPTIVE_CPP_SYNTAX: &str =
    "backends (omp, cuda, hip, ocl, ze, vk) such as cuda or ocl:0,1 with ; between them, with numbers of devices";

const ONE_API_KINDS: [(&str, DeviceKind); 3] =
    [("cpu", DeviceKind::Cpu), ("gpu", DeviceKind::Gpu), ("fpga", DeviceKind::Other)];

/// The driver that another implementation knows by this name.
fn driver(name: &str, theirs: impl Fn(&Registration) -> &'static str) -> Option<String> {
    let is_it = |row: &&Registration| plain(theirs(row)) == plain(name.trim());
    DRIVERS.iter().find(is_it).map(|row| row.name.to_owned())
}

fn find<T: Copy>(table: &[(&str, T)], text: &str) -> Option<T> {
    table.iter().find(|(name, _)| plain(name) == plain(text.trim())).map(|(_, value)| *value)
}

/// The devices that `ONEAPI_DEVICE_SELECTOR` selects. Without a term that selects it means all, but
/// for those that it hides.
pub fn one_api(text: &str) -> VisibilityMask {
    let mut mask = VisibilityMask { is_ordered: false, ..VisibilityMask::nothing(ONE_API) };
    let terms = text.split(';').map(str::trim).collect::<Vec<_>>();
    if terms.iter().all(|term| term.starts_with('!')) {
        mask.entries.push(MaskEntry::default());
    }
    terms.into_iter().for_each(|term| take_one_api_term(&mut mask, term));
    mask
}

fn take_one_api_term(mask: &mut VisibilityMask, term: &str) {
    match (term.strip_prefix('!'), one_api_term(term.trim_start_matches('!'))) {
        (Some(_), Some(entries)) => mask.hidden.extend(entries),
        // Nobody knows what was to be hidden.
        (Some(_), None) => {
            mask.hidden.push(MaskEntry::default());
            let effect = "hides all devices, because it is not known";
            mask.bad_words.push(BadWord::new(term, ONE_API_SYNTAX).with_effect(effect));
        }
        // DPC++ takes no such term behind one with `!`.
        (None, Some(entries)) if mask.hidden.is_empty() => mask.entries.extend(entries),
        (None, _) => mask.bad_words.push(BadWord::new(term, ONE_API_SYNTAX)),
    }
}

fn one_api_term(term: &str) -> Option<Vec<MaskEntry>> {
    let (backend, devices) = term.split_once(':')?;
    let driver = match backend.trim() {
        "*" => None,
        name => Some(driver(name, |row| row.one_api)?),
    };
    devices.split(',').map(|device| one_api_device(driver.clone(), device.trim())).collect()
}

fn one_api_device(driver: Option<String>, device: &str) -> Option<MaskEntry> {
    let any = MaskEntry { driver, ..MaskEntry::default() };
    match (device, find(&ONE_API_KINDS, device)) {
        ("*", _) => Some(any),
        (_, Some(kind)) => Some(MaskEntry { kind: Some(kind), ..any }),
        (number, None) => Some(MaskEntry { indices: Some(vec![number.parse().ok()?]), ..any }),
    }
}

/// The devices that `ACPP_VISIBILITY_MASK` selects. The CPU is always among them.
pub fn adaptive_cpp(text: &str) -> VisibilityMask {
    let cpu = MaskEntry { driver: Some("host".to_owned()), ..MaskEntry::default() };
    let mut mask = VisibilityMask { is_ordered: false, entries: vec![cpu], ..VisibilityMask::nothing(ADAPTIVE_CPP) };
    for word in text.split(';').map(str::trim) {
        match adaptive_cpp_entry(word) {
            Some(entry) => mask.entries.push(entry),
            None => mask.bad_words.push(BadWord::new(word, ADAPTIVE_CPP_SYNTAX)),
        }
    }
    mask
}

fn adaptive_cpp_entry(word: &str) -> Option<MaskEntry> {
    let (backend, devices) = word.split_once(':').unwrap_or((word, "*"));
    let driver = Some(driver(backend, |row| row.adaptive_cpp)?);
    let indices = match devices {
        "*" => None,
        list => Some(numbers(list)?),
    };
    Some(MaskEntry { driver, kind: None, indices })
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
    fn every_driver_is_among_what_is_valid() {
        for row in DRIVERS {
            assert!(ONE_API_SYNTAX.contains(row.one_api), "{}", row.name);
            assert!(ADAPTIVE_CPP_SYNTAX.contains(row.adaptive_cpp), "{}", row.name);
        }
    }

    #[test]
    fn one_api_selectors_select_what_they_say() {
        let cases: [(&str, &[&str]); 10] = [
            ("level_zero:gpu", &["level-zero:0"]),
            ("CUDA:1", &["cuda:1"]),
            ("level-zero:0", &["level-zero:0"]),
            ("*:gpu", &["cuda:0", "cuda:1", "level-zero:0", "opencl:0"]),
            ("*:cpu", &["opencl:1", "host:0"]),
            ("opencl:cpu,gpu;native_cpu:*", &["opencl:0", "opencl:1", "host:0"]),
            ("*:0", &["cuda:0", "level-zero:0", "opencl:0", "host:0"]),
            ("!opencl:*", &["cuda:0", "cuda:1", "level-zero:0", "host:0"]),
            ("*:gpu;!cuda:0;!opencl:*", &["cuda:1", "level-zero:0"]),
            ("opencl:fpga", &[]),
        ];
        for (text, expected) in cases {
            let mask = one_api(text);
            assert_eq!(
                (left(&mask), &mask.bad_words[..]),
                (expected.iter().map(ToString::to_string).collect(), &[][..]),
                "{text}"
            );
        }
    }

    #[test]
    fn one_api_terms_without_meaning_here_select_nothing() {
        for text in ["gpu", "level_zero", "cuda:", "cuda:1.0", "metal:*", "cuda:-1", ""] {
            let mask = one_api(text);
            assert_eq!((left(&mask), mask.bad_words), (vec![], vec![BadWord::new(text, ONE_API_SYNTAX)]), "{text}");
        }
        for (text, bad) in
            [("*:gpu;", ""), ("metal:*;*:gpu", "metal:*"), ("*:gpu;!opencl:*;native_cpu:*", "native_cpu:*")]
        {
            let mask = one_api(text);
            let gpus = left(&mask).into_iter().filter(|device| device != "opencl:0").collect::<Vec<_>>();
            assert_eq!(gpus, ["cuda:0", "cuda:1", "level-zero:0"], "{text}");
            assert_eq!(mask.bad_words, [BadWord::new(bad, ONE_API_SYNTAX)], "{text}");
        }
        assert!(left(&one_api("!cuda:0;hip:*")).is_empty());
    }

    #[test]
    fn a_hidden_term_without_meaning_hides_all() {
        let mask = one_api("!metal:*");
        assert!(left(&mask).is_empty());
        let text = mask.bad_words[0].to_string();
        assert!(text.starts_with("`!metal:*` hides all devices, because it is not known: valid are "), "{text}");
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
            let mask = adaptive_cpp(text);
            assert_eq!(
                (left(&mask), mask.bad_words.len()),
                (expected.iter().map(ToString::to_string).collect(), 0),
                "{text}"
            );
        }
        for (text, bad) in
            [("host", "host"), ("omp;ocl:0.0", "ocl:0.0"), ("ocl:Intel.0", "ocl:Intel.0"), ("cuda:x", "cuda:x")]
        {
            let mask = adaptive_cpp(text);
            assert_eq!(
                (left(&mask), mask.bad_words),
                (vec!["host:0".to_owned()], vec![BadWord::new(bad, ADAPTIVE_CPP_SYNTAX)])
            );
        }
    }
}
