//! Finds the containers that AdaptiveCpp's compiler embeds in programs.
//!
//! In: an ELF file. Out: byte ranges of its containers. The compiler emits one read-only variable
//! for each translation unit, with the container and a terminating zero byte. A stripped program
//! has no symbols, so its data is searched for the start of a container.
//! *Invariant:* a range that a symbol names is returned unchecked, so that its reader reports
//! damage; a range found by the search counts only if it is a container with an image.

use object::{Object, ObjectSection, ObjectSymbol, SectionKind, read::elf::ElfFile64};
use sinter_core::container::Container;
use std::ops::Range;

/// Names of the variable, without the suffixes that the compiler and link-time optimisation add.
const VARIABLES: [&str; 2] = ["__acpp_local_sscp_hcf_content", "__hipsycl_local_sscp_hcf_content"];
/// The first key of every container.
const FIRST_KEY: &[u8] = b"object-id";
/// Kinds of sections that hold constants.
const DATA: [SectionKind; 4] =
    [SectionKind::ReadOnlyData, SectionKind::ReadOnlyDataWithRel, SectionKind::ReadOnlyString, SectionKind::Data];

/// Containers of an ELF file, in file order. The data is searched only if `search_data` is set.
pub(crate) fn containers(bytes: &[u8], search_data: bool) -> Result<Vec<Range<usize>>, String> {
    // No supported compiler targets 32-bit hosts.
    let Ok(file) = ElfFile64::<object::Endianness>::parse(bytes) else { return Ok(Vec::new()) };
    let mut found = named(&file, bytes)?;
    if found.is_empty() && search_data {
        let sections = file.sections().filter(|section| DATA.contains(&section.kind()));
        found =
            sections.filter_map(|section| in_file(section.file_range()?)).flat_map(|at| search(bytes, at)).collect();
    }
    found.sort_by_key(|range| (range.start, range.end));
    found.dedup();
    Ok(found)
}

/// Containers named by the symbol table. Variables of units without device code are empty.
fn named(file: &ElfFile64<'_>, bytes: &[u8]) -> Result<Vec<Range<usize>>, String> {
    let is_content = |name: &str| VARIABLES.iter().any(|variable| name.starts_with(variable));
    let mut found = Vec::new();
    for symbol in file.symbols().filter(|symbol| symbol.is_definition() && symbol.name().is_ok_and(is_content)) {
        let section = symbol.section_index().and_then(|index| file.section_by_index(index).ok());
        let place = section.and_then(|section| {
            let range = in_file(section.file_range()?)?;
            let start = range.start + usize::try_from(symbol.address().checked_sub(section.address())?).ok()?;
            let end = start.checked_add(usize::try_from(symbol.size()).ok()?)?;
            (end <= range.end).then_some(start..end)
        });
        let name = symbol.name().unwrap_or_default();
        let place = place.ok_or_else(|| format!("damaged ELF file: `{name}` does not lie in its section"))?;
        let content = bytes.get(place.clone()).unwrap_or_default();
        let zeros = usize::from(content.last() == Some(&0));
        if content.len() > zeros {
            found.push(place.start..place.end - zeros);
        }
    }
    Ok(found)
}

fn in_file((offset, size): (u64, u64)) -> Option<Range<usize>> {
    let start = usize::try_from(offset).ok()?;
    Some(start..start.checked_add(usize::try_from(size).ok()?)?)
}

/// Containers in `part` of the file, found by their first key.
fn search(bytes: &[u8], part: Range<usize>) -> Vec<Range<usize>> {
    let (mut found, mut at) = (Vec::new(), part.start);
    while let Some(rest) = bytes.get(at..part.end) {
        let Some(start) = rest.windows(FIRST_KEY.len()).position(|window| window == FIRST_KEY) else { break };
        let length = length(&rest[start..]);
        found.extend(length.map(|length| at + start..at + start + length));
        at += start + length.unwrap_or(FIRST_KEY.len());
    }
    found
}

/// Size of the container at the start of `bytes`; it ends with its last image. The id must be a
/// number, so that other text in front of a container is not taken for its first line.
fn length(bytes: &[u8]) -> Option<usize> {
    let is_number = |container: &Container<'_>| container.object_id().bytes().all(|c| c.is_ascii_hexdigit());
    let container = Container::parse(bytes).ok().filter(is_number)?;
    let end = container.images().iter().map(|image| image.bytes.as_ptr_range().end as usize).max()?;
    Some(end - bytes.as_ptr() as usize)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_whole_containers_are_found() {
        let container = b"object-id=7\n{.images\n{.i\nformat=llvm-ir\n{.__binary\nstart=0\nsize=3\n}.__binary\n}.i\n}.images\n__acpp_hcf_binary_appendixBC\0";
        let data =
            [b"object-id=text\0object-id", &container[..], b"\0\0object-id=8\n__acpp_hcf_binary_appendix"].concat();
        let found = search(&data, 0..data.len());
        assert_eq!(found.iter().map(|range| &data[range.clone()]).collect::<Vec<_>>(), [&container[..]]);
    }
}
