//! Checks that bytes are a SPIR-V module.
//!
//! In: bytes from a translator or a cache. Out: nothing, or what is wrong with them. *Invariant:* what passes is whole: it has the
//! header of a module, its instructions end where the bytes end, and the last one ends a function. Drivers read as far as the
//! instructions say.
//!
//! Layout: "SPIR-V Specification", 2.3 "Physical Layout of a SPIR-V Module and Instruction".

/// The first word of a module.
const MAGIC: u32 = 0x0723_0203;
/// Words in front of the instructions.
const HEADER: usize = 5;
/// `OpFunctionEnd`.
const FUNCTION_END: u32 = 56;

/// Says what is wrong with a module.
pub(crate) fn check(bytes: &[u8]) -> Result<(), String> {
    let (words, rest) = bytes.as_chunks::<4>();
    let words: Vec<u32> = words.iter().map(|word| u32::from_le_bytes(*word)).collect();
    if words.first() != Some(&MAGIC) || words.len() < HEADER || !rest.is_empty() {
        return Err(format!("its {} bytes are no SPIR-V module", bytes.len()));
    }
    match last_instruction(&words[HEADER..]) {
        Some(FUNCTION_END) => Ok(()),
        _ => Err(format!("the SPIR-V module is cut off after {} bytes", bytes.len())),
    }
}

/// The last instruction, where all of them end with the words.
fn last_instruction(mut words: &[u32]) -> Option<u32> {
    let mut last = None;
    while let Some(first) = words.first() {
        let length = (first >> 16) as usize;
        last = Some(first & 0xffff);
        words = words.get(length.max(1)..)?;
    }
    last
}

#[cfg(test)]
mod tests {
    use super::*;

    fn module(instructions: &[u32]) -> Vec<u8> {
        [&[MAGIC, 0x0001_0400, 0, 1, 0], instructions].concat().iter().flat_map(|word| word.to_le_bytes()).collect()
    }

    #[test]
    fn a_module_is_whole_or_refused() {
        let whole = module(&[0x0002_0011, 6, 0x0001_0000 | FUNCTION_END]);
        assert_eq!(check(&whole), Ok(()));
        for length in 0..whole.len() {
            assert!(check(&whole[..length]).is_err(), "{length}");
        }
        assert!(check(&module(&[0x0004_0011, 6, 0x0001_0000 | FUNCTION_END])).is_err(), "an instruction too long");
        assert!(check(&module(&[0])).is_err(), "an instruction of no words");
    }

    #[test]
    fn another_file_is_named() {
        let reason = check(b"\x7fELF, or what else there is").expect_err("no module");
        assert!(reason.contains("no SPIR-V module"), "{reason}");
    }
}
