//! Kernels as SPIR-V binaries, with their assembly in a file beside each.
//!
//! In: names of files in `common/tests/spirv` beside this driver. Out: code objects. *Invariant:*
//! the entry describes the parameters of the assembly.
#![allow(dead_code, reason = "each test binary uses a part of it")]

use sinter_core::{Argument, CodeFormat, CodeObject, EntryInfo};
use std::sync::Arc;

const ADD_ONE: &[u8] = include_bytes!("../../../common/tests/spirv/add_one.spv");
const LOCAL: &[u8] = include_bytes!("../../../common/tests/spirv/local.spv");
const MIXED: &[u8] = include_bytes!("../../../common/tests/spirv/mixed.spv");
const NOTHING: &[u8] = include_bytes!("../../../common/tests/spirv/nothing.spv");

/// A kernel whose arguments are at these places: offset, size, and true for a pointer.
fn object(symbol: &str, bytes: &[u8], places: &[(u32, u32, bool)]) -> CodeObject {
    let argument = |(parameter, &(offset, size, is_pointer))| Argument { parameter, offset, size, is_pointer };
    let entry = EntryInfo {
        symbol: symbol.to_owned(),
        arguments: (0..).zip(places).map(argument).collect(),
        argument_size: places.last().map_or(0, |(offset, size, _)| offset + size),
        argument_align: 8,
        local_memory: 0,
        item_memory: 0,
        takes_local_memory: false,
        depends_on_allocations: false,
        followed: Default::default(),
        may_wait: false,
        candidates: Vec::new(),
        device_globals: Vec::new(),
        constants: Vec::new(),
        remarks: Vec::new(),
    };
    CodeObject {
        format: CodeFormat::Spirv,
        bytes: Arc::from(bytes),
        entry,
        assembly: None,
        level: sinter_core::OptLevel::O3,
    }
}

/// The conformance suite's kernel.
pub(crate) fn add_one() -> CodeObject {
    object("add_one", ADD_ONE, &[(0, 8, true), (8, 8, false)])
}

/// A kernel with static and dynamic local memory.
pub(crate) fn local() -> CodeObject {
    let mut code = object("local", LOCAL, &[(0, 8, true)]);
    (code.entry.local_memory, code.entry.takes_local_memory) = (512, true);
    code
}

/// A kernel with unaligned arguments of every kind.
pub(crate) fn mixed() -> CodeObject {
    object("mixed", MIXED, &[(0, 8, true), (8, 1, false), (9, 2, false), (11, 4, false), (16, 16, false)])
}

/// An empty kernel with this name.
pub(crate) fn nothing(symbol: &str) -> CodeObject {
    let text = b"nothing\0";
    let at = NOTHING.windows(text.len()).position(|window| window == text).expect("the entry");
    let mut name = symbol.as_bytes().to_vec();
    name.resize((symbol.len() / 4 + 1) * 4, 0);
    let mut bytes = [&NOTHING[..at], &name, &NOTHING[at + text.len()..]].concat();
    // The length of the instruction, in words, is the upper half of its first word.
    let length = &mut bytes[at - 10];
    *length = (3 + name.len() / 4) as u8;
    object(symbol, &bytes, &[])
}
