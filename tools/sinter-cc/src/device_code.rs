//! Reads the imports and exports of device code in a program or library.
//!
//! In: an ELF file. Out: the device functions that it imports and exports, and the libraries that
//! it needs.
//! *Invariant:* only the container section and the dynamic section are read; a file without
//! containers costs no more than its headers.

use object::{
    Endianness, Object, ObjectSection, elf,
    read::{
        ReadCache,
        elf::{Dyn, ElfFile64},
    },
};
use sinter_core::container::{BLOB_SECTION, Container, blobs};
use std::{collections::BTreeSet, fs::File, path::Path};

/// Device functions and libraries of one file.
#[derive(Debug, Default)]
pub(crate) struct DeviceCode {
    imports: BTreeSet<String>,
    /// Device functions that kernels of other files may call.
    pub(crate) exports: BTreeSet<String>,
    /// True if the file has containers.
    pub(crate) has_containers: bool,
    /// Names of the libraries that the file needs.
    pub(crate) needed: Vec<String>,
    /// Run paths of the file. They may contain `$ORIGIN`.
    pub(crate) run_paths: Vec<String>,
}

impl DeviceCode {
    /// Reads a file. `None` if it is damaged or not an ELF file.
    pub(crate) fn read(path: &Path) -> Option<Self> {
        let cache = ReadCache::new(File::open(path).ok()?);
        let file = ElfFile64::<Endianness, _>::parse(&cache).ok()?;
        let mut code = DeviceCode::default();
        code.add_libraries(&file)?;
        if let Some(section) = file.section_by_name(BLOB_SECTION) {
            code.add_containers(section.data().ok()?)?;
        }
        Some(code)
    }

    fn add_containers(&mut self, section: &[u8]) -> Option<()> {
        for blob in blobs(section) {
            let container = Container::parse(blob.ok()?).ok()?;
            self.has_containers = true;
            for image in container.images() {
                self.imports.extend(image.imported_symbols.iter().map(|symbol| (*symbol).to_owned()));
                self.exports.extend(image.exported_symbols.iter().map(|symbol| (*symbol).to_owned()));
            }
        }
        Some(())
    }

    fn add_libraries<'d>(&mut self, file: &ElfFile64<'d, Endianness, &'d ReadCache<File>>) -> Option<()> {
        let (endian, data) = (file.endian(), file.data());
        let table = file.elf_section_table();
        let Some((entries, strings)) = table.dynamic(endian, data).ok()? else { return Some(()) };
        let strings = table.strings(endian, data, strings).ok()?;
        for entry in entries {
            let text = || Some(String::from_utf8_lossy(strings.get(entry.val32(endian)?).ok()?).into_owned());
            match entry.tag32(endian) {
                Some(elf::DT_NEEDED) => self.needed.push(text()?),
                Some(elf::DT_RPATH | elf::DT_RUNPATH) => self.run_paths.extend(text()?.split(':').map(str::to_owned)),
                _ => {}
            }
        }
        Some(())
    }

    /// Symbols that neither this file nor `others` export.
    pub(crate) fn missing(&self, others: &BTreeSet<String>) -> Vec<&str> {
        let is_missing = |symbol: &&String| !self.exports.contains(*symbol) && !others.contains(*symbol);
        self.imports.iter().filter(is_missing).map(String::as_str).collect()
    }
}
