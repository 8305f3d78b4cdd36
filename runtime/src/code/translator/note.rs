//! Reads the translator's fingerprint from its ELF file.
//!
//! In: an ELF file with a note (owner `Sinter`, type 1). Out: the fingerprint. *Invariant:* the
//! file is not executed, and only its headers and notes are read: the library can be 70 MB.
#![forbid(unsafe_code)]

use object::{
    Endianness,
    elf::FileHeader64,
    read::{
        ReadCache, ReadRef,
        elf::{FileHeader, NoteIterator, ProgramHeader, SectionHeader},
    },
};
use sinter_core::{
    Fingerprint,
    fingerprint::{FINGERPRINT_SIZE, NOTE_OWNER, NOTE_TYPE},
};
use std::{fs::File, io, path::Path};

type Header = FileHeader64<Endianness>;

/// Reason why a file has no readable fingerprint.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum NoteError {
    /// The file could not be read.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// The file is not an ELF file.
    #[error("not a 64-bit ELF file: {0}")]
    Elf(#[from] object::read::Error),
    /// The file has no such note.
    #[error("not a Sinter translator: it has no note of owner `{NOTE_OWNER}`")]
    Missing,
}

/// Fingerprint in the notes of one section or segment.
fn in_notes<'data>(
    endian: Endianness,
    notes: Option<NoteIterator<'data, Header>>,
) -> Result<Option<Fingerprint>, NoteError> {
    let Some(mut notes) = notes else { return Ok(None) };
    while let Some(note) = notes.next()? {
        if note.name() == NOTE_OWNER.as_bytes() && note.n_type(endian) == NOTE_TYPE {
            let bytes = <&[u8; FINGERPRINT_SIZE]>::try_from(note.desc()).map_err(|_| NoteError::Missing)?;
            return Ok(Some(Fingerprint::from_bytes(bytes)));
        }
    }
    Ok(None)
}

fn in_segments<'data, R: ReadRef<'data>>(header: &Header, data: R) -> Result<Option<Fingerprint>, NoteError> {
    let endian = header.endian()?;
    for segment in header.program_headers(endian, data)? {
        if let Some(found) = in_notes(endian, segment.notes(endian, data)?)? {
            return Ok(Some(found));
        }
    }
    Ok(None)
}

fn in_sections<'data, R: ReadRef<'data>>(header: &Header, data: R) -> Result<Option<Fingerprint>, NoteError> {
    let endian = header.endian()?;
    for section in header.section_headers(endian, data)? {
        if let Some(found) = in_notes(endian, section.notes(endian, data)?)? {
            return Ok(Some(found));
        }
    }
    Ok(None)
}

/// Fingerprint of the translator library at `path`.
pub fn read(path: &Path) -> Result<Fingerprint, NoteError> {
    let cache = ReadCache::new(File::open(path)?);
    let header = Header::parse(&cache)?;
    let found = match in_segments(header, &cache)? {
        Some(found) => Some(found),
        None => in_sections(header, &cache)?,
    };
    found.ok_or(NoteError::Missing)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn other_files_are_refused() {
        let program = std::env::current_exe().expect("path");
        assert!(matches!(read(&program), Err(NoteError::Missing)));
        let root = tempfile::tempdir().expect("folder");
        let text = root.path().join("text.so");
        std::fs::write(&text, "not ELF").expect("write");
        assert!(matches!(read(&text), Err(NoteError::Elf(_))));
        assert!(matches!(read(root.path()), Err(NoteError::Elf(_) | NoteError::Io(_))));
        assert!(matches!(read(&root.path().join("no")), Err(NoteError::Io(_))));
    }
}
