//! Checks that bytes are a whole cubin.
//!
//! In: bytes from a cache. Out: nothing, or what is wrong with them. *Invariant:* what passes is a whole ELF file for NVIDIA's GPUs.

use sinter_driver_common::elf;

/// `EM_CUDA`, from the list of machines of the ELF specification.
const MACHINE: u64 = 190;

/// Says what is wrong with a cubin.
pub(crate) fn check(bytes: &[u8]) -> Result<(), String> {
    elf::check(bytes, MACHINE, "NVIDIA's")
}

#[cfg(test)]
mod tests;
