//! Buffers with memory of their own.
//!
//! In: a size and a type of memory. Out: a buffer, its address for kernels, and its address for the
//! host if the type is visible there. *Invariant:* buffer and memory end with the value, unless the
//! process exits or is a forked child.

use crate::{
    failure::{called, failure},
    logical::Logical,
};
use ash::vk;
use sinter_driver_common::{Failure, error::code};
use std::{ptr, sync::Arc};

/// A buffer.
pub(crate) struct Block {
    logical: Arc<Logical>,
    pub(crate) buffer: vk::Buffer,
    memory: vk::DeviceMemory,
    /// Address for kernels.
    pub(crate) address: u64,
    pub(crate) size: u64,
    /// Address for the host; null for memory that the host cannot access.
    pub(crate) mapped: *mut u8,
}

// SAFETY: Vulkan's handles may be used by every thread; who may access the memory when is a matter
// of those that hold the block.
unsafe impl Send for Block {}
// SAFETY: as above.
unsafe impl Sync for Block {}

/// Uses of every buffer.
fn usage() -> vk::BufferUsageFlags {
    vk::BufferUsageFlags::SHADER_DEVICE_ADDRESS
        | vk::BufferUsageFlags::STORAGE_BUFFER
        | vk::BufferUsageFlags::TRANSFER_SRC
        | vk::BufferUsageFlags::TRANSFER_DST
}

impl Block {
    /// Creates a buffer in memory of this type.
    pub(crate) fn create(logical: &Arc<Logical>, size: u64, memory_type: u32) -> Result<Self, Failure> {
        let info = vk::BufferCreateInfo::default().size(size).usage(usage());
        // SAFETY: the device is alive.
        let buffer = called("vkCreateBuffer", unsafe { logical.device.create_buffer(&info, None) })?;
        // From here on the value releases what was created.
        let (memory, mapped) = (vk::DeviceMemory::null(), ptr::null_mut());
        let mut block = Block { logical: Arc::clone(logical), buffer, memory, address: 0, size, mapped };
        block.allocate(memory_type)?;
        if logical.is_visible(memory_type) {
            block.map()?;
        }
        let info = vk::BufferDeviceAddressInfo::default().buffer(buffer);
        // SAFETY: the buffer has memory, and the usage that the function needs.
        block.address = unsafe { logical.device.get_buffer_device_address(&info) };
        Ok(block)
    }

    fn allocate(&mut self, memory_type: u32) -> Result<(), Failure> {
        let device = &self.logical.device;
        // SAFETY: the buffer is alive.
        let needs = unsafe { device.get_buffer_memory_requirements(self.buffer) };
        if needs.memory_type_bits >> memory_type & 1 == 0 {
            return Err(failure("vkAllocateMemory", code::NOT_SUPPORTED));
        }
        let mut flags = vk::MemoryAllocateFlagsInfo::default().flags(vk::MemoryAllocateFlags::DEVICE_ADDRESS);
        let info = vk::MemoryAllocateInfo::default().allocation_size(needs.size).memory_type_index(memory_type);
        // SAFETY: the type is one of the device's.
        self.memory = called("vkAllocateMemory", unsafe { device.allocate_memory(&info.push_next(&mut flags), None) })?;
        // SAFETY: both are new and belong together.
        called("vkBindBufferMemory", unsafe { device.bind_buffer_memory(self.buffer, self.memory, 0) })
    }

    fn map(&mut self) -> Result<(), Failure> {
        let flags = vk::MemoryMapFlags::empty();
        // SAFETY: the memory is visible to the host and was not mapped before.
        let mapped = unsafe { self.logical.device.map_memory(self.memory, 0, vk::WHOLE_SIZE, flags) };
        self.mapped = called("vkMapMemory", mapped)?.cast();
        Ok(())
    }
}

impl Drop for Block {
    fn drop(&mut self) {
        if self.logical.is_usable() {
            // SAFETY: nobody uses the buffer any more; null handles are ignored.
            unsafe {
                self.logical.device.destroy_buffer(self.buffer, None);
                self.logical.device.free_memory(self.memory, None);
            }
        }
    }
}
