//! Levels of x86-64 CPUs, for code that several machines share.
//!
//! In: the identification of a CPU, and a level of the x86-64 psABI. Out: the same CPU without the
//! features beyond the level. *Invariant:* two CPUs that support a level have the same target for
//! it, so that they share code in a cache.

use crate::{
    cpuid::Cpuid,
    features::{has, without_others},
};

/// Features that every x86-64 CPU has, and those that each level adds, by the x86-64 psABI, in
/// LLVM's spelling.
const BASELINE: [&str; 7] = ["64bit", "cmov", "cx8", "fxsr", "mmx", "sse", "sse2"];
const V2: [&str; 8] = ["crc32", "cx16", "sahf", "popcnt", "sse3", "ssse3", "sse4.1", "sse4.2"];
const V3: [&str; 9] = ["avx", "avx2", "bmi", "bmi2", "f16c", "fma", "lzcnt", "movbe", "xsave"];
/// LLVM has a feature of its own for 512-bit registers.
const V4: [&str; 6] = ["avx512f", "avx512bw", "avx512cd", "avx512dq", "avx512vl", "evex512"];
const ADDED: [&[&str]; 4] = [&BASELINE, &V2, &V3, &V4];

/// A level: the features that code may rely on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum CpuLevel {
    /// Every x86-64 CPU.
    V1,
    /// CPUs since about 2009.
    V2,
    /// CPUs with AVX2 and FMA.
    V3,
    /// CPUs with AVX-512.
    V4,
}

impl CpuLevel {
    /// All levels, lowest first.
    pub const ALL: [CpuLevel; 4] = [CpuLevel::V1, CpuLevel::V2, CpuLevel::V3, CpuLevel::V4];

    /// Name in the psABI and in LLVM.
    pub fn name(self) -> &'static str {
        ["x86-64", "x86-64-v2", "x86-64-v3", "x86-64-v4"][self as usize]
    }

    fn features(self) -> Vec<&'static str> {
        ADDED[..=self as usize].concat()
    }

    /// The highest level that a CPU supports.
    pub(crate) fn of(cpu: &Cpuid) -> Self {
        let has_added = |level: &&CpuLevel| ADDED[**level as usize].iter().all(|feature| has(cpu, feature));
        Self::ALL[1..].iter().take_while(has_added).last().copied().unwrap_or(CpuLevel::V1)
    }

    /// The CPU with the features of this level only; `None` if it lacks one.
    pub(crate) fn limit(self, cpu: &Cpuid) -> Option<Cpuid> {
        let features = self.features();
        let complete = features.iter().all(|feature| has(cpu, feature));
        complete.then(|| without_others(cpu, &features).without_name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{detect::host_target, features::feature_string};

    #[test]
    fn this_cpu_has_its_level_and_those_below() {
        let cpu = Cpuid::read();
        let highest = CpuLevel::of(&cpu);
        for level in CpuLevel::ALL {
            let limited = level.limit(&cpu);
            assert_eq!(limited.is_some(), level <= highest, "{level:?}");
            let Some(limited) = limited else { continue };
            assert_eq!(host_target(&limited).cpu, level.name());
            let present: Vec<String> =
                feature_string(&limited).split(',').filter_map(|f| f.strip_prefix('+').map(str::to_owned)).collect();
            let mut expected: Vec<String> = level.features().into_iter().map(str::to_owned).collect();
            expected.sort();
            assert_eq!(present, expected, "{level:?}");
            assert_eq!(limited.brand(), cpu.brand());
        }
    }
}
