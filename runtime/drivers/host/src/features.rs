//! Names the instruction set extensions of an x86-64 CPU as LLVM 19 does.
//!
//! In: [`Cpuid`]. Out: the features present, and LLVM's feature string. *Invariant:* the string
//! lists every feature of the table with `+` or `-`, sorted by name, so that a feature implied by
//! the CPU name is not used if the operating system or a hypervisor hides it. Mirrors LLVM's
//! `sys::getHostCPUFeatures`; the bits are from the Intel and AMD manuals.

use crate::cpuid::Cpuid;

/// Register state that the operating system must save for a feature to be usable.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Needs {
    Nothing,
    Avx,
    Avx512,
    Amx,
    Apx,
}

/// A feature and its CPUID bit: leaf, subleaf, register (eax, ebx, ecx, edx), bit.
struct Feature {
    name: &'static str,
    at: (u32, u32, usize, u32),
    needs: Needs,
}

const fn plain(name: &'static str, leaf: u32, subleaf: u32, register: usize, bit: u32) -> Feature {
    Feature { name, at: (leaf, subleaf, register, bit), needs: Needs::Nothing }
}

const fn with(needs: Needs, name: &'static str, leaf: u32, subleaf: u32, register: usize, bit: u32) -> Feature {
    Feature { name, at: (leaf, subleaf, register, bit), needs }
}

const EAX: usize = 0;
const EBX: usize = 1;
const ECX: usize = 2;
const EDX: usize = 3;
const EXT1: u32 = 0x8000_0001;
const EXT8: u32 = 0x8000_0008;

/// Sorted by name.
const FEATURES: &[Feature] = &[
    plain("64bit", EXT1, 0, EDX, 29),
    plain("adx", 7, 0, EBX, 19),
    plain("aes", 1, 0, ECX, 25),
    with(Needs::Amx, "amx-bf16", 7, 0, EDX, 22),
    with(Needs::Amx, "amx-complex", 7, 1, EDX, 8),
    with(Needs::Amx, "amx-fp16", 7, 1, EAX, 21),
    with(Needs::Amx, "amx-int8", 7, 0, EDX, 25),
    with(Needs::Amx, "amx-tile", 7, 0, EDX, 24),
    with(Needs::Avx, "avx", 1, 0, ECX, 28),
    with(Needs::Avx, "avx2", 7, 0, EBX, 5),
    with(Needs::Avx512, "avx512bf16", 7, 1, EAX, 5),
    with(Needs::Avx512, "avx512bitalg", 7, 0, ECX, 12),
    with(Needs::Avx512, "avx512bw", 7, 0, EBX, 30),
    with(Needs::Avx512, "avx512cd", 7, 0, EBX, 28),
    with(Needs::Avx512, "avx512dq", 7, 0, EBX, 17),
    with(Needs::Avx512, "avx512f", 7, 0, EBX, 16),
    with(Needs::Avx512, "avx512fp16", 7, 0, EDX, 23),
    with(Needs::Avx512, "avx512ifma", 7, 0, EBX, 21),
    with(Needs::Avx512, "avx512vbmi", 7, 0, ECX, 1),
    with(Needs::Avx512, "avx512vbmi2", 7, 0, ECX, 6),
    with(Needs::Avx512, "avx512vl", 7, 0, EBX, 31),
    with(Needs::Avx512, "avx512vnni", 7, 0, ECX, 11),
    with(Needs::Avx512, "avx512vp2intersect", 7, 0, EDX, 8),
    with(Needs::Avx512, "avx512vpopcntdq", 7, 0, ECX, 14),
    with(Needs::Avx, "avxifma", 7, 1, EAX, 23),
    with(Needs::Avx, "avxneconvert", 7, 1, EDX, 5),
    with(Needs::Avx, "avxvnni", 7, 1, EAX, 4),
    with(Needs::Avx, "avxvnniint16", 7, 1, EDX, 10),
    with(Needs::Avx, "avxvnniint8", 7, 1, EDX, 4),
    plain("bmi", 7, 0, EBX, 3),
    plain("bmi2", 7, 0, EBX, 8),
    with(Needs::Apx, "ccmp", 7, 1, EDX, 21),
    with(Needs::Apx, "cf", 7, 1, EDX, 21),
    plain("cldemote", 7, 0, ECX, 25),
    plain("clflushopt", 7, 0, EBX, 23),
    plain("clwb", 7, 0, EBX, 24),
    plain("clzero", EXT8, 0, EBX, 0),
    plain("cmov", 1, 0, EDX, 15),
    plain("cmpccxadd", 7, 1, EAX, 7),
    plain("crc32", 1, 0, ECX, 20),
    plain("cx16", 1, 0, ECX, 13),
    plain("cx8", 1, 0, EDX, 8),
    with(Needs::Apx, "egpr", 7, 1, EDX, 21),
    plain("enqcmd", 7, 0, ECX, 29),
    // It has no bit of its own: 512-bit registers come with AVX512F.
    with(Needs::Avx512, "evex512", 7, 0, EBX, 16),
    with(Needs::Avx, "f16c", 1, 0, ECX, 29),
    with(Needs::Avx, "fma", 1, 0, ECX, 12),
    with(Needs::Avx, "fma4", EXT1, 0, ECX, 16),
    plain("fsgsbase", 7, 0, EBX, 0),
    plain("fxsr", 1, 0, EDX, 24),
    plain("gfni", 7, 0, ECX, 8),
    plain("hreset", 7, 1, EAX, 22),
    plain("lwp", EXT1, 0, ECX, 15),
    plain("lzcnt", EXT1, 0, ECX, 5),
    plain("mmx", 1, 0, EDX, 23),
    plain("movbe", 1, 0, ECX, 22),
    plain("movdir64b", 7, 0, ECX, 28),
    plain("movdiri", 7, 0, ECX, 27),
    plain("mwaitx", EXT1, 0, ECX, 29),
    with(Needs::Apx, "ndd", 7, 1, EDX, 21),
    plain("pclmul", 1, 0, ECX, 1),
    plain("pku", 7, 0, ECX, 4),
    plain("popcnt", 1, 0, ECX, 23),
    with(Needs::Apx, "ppx", 7, 1, EDX, 21),
    plain("prefetchi", 7, 1, EDX, 14),
    plain("prfchw", EXT1, 0, ECX, 8),
    with(Needs::Apx, "push2pop2", 7, 1, EDX, 21),
    plain("raoint", 7, 1, EAX, 3),
    plain("rdpid", 7, 0, ECX, 22),
    plain("rdpru", EXT8, 0, EBX, 4),
    plain("rdrnd", 1, 0, ECX, 30),
    plain("rdseed", 7, 0, EBX, 18),
    plain("rtm", 7, 0, EBX, 11),
    plain("sahf", EXT1, 0, ECX, 0),
    plain("serialize", 7, 0, EDX, 14),
    plain("sha", 7, 0, EBX, 29),
    with(Needs::Avx, "sha512", 7, 1, EAX, 0),
    with(Needs::Avx, "sm3", 7, 1, EAX, 1),
    with(Needs::Avx, "sm4", 7, 1, EAX, 2),
    plain("sse", 1, 0, EDX, 25),
    plain("sse2", 1, 0, EDX, 26),
    plain("sse3", 1, 0, ECX, 0),
    plain("sse4.1", 1, 0, ECX, 19),
    plain("sse4.2", 1, 0, ECX, 20),
    plain("sse4a", EXT1, 0, ECX, 6),
    plain("ssse3", 1, 0, ECX, 9),
    plain("tbm", EXT1, 0, ECX, 21),
    plain("tsxldtrk", 7, 0, EDX, 16),
    with(Needs::Avx, "vaes", 7, 0, ECX, 9),
    with(Needs::Avx, "vpclmulqdq", 7, 0, ECX, 10),
    plain("waitpkg", 7, 0, ECX, 5),
    with(Needs::Avx, "xop", EXT1, 0, ECX, 11),
    plain("xsave", 1, 0, ECX, 26),
    with(Needs::Avx, "xsavec", 0xd, 1, EAX, 1),
    with(Needs::Avx, "xsaveopt", 0xd, 1, EAX, 0),
    with(Needs::Avx, "xsaves", 0xd, 1, EAX, 3),
];

/// Bits of XCR0: SSE and AVX state; the AVX-512 states; the tile states; the upper general-purpose
/// registers.
const AVX_STATES: u64 = 0x6;
const AVX512_STATES: u64 = 0xe0;
const AMX_STATES: u64 = 0x6_0000;
const APX_STATES: u64 = 0x8_0000;

impl Needs {
    fn met(self, cpu: &Cpuid) -> bool {
        // AVX needs the CPU's bit as well as the saved state: a hypervisor can hide one without the
        // other.
        let avx = cpu.saved_states & AVX_STATES == AVX_STATES && cpu.bit(1, 0, ECX, 27) && cpu.bit(1, 0, ECX, 28);
        let states = |mask| cpu.saved_states & mask == mask;
        match self {
            Needs::Nothing => true,
            Needs::Avx => avx,
            // Every AVX-512 feature builds on AVX512F.
            Needs::Avx512 => avx && states(AVX512_STATES) && cpu.bit(7, 0, EBX, 16),
            Needs::Amx => states(AMX_STATES),
            Needs::Apx => states(APX_STATES),
        }
    }
}

impl Feature {
    fn present(&self, cpu: &Cpuid) -> bool {
        let (leaf, subleaf, register, bit) = self.at;
        // XSAVE needs an operating system that enables it.
        let usable = self.name != "xsave" || cpu.bit(1, 0, ECX, 27);
        usable && cpu.bit(leaf, subleaf, register, bit) && self.needs.met(cpu)
    }
}

/// True if the CPU has a feature of the table.
pub(crate) fn has(cpu: &Cpuid, name: &str) -> bool {
    FEATURES.iter().any(|feature| feature.name == name && feature.present(cpu))
}

/// The CPU without the features of the table that are not in `kept`.
pub(crate) fn without_others(cpu: &Cpuid, kept: &[&str]) -> Cpuid {
    let mut limited = cpu.clone();
    for feature in FEATURES.iter().filter(|feature| !kept.contains(&feature.name)) {
        let (leaf, subleaf, register, bit) = feature.at;
        let mut registers = limited.leaf(leaf, subleaf);
        registers[register] &= !(1 << bit);
        limited.set(leaf, subleaf, registers);
    }
    limited
}

/// LLVM's feature string: every feature of the table with `+` or `-`.
pub(crate) fn feature_string(cpu: &Cpuid) -> String {
    let sign = |feature: &Feature| if feature.present(cpu) { '+' } else { '-' };
    let list: Vec<String> = FEATURES.iter().map(|feature| format!("{}{}", sign(feature), feature.name)).collect();
    list.join(",")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_is_sorted_and_unique() {
        assert!(FEATURES.windows(2).all(|pair| pair[0].name < pair[1].name));
    }

    #[test]
    fn what_the_system_does_not_save_is_absent() {
        let mut cpu = Cpuid::default();
        cpu.set(1, 0, [0, 0, (1 << 27) | (1 << 28) | (1 << 12), 0]);
        cpu.set(7, 0, [0, (1 << 5) | (1 << 16) | (1 << 30), 0, 0]);
        assert!(!has(&cpu, "avx") && !has(&cpu, "avx2") && !has(&cpu, "fma"));
        cpu.saved_states = AVX_STATES;
        assert!(has(&cpu, "avx2") && has(&cpu, "fma") && !has(&cpu, "avx512f") && !has(&cpu, "avx512bw"));
        cpu.saved_states |= AVX512_STATES;
        assert!(has(&cpu, "avx512f") && has(&cpu, "avx512bw") && !has(&cpu, "avx512vl"));
        assert!(feature_string(&cpu).contains("+avx512f,-avx512fp16,"));
    }
}
