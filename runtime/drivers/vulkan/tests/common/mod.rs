//! The installed Vulkan with its devices, CPUs among them, and kernels for it.
//!
//! In: `libvulkan.so.1` by its name; binaries in `tests/spirv` with their assembly in a file beside
//! each. Out: devices and code objects. *Invariant:* the entry describes the arguments of the
//! assembly.
#![allow(dead_code, reason = "each test binary uses a part of it")]

use sinter_core::{Argument, CodeFormat, CodeObject, EntryInfo, OptLevel};
use sinter_driver::{Device, Driver};
use sinter_driver_vulkan::{VulkanOptions, findings};
use std::{ffi::c_void, sync::Arc};

const ADD_ONE: &[u8] = include_bytes!("../spirv/add_one.spv");
const LARGE: &[u8] = include_bytes!("../spirv/large.spv");
const TRAP: &[u8] = include_bytes!("../spirv/trap.spv");

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
    let (format, bytes, level) = (CodeFormat::Spirv, Arc::from(bytes), OptLevel::O3);
    CodeObject { format, bytes, entry, assembly: None, level }
}

/// The conformance suite's kernel.
pub(crate) fn add_one() -> CodeObject {
    object("add_one", ADD_ONE, &[(0, 8, true), (8, 8, false)])
}

/// A kernel with 128 bytes of arguments, with 10 bytes of static local memory.
pub(crate) fn large() -> CodeObject {
    let mut code = object("large", LARGE, &[(0, 8, true), (8, 112, false), (120, 8, false)]);
    (code.entry.local_memory, code.entry.takes_local_memory) = (10, true);
    code
}

/// A kernel that traps.
pub(crate) fn trap() -> CodeObject {
    object("trap", TRAP, &[])
}

/// The devices. With `VULKAN_TEST_VALIDATION` the validation layer watches.
pub(crate) fn devices(options: VulkanOptions) -> Vec<Arc<dyn Device>> {
    let validation = std::env::var_os("VULKAN_TEST_VALIDATION").is_some();
    let driver = sinter_driver_vulkan::driver(VulkanOptions { wanted: true, validation, ..options });
    let devices = driver.devices().expect("no error");
    if let Some(reason) = driver.absence() {
        eprintln!("skipped: {reason}");
    }
    devices
}

/// Runs a test with one address for host and kernels, where a device has that, and with two.
pub(crate) fn each(test: impl Fn(&dyn Device)) {
    for separate in [false, true] {
        let options = VulkanOptions { separate, ..VulkanOptions::default() };
        devices(options).iter().for_each(|device| test(&**device));
        assert_eq!(findings(), 0, "findings of the validation layer");
    }
}

/// An address as kernels get it.
pub(crate) fn bytes_of(pointer: *mut c_void) -> [u8; 8] {
    (pointer as u64).to_ne_bytes()
}
