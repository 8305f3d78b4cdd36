//! A driver over a stand-in for Level Zero's loader and a driver, and kernels for it.
//!
//! In: the source of the stand-in, `tests/fake/level_zero.c`. Out: a driver, the calls that it
//! made, and their violations of the specification. *Invariant:* each stand-in is a file of its
//! own, so that concurrent tests share no state.
#![allow(dead_code, unused_imports, reason = "each test binary uses a part of it")]

#[path = "../../../common/tests/fake/mod.rs"]
mod fake;

pub(crate) use fake::{absence, launch};

use fake::StandIn;
use sinter_core::{Argument, CodeFormat, CodeObject, EntryInfo};
use sinter_driver::{Device, Driver};
use sinter_driver_level_zero::LevelZeroOptions;
use std::{
    ops::Deref,
    path::{Path, PathBuf},
    sync::{Arc, OnceLock},
};

/// Calls in a round of a launch with two arguments, a fill and a wait, once the kernel's group size
/// is set.
pub(crate) const CALLS_OF_A_ROUND: usize = 5;

/// A SPIR-V instruction.
fn instruction(code: u32, operands: &[u32]) -> Vec<u32> {
    [&[((operands.len() as u32 + 1) << 16) | code], operands].concat()
}

/// A string literal as words.
fn words(text: &str) -> Vec<u32> {
    let mut bytes = text.as_bytes().to_vec();
    bytes.resize((bytes.len() + 1).next_multiple_of(4), 0);
    bytes.chunks(4).map(|word| word.iter().rev().fold(0, |sum, byte| (sum << 8) | u32::from(*byte))).collect()
}

/// Types of kernel parameters, with the IDs of their types in [`module`].
#[derive(Debug, Clone, Copy)]
pub(crate) enum Parameter {
    Pointer = 6,
    Long = 5,
    Int = 8,
    Local = 9,
}

/// A SPIR-V module with an empty kernel.
pub(crate) fn module(symbol: &str, parameters: &[Parameter]) -> Vec<u8> {
    use Parameter::*;
    let types: Vec<u32> = parameters.iter().map(|parameter| *parameter as u32).collect();
    let mut code: Vec<u32> = [0x0723_0203, 0x0001_0000, 0, 100, 0].to_vec();
    let capability = |number| instruction(17, &[number]);
    let header = [capability(4), capability(6), capability(11), instruction(14, &[2, 2])];
    let entry = instruction(15, &[&[6, 1], words(symbol).as_slice()].concat());
    let declared = [
        instruction(19, &[2]),
        instruction(21, &[5, 64, 0]),
        instruction(21, &[8, 32, 0]),
        instruction(32, &[Pointer as u32, 5, Long as u32]),
        instruction(32, &[Local as u32, 4, Int as u32]),
        instruction(33, &[&[3, 2], types.as_slice()].concat()),
        instruction(54, &[2, 1, 0, 3]),
    ];
    let given = (20..).zip(&types).map(|(id, kind)| instruction(55, &[*kind, id]));
    let body = [instruction(248, &[40]), instruction(253, &[]), instruction(56, &[])];
    code.extend(header.into_iter().chain([entry]).chain(declared).chain(given).chain(body).flatten());
    code.iter().flat_map(|word| word.to_le_bytes()).collect()
}

/// Code with an entry that has these parameters; their values are 8 bytes apart.
pub(crate) fn code(symbol: &str, parameters: &[Parameter]) -> CodeObject {
    let takes_local_memory = matches!(parameters.last(), Some(Parameter::Local));
    let plain = &parameters[..parameters.len() - usize::from(takes_local_memory)];
    let argument = |(index, parameter): (u32, &Parameter)| Argument {
        parameter: index,
        offset: index * 8,
        size: if matches!(parameter, Parameter::Int) { 4 } else { 8 },
        is_pointer: matches!(parameter, Parameter::Pointer),
    };
    let entry = EntryInfo {
        symbol: symbol.to_owned(),
        arguments: (0..).zip(plain).map(argument).collect(),
        argument_size: plain.len() as u32 * 8,
        argument_align: 8,
        local_memory: 0,
        item_memory: 0,
        takes_local_memory,
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
        bytes: Arc::from(module(symbol, parameters)),
        entry,
        assembly: None,
        level: sinter_core::OptLevel::O3,
    }
}

/// The conformance suite's kernel.
pub(crate) fn add_one() -> CodeObject {
    code("add_one", &[Parameter::Pointer, Parameter::Long])
}

/// Code with an empty entry.
pub(crate) fn nothing(symbol: &str) -> CodeObject {
    code(symbol, &[])
}

/// File name of the stand-in.
const LIBRARY: &str = "libze_stand_in.so.1";

fn source() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fake/level_zero.c")
}

/// A stand-in for loader and driver.
pub(crate) struct Fake(StandIn);

impl Deref for Fake {
    type Target = StandIn;

    fn deref(&self) -> &StandIn {
        &self.0
    }
}

impl Fake {
    /// A stand-in for specification 1.17.
    pub(crate) fn new() -> Self {
        static COMPILED: OnceLock<Vec<u8>> = OnceLock::new();
        Fake(StandIn::new(&COMPILED, LIBRARY, &source(), &["-Wl,-Bsymbolic"]))
    }

    /// A stand-in for specification 1.4.
    pub(crate) fn old() -> Self {
        static COMPILED: OnceLock<Vec<u8>> = OnceLock::new();
        Fake(StandIn::new(&COMPILED, LIBRARY, &source(), &["-Wl,-Bsymbolic", "-DOLD"]))
    }

    /// A stand-in that a loader has loaded or will load.
    pub(crate) fn at(path: &Path) -> Self {
        Fake(StandIn::open(path))
    }

    /// The calls since the last time.
    pub(crate) fn calls(&self) -> Vec<String> {
        self.calls_but("")
    }

    /// The names of the functions called since the last time.
    pub(crate) fn names(&self) -> Vec<String> {
        self.calls().iter().map(|call| call.split(' ').next().unwrap_or_default().to_owned()).collect()
    }

    /// The calls of one function since the last time.
    pub(crate) fn calls_of(&self, name: &str) -> Vec<String> {
        self.calls().into_iter().filter(|call| call.split(' ').next() == Some(name)).collect()
    }

    /// Violations of the specification since the last time, and objects that are left although all
    /// should have been destroyed.
    pub(crate) fn faults(&self) -> Vec<String> {
        // SAFETY: the stand-in defines the function with this type.
        let check = unsafe { self.library().get::<unsafe extern "C" fn()>(b"fake_check") };
        // SAFETY: the function only reads the stand-in's state.
        unsafe { check.expect("fake_check")() };
        let is_fault = |call: &String| call.starts_with("WRONG") || call.starts_with("LEFT");
        self.calls().into_iter().filter(is_fault).collect()
    }

    pub(crate) fn options(&self) -> LevelZeroOptions {
        LevelZeroOptions { library: Some(self.path.clone()), ..LevelZeroOptions::default() }
    }

    pub(crate) fn driver(&self) -> impl Driver {
        sinter_driver_level_zero::driver(self.options())
    }

    pub(crate) fn devices(&self) -> Vec<Arc<dyn Device>> {
        self.driver().devices().expect("devices")
    }

    pub(crate) fn device(&self) -> Arc<dyn Device> {
        self.devices().remove(0)
    }
}
