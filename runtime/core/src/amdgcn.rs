//! AMD GPUs that code can be generated for.
//!
//! In: a target ID as AMD's driver and tools write it, `gfx90a:sramecc+:xnack-`. Out: a target with every feature that
//! the processor has. *Invariant:* a processor is one row of the table `PROCESSORS`; nothing else in the project lists them.
//!
//! Names and features are those of "User Guide for AMDGPU Backend" of LLVM 19, "Processors" and "Target ID".

use crate::nearest::nearest;
use serde::{Deserialize, Serialize};
use std::{fmt, str::FromStr};

/// Whether a feature that the driver may turn on or off is on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Setting {
    /// The processor does not have it.
    Unsupported,
    /// The code runs either way.
    Any,
    /// The code needs it off.
    Off,
    /// The code needs it on.
    On,
}

/// How many work-items run in lockstep.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Wave {
    /// 32.
    Wave32,
    /// 64.
    Wave64,
}

/// An AMD GPU, whose driver takes code objects.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct AmdgcnTarget {
    /// LLVM's name of the processor, for example `gfx90a`.
    pub processor: String,
    /// Whether a memory access may be repeated after a page fault.
    pub xnack: Setting,
    /// Whether registers and local memory are protected by error correction.
    pub sramecc: Setting,
    /// How wide a sub-group is.
    pub wave: Wave,
    /// Whether the code says which source line it comes from.
    pub line_tables: bool,
}

/// What distinguishes processors. The first of `waves` is what its driver expects where code does not say.
#[derive(Debug)]
struct Processor {
    name: &'static str,
    has_xnack: bool,
    has_sramecc: bool,
    waves: &'static [Wave],
}

const fn gcn(name: &'static str, has_xnack: bool, has_sramecc: bool) -> Processor {
    Processor { name, has_xnack, has_sramecc, waves: &[Wave::Wave64] }
}

const fn rdna(name: &'static str, has_xnack: bool) -> Processor {
    Processor { name, has_xnack, has_sramecc: false, waves: &[Wave::Wave32, Wave::Wave64] }
}

/// The processors, oldest first.
const PROCESSORS: &[Processor] = &[
    gcn("gfx900", true, false),
    gcn("gfx902", true, false),
    gcn("gfx904", true, false),
    gcn("gfx906", true, true),
    gcn("gfx908", true, true),
    gcn("gfx909", true, false),
    gcn("gfx90a", true, true),
    gcn("gfx90c", true, false),
    gcn("gfx942", true, true),
    rdna("gfx1010", true),
    rdna("gfx1011", true),
    rdna("gfx1012", true),
    rdna("gfx1013", true),
    rdna("gfx1030", false),
    rdna("gfx1031", false),
    rdna("gfx1032", false),
    rdna("gfx1033", false),
    rdna("gfx1034", false),
    rdna("gfx1035", false),
    rdna("gfx1036", false),
    rdna("gfx1100", false),
    rdna("gfx1101", false),
    rdna("gfx1102", false),
    rdna("gfx1103", false),
    rdna("gfx1150", false),
    rdna("gfx1151", false),
    rdna("gfx1152", false),
    rdna("gfx1200", false),
    rdna("gfx1201", false),
];

/// Why a text names no AMD GPU.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum AmdgcnTargetError {
    /// No processor of that name.
    #[error("no AMD processor `{name}` is known{}", nearest.as_ref().map(|n| format!("; did you mean `{n}`?")).unwrap_or_default())]
    Processor {
        /// What was asked for.
        name: String,
        /// The known one that is most like it.
        nearest: Option<String>,
    },
    /// The processor does not have the feature.
    #[error("{processor} has no feature `{feature}`; it has {has}")]
    Feature {
        /// The processor.
        processor: &'static str,
        /// What was asked for.
        feature: String,
        /// What could be asked for.
        has: String,
    },
    /// A feature without `+` or `-`, or twice.
    #[error("`{0}` is not a setting: a feature is named once, with + or - behind it, as in gfx90a:xnack-")]
    Setting(String),
}

impl Setting {
    const fn new(exists: bool) -> Self {
        if exists { Setting::Any } else { Setting::Unsupported }
    }
}

impl Wave {
    /// Work-items.
    pub fn size(self) -> u32 {
        match self {
            Wave::Wave32 => 32,
            Wave::Wave64 => 64,
        }
    }
}

/// The feature of wide waves, as LLVM calls it. It is not part of the target ID of code objects.
const WAVE64: &str = "wavefrontsize64";

impl Processor {
    fn find(name: &str) -> Result<&'static Processor, AmdgcnTargetError> {
        PROCESSORS.iter().find(|processor| processor.name == name).ok_or_else(|| AmdgcnTargetError::Processor {
            name: name.to_owned(),
            nearest: nearest(name, AmdgcnTarget::processors()).map(str::to_owned),
        })
    }

    fn features(&self) -> String {
        let all = [("xnack", self.has_xnack), ("sramecc", self.has_sramecc), (WAVE64, self.waves.len() > 1)];
        let names: Vec<_> = all.into_iter().filter_map(|(name, has)| has.then_some(name)).collect();
        if names.is_empty() { "none".to_owned() } else { names.join(", ") }
    }

    fn unknown(&self, feature: &str) -> AmdgcnTargetError {
        AmdgcnTargetError::Feature { processor: self.name, feature: feature.to_owned(), has: self.features() }
    }
}

impl AmdgcnTarget {
    /// The names of all processors, oldest first.
    pub fn processors() -> impl Iterator<Item = &'static str> {
        PROCESSORS.iter().map(|processor| processor.name)
    }

    /// The major version, the minor version and the stepping of the processor: 9, 0 and 10 of gfx90a.
    pub fn version(&self) -> [u32; 3] {
        let digits = self.processor.trim_start_matches("gfx");
        let (major, rest) = digits.split_at_checked(digits.len().saturating_sub(2)).unwrap_or_default();
        let mut digits = rest.chars().map(|digit| digit.to_digit(16).unwrap_or_default());
        [major.parse().unwrap_or_default(), digits.next().unwrap_or_default(), digits.next().unwrap_or_default()]
    }

    /// The target ID that code objects bear and AMD's driver compares.
    pub fn id(&self) -> String {
        let text = |name: &str, setting| match setting {
            Setting::Unsupported | Setting::Any => String::new(),
            Setting::Off => format!(":{name}-"),
            Setting::On => format!(":{name}+"),
        };
        format!("{}{}{}", self.processor, text("sramecc", self.sramecc), text("xnack", self.xnack))
    }

    fn new(processor: &Processor) -> Self {
        AmdgcnTarget {
            processor: processor.name.to_owned(),
            xnack: Setting::new(processor.has_xnack),
            sramecc: Setting::new(processor.has_sramecc),
            wave: processor.waves.first().copied().unwrap_or(Wave::Wave64),
            line_tables: false,
        }
    }

    fn set(&mut self, processor: &Processor, word: &str) -> Result<(), AmdgcnTargetError> {
        let bad = || AmdgcnTargetError::Setting(word.to_owned());
        let name = word.trim_end_matches(['+', '-']);
        let setting = match &word[name.len()..] {
            "+" => Setting::On,
            "-" => Setting::Off,
            _ => return Err(bad()),
        };
        let place = match name {
            "xnack" => &mut self.xnack,
            "sramecc" => &mut self.sramecc,
            WAVE64 => return self.set_wave(processor, setting),
            _ => return Err(processor.unknown(name)),
        };
        match place {
            Setting::Unsupported => Err(processor.unknown(name)),
            Setting::Any => {
                *place = setting;
                Ok(())
            }
            Setting::Off | Setting::On => Err(bad()),
        }
    }

    fn set_wave(&mut self, processor: &Processor, setting: Setting) -> Result<(), AmdgcnTargetError> {
        let wave = if setting == Setting::On { Wave::Wave64 } else { Wave::Wave32 };
        let has = processor.waves.contains(&wave).then_some(wave);
        self.wave = has.ok_or_else(|| processor.unknown(WAVE64))?;
        Ok(())
    }
}

impl FromStr for AmdgcnTarget {
    type Err = AmdgcnTargetError;

    /// Reads a target ID; `wavefrontsize64+` may be said besides.
    fn from_str(text: &str) -> Result<Self, AmdgcnTargetError> {
        let mut words = text.split(':');
        let processor = Processor::find(words.next().unwrap_or_default())?;
        let mut target = AmdgcnTarget::new(processor);
        words.try_for_each(|word| target.set(processor, word))?;
        Ok(target)
    }
}

impl fmt::Display for AmdgcnTarget {
    /// The text that [`FromStr`] reads.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.id())?;
        let usual = Processor::find(&self.processor).is_ok_and(|p| p.waves.first() == Some(&self.wave));
        if usual {
            return Ok(());
        }
        write!(f, ":{WAVE64}{}", if self.wave == Wave::Wave64 { '+' } else { '-' })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn target(text: &str) -> AmdgcnTarget {
        text.parse().expect("a target")
    }

    #[test]
    fn a_driver_s_text_is_read_and_written() {
        let gpu = target("gfx90a:sramecc+:xnack-");
        assert_eq!((gpu.sramecc, gpu.xnack, gpu.wave), (Setting::On, Setting::Off, Wave::Wave64));
        assert_eq!(gpu.id(), "gfx90a:sramecc+:xnack-");
        assert_eq!(target("gfx90a:xnack-:sramecc+"), gpu);
        assert_eq!(target("gfx906").xnack, Setting::Any);
        assert_eq!(target("gfx1100").xnack, Setting::Unsupported);
        for text in ["gfx942", "gfx906:xnack+", "gfx1030", "gfx1201:wavefrontsize64+"] {
            assert_eq!(target(text).to_string(), text);
        }
        assert_eq!(target("gfx1201:wavefrontsize64+").id(), "gfx1201");
    }

    #[test]
    fn versions_are_those_of_the_name() {
        let version = |text| target(text).version();
        assert_eq!([version("gfx900"), version("gfx90a"), version("gfx942")], [[9, 0, 0], [9, 0, 10], [9, 4, 2]]);
        assert_eq!([version("gfx1036"), version("gfx1152"), version("gfx1201")], [[10, 3, 6], [11, 5, 2], [12, 0, 1]]);
    }

    #[test]
    fn what_a_processor_lacks_is_an_error() {
        let message = |text: &str| text.parse::<AmdgcnTarget>().expect_err("no target").to_string();
        assert!(message("gfx1110").contains("did you mean `gfx1010`?"));
        assert_eq!(message("gfx1100:xnack+"), "gfx1100 has no feature `xnack`; it has wavefrontsize64");
        assert_eq!(message("gfx900:cumode+"), "gfx900 has no feature `cumode`; it has xnack");
        assert!(message("gfx90a:xnack").starts_with("`xnack` is not a setting"));
        assert!(message("gfx90a:xnack+:xnack-").starts_with("`xnack-` is not a setting"));
        assert!(message("gfx90a:wavefrontsize64-").contains("has no feature `wavefrontsize64`"));
        assert!(message("").contains("no AMD processor ``"));
    }
}
