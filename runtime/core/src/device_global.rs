//! Names of device globals in device code.
//!
//! In: the linker's name of a variable. Out: the name under which device code refers to it.
//! *Invariant:* a device global has no value in an image; the runtime knows its address on each
//! device, and a kernel gets it as an argument.

/// Prefix in the device code of stage 1.
const PREFIX: &str = "__sinter_device_global.";

/// Name in device code of the variable with this linker name.
pub fn device_name(variable: &str) -> String {
    format!("{PREFIX}{variable}")
}

/// The linker's name of a variable, if this is a device global's name in device code.
pub fn variable_of(device_name: &str) -> Option<&str> {
    device_name.strip_prefix(PREFIX)
}
