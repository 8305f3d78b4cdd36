//! Produces the memory contents of an object at known addresses.
//!
//! In: an object, its layout, and addresses of external functions. Out: the bytes of code and data
//! with all relocations applied, as "System V Application Binary Interface, AMD64 Architecture
//! Processor Supplement", section 4.4, defines them. External functions may be out of reach of a
//! call, so calls go through a jump beside the code. *Invariant:* nothing is written outside the
//! section that a relocation belongs to, and a value that does not fit is an error.

use super::{
    error::LoadError,
    object::{Layout, Object, Relocation, is_through_slot},
};
use object::{SymbolIndex, elf};

/// The contents of an object's two parts.
pub(super) struct Contents {
    pub(super) code: Vec<u8>,
    pub(super) data: Vec<u8>,
}

/// `jmp *-14(%rip)`: jumps to the address in the eight bytes before the instruction.
const JUMP_TO_SLOT: [u8; 8] = [0xff, 0x25, 0xf2, 0xff, 0xff, 0xff, 0xcc, 0xcc];

/// Looks up the address of an external function.
pub(super) type Resolve<'r> = &'r dyn Fn(&str) -> Option<u64>;

/// Copies the sections, fills the slots and applies the relocations.
pub(super) fn contents(object: &Object<'_>, layout: &Layout, resolve: Resolve<'_>) -> Result<Contents, LoadError> {
    let (code, data) = object.sizes();
    let mut contents = Contents { code: vec![0; code], data: vec![0; data] };
    for (section, bytes) in object.sections() {
        let (bytes, (in_code, at)) = (bytes?, layout.offset(object, section).ok_or_else(lost)?);
        contents.part(in_code).get_mut(at..at + bytes.len()).ok_or_else(lost)?.copy_from_slice(bytes);
    }
    for (symbol, at) in layout.slots(object) {
        let address = address(object, layout, resolve, symbol)?;
        contents.code[at..at + 8].copy_from_slice(&address.to_le_bytes());
        contents.code[at + 8..at + 16].copy_from_slice(&JUMP_TO_SLOT);
    }
    for relocation in &object.relocations {
        apply(object, layout, resolve, relocation, &mut contents)?;
    }
    Ok(contents)
}

fn lost() -> LoadError {
    LoadError::malformed("a section lies outside of the object's memory")
}

impl Contents {
    fn part(&mut self, code: bool) -> &mut Vec<u8> {
        if code { &mut self.code } else { &mut self.data }
    }
}

fn address(object: &Object<'_>, layout: &Layout, resolve: Resolve<'_>, symbol: SymbolIndex) -> Result<u64, LoadError> {
    if !object.is_undefined(symbol) {
        return layout.defined(object, symbol).ok_or_else(|| LoadError::malformed("a symbol lies in no section"));
    }
    let (name, weak) = object.name(symbol)?;
    match resolve(name) {
        Some(address) => Ok(address),
        None if weak => Ok(0),
        None => Err(LoadError::Unresolved { symbol: name.to_owned() }),
    }
}

fn apply(
    object: &Object<'_>,
    layout: &Layout,
    resolve: Resolve<'_>,
    relocation: &Relocation,
    contents: &mut Contents,
) -> Result<(), LoadError> {
    let &Relocation { section, offset, kind, symbol, addend } = relocation;
    let place = layout.section(object, section).ok_or_else(lost)?.wrapping_add(offset);
    let direct = || address(object, layout, resolve, symbol);
    let slot = || layout.slot(object, symbol).ok_or_else(lost);
    // External functions are called through our jump, whose address cannot replace theirs.
    let outer = object.is_undefined(symbol);
    let near = || if outer { layout.jump(object, symbol).ok_or_else(lost) } else { direct() };
    let value = |base: u64| base.wrapping_add_signed(addend);
    let field = match kind {
        elf::R_X86_64_NONE => return Ok(()),
        elf::R_X86_64_64 => value(direct()?).to_le_bytes().to_vec(),
        elf::R_X86_64_PC64 => value(direct()?).wrapping_sub(place).to_le_bytes().to_vec(),
        elf::R_X86_64_PC32 if outer => return Err(LoadError::malformed("it addresses a symbol outside directly")),
        elf::R_X86_64_PC32 => distance(value(direct()?), place)?,
        elf::R_X86_64_PLT32 => distance(value(near()?), place)?,
        _ if is_through_slot(kind) => distance(value(slot()?), place)?,
        _ => return Err(LoadError::malformed(format!("it has a relocation of the unknown kind {kind}"))),
    };
    let (in_code, start) = layout.offset(object, section).ok_or_else(lost)?;
    let at = usize::try_from(offset).ok().and_then(|offset| start.checked_add(offset)).ok_or_else(outside)?;
    let size =
        object.size(section).filter(|size| offset.checked_add(field.len() as u64).is_some_and(|end| end <= *size));
    size.ok_or_else(outside)?;
    contents.part(in_code).get_mut(at..at + field.len()).ok_or_else(outside)?.copy_from_slice(&field);
    Ok(())
}

fn outside() -> LoadError {
    LoadError::malformed("a relocation changes bytes outside of its section")
}

/// The 32-bit distance of `to` from the field at `from`.
fn distance(to: u64, from: u64) -> Result<Vec<u8>, LoadError> {
    let distance = i32::try_from(to.wrapping_sub(from).cast_signed());
    let distance = distance.map_err(|_| LoadError::malformed("a relocation does not reach what it refers to"))?;
    Ok(distance.to_le_bytes().to_vec())
}
