//! Parses a relocatable ELF object and lays it out in memory.
//!
//! In: the bytes of an object for this machine. Out: the sizes of its memory and, given addresses,
//! a [`Layout`]. Code and constants are in one part, because constants are written only before the
//! code is published; variables are in the other. After the constants is a slot for each symbol
//! that is reached through one, with its address and a jump to it. *Invariant:* an accepted object
//! has its loaded sections within the file, none that needs a dynamic linker, and sections that do
//! not overlap in memory.

use super::error::LoadError;
use object::{
    LittleEndian, Object as _, ObjectSection as _, ObjectSymbol as _, RelocationFlags, RelocationTarget, SectionFlags,
    SectionIndex, SymbolIndex, elf,
    read::elf::{ElfFile64, ElfSection64, FileHeader as _},
};
use std::collections::{BTreeMap, BTreeSet};

type File<'d> = ElfFile64<'d, LittleEndian>;
type Section<'d, 'f> = ElfSection64<'d, 'f, LittleEndian>;

/// ELF machine of the objects that this build runs.
#[cfg(target_arch = "x86_64")]
const MACHINE: u16 = elf::EM_X86_64;
#[cfg(not(target_arch = "x86_64"))]
compile_error!("relocations are known for x86-64 only: see `relocate.rs`");

/// Sections that a dynamic linker would run or instantiate for each thread.
const FOREIGN_TYPES: [u32; 3] = [elf::SHT_INIT_ARRAY, elf::SHT_FINI_ARRAY, elf::SHT_PREINIT_ARRAY];
/// Section that is written once, before the code is published, although it is flagged writable.
const CONSTANT: &str = ".data.rel.ro";
/// Unwind tables, terminated by a zero word.
const FRAMES: &str = ".eh_frame";
const FRAMES_END: u64 = 4;
/// Bytes of a slot: a symbol's address and the jump to it.
const SLOT: u64 = 16;
/// Offset of the jump in a slot.
const JUMP: u64 = 8;
/// Largest alignment of a section: a page.
const LARGEST_ALIGNMENT: u64 = 4096;

/// The two kinds of memory of an object.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Part {
    Code,
    Data,
}

/// Offset of a section in its part.
#[derive(Debug, Clone, Copy)]
struct Place {
    part: Part,
    offset: u64,
}

/// A relocation of a loaded section.
pub(super) struct Relocation {
    /// Section and offset to patch.
    pub(super) section: SectionIndex,
    pub(super) offset: u64,
    /// `R_X86_64_*`.
    pub(super) kind: u32,
    pub(super) symbol: SymbolIndex,
    pub(super) addend: i64,
}

/// True if code reaches the symbol of such a relocation through a slot with its address.
pub(super) fn is_through_slot(kind: u32) -> bool {
    matches!(kind, elf::R_X86_64_GOTPCREL | elf::R_X86_64_GOTPCRELX | elf::R_X86_64_REX_GOTPCRELX)
}

/// A parsed object with the places of its sections and slots.
pub(super) struct Object<'d> {
    bytes: &'d [u8],
    file: File<'d>,
    places: BTreeMap<usize, Place>,
    slots: BTreeMap<usize, u64>,
    pub(super) relocations: Vec<Relocation>,
    code: u64,
    data: u64,
}

/// A published function, for profilers.
pub(super) struct Function<'d> {
    pub(super) name: &'d str,
    pub(super) address: u64,
    pub(super) size: u64,
}

/// Addresses of an object's parts.
#[derive(Debug, Clone, Copy)]
pub(super) struct Layout {
    code: u64,
    data: u64,
}

impl<'d> Object<'d> {
    /// Parses and validates `bytes`.
    pub(super) fn read(bytes: &'d [u8]) -> Result<Self, LoadError> {
        let file = File::parse(bytes).map_err(LoadError::malformed)?;
        let header = file.elf_header();
        let (kind, machine) = (header.e_type(LittleEndian), header.e_machine(LittleEndian));
        if kind != elf::ET_REL || machine != MACHINE {
            let reason = format!("it is an ELF file of type {kind} for machine {machine}, not an object for {MACHINE}");
            return Err(LoadError::malformed(reason));
        }
        let mut object = Object {
            bytes,
            file,
            places: BTreeMap::new(),
            slots: BTreeMap::new(),
            relocations: Vec::new(),
            code: 0,
            data: 0,
        };
        object.place_sections()?;
        object.read_relocations()?;
        object.place_slots();
        Ok(object)
    }

    /// Sizes in bytes: of code with constants, and of variables.
    pub(super) fn sizes(&self) -> (usize, usize) {
        (self.code as usize, self.data as usize)
    }

    /// Lays the object out at addresses that are multiples of a page.
    pub(super) fn place(&self, code: u64, data: u64) -> Layout {
        Layout { code, data }
    }

    fn place_sections(&mut self) -> Result<(), LoadError> {
        let mut places = BTreeMap::new();
        for section in self.file.sections() {
            if let Some(part) = part_of(&section)? {
                let end = if part == Part::Code { &mut self.code } else { &mut self.data };
                let alignment = section.align().max(1);
                if !alignment.is_power_of_two() || alignment > LARGEST_ALIGNMENT {
                    return Err(LoadError::malformed(format!("a section is aligned to {alignment} bytes")));
                }
                let offset = end.next_multiple_of(alignment);
                places.insert(section.index().0, Place { part, offset });
                *end = offset.checked_add(section.size()).filter(|end| *end < 1 << 32).ok_or_else(too_large)?;
                // A zero word terminates a table of frames.
                *end += if section.name() == Ok(FRAMES) { FRAMES_END } else { 0 };
            }
        }
        self.places = places;
        Ok(())
    }

    fn read_relocations(&mut self) -> Result<(), LoadError> {
        for section in self.file.sections().filter(|section| self.places.contains_key(&section.index().0)) {
            for (offset, relocation) in section.relocations() {
                let (RelocationFlags::Elf { r_type }, RelocationTarget::Symbol(symbol)) =
                    (relocation.flags(), relocation.target())
                else {
                    return Err(LoadError::malformed("a relocation refers to no symbol"));
                };
                self.file.symbol_by_index(symbol).map_err(LoadError::malformed)?;
                let (section, addend) = (section.index(), relocation.addend());
                self.relocations.push(Relocation { section, offset, kind: r_type, symbol, addend });
            }
        }
        Ok(())
    }

    /// Assigns a slot to each symbol that code reaches through one, and to each undefined symbol.
    fn place_slots(&mut self) {
        let through = |r: &&Relocation| is_through_slot(r.kind) || self.is_undefined(r.symbol);
        let symbols: BTreeSet<usize> = self.relocations.iter().filter(through).map(|r| r.symbol.0).collect();
        let start = self.code.next_multiple_of(SLOT);
        self.slots = symbols.into_iter().zip((start..).step_by(SLOT as usize)).collect();
        if !self.slots.is_empty() {
            self.code = start + SLOT * self.slots.len() as u64;
        }
    }

    pub(super) fn is_undefined(&self, symbol: SymbolIndex) -> bool {
        self.file.symbol_by_index(symbol).is_ok_and(|symbol| symbol.is_undefined())
    }

    /// The name of a symbol, and true if it is weak, so that it may stay undefined.
    pub(super) fn name(&self, symbol: SymbolIndex) -> Result<(&'d str, bool), LoadError> {
        let symbol = self.file.symbol_by_index(symbol).map_err(LoadError::malformed)?;
        Ok((symbol.name().map_err(LoadError::malformed)?, symbol.is_weak()))
    }

    /// Size of a section.
    pub(super) fn size(&self, section: SectionIndex) -> Option<u64> {
        self.file.section_by_index(section).ok().map(|section| section.size())
    }

    /// Contents of the loaded sections; none for a section of zeros.
    pub(super) fn sections(&self) -> impl Iterator<Item = (SectionIndex, Result<&'d [u8], LoadError>)> {
        let loaded = self.file.sections().filter(|section| self.places.contains_key(&section.index().0));
        loaded.map(|section| (section.index(), section.data().map_err(LoadError::malformed)))
    }
}

fn too_large() -> LoadError {
    LoadError::malformed("it is larger than the memory that it can reach")
}

/// The part that a section is loaded into; `None` if it is not loaded.
fn part_of(section: &Section<'_, '_>) -> Result<Option<Part>, LoadError> {
    let SectionFlags::Elf { sh_flags } = section.flags() else { return Ok(None) };
    let has = |flag: u32| sh_flags & u64::from(flag) != 0;
    if !has(elf::SHF_ALLOC) {
        return Ok(None);
    }
    let kind = section.elf_section_header().sh_type.get(LittleEndian);
    let name = section.name().map_err(LoadError::malformed)?;
    if FOREIGN_TYPES.contains(&kind) || has(elf::SHF_TLS) {
        return Err(LoadError::malformed(format!("its section `{name}` needs a dynamic linker")));
    }
    let variables = has(elf::SHF_WRITE) && !name.starts_with(CONSTANT);
    Ok(Some(if variables { Part::Data } else { Part::Code }))
}

impl Layout {
    /// Address of a loaded section.
    pub(super) fn section(&self, object: &Object<'_>, section: SectionIndex) -> Option<u64> {
        let place = object.places.get(&section.0)?;
        Some(place.offset + if place.part == Part::Code { self.code } else { self.data })
    }

    /// Destination of a section's contents: true if it is in the code part, and the offset there.
    pub(super) fn offset(&self, object: &Object<'_>, section: SectionIndex) -> Option<(bool, usize)> {
        let place = object.places.get(&section.0)?;
        Some((place.part == Part::Code, place.offset as usize))
    }

    /// Symbols of the slots, with their offsets in the code part.
    pub(super) fn slots<'o>(&self, object: &'o Object<'_>) -> impl Iterator<Item = (SymbolIndex, usize)> + use<'o> {
        object.slots.iter().map(|(symbol, offset)| (SymbolIndex(*symbol), *offset as usize))
    }

    /// Address of a symbol's slot.
    pub(super) fn slot(&self, object: &Object<'_>, symbol: SymbolIndex) -> Option<u64> {
        object.slots.get(&symbol.0).map(|offset| self.code + offset)
    }

    /// Address of the jump to a symbol.
    pub(super) fn jump(&self, object: &Object<'_>, symbol: SymbolIndex) -> Option<u64> {
        self.slot(object, symbol).map(|slot| slot + JUMP)
    }

    /// Address of a symbol that the object defines.
    pub(super) fn defined(&self, object: &Object<'_>, symbol: SymbolIndex) -> Option<u64> {
        let symbol = object.file.symbol_by_index(symbol).ok()?;
        self.section(object, symbol.section_index()?)?.checked_add(symbol.address())
    }

    /// Address of a function by its name.
    pub(super) fn function(&self, object: &Object<'_>, name: &str) -> Option<u64> {
        let wanted = |symbol: &object::read::elf::ElfSymbol64<'_, '_, LittleEndian>| {
            symbol.is_definition() && symbol.name() == Ok(name)
        };
        let found = object.file.symbols().find(wanted)?;
        let place = object.places.get(&found.section_index()?.0)?;
        let address = self.defined(object, found.index())?;
        (place.part == Part::Code && address < self.code + object.code).then_some(address)
    }

    /// All functions that the object defines.
    pub(super) fn functions<'d>(&self, object: &Object<'d>) -> Vec<Function<'d>> {
        let of = |symbol: object::read::elf::ElfSymbol64<'d, '_, LittleEndian>| {
            let address = self.defined(object, symbol.index())?;
            Some(Function { name: symbol.name().ok()?, address, size: symbol.size() })
        };
        let functions = object.file.symbols().filter(|symbol| symbol.kind() == object::SymbolKind::Text);
        functions.filter_map(of).collect()
    }

    /// Address and size of the unwind tables.
    pub(super) fn frames(&self, object: &Object<'_>) -> Option<(u64, u64)> {
        let section = object.file.section_by_name(FRAMES)?;
        Some((self.section(object, section.index())?, section.size()))
    }

    /// A copy of the object for debuggers: each loaded section's header has its address.
    pub(super) fn described(&self, object: &Object<'_>) -> Box<[u8]> {
        let mut bytes = object.bytes.to_vec();
        let header = object.file.elf_header();
        let (table, entry) = (header.e_shoff(LittleEndian) as usize, usize::from(header.e_shentsize(LittleEndian)));
        for index in object.places.keys() {
            let at = table + index * entry + std::mem::offset_of!(elf::SectionHeader64<LittleEndian>, sh_addr);
            let address = self.section(object, SectionIndex(*index)).unwrap_or_default();
            if let Some(field) = bytes.get_mut(at..at + 8) {
                field.copy_from_slice(&address.to_le_bytes());
            }
        }
        bytes.into_boxed_slice()
    }
}
