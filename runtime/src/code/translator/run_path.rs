//! Reads the run path of a program: the folders that the loader searches for its libraries.
//!
//! In: an ELF file. Out: the folders of its `DT_RUNPATH` or `DT_RPATH`, with `$ORIGIN` replaced.
//! *Invariant:* only absolute folders are returned; they were chosen when the program was linked. A
//! file that cannot be read has none. Only headers and the strings of the dynamic section are read.
#![forbid(unsafe_code)]

use object::{
    Endianness,
    elf::{DT_RPATH, DT_RUNPATH, DT_STRTAB, FileHeader64},
    read::{
        ReadCache, ReadRef,
        elf::{Dyn, FileHeader, ProgramHeader},
    },
};
use std::{fs::File, path::Path, path::PathBuf};

type Header = FileHeader64<Endianness>;

/// Maximum length of a run path in bytes; a longer one means a damaged file.
const MAX_LENGTH: u64 = 1 << 16;

/// The run path as the dynamic section states it.
fn run_path<'data, R: ReadRef<'data>>(data: R) -> Option<&'data [u8]> {
    let header = Header::parse(data).ok()?;
    let endian = header.endian().ok()?;
    let segments = header.program_headers(endian, data).ok()?;
    let entries = segments.iter().find_map(|segment| segment.dynamic(endian, data).ok()?)?;
    let value = |tag: u32| {
        let entry = entries.iter().find(|entry| entry.tag32(endian) == Some(tag))?;
        Some(entry.d_val(endian))
    };
    let address = value(DT_STRTAB)?.checked_add(value(DT_RUNPATH).or_else(|| value(DT_RPATH))?)?;
    let file_offset = |segment: &<Header as FileHeader>::ProgramHeader| {
        let distance = address.checked_sub(segment.p_vaddr(endian))?;
        let is_loaded = segment.p_type(endian) == object::elf::PT_LOAD && distance < segment.p_filesz(endian);
        is_loaded.then(|| segment.p_offset(endian) + distance)
    };
    let start = segments.iter().find_map(file_offset)?;
    let end = start.saturating_add(MAX_LENGTH).min(data.len().ok()?);
    data.read_bytes_at_until(start..end, 0).ok()
}

/// Splits the run path of a file in folder `origin`.
fn split(text: &str, origin: &Path) -> Vec<PathBuf> {
    let origin = origin.to_string_lossy();
    let folders = text.split(':').map(|folder| folder.replace("${ORIGIN}", &origin).replace("$ORIGIN", &origin));
    folders.map(PathBuf::from).filter(|folder| folder.is_absolute()).collect()
}

/// Run path folders of the program in `file`.
pub(super) fn folders(file: &Path) -> Vec<PathBuf> {
    let Ok(opened) = File::open(file) else { return Vec::new() };
    let cache = ReadCache::new(opened);
    let text = run_path(&cache).and_then(|bytes| std::str::from_utf8(bytes).ok());
    text.zip(file.parent()).map(|(text, origin)| split(text, origin)).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::{fs, process::Command};

    #[test]
    fn what_the_linker_was_told_is_found() {
        let folder = tempfile::tempdir().expect("temporary folder");
        let (source, library) = (folder.path().join("a.c"), folder.path().join("a.so"));
        fs::write(&source, "int a;").expect("write");
        let paths = "-Wl,-rpath,/opt/sinter/lib:$ORIGIN/../lib:relative";
        for tags in ["-Wl,--enable-new-dtags", "-Wl,--disable-new-dtags"] {
            let compiled =
                Command::new("cc").args(["-shared", "-o"]).arg(&library).arg(&source).args([paths, tags]).status();
            assert!(compiled.expect("cc").success());
            assert_eq!(folders(&library), [PathBuf::from("/opt/sinter/lib"), folder.path().join("../lib")]);
        }
        fs::write(&library, b"\x7fELF garbage").expect("write");
        assert!(folders(&library).is_empty() && folders(folder.path()).is_empty());
    }
}
