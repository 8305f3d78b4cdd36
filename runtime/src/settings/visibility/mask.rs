//! Parses the masks that select devices.
//!
//! In: `host;cuda:0,1`, or the variables of other SYCL implementations (`foreign`). Out: driver
//! names, kinds and device indices. *Invariant:* the syntax is checked here, and the names against
//! the drivers when devices are listed. A word that is not understood selects no device, and never
//! makes a mask select all of them.
#![forbid(unsafe_code)]

use sinter_driver::DeviceKind;
use std::{convert::Infallible, fmt, str::FromStr};

/// Name of Sinter's own variable.
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
    /// Indices of devices: within the driver, or among all devices of the kind if only a kind is
    /// given. `None` means all.
    pub indices: Option<Vec<usize>>,
}

/// Selection of the devices that a process may use.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct VisibilityMask {
    /// Environment variable that the mask was read from.
    pub variable: &'static str,
    /// Selected devices, in this order if `is_ordered`.
    pub entries: Vec<MaskEntry>,
    /// Devices that are removed from the selection.
    pub hidden: Vec<MaskEntry>,
    /// True if the entries determine the order of the devices, and may repeat one. Otherwise they
    /// are a set.
    pub is_ordered: bool,
    /// Words that are not understood.
    pub bad_words: Vec<BadWord>,
}

/// A word of a mask that is not understood.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{word}` {effect}: valid are {valid}")]
pub struct BadWord {
    word: String,
    effect: &'static str,
    valid: &'static str,
}

impl BadWord {
    pub(super) fn new(word: &str, valid: &'static str) -> Self {
        BadWord { word: word.to_owned(), effect: "selects nothing", valid }
    }

    /// Replaces the clause of the message that states the consequence.
    pub(super) fn with_effect(self, effect: &'static str) -> Self {
        BadWord { effect, ..self }
    }
}

const SYNTAX: &str = "gpu, cpu and names of drivers (sinter-info lists them), alone or with numbers of devices, such \
    as host or \
                      cuda:0,1, with ; between them";

impl MaskEntry {
    /// True if the entry may select devices of this driver.
    pub fn may_be_of(&self, driver: &str) -> bool {
        self.driver.as_ref().is_none_or(|name| name == driver)
    }

    /// True if the entry selects the device; `index` is that within its driver.
    pub fn has(&self, driver: &str, kind: DeviceKind, index: usize) -> bool {
        self.may_be_of(driver)
            && self.kind.is_none_or(|wanted| wanted == kind)
            && self.indices.as_ref().is_none_or(|indices| indices.contains(&index))
    }
}

impl VisibilityMask {
    /// A mask that selects no device.
    pub fn nothing(variable: &'static str) -> Self {
        let (entries, hidden, bad_words) = (Vec::new(), Vec::new(), Vec::new());
        VisibilityMask { variable, entries, hidden, is_ordered: true, bad_words }
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

/// Parses device indices separated by commas.
pub(super) fn numbers(list: &str) -> Option<Vec<usize>> {
    list.split(',').map(|index| index.trim().parse().ok()).collect()
}

/// Normalises a name for comparison: `LEVEL_ZERO` becomes `level-zero`.
pub(super) fn plain(name: &str) -> String {
    name.to_ascii_lowercase().replace('_', "-")
}

/// Parses a word of Sinter's mask; `None` if it is not valid.
fn entry(text: &str) -> Option<MaskEntry> {
    let (word, indices) = match text.split_once(':') {
        Some((word, list)) => (word.trim(), Some(numbers(list)?)),
        None => (text, None),
    };
    let word = plain(word);
    if word.is_empty() || !word.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-') {
        return None;
    }
    let known = KINDS.into_iter().find(|(name, ..)| *name == word);
    let (driver, kind) = known.map_or((Some(word), None), |(_, driver, kind)| (driver.map(str::to_owned), kind));
    Some(MaskEntry { driver, kind, indices })
}

impl FromStr for VisibilityMask {
    type Err = Infallible;

    fn from_str(text: &str) -> Result<Self, Infallible> {
        let mut mask = VisibilityMask::nothing(MASK);
        for word in text.split(';').map(str::trim) {
            match entry(word) {
                Some(entry) => mask.entries.push(entry),
                None => mask.bad_words.push(BadWord::new(word, SYNTAX)),
            }
        }
        Ok(mask)
    }
}

/// Formats the entry that selects one device; `index` is that within its driver.
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
    fn names_of_drivers_have_either_dash() {
        let mask: VisibilityMask = "host;level_zero:0;LEVEL-ZERO".parse().expect("mask");
        let entries = mask.entries.iter().map(ToString::to_string).collect::<Vec<_>>();
        assert_eq!((entries.join(";").as_str(), mask.bad_words), ("host;level-zero:0;level-zero", Vec::new()));
    }

    #[test]
    fn a_word_without_meaning_leaves_the_others() {
        for (text, bad, others) in [
            ("", "", 0),
            ("host:", "host:", 0),
            ("host:x", "host:x", 0),
            ("a b", "a b", 0),
            ("host;;cuda", "", 2),
            ("host; a b;cuda:0", "a b", 2),
        ] {
            let mask: VisibilityMask = text.parse().expect("mask");
            assert_eq!((mask.bad_words, mask.entries.len()), (vec![BadWord::new(bad, SYNTAX)], others), "{text}");
        }
    }
}
