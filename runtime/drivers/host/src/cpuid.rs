//! Reads the CPU's identification registers.
//!
//! In: the `cpuid` and `xgetbv` instructions. Out: their registers as a plain value, so that the
//! tables that interpret them are tested with made-up CPUs. *Invariant:* a leaf beyond what the CPU
//! announces reads as zeros.

use std::collections::BTreeMap;

/// Registers of one leaf: eax, ebx, ecx, edx.
pub(crate) type Registers = [u32; 4];

/// The identification registers of a CPU.
#[derive(Debug, Clone, Default)]
pub(crate) struct Cpuid {
    leaves: BTreeMap<(u32, u32), Registers>,
    /// Register states that the operating system saves (XCR0).
    pub(crate) saved_states: u64,
}

/// The leaves that the tables read.
const LEAVES: [(u32, u32); 13] = [
    (0, 0),
    (1, 0),
    (7, 0),
    (7, 1),
    (0xd, 1),
    (0x14, 0),
    (0x19, 0),
    (0x8000_0000, 0),
    (0x8000_0001, 0),
    (0x8000_0002, 0),
    (0x8000_0003, 0),
    (0x8000_0004, 0),
    (0x8000_0008, 0),
];

impl Cpuid {
    /// Reads the CPU that runs the calling thread.
    #[cfg(target_arch = "x86_64")]
    pub(crate) fn read() -> Self {
        use std::arch::x86_64::{__cpuid_count, __get_cpuid_max};
        let (basic, extended) = (__get_cpuid_max(0).0, __get_cpuid_max(0x8000_0000).0);
        let mut cpu = Cpuid::default();
        for (leaf, subleaf) in LEAVES {
            // Subleaf 0 of leaf 7 announces the number of subleaves.
            let beyond = leaf == 7 && subleaf > cpu.leaf(7, 0)[0];
            if beyond || leaf > if leaf >= 0x8000_0000 { extended } else { basic } {
                continue;
            }
            let r = __cpuid_count(leaf, subleaf);
            cpu.set(leaf, subleaf, [r.eax, r.ebx, r.ecx, r.edx]);
        }
        if cpu.bit(1, 0, 2, 27) {
            cpu.saved_states = read_saved_states();
        }
        cpu
    }

    /// Other architectures have no CPUID.
    #[cfg(not(target_arch = "x86_64"))]
    pub(crate) fn read() -> Self {
        Cpuid::default()
    }

    /// The registers of a leaf.
    pub(crate) fn leaf(&self, leaf: u32, subleaf: u32) -> Registers {
        self.leaves.get(&(leaf, subleaf)).copied().unwrap_or_default()
    }

    /// One bit of a leaf. Registers are numbered as in [`Registers`].
    pub(crate) fn bit(&self, leaf: u32, subleaf: u32, register: usize, bit: u32) -> bool {
        (self.leaf(leaf, subleaf)[register] >> bit) & 1 == 1
    }

    /// Replaces the registers of a leaf.
    pub(crate) fn set(&mut self, leaf: u32, subleaf: u32, registers: Registers) {
        self.leaves.insert((leaf, subleaf), registers);
    }

    /// The same CPU with a family that LLVM does not know.
    pub(crate) fn without_name(mut self) -> Self {
        let [_, b, c, d] = self.leaf(1, 0);
        self.set(1, 0, [0, b, c, d]);
        self
    }

    /// The vendor's twelve characters, such as `AuthenticAMD`.
    pub(crate) fn vendor(&self) -> String {
        let [_, b, c, d] = self.leaf(0, 0);
        letters(&[b, d, c])
    }

    /// Marketing name; empty if the CPU has none.
    pub(crate) fn brand(&self) -> String {
        let words = [2, 3, 4].map(|i| self.leaf(0x8000_0000 + i, 0));
        letters(words.as_flattened())
    }

    /// Family and model with their extensions, by the rule of LLVM's `detectX86FamilyModel`.
    pub(crate) fn family_and_model(&self) -> (u32, u32) {
        let signature = self.leaf(1, 0)[0];
        let (mut family, mut model) = ((signature >> 8) & 0xf, (signature >> 4) & 0xf);
        if family == 6 || family == 15 {
            model += ((signature >> 16) & 0xf) << 4;
        }
        if family == 15 {
            family += (signature >> 20) & 0xff;
        }
        (family, model)
    }
}

fn letters(words: &[u32]) -> String {
    let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
    String::from_utf8_lossy(&bytes).trim_matches(['\0', ' ']).to_owned()
}

#[cfg(target_arch = "x86_64")]
fn read_saved_states() -> u64 {
    // SAFETY: the caller checked OSXSAVE, which guarantees that `xgetbv` is available.
    unsafe { read_xcr0() }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "xsave")]
fn read_xcr0() -> u64 {
    // SAFETY: register 0 exists wherever the instruction does.
    unsafe { std::arch::x86_64::_xgetbv(0) }
}
