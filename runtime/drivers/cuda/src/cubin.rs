//! Checks that bytes are a complete cubin.
//!
//! In: bytes from a cache. Out: nothing, or a description of the damage. *Invariant:* accepted
//! bytes are a complete ELF file for NVIDIA's GPUs.

use sinter_driver_common::elf;

/// `EM_CUDA`, from the ELF specification's list of machines.
const MACHINE: u64 = 190;

/// Checks a cubin. The error describes the damage.
pub(crate) fn check(bytes: &[u8]) -> Result<(), String> {
    elf::check(bytes, MACHINE, "NVIDIA's")
}

#[cfg(test)]
mod tests;
