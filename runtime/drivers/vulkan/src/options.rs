//! Options of the driver.
//!
//! In: the choices of a program or its environment. Out: plain values. *Invariant:* the default
//! opens nothing: devices of Vulkan are there only where they are asked for.
#![forbid(unsafe_code)]

use std::path::PathBuf;

/// Options of the Vulkan driver.
#[derive(Debug, Clone, Default)]
pub struct VulkanOptions {
    /// Path of the Vulkan loader, to use instead of the installed `libvulkan.so.1`.
    pub library: Option<PathBuf>,
    /// True to look for devices. Most GPUs have another driver here as well, and opening the loader
    /// opens the libraries of all vendors.
    pub wanted: bool,
    /// Value of `VK_DRIVER_FILES` or `VK_ICD_FILENAMES`. The loader reads the variables itself;
    /// here they only make a reason for missing devices more precise.
    pub files: Option<String>,
    /// True to report the findings of the validation layer as warnings.
    pub validation: bool,
    /// True to treat addresses of the host and of the device as different, to test such devices.
    pub separate: bool,
}
