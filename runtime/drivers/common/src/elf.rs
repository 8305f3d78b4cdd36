//! Checks that bytes are a complete ELF file.
//!
//! In: bytes from a cache. Out: nothing, or a description of the damage. *Invariant:* the header,
//! tables and sections of an accepted file lie within its bytes, because drivers take no length and
//! read as far as the headers say.

/// `SHT_NOBITS`: a section without bytes in the file.
const WITHOUT_BYTES: u64 = 8;
/// `SHT_LOPROC`: first of the processor-specific section types. Those for memory, such as local
/// memory, have no bytes in the file either.
const OWN_TYPES: u64 = 0x7000_0000;
/// `SHF_WRITE | SHF_ALLOC`: memory of a running kernel.
const MEMORY: u64 = 3;
/// Size of the header of a 64-bit file.
const HEADER: usize = 64;
/// Size of an entry of the section table.
const SECTION: u64 = 64;
/// Size of an entry of the segment table.
const SEGMENT: u64 = 56;

/// Reads a little-endian number of `size` bytes; `None` beyond the end.
pub fn number(bytes: &[u8], at: usize, size: usize) -> Option<u64> {
    let bytes = bytes.get(at..at.checked_add(size)?)?;
    Some(bytes.iter().rev().fold(0, |number, &byte| (number << 8) | u64::from(byte)))
}

fn is_inside(bytes: &[u8], offset: u64, size: u64) -> bool {
    offset.checked_add(size).is_some_and(|end| end <= bytes.len() as u64)
}

/// Checks a file for `machine`, an `e_machine` of the ELF specification. The error describes the
/// damage; `whose` names the GPUs' vendor in it.
pub fn check(bytes: &[u8], machine: u64, whose: &str) -> Result<(), String> {
    if bytes.len() < HEADER || !bytes.starts_with(b"\x7fELF\x02\x01") {
        return Err(format!("its {} bytes are not a 64-bit ELF file", bytes.len()));
    }
    let found = number(bytes, 18, 2).unwrap_or(0);
    if found != machine {
        return Err(format!("it is an ELF file for machine {found}, not for {whose} GPUs"));
    }
    let whole = tables_are_inside(bytes) == Some(true);
    if whole { Ok(()) } else { Err(format!("it is cut off after {} bytes", bytes.len())) }
}

/// A section of a file that passed [`check`]: its type and its bytes.
pub struct Section<'a> {
    /// `sh_type`.
    pub kind: u64,
    /// Contents; empty for sections without bytes in the file.
    pub bytes: &'a [u8],
}

/// The sections of a file that passed [`check`].
pub fn sections(bytes: &[u8]) -> impl Iterator<Item = Section<'_>> {
    let (table, count) = (number(bytes, 40, 8).unwrap_or(0), number(bytes, 60, 2).unwrap_or(0));
    (0..count).filter_map(move |index| {
        let at = (table + index * SECTION) as usize;
        let (kind, offset, size) = (number(bytes, at + 4, 4)?, number(bytes, at + 24, 8)?, number(bytes, at + 32, 8)?);
        let bytes = bytes.get(offset as usize..offset.checked_add(size)? as usize).unwrap_or_default();
        Some(Section { kind, bytes })
    })
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
