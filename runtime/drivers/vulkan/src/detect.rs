//! Detects the loader and its devices.
//!
//! In: the loader, if devices are wanted. Out: devices with their targets, and the reason for each
//! that is left out. *Invariant:* anything missing or broken is a reason with a remedy, never an
//! error or a panic.
#![forbid(unsafe_code)]

use crate::{
    features::{Found, describe, physical_devices},
    instance::{Instance, NAMES, NoInstance},
    options::VulkanOptions,
    vendor::{Vulkan, sentence},
};
use ash::vk;
use sinter_core::SpirvTarget;
use sinter_driver::{DeviceFeatures, DeviceInfo, DeviceKind};
use sinter_driver_common::Limits;
use sinter_dylib::open::OpenError;
use std::sync::Arc;

/// A usable device.
pub(crate) struct Usable {
    pub(crate) vulkan: Vulkan,
    pub(crate) info: DeviceInfo,
    pub(crate) limits: Limits,
    pub(crate) target: SpirvTarget,
}

/// Result of detection.
#[derive(Default)]
pub(crate) struct Detected {
    pub(crate) devices: Vec<Usable>,
    /// One reason for each device that was left out, or for the lack of any.
    pub(crate) left_out: Vec<String>,
}

/// Detects the devices.
pub(crate) fn detect(options: &VulkanOptions) -> Detected {
    let mut detected = Detected::default();
    if !options.wanted {
        detected.left_out.push(format!("{} was not looked for; SINTER_VISIBILITY_MASK=vulkan uses it", NAMES[0]));
        return detected;
    }
    match Instance::create(options.library.as_deref(), options.validation) {
        Ok(instance) => find(&Arc::new(instance), options, &mut detected),
        Err(reason) => detected.left_out.push(without_instance(reason, options)),
    }
    // GPUs come first, so that device 0 is one if there is any.
    let rank = |kind| [DeviceKind::Gpu, DeviceKind::Other, DeviceKind::Cpu].iter().position(|other| *other == kind);
    detected.devices.sort_by_key(|usable| rank(usable.info.kind));
    (0..).zip(&mut detected.devices).for_each(|(number, usable)| usable.vulkan.number = number);
    detected
}

fn without_instance(reason: NoInstance, options: &VulkanOptions) -> String {
    match reason {
        NoInstance::NotOpened(error) => not_opened(&error),
        NoInstance::TooOld(version) => {
            format!("the Vulkan loader has version {}: install 1.3 or newer, on Debian libvulkan1", text(version))
        }
        NoInstance::Failed(failure) => format!("{}{}", sentence(failure), files(options)),
    }
}

/// Names the variable that replaces the list of drivers.
fn files(options: &VulkanOptions) -> String {
    options.files.as_ref().map(|files| format!(" (VK_DRIVER_FILES or VK_ICD_FILENAMES is {files})")).unwrap_or_default()
}

fn not_opened(error: &OpenError) -> String {
    let place = error.place();
    match error {
        OpenError::NotLoaded { reason, .. } => format!(
            "the Vulkan loader cannot be loaded (looked for {place}): install it and the driver of the GPU's vendor, on Debian the packages \
             libvulkan1 and mesa-vulkan-drivers ({reason})"
        ),
        OpenError::TooOld { symbol, .. } => format!("{place} has no function {symbol}: it is no Vulkan loader"),
    }
}

/// A version as people write it.
fn text(version: u32) -> String {
    format!("{}.{}", vk::api_version_major(version), vk::api_version_minor(version))
}

fn find(instance: &Arc<Instance>, options: &VulkanOptions, detected: &mut Detected) {
    let devices = match physical_devices(instance) {
        Ok(devices) => devices,
        Err(failure) => return detected.left_out.push(sentence(failure)),
    };
    if devices.is_empty() {
        let hint = files(options);
        detected.left_out.push(format!("Vulkan has no device: install the driver of the GPU's vendor{hint}"));
    }
    for device in devices {
        match describe(instance, device).and_then(|found| usable(instance, found, options)) {
            Ok(usable) => detected.devices.push(usable),
            Err(reason) => {
                tracing::info!("Vulkan: left out: {reason}");
                detected.left_out.push(reason);
            }
        }
    }
}

/// Completes a device. A CPU may have one address for host and kernels, and so may a device at
/// whose addresses the host can place memory. Only the memory of a created device shows it.
fn usable(instance: &Arc<Instance>, found: Found, options: &VulkanOptions) -> Result<Usable, String> {
    let Found { chosen, mut info, mut limits, target } = found;
    let mut vulkan = Vulkan::new(instance, chosen);
    let is_cpu = info.kind == DeviceKind::Cpu;
    if (is_cpu || vulkan.chosen.placement.is_some()) && !options.separate {
        let one = vulkan.has_one_address().map_err(|failure| format!("{}: {}", info.name, sentence(failure)));
        let without = |reason: &String| tracing::info!("Vulkan: no shared memory: {reason}");
        let one = if is_cpu { one? } else { one.inspect_err(without).unwrap_or(false) };
        (limits.managed, vulkan.one_address) = (one, one);
        info.features.0 |= if one { DeviceFeatures::USM_HOST | DeviceFeatures::USM_SHARED } else { 0 };
    }
    Ok(Usable { vulkan, info, limits, target })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reason(options: &VulkanOptions) -> String {
        let detected = detect(options);
        assert!(detected.devices.is_empty());
        detected.left_out.join("; ")
    }

    #[test]
    fn nothing_is_opened_unasked() {
        assert!(reason(&VulkanOptions::default()).contains("SINTER_VISIBILITY_MASK=vulkan"));
    }

    #[test]
    fn a_missing_loader_is_named() {
        let library = |path: &str| VulkanOptions { library: Some(path.into()), wanted: true, ..Default::default() };
        let absent = reason(&library("/nowhere/libvulkan.so.1"));
        assert!(absent.contains("/nowhere/libvulkan.so.1") && absent.contains("libvulkan1 and"), "{absent}");
        let other = reason(&library("libc.so.6"));
        assert!(other.contains("has no function vkGetInstanceProcAddr"), "{other}");
    }
}
