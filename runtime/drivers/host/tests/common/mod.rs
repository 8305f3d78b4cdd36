//! Kernels for tests, written in C and compiled by the system's compiler.
//!
//! In: C source with the entry `void k(const uint8_t *, const struct launch *, uint64_t,
//! uint64_t)`. Out: code objects. *Invariant:* a code object is an unlinked object, as the
//! translator's output is.
#![allow(dead_code, reason = "each test binary uses a part of it")]

use sinter_core::{Argument, CodeFormat, CodeObject, EntryInfo};
use sinter_driver::{Device, Driver};
use sinter_driver_host::HostDriver;
use std::{fs, process::Command, sync::Arc};

/// Start of every kernel's source. `ITEMS` opens a loop over the x IDs of the work-groups to run.
const PRELUDE: &str = r#"
#include <stdint.h>
struct launch { uint64_t global[3], group[3], count[3]; void *local, *items; };
#define KERNEL(name) void name(const uint8_t *arguments, const struct launch *l, uint64_t first, uint64_t last)
#define ARG(type, offset) (*(type const *)(const void *)(arguments + (offset)))
#define ITEMS \
  for (uint64_t g = first; g < last; g++) \
    for (uint64_t i = g % l->count[0] * l->group[0], \
         end = i + l->group[0] < l->global[0] ? i + l->group[0] : l->global[0]; i < end; i++)
"#;

/// `add_one` of the conformance suite.
pub(crate) const ADD_ONE: &str = "KERNEL(add_one) { uint64_t *data = ARG(uint64_t *, 0); ITEMS data[i]++; }";

/// Compiles a kernel with `cc`.
pub(crate) fn compile(symbol: &str, source: &str, argument_size: u32) -> CodeObject {
    compile_with("cc", &[], symbol, source, argument_size).expect("a C compiler named cc")
}

/// Compiles a kernel with a given compiler and flags, if it is installed.
pub(crate) fn compile_with(
    compiler: &str,
    flags: &[&str],
    symbol: &str,
    source: &str,
    argument_size: u32,
) -> Option<CodeObject> {
    let folder = tempfile::tempdir().expect("temporary folder");
    let (c, o) = (folder.path().join("k.c"), folder.path().join("k.o"));
    fs::write(&c, format!("{PRELUDE}{source}\n")).expect("write the source");
    let common = ["-c", "-fPIC", "-O3", "-march=native", "-w", "-o"];
    let status = Command::new(compiler).args(flags).args(common).arg(&o).arg(&c).status().ok()?;
    assert!(status.success(), "{compiler} failed on {source}");
    let argument = Argument { parameter: 0, offset: 0, size: argument_size, is_pointer: false };
    let entry = EntryInfo {
        symbol: symbol.to_owned(),
        arguments: vec![argument],
        argument_size,
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
    let bytes = Arc::from(fs::read(&o).expect("read the object"));
    Some(CodeObject { format: CodeFormat::HostElf, bytes, entry, assembly: None, level: sinter_core::OptLevel::O3 })
}

/// A host device with `threads` threads.
pub(crate) fn device(threads: usize) -> Arc<dyn Device> {
    HostDriver::new(Some(threads)).devices().expect("devices").remove(0)
}
