//! A device as this process uses it: a `VkDevice` with its queues.
//!
//! In: the parts of a physical device to use. Out: functions of the device and queues.
//! *Invariant:* a queue is used under its lock; the device ends with the last value that refers to
//! it, unless the process exits or is a forked child.

use crate::{chosen::Chosen, exit, failure::called, instance::Instance, trap::Traps};
use ash::{khr, vk};
use sinter_core::SpirvFeature;
use sinter_driver_common::Failure;
use std::sync::{
    Arc, Mutex,
    atomic::{AtomicUsize, Ordering},
};

/// A device.
pub(crate) struct Logical {
    pub(crate) device: ash::Device,
    pub(crate) chosen: Chosen,
    pub(crate) traps: Traps,
    /// Functions that map memory, if the host can place it.
    pub(crate) placing: Option<khr::map_memory2::Device>,
    queues: Vec<Mutex<vk::Queue>>,
    next: AtomicUsize,
    instance: Arc<Instance>,
}

impl Logical {
    /// Creates the device.
    pub(crate) fn create(instance: &Arc<Instance>, chosen: &Chosen) -> Result<Arc<Self>, Failure> {
        let device = create_device(&instance.instance, chosen)?;
        // Vendors register handlers for the end of the process here.
        exit::prepare();
        // SAFETY: the device was created with so many queues of the family.
        let queue = |index| Mutex::new(unsafe { device.get_device_queue(chosen.family, index) });
        let queues = (0..chosen.queues).map(queue).collect();
        let placing = chosen.placement.map(|_| khr::map_memory2::Device::new(&instance.instance, &device));
        let (chosen, instance) = (chosen.clone(), Arc::clone(instance));
        let (traps, next) = (Traps::default(), AtomicUsize::new(0));
        Ok(Arc::new(Logical { device, chosen, traps, placing, queues, next, instance }))
    }

    /// True unless the process exits or is a forked child.
    pub(crate) fn is_usable(&self) -> bool {
        self.instance.is_usable()
    }

    /// True if the host can access memory of this type.
    pub(crate) fn is_visible(&self, memory_type: u32) -> bool {
        self.chosen.visible >> memory_type & 1 != 0
    }

    /// Index of the queue for the next stream: they take turns.
    pub(crate) fn next_queue(&self) -> usize {
        self.next.fetch_add(1, Ordering::Relaxed) % self.queues.len()
    }

    /// A queue.
    pub(crate) fn queue(&self, index: usize) -> &Mutex<vk::Queue> {
        &self.queues[index]
    }

    /// Free memory of the device in bytes, if the device reports it.
    pub(crate) fn free_memory(&self) -> Option<u64> {
        if !self.chosen.has_budget {
            return None;
        }
        let mut budget = vk::PhysicalDeviceMemoryBudgetPropertiesEXT::default();
        let mut properties = vk::PhysicalDeviceMemoryProperties2::default().push_next(&mut budget);
        let instance = &self.instance.instance;
        // SAFETY: the physical device is the instance's, and has the extension.
        unsafe { instance.get_physical_device_memory_properties2(self.chosen.physical, &mut properties) };
        let kind = properties.memory_properties.memory_types[self.chosen.device_memory as usize];
        let heap = kind.heap_index as usize;
        Some(budget.heap_budget[heap].saturating_sub(budget.heap_usage[heap]))
    }
}

fn create_device(instance: &ash::Instance, chosen: &Chosen) -> Result<ash::Device, Failure> {
    use SpirvFeature::*;
    let has = |feature| chosen.has(feature);
    let priorities = vec![1.0; chosen.queues as usize];
    let queues = [vk::DeviceQueueCreateInfo::default().queue_family_index(chosen.family).queue_priorities(&priorities)];
    let core = vk::PhysicalDeviceFeatures::default().shader_int64(true).shader_int16(true).shader_float64(has(Fp64));
    let mut v11 = vk::PhysicalDeviceVulkan11Features::default().storage_buffer16_bit_access(true);
    let mut v12 = vk::PhysicalDeviceVulkan12Features::default()
        .buffer_device_address(true)
        .vulkan_memory_model(true)
        .vulkan_memory_model_device_scope(true)
        .shader_int8(true)
        .storage_buffer8_bit_access(true)
        .shader_subgroup_extended_types(true)
        .scalar_block_layout(true)
        .timeline_semaphore(true)
        .shader_float16(has(Fp16))
        .shader_buffer_int64_atomics(has(Int64Atomics))
        .shader_shared_int64_atomics(has(LocalInt64Atomics));
    let mut v13 = vk::PhysicalDeviceVulkan13Features::default()
        .maintenance4(true)
        .synchronization2(true)
        .subgroup_size_control(has(SubGroupSize))
        .compute_full_subgroups(has(SubGroupSize));
    let mut adds = vk::PhysicalDeviceShaderAtomicFloatFeaturesEXT::default()
        .shader_buffer_float32_atomic_add(has(AtomicAddF32))
        .shader_buffer_float64_atomic_add(has(AtomicAddF64));
    let mut mosts = vk::PhysicalDeviceShaderAtomicFloat2FeaturesEXT::default()
        .shader_buffer_float32_atomic_min_max(has(AtomicMinMaxF32))
        .shader_buffer_float64_atomic_min_max(has(AtomicMinMaxF64));
    let mut clock =
        vk::PhysicalDeviceShaderClockFeaturesKHR::default().shader_device_clock(true).shader_subgroup_clock(true);
    let mut placed = vk::PhysicalDeviceMapMemoryPlacedFeaturesEXT::default().memory_map_placed(true);
    let names: Vec<_> = chosen.extensions.iter().map(|name| name.as_ptr()).collect();
    let mut info = vk::DeviceCreateInfo::default()
        .queue_create_infos(&queues)
        .enabled_extension_names(&names)
        .enabled_features(&core)
        .push_next(&mut v11)
        .push_next(&mut v12)
        .push_next(&mut v13);
    let enabled = |name| chosen.extensions.iter().any(|known| known.as_c_str() == name);
    if enabled(ash::ext::shader_atomic_float::NAME) {
        info = info.push_next(&mut adds);
    }
    if enabled(ash::ext::shader_atomic_float2::NAME) {
        info = info.push_next(&mut mosts);
    }
    if enabled(khr::shader_clock::NAME) {
        info = info.push_next(&mut clock);
    }
    if chosen.placement.is_some() {
        info = info.push_next(&mut placed);
    }
    // SAFETY: the physical device has the queues, features and extensions.
    called("vkCreateDevice", unsafe { instance.create_device(chosen.physical, &info, None) })
}

impl Drop for Logical {
    fn drop(&mut self) {
        if self.is_usable() {
            // SAFETY: streams wait for their work, and nothing of the device is left.
            unsafe { self.device.destroy_device(None) };
        }
    }
}
