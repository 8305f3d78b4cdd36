//! A driver over a stand-in for AMD's library, and kernels for it.
//!
//! In: the source of the stand-in, `tests/fake/hip.c`. Out: a driver, and the calls that it made.
//! *Invariant:* each stand-in is a file of its own, so that concurrent tests share no state.
#![allow(dead_code, unused_imports, reason = "each test binary uses a part of it")]

#[path = "../../../common/tests/fake/mod.rs"]
mod fake;

pub(crate) use fake::{absence, launch};

use fake::StandIn;
use sinter_core::{Argument, CodeFormat, CodeObject, EntryInfo};
use sinter_driver::{Device, Driver};
use sinter_driver_hip::HipOptions;
use std::{
    ops::Deref,
    path::{Path, PathBuf},
    sync::{Arc, OnceLock},
};

/// Default target of the stand-in's devices. The numbers below are values of its setting
/// `target N`.
pub(crate) const TARGET: &str = "gfx90a:sramecc+:xnack-";
pub(crate) const RDNA: i64 = 1;
pub(crate) const OLD: i64 = 2;
pub(crate) const NONE: i64 = 3;

/// A code object for `target` with a kernel that the stand-in finds by its name.
pub(crate) fn elf(symbol: &str, target: &str) -> Vec<u8> {
    elf_with(symbol, target, b"")
}

/// As [`elf`], with more metadata.
fn elf_with(symbol: &str, target: &str, more: &[u8]) -> Vec<u8> {
    let triple = format!("amdgcn-amd-amdhsa--{target}");
    let metadata = [&b"\x81\xadamdhsa.target\xd9"[..], &[triple.len() as u8], triple.as_bytes(), more].concat();
    let words = [7, metadata.len() as u32, 32].map(u32::to_le_bytes).concat();
    let mut note = [words.as_slice(), b"AMDGPU\0\0", &metadata].concat();
    note.resize(note.len().next_multiple_of(8), 0);
    let mut file = vec![0u8; 64];
    file[..8].copy_from_slice(b"\x7fELF\x02\x01\x01\x40");
    (file[18], file[58], file[60]) = (224, 64, 1);
    file.extend_from_slice(&note);
    file.extend_from_slice(format!("kernel {symbol}\n").as_bytes());
    file.resize(file.len().next_multiple_of(8), 0);
    let table = file.len();
    file[40..48].copy_from_slice(&(table as u64).to_le_bytes());
    file.resize(table + 64, 0);
    file[table + 4] = 7;
    file[table + 24..table + 32].copy_from_slice(&64u64.to_le_bytes());
    file[table + 32..table + 40].copy_from_slice(&(note.len() as u64).to_le_bytes());
    file
}

/// Code with an entry whose arguments are 8 bytes each.
pub(crate) fn code(symbol: &str, target: &str, arguments: u32) -> CodeObject {
    let argument = |parameter: u32| Argument { parameter, offset: parameter * 8, size: 8, is_pointer: parameter == 0 };
    let entry = EntryInfo {
        symbol: symbol.to_owned(),
        arguments: (0..arguments).map(argument).collect(),
        argument_size: arguments * 8,
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
        format: CodeFormat::AmdgpuElf,
        bytes: Arc::from(elf(symbol, target)),
        entry,
        assembly: None,
        level: sinter_core::OptLevel::O3,
    }
}

/// The conformance suite's kernel.
pub(crate) fn add_one() -> CodeObject {
    code("add_one", TARGET, 2)
}

/// Code with an empty entry.
pub(crate) fn nothing(symbol: &str) -> CodeObject {
    code(symbol, TARGET, 0)
}

/// Calls in a round of a launch, a fill and a wait.
pub(crate) const CALLS_OF_A_ROUND: usize = 3;
/// As [`nothing`], for a kernel that calls itself.
pub(crate) fn recursive(symbol: &str) -> CodeObject {
    CodeObject { bytes: Arc::from(elf_with(symbol, TARGET, b"\xb3.uses_dynamic_stack\xc3")), ..nothing(symbol) }
}

/// File name of the stand-in.
const LIBRARY: &str = "libamdhip64.so";

fn source() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fake/hip.c")
}

/// Compiles the stand-in.
pub(crate) fn compile(folder: &Path, flags: &[&str]) -> PathBuf {
    fake::compile(folder, LIBRARY, &source(), flags)
}

/// A stand-in for AMD's library.
pub(crate) struct Fake(StandIn);

impl Deref for Fake {
    type Target = StandIn;

    fn deref(&self) -> &StandIn {
        &self.0
    }
}

impl Fake {
    /// A stand-in for ROCm 6.
    pub(crate) fn new() -> Self {
        static COMPILED: OnceLock<Vec<u8>> = OnceLock::new();
        Fake(StandIn::new(&COMPILED, LIBRARY, &source(), &[]))
    }

    /// A stand-in for ROCm 5.
    pub(crate) fn of_rocm_5() -> Self {
        static COMPILED: OnceLock<Vec<u8>> = OnceLock::new();
        Fake(StandIn::new(&COMPILED, LIBRARY, &source(), &["-DROCM5"]))
    }

    /// The calls since the last time, without queries of the current device.
    pub(crate) fn calls(&self) -> Vec<String> {
        self.calls_but("hipGetDevice")
    }

    pub(crate) fn options(&self) -> HipOptions {
        HipOptions { library: Some(self.path.clone()), ..HipOptions::default() }
    }

    pub(crate) fn driver(&self) -> impl Driver {
        sinter_driver_hip::driver(self.options())
    }

    pub(crate) fn devices(&self) -> Vec<Arc<dyn Device>> {
        self.driver().devices().expect("devices")
    }

    pub(crate) fn device(&self) -> Arc<dyn Device> {
        self.devices().remove(0)
    }
}
