//! Parses the values of settings.
//!
//! In: the string of a variable. Out: a value, or a description of valid ones. *Invariant:* this
//! module does not read the environment.
#![forbid(unsafe_code)]

use super::tunables::{DebugLevel, MAX_JIT_LEVEL, ReportTarget, StdparDevice};
use crate::{drivers::DRIVERS, vendor::families::Choice};
use sinter_core::{Approximations, BadRows, BadSubGroupSize, FloatMode, OptLevel, Rows, SubGroupSize};
use sinter_driver_host::CpuLevel;
use std::{path::PathBuf, time::Duration};

/// Description of valid values, for the message about an invalid one.
pub(super) type Expected = String;

const HOUR: Duration = Duration::from_secs(3600);
const DAY: Duration = Duration::from_secs(24 * 3600);

pub(super) fn one_of<T: Copy>(text: &str, values: &[(&str, T)]) -> Result<T, Expected> {
    let known = values.iter().find(|(name, _)| name.eq_ignore_ascii_case(text));
    known.map(|(_, value)| *value).ok_or_else(|| values.iter().map(|(name, _)| *name).collect::<Vec<_>>().join(", "))
}

/// Words for a switch, the documented ones first.
const SWITCH: [(&str, bool); 8] = [
    ("on", true),
    ("off", false),
    ("1", true),
    ("0", false),
    ("true", true),
    ("false", false),
    ("yes", true),
    ("no", false),
];

pub(super) fn on_or_off(text: &str) -> Result<bool, Expected> {
    one_of(text, &SWITCH).map_err(|_| "on or off".to_owned())
}

/// Words that are more likely a mistake than the name of a file.
const NO_FILES: [&str; 3] = ["stdout", "none", "auto"];

/// Destination of the report. A file whose name is a number or a word for a switch needs its
/// folder, such as `./1`.
pub(super) fn report(text: &str) -> Result<Option<ReportTarget>, Expected> {
    match on_or_off(text) {
        Ok(is_on) => Ok(is_on.then_some(ReportTarget::Stderr)),
        Err(_) if text.eq_ignore_ascii_case("stderr") => Ok(Some(ReportTarget::Stderr)),
        Err(_) if text.parse::<i64>().is_ok() || NO_FILES.iter().any(|word| word.eq_ignore_ascii_case(text)) => {
            Err(format!("on, off, stderr or a file (./{text} is one of that name)"))
        }
        Err(_) => absolute(text).map(|path| Some(place_of_report(path))),
    }
}

/// A file whose name ends in `.html` or `.htm` is a page.
fn place_of_report(path: PathBuf) -> ReportTarget {
    let is_page =
        path.extension().is_some_and(|end| end.eq_ignore_ascii_case("html") || end.eq_ignore_ascii_case("htm"));
    if is_page { ReportTarget::Page(path) } else { ReportTarget::File(path) }
}

pub(super) fn rows(text: &str) -> Result<Rows, Expected> {
    text.parse().map_err(|error: BadRows| error.to_string())
}

pub(super) fn sub_group_size(text: &str) -> Result<SubGroupSize, Expected> {
    text.parse().map_err(|error: BadSubGroupSize| error.to_string())
}

/// There are three levels, for debugging, for quick code and for the best code; O2 means O3.
pub(super) fn opt_level(text: &str) -> Result<OptLevel, Expected> {
    match text.strip_prefix(['O', 'o']).unwrap_or(text) {
        "0" => Ok(OptLevel::O0),
        "1" => Ok(OptLevel::O1),
        "2" | "3" => Ok(OptLevel::O3),
        _ => Err("O0, O1, O2, O3, or 0 to 3".to_owned()),
    }
}

pub(super) fn debug_level(text: &str) -> Result<DebugLevel, Expected> {
    use DebugLevel::{Debug, Error, Info, Off, Trace, Warn};
    let names = [("off", Off), ("error", Error), ("warn", Warn), ("info", Info), ("debug", Debug), ("trace", Trace)];
    let numbered = text.parse::<usize>().ok().and_then(|number| names.get(number)).map(|(_, level)| *level);
    numbered.map_or_else(|| one_of(text, &names).map_err(|names| format!("{names}, or 0 to 5")), Ok)
}

/// `None` stands for the CPU of this machine.
pub(super) fn host_level(text: &str) -> Result<Option<CpuLevel>, Expected> {
    let levels = CpuLevel::ALL.map(|level| (level.name(), Some(level)));
    one_of(text, &[&[("native", None)], &levels[..]].concat())
}

/// A device by its index, or by the name of its driver.
pub(super) fn stdpar_device(text: &str) -> Result<StdparDevice, Expected> {
    if let Ok(index) = text.parse() {
        return Ok(StdparDevice::Index(index));
    }
    let names = || DRIVERS.iter().map(|driver| driver.name);
    let known = names().find(|name| name.eq_ignore_ascii_case(text));
    known.map(|name| StdparDevice::Driver(name.to_owned())).ok_or_else(|| {
        format!("the number of a device, as sinter-info prints it, or {}", names().collect::<Vec<_>>().join(", "))
    })
}

pub(super) fn absolute(text: &str) -> Result<PathBuf, Expected> {
    match text {
        "" => Err("a path".to_owned()),
        path => std::path::absolute(path).map_err(|_| "a path below an existing current folder".to_owned()),
    }
}

/// Path of vendor libraries, or `none` for the substitute.
pub(super) fn choice(text: &str) -> Result<Choice, Expected> {
    if text == "none" { Ok(Choice::Substitute) } else { absolute(text).map(Choice::Place) }
}

/// Folders separated by colons; empty ones are skipped.
pub(super) fn folders(text: &str) -> Result<Vec<PathBuf>, Expected> {
    text.split(':').filter(|path| !path.is_empty()).map(absolute).collect()
}

/// A duration as a number of hours or days.
pub fn age(text: &str) -> Result<Duration, Expected> {
    let (digits, unit) = match text.strip_suffix(['h', 'H']) {
        Some(hours) => (hours, HOUR),
        None => (text.strip_suffix(['d', 'D']).unwrap_or_default(), DAY),
    };
    let time = digits.parse().ok().and_then(|count| unit.checked_mul(count)).filter(|time| !time.is_zero());
    time.ok_or_else(|| "a number of days or hours above 0, for example 90d or 12h".to_owned())
}

pub(super) fn seconds(text: &str) -> Result<Duration, Expected> {
    let count = text.parse().ok().filter(|count| *count <= 3600);
    count.map(Duration::from_secs).ok_or_else(|| "a number of seconds from 0 to 3600".to_owned())
}

pub(super) fn threads(text: &str) -> Result<usize, Expected> {
    let count = text.parse().ok().filter(|count| (1..=4096).contains(count));
    count.ok_or_else(|| "a number from 1 to 4096".to_owned())
}

pub(super) fn kernels(text: &str) -> Result<usize, Expected> {
    let count = text.parse().ok().filter(|count| *count <= 256);
    count.ok_or_else(|| "a number from 0 to 256".to_owned())
}

pub(super) fn variants(text: &str) -> Result<usize, Expected> {
    let count = text.parse().ok().filter(|count| *count <= 64);
    count.ok_or_else(|| "a number from 0 to 64".to_owned())
}

pub(super) fn jit_level(text: &str) -> Result<u8, Expected> {
    let level = text.parse().ok().filter(|level| *level <= MAX_JIT_LEVEL);
    level.ok_or_else(|| "a number from 0 to 4".to_owned())
}

/// A power of two that a group can have.
pub(super) fn group_size(text: &str) -> Result<u32, Expected> {
    let size = text.parse().ok().filter(|size: &u32| size.is_power_of_two() && *size <= 1024);
    size.ok_or_else(|| "a power of two from 1 to 1024".to_owned())
}

/// Floating-point mode and approximations, as words separated by commas.
pub(super) fn float(text: &str) -> Result<(FloatMode, Approximations), Expected> {
    let (mut mode, mut allowed) = (FloatMode::AsCompiled, Approximations::default());
    for word in text.split(',').map(str::trim) {
        match word.to_ascii_lowercase().as_str() {
            "fast" if mode == FloatMode::AsCompiled => mode = FloatMode::Fast,
            "no-contraction" if mode == FloatMode::AsCompiled => mode = FloatMode::NoContraction,
            "flush-denormals" => allowed.flush_denormals = true,
            "approximate-division" => allowed.division = true,
            "approximate-square-root" => allowed.square_root = true,
            _ => {
                let words = "fast or no-contraction, flush-denormals, approximate-division, approximate-square-root";
                return Err(format!("a list of {words}"));
            }
        }
    }
    Ok((mode, allowed))
}

/// Size in bytes, with an optional suffix K, M or G for powers of 1024.
pub fn size(text: &str) -> Result<u64, Expected> {
    let (digits, shift) = match text.bytes().last() {
        Some(b'k' | b'K') => (&text[..text.len() - 1], 10),
        Some(b'm' | b'M') => (&text[..text.len() - 1], 20),
        Some(b'g' | b'G') => (&text[..text.len() - 1], 30),
        _ => (text, 0),
    };
    let bytes = digits.parse::<u64>().ok().and_then(|number| number.checked_mul(1 << shift));
    bytes.filter(|bytes| *bytes > 0).ok_or_else(|| "a number of bytes above 0, for example 512M or 1G".to_owned())
}
