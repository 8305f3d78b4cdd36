//! Determines the target of code for this CPU.
//!
//! In: [`Cpuid`]. Out: LLVM 19's triple, CPU name and feature string. *Invariant:* the same machine
//! always gives the same answer, and the feature string wins over what the name implies. Mirrors
//! LLVM's `sys::getHostCPUName`, except that a CPU unknown to it becomes the best matching
//! `x86-64-vN` instead of `generic`.

use crate::{
    cpuid::Cpuid,
    features::{feature_string, has},
    level::CpuLevel,
};
use sinter_core::HostTarget;

/// The target of code that runs on this CPU.
#[cfg(target_arch = "x86_64")]
pub(crate) fn host_target(cpu: &Cpuid) -> HostTarget {
    HostTarget {
        triple: "x86_64-unknown-linux-gnu".to_owned(),
        cpu: cpu_name(cpu).to_owned(),
        features: feature_string(cpu),
        line_tables: false,
    }
}

/// The target of code that runs on this CPU.
#[cfg(not(target_arch = "x86_64"))]
pub(crate) fn host_target(_cpu: &Cpuid) -> HostTarget {
    let triple = format!("{}-unknown-linux-gnu", std::env::consts::ARCH);
    HostTarget { triple, cpu: "generic".to_owned(), features: String::new(), line_tables: false }
}

/// LLVM's name of the CPU.
pub(crate) fn cpu_name(cpu: &Cpuid) -> &'static str {
    let (family, model) = cpu.family_and_model();
    let known = match cpu.vendor().as_str() {
        "GenuineIntel" => intel(cpu, family, model),
        "AuthenticAMD" => amd(cpu, family, model),
        _ => None,
    };
    known.unwrap_or_else(|| CpuLevel::of(cpu).name())
}

fn amd(cpu: &Cpuid, family: u32, model: u32) -> Option<&'static str> {
    Some(match (family, model) {
        (15, _) if has(cpu, "sse3") => "k8-sse3",
        (15, _) => "k8",
        (16, _) => "amdfam10",
        (20, _) => "btver1",
        (21, 0x60..=0x7f) => "bdver4",
        (21, 0x30..=0x3f) => "bdver3",
        (21, 0x02 | 0x10..=0x1f) => "bdver2",
        (21, _) => "bdver1",
        (22, _) => "btver2",
        (23, 0x30..=0x3f | 0x47 | 0x60..=0x7f | 0x84..=0x87 | 0x90..=0xaf) => "znver2",
        (23, _) => "znver1",
        (25, 0x10..=0x1f | 0x60..=0x7f | 0xa0..=0xaf) => "znver4",
        (25, _) => "znver3",
        (26, 0x00..=0x77) => "znver5",
        _ => return None,
    })
}

fn intel(cpu: &Cpuid, family: u32, model: u32) -> Option<&'static str> {
    if family != 6 {
        return None;
    }
    Some(match model {
        0x0f | 0x16 => "core2",
        0x17 | 0x1d => "penryn",
        0x1a | 0x1e | 0x1f | 0x2e => "nehalem",
        0x25 | 0x2c | 0x2f => "westmere",
        0x2a | 0x2d => "sandybridge",
        0x3a | 0x3e => "ivybridge",
        0x3c | 0x3f | 0x45 | 0x46 => "haswell",
        0x3d | 0x47 | 0x4f | 0x56 => "broadwell",
        0x4e | 0x5e | 0x8e | 0x9e | 0xa5 | 0xa6 => "skylake",
        0xa7 => "rocketlake",
        0x55 if has(cpu, "avx512bf16") => "cooperlake",
        0x55 if has(cpu, "avx512vnni") => "cascadelake",
        0x55 => "skylake-avx512",
        0x66 => "cannonlake",
        0x7d | 0x7e => "icelake-client",
        0x8c | 0x8d => "tigerlake",
        0x97 | 0x9a => "alderlake",
        0xbe => "gracemont",
        0xb7 | 0xba | 0xbf => "raptorlake",
        0xaa | 0xac => "meteorlake",
        0xc5 => "arrowlake",
        0xc6 => "arrowlake-s",
        0xbd => "lunarlake",
        0xcc => "pantherlake",
        0xad => "graniterapids",
        0xae => "graniterapids-d",
        0x6a | 0x6c => "icelake-server",
        // LLVM 19 makes the same checks for both generations.
        0x8f | 0xcf => "sapphirerapids",
        0x1c | 0x26 | 0x27 | 0x35 | 0x36 => "bonnell",
        0x37 | 0x4a | 0x4c | 0x4d | 0x5a | 0x5d => "silvermont",
        0x5c | 0x5f => "goldmont",
        0x7a => "goldmont-plus",
        0x86 | 0x8a | 0x96 | 0x9c => "tremont",
        0xaf => "sierraforest",
        0xb6 => "grandridge",
        0xdd => "clearwaterforest",
        0x57 => "knl",
        0x85 => "knm",
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::{collections::BTreeMap, process::Command};

    fn made_up(vendor: &[u8; 12], signature: u32) -> Cpuid {
        let word = |i: usize| u32::from_le_bytes([vendor[i], vendor[i + 1], vendor[i + 2], vendor[i + 3]]);
        let mut cpu = Cpuid::default();
        cpu.set(0, 0, [7, word(0), word(8), word(4)]);
        cpu.set(1, 0, [signature, 0, 0, 0]);
        cpu
    }

    #[test]
    fn signatures_have_llvm_names() {
        for (vendor, signature, name) in [
            (b"AuthenticAMD", 0x00a1_0f11, "znver4"),
            (b"AuthenticAMD", 0x00a0_0f11, "znver3"),
            (b"AuthenticAMD", 0x0083_0f10, "znver2"),
            (b"AuthenticAMD", 0x00b4_0f40, "znver5"),
            (b"GenuineIntel", 0x0005_0654, "skylake-avx512"),
            (b"GenuineIntel", 0x0008_06f8, "sapphirerapids"),
            (b"GenuineIntel", 0x000f_06f0, "x86-64"),
            (b"HygonGenuine", 0x0090_0f02, "x86-64"),
        ] {
            assert_eq!(cpu_name(&made_up(vendor, signature)), name, "{signature:#x}");
        }
    }

    #[test]
    fn an_unknown_cpu_gets_its_level() {
        let mut cpu = made_up(b"HygonGenuine", 0x0090_0f02);
        let mut registers = cpu.leaf(1, 0);
        registers[2] = 1 | (1 << 9) | (1 << 13) | (1 << 19) | (1 << 20) | (1 << 23);
        cpu.set(1, 0, registers);
        cpu.set(0x8000_0001, 0, [0, 0, 1, 0]);
        assert_eq!(cpu_name(&cpu), "x86-64-v2");
    }

    /// The CPU and the signed features that clang passes to its compiler for `-march=native`.
    fn clang_native() -> Option<(String, BTreeMap<String, char>)> {
        let arguments = ["-march=native", "-###", "-c", "-x", "c", "/dev/null"];
        let output = Command::new("clang-19").args(arguments).output().ok()?;
        let text = String::from_utf8(output.stderr).ok()?;
        let words: Vec<String> = text.split_whitespace().map(|word| word.trim_matches('"').to_owned()).collect();
        let after = |flag: &str| words.windows(2).filter(|w| w[0] == flag).map(|w| w[1].clone()).collect::<Vec<_>>();
        let signed = |feature: String| (feature[1..].to_owned(), feature.chars().next().unwrap_or('?'));
        Some((after("-target-cpu").pop()?, after("-target-feature").into_iter().map(signed).collect()))
    }

    #[test]
    fn agrees_with_clang_on_this_machine() {
        let Some((name, features)) = clang_native() else {
            println!("skipped: clang-19 is not installed");
            return;
        };
        let target = host_target(&Cpuid::read());
        if name != "generic" {
            assert_eq!(target.cpu, name);
        }
        for feature in target.features.split(',') {
            let (sign, plain) = feature.split_at(1);
            let theirs = features.get(plain).unwrap_or_else(|| panic!("clang does not know {plain}"));
            assert_eq!(sign, theirs.to_string(), "{plain}");
        }
    }
}
