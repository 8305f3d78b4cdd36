//! Target strings of devices that accept SPIR-V.
//!
//! In: `opencl:1.4:cpu:-fp64`, or one of its words. Out: a target or an error; and the string that
//! parses to the same target.

use super::{FeatureChange, NEWEST, SpirvDevice, SpirvEnvironment, SpirvFeature, SpirvTarget};
use crate::nearest::nearest;
use std::{fmt, str::FromStr};

/// Word for all features.
const ALL: &str = "all";

/// Reason why a string is not a SPIR-V target.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SpirvTargetError {
    /// Unknown interface.
    #[error("no interface `{0}` takes SPIR-V; it is opencl, level-zero or vulkan")]
    Environment(String),
    /// Unsupported version of SPIR-V.
    #[error("`{0}` is not a version of SPIR-V that is written: 1.0 to 1.5")]
    Version(String),
    /// Unknown feature.
    #[error("no feature `{name}` is known{}", nearest.as_ref().map(|n| format!("; did you mean `{n}`?")).unwrap_or_default())]
    Feature {
        /// Name in the string.
        name: String,
        /// The most similar known name.
        nearest: Option<String>,
    },
    /// A feature without `+` or `-`.
    #[error("`{0}` has no sign: +{0} for a device that has it, -{0} for one that lacks it")]
    Sign(String),
    /// Unknown word.
    #[error(
        "`{0}` is neither a version such as 1.2, nor gpu, cpu or accelerator, nor a feature with a sign such as -fp64"
    )]
    Word(String),
    /// Empty word.
    #[error("a word is empty; features are written as in -fp64,-generic or -all,+fp64")]
    Empty,
}

/// Parses a version of SPIR-V such as 1.4; returns it times ten.
pub fn version(text: &str) -> Result<u32, SpirvTargetError> {
    let found = (10..=NEWEST).find(|version| format_version(*version) == text);
    found.ok_or_else(|| SpirvTargetError::Version(text.to_owned()))
}

fn format_version(version: u32) -> String {
    format!("{}.{}", version / 10, version % 10)
}

/// Finds a feature by name; `None` for the word that means all.
fn feature(name: &str) -> Result<Option<SpirvFeature>, SpirvTargetError> {
    let known = || SpirvFeature::all().map(SpirvFeature::name);
    match SpirvFeature::all().find(|feature| feature.name() == name) {
        _ if name == ALL => Ok(None),
        _ if name.is_empty() => Err(SpirvTargetError::Empty),
        Some(feature) => Ok(Some(feature)),
        None => {
            let nearest = nearest(name, known()).map(str::to_owned);
            Err(SpirvTargetError::Feature { name: name.to_owned(), nearest })
        }
    }
}

impl FromStr for FeatureChange {
    type Err = SpirvTargetError;

    fn from_str(word: &str) -> Result<Self, SpirvTargetError> {
        match word.split_at_checked(1) {
            Some((sign @ ("+" | "-"), name)) => Ok(FeatureChange { has: sign == "+", feature: feature(name)? }),
            _ => Err(feature(word).err().unwrap_or_else(|| SpirvTargetError::Sign(word.to_owned()))),
        }
    }
}

/// Properties of a device, collected word by word.
struct Described {
    device: SpirvDevice,
    version: u32,
    changes: Vec<FeatureChange>,
}

impl Described {
    fn read(&mut self, word: &str) -> Result<(), SpirvTargetError> {
        let device = SpirvDevice::NAMES.iter().find(|(_, name)| *name == word);
        if let Some((device, _)) = device {
            self.device = *device;
        } else if word.trim_start_matches('v').starts_with(|c: char| c.is_ascii_digit()) {
            self.version = version(word)?;
        } else {
            let change = word.parse().map_err(|error| match error {
                SpirvTargetError::Feature { .. } if !word.starts_with(['+', '-']) => {
                    SpirvTargetError::Word(word.to_owned())
                }
                error => error,
            });
            self.changes.push(change?);
        }
        Ok(())
    }
}

impl FromStr for SpirvTarget {
    type Err = SpirvTargetError;

    /// Parses the interface, then words such as `1.2`, `cpu`, `-fp64`, `+fp64` and `-all`. Without
    /// such words, the target has every feature.
    fn from_str(text: &str) -> Result<Self, SpirvTargetError> {
        let mut words = text.split(':');
        let name = words.next().unwrap_or_default();
        let found = SpirvEnvironment::NAMES.iter().find(|(_, known)| *known == name);
        let (environment, _) = found.ok_or_else(|| SpirvTargetError::Environment(name.to_owned()))?;
        let mut described = Described { device: SpirvDevice::Gpu, version: NEWEST, changes: Vec::new() };
        words.try_for_each(|word| described.read(word))?;
        let Described { device, version, changes } = described;
        Ok(SpirvTarget { device, ..SpirvTarget::full(*environment).changed(&changes).at_version(version) })
    }
}

impl fmt::Display for SpirvTarget {
    /// Inverse of [`SpirvTarget::from_str`]. Starts from all features or from none, whichever needs
    /// fewer words.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.environment.name(), format_version(self.version))?;
        if self.device != SpirvDevice::Gpu {
            write!(f, ":{}", self.device.name())?;
        }
        // Features whose required feature is missing are implied.
        let fits = |feature: &SpirvFeature| feature.since() <= self.version && self.environment.may_have(*feature);
        let possible = SpirvFeature::all().filter(fits);
        let possible = possible.filter(|feature| feature.needs().is_none_or(|need| self.has(need)));
        let (has, lacks): (Vec<_>, Vec<_>) = possible.partition(|feature| self.has(*feature));
        if has.len() < lacks.len() {
            f.write_str(":-all")?;
            return has.iter().try_for_each(|feature| write!(f, ":+{}", feature.name()));
        }
        lacks.iter().try_for_each(|feature| write!(f, ":-{}", feature.name()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn texts_round_trip() {
        for text in [
            "opencl:1.4",
            "opencl:1.3:cpu:-fp64",
            "level-zero:1.2:-fp64:-int64-atomics",
            "opencl:1.0:-all:+generic",
            "opencl:1.4:-sub-groups",
            "vulkan:1.5:cpu:-fp16",
        ] {
            let target: SpirvTarget = text.parse().expect("a target");
            assert_eq!(target.to_string(), text);
            assert_eq!(target.to_string().parse(), Ok(target));
        }
        assert_eq!("opencl".parse(), Ok(SpirvTarget::full(SpirvEnvironment::OpenCl)));
    }

    #[test]
    fn mistakes_are_named() {
        let error = |text: &str| text.parse::<SpirvTarget>().expect_err("a mistake").to_string();
        assert_eq!(error("cuda"), "no interface `cuda` takes SPIR-V; it is opencl, level-zero or vulkan");
        assert_eq!(error("opencl:+fp63"), "no feature `fp63` is known; did you mean `fp64`?");
        for version in ["1.9", "2", "2.0", "1", "1.", "1.+4", "1.04", "v1.2", "10"] {
            let reason = format!("`{version}` is not a version of SPIR-V that is written: 1.0 to 1.5");
            assert_eq!(error(&format!("opencl:{version}")), reason);
        }
        let sign = "`fp64` has no sign: +fp64 for a device that has it, -fp64 for one that lacks it";
        assert_eq!(error("opencl:fp64"), sign);
        assert!(error("opencl:all").starts_with("`all` has no sign: +all"));
        for empty in ["opencl:", "opencl:-fp64:", "opencl::1.2", "opencl:-", "opencl:+"] {
            assert!(error(empty).starts_with("a word is empty; "), "{empty}");
        }
        assert!(error("opencl:gpuu").starts_with("`gpuu` is neither a version such as 1.2, nor gpu, "));
    }

    #[test]
    fn a_device_without_a_feature_has_none_that_needs_it() {
        let target = |text: &str| text.parse::<SpirvTarget>().expect("a target");
        let without = target("opencl:-sub-groups");
        assert!(!without.has(SpirvFeature::SubGroupSize) && !without.has(SpirvFeature::SubGroupVote));
        assert!(without.has(SpirvFeature::Fp64));
        assert!(!target("opencl:-fp64").has(SpirvFeature::AtomicAddF64));
        let with = target("opencl:-all:+sub-group-size");
        assert!(with.has(SpirvFeature::SubGroups) && !with.has(SpirvFeature::SubGroupVote));
        let claimed = BTreeSet::from([SpirvFeature::SubGroupSize, SpirvFeature::Fp16]);
        let found = SpirvTarget::for_device(SpirvEnvironment::OpenCl, 14, claimed).expect("a target");
        assert_eq!(found, target("opencl:-all:+fp16"));
    }
}
