//! Checks that bytes are a whole cubin.
//!
//! In: bytes from a cache. Out: nothing, or what is wrong with them. *Invariant:* what passes is an ELF file for NVIDIA's GPUs whose
//! header, tables and sections lie within the bytes: the driver is told no length, and reads as far as the headers say.

/// `EM_CUDA`, from the list of machines of the ELF specification.
const MACHINE: u64 = 190;
/// `SHT_NOBITS`: a section without bytes in the file.
const WITHOUT_BYTES: u64 = 8;
/// `SHT_LOPROC`: NVIDIA's own types start here. Those of memory, such as local memory, have no bytes either.
const OWN_TYPES: u64 = 0x7000_0000;
/// `SHF_WRITE | SHF_ALLOC`: memory of a running kernel.
const MEMORY: u64 = 3;
/// The size of the header of a 64-bit file.
const HEADER: usize = 64;
/// The size of an entry of the section table.
const SECTION: u64 = 64;
/// The size of an entry of the segment table.
const SEGMENT: u64 = 56;

/// A little-endian number of `size` bytes.
fn number(bytes: &[u8], at: usize, size: usize) -> Option<u64> {
    let bytes = bytes.get(at..at.checked_add(size)?)?;
    Some(bytes.iter().rev().fold(0, |number, &byte| (number << 8) | u64::from(byte)))
}

fn is_inside(bytes: &[u8], offset: u64, size: u64) -> bool {
    offset.checked_add(size).is_some_and(|end| end <= bytes.len() as u64)
}

/// Says what is wrong with a cubin.
pub(crate) fn check(bytes: &[u8]) -> Result<(), String> {
    if bytes.len() < HEADER || !bytes.starts_with(b"\x7fELF\x02\x01") {
        return Err(format!("its {} bytes are no 64-bit ELF file", bytes.len()));
    }
    match number(bytes, 18, 2) {
        Some(MACHINE) => {}
        other => return Err(format!("it is an ELF file for machine {}, not for NVIDIA's GPUs", other.unwrap_or(0))),
    }
    let whole = tables_are_inside(bytes) == Some(true);
    if whole { Ok(()) } else { Err(format!("it is cut off after {} bytes", bytes.len())) }
}

fn tables_are_inside(bytes: &[u8]) -> Option<bool> {
    let (segments, sections) = (number(bytes, 32, 8)?, number(bytes, 40, 8)?);
    let (segment_count, section_count) = (number(bytes, 56, 2)?, number(bytes, 60, 2)?);
    let segment_sizes = segment_count == 0 || number(bytes, 54, 2)? == SEGMENT;
    let section_sizes = section_count == 0 || number(bytes, 58, 2)? == SECTION;
    let tables =
        is_inside(bytes, segments, segment_count * SEGMENT) && is_inside(bytes, sections, section_count * SECTION);
    if !(segment_sizes && section_sizes && tables) {
        return Some(false);
    }
    let inside = |index: u64| {
        let at = (sections + index * SECTION) as usize;
        let (kind, flags) = (number(bytes, at + 4, 4)?, number(bytes, at + 8, 8)?);
        let without_bytes = kind == WITHOUT_BYTES || (kind >= OWN_TYPES && flags & MEMORY == MEMORY);
        Some(without_bytes || is_inside(bytes, number(bytes, at + 24, 8)?, number(bytes, at + 32, 8)?))
    };
    let segment_inside = |index: u64| {
        let at = (segments + index * SEGMENT) as usize;
        Some(is_inside(bytes, number(bytes, at + 8, 8)?, number(bytes, at + 32, 8)?))
    };
    Some(
        (0..section_count).all(|index| inside(index) == Some(true))
            && (0..segment_count).all(|index| segment_inside(index) == Some(true)),
    )
}

#[cfg(test)]
mod tests;
