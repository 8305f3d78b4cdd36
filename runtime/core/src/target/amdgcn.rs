//! AMD GPUs that code can be generated for.
//!
//! In: a target ID as AMD's driver and tools write it, `gfx90a:sramecc+:xnack-`. Out: a target with
//! every feature that the processor has. *Invariant:* a processor is one row of the table
//! `PROCESSORS`; no other list of processors exists in the project.
//!
//! Names and features are those of "User Guide for AMDGPU Backend" of LLVM 19, "Processors" and
//! "Target ID".

use super::{
    facts::TargetFacts,
    kernel_features::{KernelFeature, Support},
};
use crate::key::KeyFields;
use serde::{Deserialize, Serialize};
use std::{fmt, str::FromStr};

/// State of a feature that the driver may turn on or off.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Setting {
    /// The processor does not have the feature.
    Unsupported,
    /// The code runs with either state.
    Any,
    /// The code requires the feature to be off.
    Off,
    /// The code requires the feature to be on.
    On,
}

/// Wavefront size: number of work-items that run in lockstep.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Wave {
    /// 32 work-items.
    Wave32,
    /// 64 work-items.
    Wave64,
}

/// An AMD GPU, whose driver takes code objects.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct AmdgcnTarget {
    /// LLVM's name of the processor, for example `gfx90a`.
    pub processor: String,
    /// Replay of memory accesses after a page fault.
    pub xnack: Setting,
    /// Error correction (ECC) of registers and local memory.
    pub sramecc: Setting,
    /// Wavefront size, which is the sub-group size.
    pub wave: Wave,
    /// True if the code has line tables.
    pub line_tables: bool,
}

/// Properties of a processor. The first of `waves` is the size that its driver assumes where the
/// code does not specify one.
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

/// All supported processors, oldest first.
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

/// Reason why a string is not a target ID.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum AmdgcnTargetError {
    /// No processor has this name. A similar name means another processor, so none is suggested.
    #[error("no AMD processor `{name}` is known; {}", advice(meant))]
    Processor {
        /// Name in the string.
        name: String,
        /// Target that the string means if case and punctuation are ignored.
        meant: Option<String>,
    },
    /// The processor does not have this feature.
    #[error("{processor} has no feature `{feature}`; it has {has}")]
    Feature {
        /// Name of the processor.
        processor: &'static str,
        /// Feature in the string.
        feature: String,
        /// Features of the processor.
        has: String,
    },
    /// A feature without `+` or `-`.
    #[error("`{0}` is not a setting: a feature is named with + or - behind it, as in gfx90a:xnack-")]
    Setting(String),
    /// A feature that occurs more than once.
    #[error("`{0}` is given twice")]
    Twice(String),
    /// The feature of 32-wide waves, which is redundant: `wavefrontsize64` selects the size.
    #[error("`{WAVE32}` is not part of a target ID; say `{WAVE64}{}`", if *wide { '+' } else { '-' })]
    Wave32 {
        /// True if the string turned it off.
        wide: bool,
    },
}

fn advice(meant: &Option<String>) -> String {
    match meant {
        Some(target) => format!("did you mean `{target}`?"),
        None => format!("there are {}", AmdgcnTarget::processors().collect::<Vec<_>>().join(", ")),
    }
}

impl Setting {
    const fn new(exists: bool) -> Self {
        if exists { Setting::Any } else { Setting::Unsupported }
    }
}

impl Wave {
    /// Number of work-items.
    pub fn size(self) -> u32 {
        match self {
            Wave::Wave32 => 32,
            Wave::Wave64 => 64,
        }
    }
}

/// LLVM's name of the feature for 64-wide waves. Not part of the target ID of code objects.
const WAVE64: &str = "wavefrontsize64";
const WAVE32: &str = "wavefrontsize32";
/// Prefix of target IDs where AMD's tools write the whole triple.
const TRIPLE: &str = "amdgcn-amd-amdhsa--";

impl Processor {
    fn find(name: &str) -> Result<&'static Processor, AmdgcnTargetError> {
        let unknown = || AmdgcnTargetError::Processor { name: name.to_owned(), meant: None };
        PROCESSORS.iter().find(|processor| processor.name == name).ok_or_else(unknown)
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
    /// Names of all processors, oldest first.
    pub fn processors() -> impl Iterator<Item = &'static str> {
        PROCESSORS.iter().map(|processor| processor.name)
    }

    /// Major version, minor version and stepping of the processor: 9, 0 and 10 for gfx90a.
    pub fn version(&self) -> [u32; 3] {
        let digits = self.processor.trim_start_matches("gfx");
        let (major, rest) = digits.split_at_checked(digits.len().saturating_sub(2)).unwrap_or_default();
        let mut digits = rest.chars().map(|digit| digit.to_digit(16).unwrap_or_default());
        [major.parse().unwrap_or_default(), digits.next().unwrap_or_default(), digits.next().unwrap_or_default()]
    }

    /// Target ID as AMD's driver compares it with that of code objects.
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
            WAVE32 if processor.waves.len() > 1 => {
                return Err(AmdgcnTargetError::Wave32 { wide: setting == Setting::Off });
            }
            _ => return Err(processor.unknown(name)),
        };
        if *place == Setting::Unsupported {
            return Err(processor.unknown(name));
        }
        *place = setting;
        Ok(())
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

    /// Parses a target ID, with or without the triple, and with an optional `wavefrontsize64+`.
    fn from_str(text: &str) -> Result<Self, AmdgcnTargetError> {
        read(text).map_err(|error| match error {
            AmdgcnTargetError::Processor { .. } => {
                AmdgcnTargetError::Processor { name: text.to_owned(), meant: meant(text) }
            }
            error => error,
        })
    }
}

fn read(text: &str) -> Result<AmdgcnTarget, AmdgcnTargetError> {
    let mut words = text.strip_prefix(TRIPLE).unwrap_or(text).split(':');
    let processor = Processor::find(words.next().unwrap_or_default())?;
    let (mut target, mut seen) = (AmdgcnTarget::new(processor), Vec::new());
    for word in words {
        target.set(processor, word)?;
        let name = word.trim_end_matches(['+', '-']);
        if seen.contains(&name) {
            return Err(AmdgcnTargetError::Twice(name.to_owned()));
        }
        seen.push(name);
    }
    Ok(target)
}

/// Target that a string means if case, blanks and punctuation are ignored.
fn meant(text: &str) -> Option<String> {
    let text = text.trim().to_ascii_lowercase().replace([',', ';', '/', ' '], ":");
    let (processor, features) = text.split_once(':').map_or((text.as_str(), ""), |(name, rest)| (name, rest));
    let processor: String = processor.chars().filter(char::is_ascii_alphanumeric).collect();
    let features = features.split(':').filter(|word| !word.is_empty()).map(|word| format!(":{word}"));
    let target = features.fold(processor, |target, feature| target + &feature);
    read(&target).is_ok().then_some(target)
}

impl fmt::Display for AmdgcnTarget {
    /// Inverse of [`FromStr`].
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.id())?;
        let usual = Processor::find(&self.processor).is_ok_and(|p| p.waves.first() == Some(&self.wave));
        if usual {
            return Ok(());
        }
        write!(f, ":{WAVE64}{}", if self.wave == Wave::Wave64 { '+' } else { '-' })
    }
}

impl TargetFacts for AmdgcnTarget {
    fn family(&self) -> &'static str {
        "amdgpu"
    }

    fn name(&self) -> String {
        self.to_string()
    }

    fn line_tables(&self) -> bool {
        self.line_tables
    }

    fn set_line_tables(&mut self, line_tables: bool) {
        self.line_tables = line_tables;
    }

    /// Instructions for atomic operations on floating-point numbers may be lost over PCI Express,
    /// so that those which host or other devices may see are loops.
    fn support(&self, feature: KernelFeature) -> Support {
        if feature.is_float_atomic() { Support::Computed } else { Support::Native }
    }

    fn sub_group_size(&self) -> Option<u32> {
        Some(self.wave.size())
    }

    fn set_sub_group_size(&mut self, size: u32) -> bool {
        let waves = Processor::find(&self.processor).map_or(&[][..], |processor| processor.waves);
        let wave = waves.iter().find(|wave| wave.size() == size);
        wave.inspect(|wave| self.wave = **wave).is_some()
    }

    fn key_fields(&self, fields: &mut KeyFields) {
        let AmdgcnTarget { processor: _, xnack: _, sramecc: _, wave: _, line_tables } = self;
        fields.add_text("target-id", &self.to_string());
        fields.add_text("line-tables", &line_tables.to_string());
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
        assert_eq!(message("gfx1100:xnack+"), "gfx1100 has no feature `xnack`; it has wavefrontsize64");
        assert_eq!(message("gfx900:cumode+"), "gfx900 has no feature `cumode`; it has xnack");
        assert!(message("gfx90a:xnack").starts_with("`xnack` is not a setting"));
        assert_eq!(message("gfx90a:xnack+:xnack-"), "`xnack` is given twice");
        assert_eq!(message("gfx1100:wavefrontsize64+:wavefrontsize64-"), "`wavefrontsize64` is given twice");
        assert_eq!(
            message("gfx1100:wavefrontsize32+"),
            "`wavefrontsize32` is not part of a target ID; say `wavefrontsize64-`"
        );
        assert!(message("gfx90a:wavefrontsize64-").contains("has no feature `wavefrontsize64`"));
    }

    #[test]
    fn no_other_processor_is_proposed() {
        let message = |text: &str| text.parse::<AmdgcnTarget>().expect_err("no target").to_string();
        for text in ["gfx950", "gfx940", "gfx803", "gfx91a", "gfx1110", ""] {
            let message = message(text);
            assert!(!message.contains("did you mean") && message.contains("gfx90a, gfx90c, gfx942"), "{message}");
        }
        for text in ["gfx90A", "GFX90A", "gfx-90a", " gfx90a"] {
            assert!(message(text).contains("did you mean `gfx90a`?"), "{text}");
        }
        for text in ["gfx90a,xnack-", "GFX90A:XNACK-", "gfx90a xnack-"] {
            assert!(message(text).contains("did you mean `gfx90a:xnack-`?"), "{text}");
        }
    }

    #[test]
    fn the_triple_may_stand_before_a_target_id() {
        assert_eq!(target("amdgcn-amd-amdhsa--gfx90a:xnack-"), target("gfx90a:xnack-"));
    }
}
