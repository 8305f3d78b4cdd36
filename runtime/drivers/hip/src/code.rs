//! Checks that bytes are a code object for a GPU.
//!
//! In: bytes from a cache, and the target of a device. Out: nothing, or a description of the
//! defect. *Invariant:* accepted bytes are a complete ELF file for AMD's GPUs; if the file names
//! its target, the device can run it.
//!
//! The target is in the metadata of the file, a note in MessagePack ("User Guide for AMDGPU
//! Backend" of LLVM 19, "Code Object V5 Metadata").

use sinter_core::{AmdgcnTarget, amdgcn::Setting};
use sinter_driver_common::elf::{self, number};

/// `EM_AMDGPU`.
const MACHINE: u64 = 224;
/// `SHT_NOTE`.
const NOTE: u64 = 7;
/// `NT_AMDGPU_METADATA`, and the name of such a note.
const METADATA: u64 = 32;
const OWNER: &[u8] = b"AMDGPU\0";
/// Key of the target in the metadata, after the MessagePack byte for a string of its length.
const KEY: &[u8] = b"\xadamdhsa.target";
/// Key of a kernel whose private memory has no known bound, followed by the byte for `true`.
const DYNAMIC_STACK: &[u8] = b"\xb3.uses_dynamic_stack\xc3";

/// Checks a code object for a device. The error describes the defect.
pub(crate) fn check(bytes: &[u8], device: &AmdgcnTarget) -> Result<(), String> {
    elf::check(bytes, MACHINE, "AMD's")?;
    let Some(text) = target_of(bytes) else { return Ok(()) };
    let runs = text.parse().is_ok_and(|code| can_run(&code, device));
    if runs { Ok(()) } else { Err(format!("it is code for {text}, and the GPU is {}", device.id())) }
}

/// True if a device can run the code: each setting must equal the device's or be unspecified.
fn can_run(code: &AmdgcnTarget, device: &AmdgcnTarget) -> bool {
    let fits = |code, device| {
        let open = |setting| matches!(setting, Setting::Any | Setting::Unsupported);
        open(code) || device == Setting::Any || code == device
    };
    code.processor == device.processor && fits(code.xnack, device.xnack) && fits(code.sramecc, device.sramecc)
}

/// The target ID in the metadata of a code object.
fn target_of(bytes: &[u8]) -> Option<&str> {
    let metadata = metadata_of(bytes)?;
    let at = metadata.windows(KEY.len()).position(|window| window == KEY)? + KEY.len();
    let triple = text(metadata.get(at..)?)?;
    triple.get(triple.find("gfx")?..)
}

/// True if a kernel in checked code calls functions recursively or through pointers, so that its
/// need of private memory is unknown.
pub(crate) fn has_dynamic_stack(bytes: &[u8]) -> bool {
    let has = |metadata: &[u8]| metadata.windows(DYNAMIC_STACK.len()).any(|window| window == DYNAMIC_STACK);
    metadata_of(bytes).is_some_and(has)
}

fn metadata_of(bytes: &[u8]) -> Option<&[u8]> {
    let mut notes =
        elf::sections(bytes).filter(|section| section.kind == NOTE).flat_map(|section| Notes(section.bytes));
    notes.find(|(kind, name, _)| (*kind, *name) == (METADATA, OWNER)).map(|(_, _, metadata)| metadata)
}

/// The string at the start of MessagePack data.
fn text(bytes: &[u8]) -> Option<&str> {
    let (start, length) = match *bytes {
        [short @ 0xa0..=0xbf, ..] => (1, usize::from(short & 0x1f)),
        [0xd9, length, ..] => (2, usize::from(length)),
        _ => return None,
    };
    std::str::from_utf8(bytes.get(start..start + length)?).ok()
}

/// Iterates over the notes of a section: type, name and content.
struct Notes<'a>(&'a [u8]);

impl<'a> Iterator for Notes<'a> {
    type Item = (u64, &'a [u8], &'a [u8]);

    fn next(&mut self) -> Option<Self::Item> {
        let sizes = (number(self.0, 0, 4)? as usize, number(self.0, 4, 4)? as usize);
        let (name, rest) = self.0.get(12..)?.split_at_checked(sizes.0.next_multiple_of(4))?;
        let content = rest.get(..sizes.1)?;
        let kind = number(self.0, 8, 4)?;
        self.0 = rest.get(sizes.1.next_multiple_of(4)..).unwrap_or_default();
        Some((kind, &name[..sizes.0], content))
    }
}

#[cfg(test)]
mod tests;
