//! The kinds of an INPUT argument.
//!
//! In: a path, or `-` for stdin. Out: the content with its kind, which is detected from its first
//! bytes and never from its name.
//! *Invariant:* an unknown content is an error that lists the kinds.

use crate::{exit::ToolError, foreign};
use object::{Object, ObjectSection};
use sinter_core::{
    TranslateRequest,
    container::{BLOB_MAGIC, BLOB_SECTION, blobs},
};
use std::{
    fs::File,
    io::{self, Read},
    ops::Range,
    path::Path,
};

/// Bitcode, plain and with LLVM's wrapper header.
const BITCODE_MAGICS: [&[u8]; 2] = [b"BC\xC0\xDE", &[0xDE, 0xC0, 0x17, 0x0B]];
/// First bytes of every container, truncated or not.
const CONTAINER_START: &[u8] = b"object-id = ";
const ARCHIVE_MAGICS: [&[u8]; 2] = [b"!<arch>\n", b"!<thin>\n"];
const ELF_MAGIC: &[u8] = b"\x7fELF";
/// Field of the ELF header with the machine type.
const MACHINE: Range<usize> = 18..20;
const CONTAINER_MARKERS: [&str; 2] = ["__acpp_hcf_binary_appendix", "__hipsycl_hcf_binary_appendix"];
/// Largest input that is read, in bytes.
const MAX_INPUT: u64 = 4 << 30;
const KINDS: &str = "LLVM IR (.ll), LLVM bitcode (.bc), an HCF container, a program or object file with embedded \
                     containers, or a translation request";

/// A container that is part of an input.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Embedded {
    /// Its bytes within [`Input::bytes`].
    pub range: Range<usize>,
}

/// Kind of an input.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum InputKind {
    /// Textual LLVM IR.
    Ir,
    /// LLVM bitcode.
    Bitcode,
    /// One container, or those embedded in a program or object file.
    Containers(Vec<Embedded>),
    /// A translation request.
    Request(Box<TranslateRequest>),
}

/// An input with its detected kind.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Input {
    /// The path as given, for messages.
    pub name: String,
    /// Unchanged content of the file.
    pub bytes: Vec<u8>,
    /// The kind, detected from the content.
    pub kind: InputKind,
}

impl Input {
    /// Reads a file, or stdin where `path` is `-`.
    pub fn read(path: &Path) -> Result<Self, ToolError> {
        let name = path.display().to_string();
        let bytes =
            if name == "-" { read_bounded(io::stdin().lock()) } else { File::open(path).and_then(read_bounded) };
        let bytes = bytes.map_err(|error| ToolError::rejected(format!("cannot read {name}: {error}")))?;
        let kind = classify(&bytes).map_err(|reason| ToolError::rejected(format!("{name}: {reason}")))?;
        Ok(Input { name, bytes, kind })
    }

    /// Containers of the input; empty for other kinds.
    pub fn containers(&self) -> Vec<&[u8]> {
        match &self.kind {
            InputKind::Containers(containers) => {
                containers.iter().filter_map(|c| self.bytes.get(c.range.clone())).collect()
            }
            _ => Vec::new(),
        }
    }
}

fn read_bounded(source: impl Read) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    source.take(MAX_INPUT + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > MAX_INPUT {
        return Err(io::Error::other(format!("more than {MAX_INPUT} bytes")));
    }
    Ok(bytes)
}

fn classify(bytes: &[u8]) -> Result<InputKind, String> {
    if bytes.is_empty() {
        Err("the file is empty".to_owned())
    } else if BITCODE_MAGICS.iter().any(|magic| bytes.starts_with(magic)) {
        Ok(InputKind::Bitcode)
    } else if TranslateRequest::is_request(bytes) {
        TranslateRequest::from_bytes(bytes).map(|r| InputKind::Request(Box::new(r))).map_err(|error| error.to_string())
    } else if bytes.starts_with(ELF_MAGIC) {
        embedded_in_elf(bytes)
    } else if bytes.starts_with(BLOB_MAGIC) {
        embedded_in_section(bytes, bytes)
    } else if ARCHIVE_MAGICS.iter().any(|magic| bytes.starts_with(magic)) {
        Err("this is an archive; give one of its members (`ar x` extracts them) or a program linked with it".to_owned())
    } else if bytes.starts_with(CONTAINER_START) || has_marker(bytes) {
        Ok(InputKind::Containers(vec![Embedded { range: 0..bytes.len() }]))
    } else {
        match std::str::from_utf8(bytes) {
            Ok(text) if !text.contains('\0') => text_kind(text),
            _ => Err(format!("this is none of the kinds of input: {KINDS}")),
        }
    }
}

/// IR if any line starts like one of its entities (LLVM's language reference, "High Level
/// Structure").
fn text_kind(text: &str) -> Result<InputKind, String> {
    const STARTS: [&str; 13] = [
        "define ",
        "declare ",
        "target ",
        "source_filename",
        "module asm",
        "attributes #",
        "uselistorder",
        "@",
        "%",
        "!",
        "$",
        "^",
        "; ModuleID",
    ];
    if let Some(other) = known_text_format(text) {
        return Err(other);
    }
    match text.lines().any(|line| STARTS.iter().any(|start| line.trim_start().starts_with(start))) {
        true => Ok(InputKind::Ir),
        false => Err(format!("this text is none of the kinds of input: {KINDS}")),
    }
}

/// Names the format of a file that is text but not IR. No line of IR starts like these, since
/// comments of IR start with a semicolon.
fn known_text_format(text: &str) -> Option<String> {
    let has =
        |starts: &[&str]| text.lines().any(|line| starts.iter().any(|start| line.trim_start().starts_with(start)));
    if has(&[".version ", ".amdgcn_target ", ".amdgcn_target\t", ".amdhsa_code_object_version "]) {
        return Some("this is code for a GPU already; give what it was made from".to_owned());
    }
    has(&["#include", "#pragma", "#define", "//", "/*", "using ", "namespace ", "template"]).then(|| {
        "this is C++ source; compile it with sinter-cc, whose flag --sinter-emit-hcf leaves a container, and give that or the program"
            .to_owned()
    })
}

fn has_marker(bytes: &[u8]) -> bool {
    CONTAINER_MARKERS.iter().any(|marker| bytes.windows(marker.len()).any(|window| window == marker.as_bytes()))
}

fn embedded_in_elf(bytes: &[u8]) -> Result<InputKind, String> {
    let file = object::File::parse(bytes).map_err(|error| format!("damaged ELF file: {error}"))?;
    if let Some(maker) = gpu_code(bytes) {
        return Err(format!("this is code for {maker} GPU already; give what it was made from"));
    }
    let sections = file.sections().filter(|section| section.name() == Ok(BLOB_SECTION));
    let mut found = Vec::new();
    for section in sections {
        let content = section.data().map_err(|error| format!("damaged ELF file: {error}"))?;
        match embedded_in_section(bytes, content)? {
            InputKind::Containers(containers) => found.extend(containers),
            _ => continue,
        }
    }
    let foreign = foreign::containers(bytes, found.is_empty())?;
    found.extend(foreign.into_iter().map(|range| Embedded { range }));
    if found.is_empty() {
        return Err(format!(
            "no section `{BLOB_SECTION}`, and no container of AdaptiveCpp: the file was not compiled with sinter-cc, or was stripped of it"
        ));
    }
    Ok(InputKind::Containers(found))
}

/// Vendor for whose GPUs an ELF file has code.
fn gpu_code(bytes: &[u8]) -> Option<&'static str> {
    match bytes.get(MACHINE).and_then(|machine| machine.first_chunk().copied()).map(u16::from_le_bytes)? {
        object::elf::EM_AMDGPU => Some("an AMD"),
        object::elf::EM_CUDA => Some("an NVIDIA"),
        _ => None,
    }
}

/// Containers in a section of `file`.
fn embedded_in_section(file: &[u8], section: &[u8]) -> Result<InputKind, String> {
    let place = |payload: &[u8]| {
        let start = payload.as_ptr() as usize - file.as_ptr() as usize;
        Embedded { range: start..start + payload.len() }
    };
    let payloads = blobs(section).map(|blob| blob.map(place).map_err(|error| error.to_string()));
    Ok(InputKind::Containers(payloads.collect::<Result<_, _>>()?))
}

#[cfg(test)]
mod tests {
    use super::*;
    use sinter_core::container::encode_blob;

    #[test]
    fn kinds_are_found_by_content() {
        assert_eq!(classify(b"BC\xC0\xDErest"), Ok(InputKind::Bitcode));
        assert_eq!(classify(b"define void @f() { ret void }"), Ok(InputKind::Ir));
        let container = b"object-id = x\n__acpp_hcf_binary_appendix";
        assert_eq!(classify(container), Ok(InputKind::Containers(vec![Embedded { range: 0..container.len() }])));
        assert_eq!(classify(b""), Err("the file is empty".to_owned()));
        assert!(classify(&[0, 1, 2]).is_err());
        assert!(classify(b"SINTERQ1?").is_err());
        assert!(classify(b"\x7fELF").is_err());
    }

    #[test]
    fn an_unknown_content_gets_the_list_of_kinds() {
        for bytes in [&b"root:x:0:0:root:/root:/bin/bash\n"[..], b"\x00\x01", b"\n", b"{}"] {
            let message = classify(bytes).expect_err("an error");
            assert!(
                message.contains("none of the kinds of input: LLVM IR (.ll), LLVM bitcode (.bc), an HCF"),
                "{message}"
            );
        }
        assert_eq!(classify(b"; a comment\n\n  @g = global i32 0"), Ok(InputKind::Ir));
    }

    #[test]
    fn what_is_often_given_by_mistake_is_named() {
        let message = |bytes: &[u8]| classify(bytes).expect_err("an error");
        for source in ["#include <sycl/sycl.hpp>\nint main() {}", "// a program\nint main() {}"] {
            assert!(message(source.as_bytes()).contains("C++ source"), "{source}");
            assert!(message(source.as_bytes()).contains("--sinter-emit-hcf"), "{source}");
        }
        assert!(message(b"//\n.version 8.5\n.target sm_90\n").contains("code for a GPU already"));
        assert!(message(b"\t.amdgcn_target \"amdgcn-amd-amdhsa--gfx90a\"\n").contains("code for a GPU already"));
        assert_eq!(classify(b"; // no comment\ndefine void @f() { ret void }"), Ok(InputKind::Ir));
    }

    #[test]
    fn blobs_are_located_in_the_file() {
        let mut file = encode_blob(b"one");
        file.extend(encode_blob(b"three"));
        let Ok(InputKind::Containers(found)) = classify(&file) else { panic!("not a container section") };
        let texts: Vec<&[u8]> = found.iter().map(|embedded| &file[embedded.range.clone()]).collect();
        assert_eq!(texts, [&b"one"[..], b"three"]);
    }
}
