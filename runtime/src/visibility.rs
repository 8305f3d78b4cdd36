//! Parses the masks that select devices.
//!
//! In: `host;cuda:0,1`, or the variables of other SYCL implementations (`foreign`). Out: driver
//! names, kinds and device numbers. *Invariant:* the syntax is checked here, and the names against
//! the drivers when devices are listed. An invalid mask selects no device, never all of them.
#![forbid(unsafe_code)]

mod foreign;

pub use foreign::{adaptive_cpp, one_api};

use sinter_driver::DeviceKind;
use std::{fmt, str::FromStr};

/// Sinter's own variable.
pub const MASK: &str = "SINTER_VISIBILITY_MASK";
/// Words for devices of any driver, and for the CPU.
const KINDS: [(&str, Option<&str>, Option<DeviceKind>); 2] =
    [("gpu", None, Some(DeviceKind::Gpu)), ("cpu", Some("host"), None)];

/// One entry of a mask.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct MaskEntry {
    /// Name of the driver; `None` means any.
    pub driver: Option<String>,
    /// Kind of device; `None` means any.
    pub kind: Option<DeviceKind>,
    /// Numbers of devices: the driver's own, or among all devices of the kind if only a kind is
    /// given. `None` means all.
    pub indices: Option<Vec<usize>>,
}

/// The devices that a process may use.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct VisibilityMask {
    /// The variable that the mask was read from.
    pub variable: &'static str,
    /// The selected devices, in this order if `is_ordered`.
    pub entries: Vec<MaskEntry>,
    /// Devices to leave out of `entries`.
    pub hidden: Vec<MaskEntry>,
    /// True if the entries set the order of the devices, and may repeat one. Otherwise they are a
    /// set.
    pub is_ordered: bool,
}

/// What a mask looks like.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct MaskError(pub(crate) &'static str);

const SYNTAX: MaskError =
    MaskError("gpu, cpu or names of drivers (sinter-info lists them), such as host or cuda:0,1, with ; between them");

impl MaskEntry {
    /// True if the entry may select devices of this driver.
    pub fn may_be_of(&self, driver: &str) -> bool {
        self.driver.as_ref().is_none_or(|name| name == driver)
    }

    /// True if the entry selects the device. `index` is its number within its driver.
    pub fn has(&self, driver: &str, kind: DeviceKind, index: usize) -> bool {
        self.may_be_of(driver)
            && self.kind.is_none_or(|wanted| wanted == kind)
            && self.indices.as_ref().is_none_or(|indices| indices.contains(&index))
    }
}

impl VisibilityMask {
    /// A mask that selects no device, for an invalid value.
    pub fn nothing(variable: &'static str) -> Self {
        VisibilityMask { variable, entries: Vec::new(), hidden: Vec::new(), is_ordered: true }
    }

    /// True if an entry names the driver itself, not only a kind of device or `*`.
    pub fn names(&self, driver: &str) -> bool {
        self.entries.iter().any(|entry| entry.driver.as_deref() == Some(driver))
    }

    /// True if the mask may select devices of the driver.
    pub fn wants(&self, driver: &str) -> bool {
        let is_hidden = |entry: &MaskEntry| entry.may_be_of(driver) && entry.kind.is_none() && entry.indices.is_none();
        self.entries.iter().any(|entry| entry.may_be_of(driver)) && !self.hidden.iter().any(is_hidden)
    }
}

fn numbers(list: &str) -> Result<Vec<usize>, MaskError> {
    list.split(',').map(|index| index.trim().parse().map_err(|_| SYNTAX)).collect()
}

impl FromStr for MaskEntry {
    type Err = MaskError;

    fn from_str(text: &str) -> Result<Self, MaskError> {
        let (word, indices) = match text.split_once(':') {
            Some((word, list)) => (word, Some(numbers(list)?)),
            None => (text, None),
        };
        if word.is_empty() || !word.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-') {
            return Err(SYNTAX);
        }
        let word = word.to_ascii_lowercase();
        let known = KINDS.into_iter().find(|(name, ..)| *name == word);
        let (driver, kind) = known.map_or((Some(word), None), |(_, driver, kind)| (driver.map(str::to_owned), kind));
        Ok(MaskEntry { driver, kind, indices })
    }
}

impl FromStr for VisibilityMask {
    type Err = MaskError;

    fn from_str(text: &str) -> Result<Self, MaskError> {
        let entries = text.split(';').map(|entry| entry.trim().parse()).collect::<Result<_, _>>()?;
        Ok(VisibilityMask { entries, ..VisibilityMask::nothing(MASK) })
    }
}

/// The entry that selects one device. `index` is its number within its driver.
pub fn selector(driver: &str, index: usize) -> String {
    MaskEntry { driver: Some(driver.to_owned()), kind: None, indices: Some(vec![index]) }.to_string()
}

impl fmt::Display for MaskEntry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let kind = KINDS.into_iter().find(|(_, driver, kind)| driver.is_none() && *kind == self.kind);
        let word = self.driver.as_deref().or(kind.map(|(name, ..)| name)).unwrap_or("*");
        let indices = self.indices.iter().flatten().map(ToString::to_string).collect::<Vec<_>>();
        let separator = if indices.is_empty() { "" } else { ":" };
        write!(f, "{word}{separator}{}", indices.join(","))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parses_the_documented_syntax() {
        let mask: VisibilityMask = "host;CUDA:0,2;gpu:1;cpu".parse().expect("mask");
        let entries = mask.entries.iter().map(ToString::to_string).collect::<Vec<_>>();
        assert_eq!(entries, ["host", "cuda:0,2", "gpu:1", "host"]);
        assert_eq!((mask.entries[0].indices.clone(), mask.entries[2].kind), (None, Some(DeviceKind::Gpu)));
        assert!(mask.names("cuda") && !mask.names("opencl") && mask.wants("opencl"));
        assert_eq!(
            selector("level-zero", 1).parse::<VisibilityMask>().expect("mask").entries[0].to_string(),
            "level-zero:1"
        );
    }

    #[test]
    fn refuses_anything_else() {
        for text in ["", ";", "host:", "host:x", "a b", "host;;cuda"] {
            assert_eq!(text.parse::<VisibilityMask>(), Err(SYNTAX), "{text}");
        }
    }
}
