//! Validates a SPIR-V module for a device.
//!
//! In: bytes from a translator or a cache, the name of the entry, and the target of a device. Out:
//! nothing, or a description of the defect. *Invariant:* an accepted module consists of whole
//! instructions, has a version that the device supports, uses only extensions of the target's
//! features, and ends with the end of a function. Vendors' compilers trust their input: that of
//! Intel's CPU runtime 2026.2 terminates the process on an extension that it does not know.
//!
//! The numbers are from the SPIR-V specification, "Physical Layout of a SPIR-V Module" and
//! "Instructions".

use sinter_core::{SpirvEnvironment, SpirvFeature, SpirvTarget};

/// First word of a module.
const MAGIC: u32 = 0x0723_0203;
/// Words before the first instruction.
const HEADER: usize = 5;
const OP_EXTENSION: u32 = 10;
const OP_ENTRY_POINT: u32 = 15;
const OP_FUNCTION_END: u32 = 56;
/// `GLCompute` and `Kernel`, as execution models.
const COMPUTE: u32 = 5;
const KERNEL: u32 = 6;

/// Iterates over the instructions of a module: opcode and operands.
struct Instructions<'a>(&'a [u32]);

impl<'a> Iterator for Instructions<'a> {
    /// The error marks a word that does not start a whole instruction.
    type Item = Result<(u32, &'a [u32]), ()>;

    fn next(&mut self) -> Option<Self::Item> {
        let first = *self.0.first()?;
        let length = (first >> 16) as usize;
        let Some((instruction, rest)) = self.0.split_at_checked(length).filter(|_| length > 0) else {
            self.0 = &[];
            return Some(Err(()));
        };
        self.0 = rest;
        Some(Ok((first & 0xffff, &instruction[1..])))
    }
}

/// The string literal at the start of some operands.
fn text(words: &[u32]) -> Vec<u8> {
    words.iter().flat_map(|word| word.to_le_bytes()).take_while(|byte| *byte != 0).collect()
}

/// True if a feature of the device requires the extension, which proves that the device has it.
fn has_extension(target: &SpirvTarget, name: &[u8]) -> bool {
    let extensions = target.features.iter().copied().filter_map(SpirvFeature::spirv_extension);
    extensions.map(str::as_bytes).any(|known| known == name)
}

/// The execution model of kernels in an interface.
fn model(environment: SpirvEnvironment) -> u32 {
    if environment == SpirvEnvironment::Vulkan { COMPUTE } else { KERNEL }
}

/// Validates a module for a device. The error describes the defect.
pub fn check(bytes: &[u8], symbol: &str, target: &SpirvTarget) -> Result<(), String> {
    let words: Vec<u32> = bytes.chunks_exact(4).map(|b| u32::from_le_bytes([b[0], b[1], b[2], b[3]])).collect();
    if words.len() < HEADER || words[0] != MAGIC {
        return Err(format!("its {} bytes are not a SPIR-V module", bytes.len()));
    }
    let (major, minor) = (words[1] >> 16 & 0xff, words[1] >> 8 & 0xff);
    if major * 10 + minor > target.version {
        let newest = format!("{}.{}", target.version / 10, target.version % 10);
        return Err(format!("it is SPIR-V {major}.{minor}, and the device takes versions up to {newest}"));
    }
    let cut = || format!("it is cut off after {} bytes", bytes.len());
    let (mut found, mut last) = (false, 0);
    for instruction in Instructions(&words[HEADER..]) {
        let (number, operands) = instruction.map_err(|()| cut())?;
        last = number;
        if number == OP_EXTENSION && !has_extension(target, &text(operands)) {
            let name = String::from_utf8_lossy(&text(operands)).into_owned();
            return Err(format!("it needs the extension {name}, which the device is not known to have"));
        }
        found |= number == OP_ENTRY_POINT
            && operands.first() == Some(&model(target.environment))
            && operands.get(2..).is_some_and(|name| text(name) == symbol.as_bytes());
    }
    if last != OP_FUNCTION_END || !bytes.len().is_multiple_of(4) {
        return Err(cut());
    }
    if found { Ok(()) } else { Err("the code has no entry of this name".to_owned()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A module of version 1.4 whose entry is `k`.
    fn module(more: &[u32]) -> Vec<u8> {
        let header = [MAGIC, 0x0001_0400, 0, 9, 0];
        let entry = [0x0004_0000 | OP_ENTRY_POINT, KERNEL, 1, u32::from(b'k')];
        let words = [&header, &entry[..], more, &[0x0001_0000 | OP_FUNCTION_END]].concat();
        words.iter().flat_map(|word| word.to_le_bytes()).collect()
    }

    fn check(bytes: &[u8]) -> Result<(), String> {
        super::check(bytes, "k", &SpirvTarget::full(SpirvEnvironment::OpenCl))
    }

    #[test]
    fn a_module_is_whole_or_refused() {
        let whole = module(&[0x0002_0011, 6]);
        assert_eq!(check(&whole), Ok(()));
        for length in 0..whole.len() {
            assert!(check(&whole[..length]).is_err(), "{length}");
        }
        assert!(check(&module(&[0x0004_0011, 6])).is_err(), "an instruction too long");
        assert!(check(&module(&[0])).is_err(), "an instruction of no words");
    }

    #[test]
    fn another_file_is_named() {
        let reason = check(b"\x7fELF, or what else there is").expect_err("no module");
        assert!(reason.contains("not a SPIR-V module"), "{reason}");
    }
}
