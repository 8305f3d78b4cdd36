//! Reads an input file and finds out what it is.
//!
//! In: a path, or `-` for standard input. Out: its bytes and kind, by content and never by file name. *Invariant:* a
//! file larger than [`MAX_INPUT`] is refused before it is read.

use object::{Object, ObjectSection};
use sinter_core::container::{BLOB_SECTION, Container, ContainerError, blobs};
use std::{
    fs::File,
    io::{self, Read},
    path::{Path, PathBuf},
};

/// Largest input that is read, in bytes.
pub const MAX_INPUT: u64 = 4 << 30;
const BITCODE_MAGIC: [&[u8]; 2] = [b"BC\xc0\xde", b"\xde\xc0\x17\x0b"];
const REQUEST_MAGIC: &[u8] = b"SINTERQ1";

/// What an input is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum InputKind {
    /// An ELF object, executable or shared library.
    Binary,
    /// LLVM bitcode.
    Bitcode,
    /// A container by itself.
    Container,
    /// A translation request, as written for a replay.
    Request,
    /// Anything else that is text: taken as LLVM assembly.
    Assembly,
}

/// Why an input cannot be used.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum InputError {
    /// The file cannot be read.
    #[error("{}: cannot be read: {source}", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// The system's answer.
        source: io::Error,
    },
    /// The file is larger than anything we accept.
    #[error("{}: {size} bytes are more than the {MAX_INPUT} that are accepted", path.display())]
    TooLarge {
        /// The file.
        path: PathBuf,
        /// Its size.
        size: u64,
    },
    /// The bytes are of no known kind.
    #[error("{}: neither an ELF file, bitcode, a container, a request nor LLVM assembly", path.display())]
    Unknown {
        /// The file.
        path: PathBuf,
    },
    /// The ELF file does not parse.
    #[error("{}: damaged ELF file: {source}", path.display())]
    Elf {
        /// The file.
        path: PathBuf,
        /// The parser's message.
        source: object::Error,
    },
    /// The file holds no container.
    #[error("{}: holds no container; compile it with sinter-cc and do not strip section {BLOB_SECTION}", path.display())]
    NoContainer {
        /// The file.
        path: PathBuf,
    },
    /// A container in the file is damaged.
    #[error("{}: container {index}: {source}", path.display())]
    Container {
        /// The file.
        path: PathBuf,
        /// Which of its containers, from 0.
        index: usize,
        /// What is wrong.
        source: ContainerError,
    },
}

/// An input file in memory.
#[derive(Debug)]
pub struct Input {
    /// Where it came from, for messages.
    pub path: PathBuf,
    /// Its content.
    pub bytes: Vec<u8>,
    /// What it is.
    pub kind: InputKind,
}

fn read_file(path: &Path) -> io::Result<(Vec<u8>, u64)> {
    let mut bytes = Vec::new();
    let limit = MAX_INPUT + 1;
    if path == Path::new("-") {
        io::stdin().lock().take(limit).read_to_end(&mut bytes)?;
    } else {
        let file = File::open(path)?;
        let size = file.metadata()?.len();
        if size > MAX_INPUT {
            return Ok((bytes, size));
        }
        file.take(limit).read_to_end(&mut bytes)?;
    }
    let size = bytes.len() as u64;
    Ok((bytes, size))
}

/// The kind of some bytes; `None` if they are none of ours.
fn detect(bytes: &[u8]) -> Option<InputKind> {
    if bytes.starts_with(b"\x7fELF") {
        return Some(InputKind::Binary);
    }
    if BITCODE_MAGIC.iter().any(|magic| bytes.starts_with(magic)) {
        return Some(InputKind::Bitcode);
    }
    if bytes.starts_with(REQUEST_MAGIC) {
        return Some(InputKind::Request);
    }
    let head = &bytes[..bytes.len().min(1 << 16)];
    if head.starts_with(b"object-id") || Container::parse(bytes).is_ok() {
        return Some(InputKind::Container);
    }
    (!head.is_empty() && !head.contains(&0) && std::str::from_utf8(bytes).is_ok()).then_some(InputKind::Assembly)
}

impl Input {
    /// Reads `path`; `-` is standard input.
    pub fn read(path: &Path) -> Result<Input, InputError> {
        let path = path.to_owned();
        match read_file(&path) {
            Err(source) => Err(InputError::Read { path, source }),
            Ok((_, size)) if size > MAX_INPUT => Err(InputError::TooLarge { path, size }),
            Ok((bytes, _)) => match detect(&bytes) {
                Some(kind) => Ok(Input { path, bytes, kind }),
                None => Err(InputError::Unknown { path }),
            },
        }
    }

    /// The bytes of every container in the input, in order.
    pub fn container_bytes(&self) -> Result<Vec<&[u8]>, InputError> {
        let found = match self.kind {
            InputKind::Container => vec![self.bytes.as_slice()],
            InputKind::Binary => self.embedded()?,
            _ => vec![],
        };
        if found.is_empty() { Err(InputError::NoContainer { path: self.path.clone() }) } else { Ok(found) }
    }

    /// Every container in the input, parsed.
    pub fn containers(&self) -> Result<Vec<Container<'_>>, InputError> {
        let parse = |(index, bytes)| Container::parse(bytes).map_err(|source| self.container_error(index, source));
        self.container_bytes()?.into_iter().enumerate().map(parse).collect()
    }

    fn container_error(&self, index: usize, source: ContainerError) -> InputError {
        InputError::Container { path: self.path.clone(), index, source }
    }

    fn embedded(&self) -> Result<Vec<&[u8]>, InputError> {
        let elf_error = |source| InputError::Elf { path: self.path.clone(), source };
        let file = object::File::parse(self.bytes.as_slice()).map_err(elf_error)?;
        let mut found = Vec::new();
        for section in file.sections().filter(|section| section.name() == Ok(BLOB_SECTION)) {
            for blob in blobs(section.data().map_err(elf_error)?) {
                found.push(blob.map_err(|source| self.container_error(found.len(), source))?);
            }
        }
        Ok(found)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds_are_told_by_content() {
        assert_eq!(detect(b"\x7fELF\x02"), Some(InputKind::Binary));
        assert_eq!(detect(b"BC\xc0\xde1"), Some(InputKind::Bitcode));
        assert_eq!(detect(b"SINTERQ1x"), Some(InputKind::Request));
        assert_eq!(detect(b"define void @f() { ret void }"), Some(InputKind::Assembly));
        assert_eq!(detect(b"\x00\x01\x02"), None);
        assert_eq!(detect(b""), None);
    }

    #[test]
    fn a_missing_file_names_itself() {
        let error = Input::read(Path::new("/nonexistent.ll")).expect_err("must fail");
        assert!(error.to_string().starts_with("/nonexistent.ll: cannot be read"), "{error}");
    }

    #[test]
    fn a_damaged_elf_file_is_refused() {
        let input = Input { path: "x".into(), bytes: b"\x7fELF\x02\x01\x01garbage".to_vec(), kind: InputKind::Binary };
        assert!(matches!(input.container_bytes(), Err(InputError::Elf { .. })));
    }
}
