//! Buffers with memory of their own.
//!
//! In: a size and a type of memory. Out: a buffer, its address for kernels, and its address for the
//! host if the type is visible there. *Invariant:* buffer and memory end with the value, unless the
//! process exits or is a forked child.
//!
//! A device that is the host's CPU has one address for both. Elsewhere kernels' addresses are
//! Vulkan's choice, but `VK_EXT_map_memory_placed` lets the host map memory where it wants: there,
//! unless the process uses that range for something else.

use crate::{
    failure::{called, failure},
    logical::Logical,
    reservation::{Kept, Reservation},
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
    /// Bytes of the memory.
    allocated: u64,
    /// Address for the host; null for memory that the host cannot access.
    pub(crate) mapped: *mut u8,
}

// SAFETY: Vulkan's handles may be used by every thread; who may access the memory when is a matter
// of those that hold the block.
unsafe impl Send for Block {}
// SAFETY: as above.
unsafe impl Sync for Block {}

const PLACE: &str = "vkMapMemory2KHR";
/// Blocks to try before memory counts as impossible to place.
const TRIALS: usize = 8;

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
        let mut block = Self::unmapped(logical, size, memory_type)?;
        if logical.is_visible(memory_type) {
            block.map()?;
        }
        Ok(block)
    }

    /// Creates a buffer in memory that the host can access, which has one address for host and
    /// kernels if that is possible.
    pub(crate) fn create_shared(logical: &Arc<Logical>, size: u64) -> Result<Self, Failure> {
        let Some(unit) = logical.chosen.placement else {
            return Self::create(logical, size, logical.chosen.host_memory);
        };
        // Blocks whose places are taken live until another one was found, or they would come back.
        let mut others = Vec::new();
        for _ in 0..TRIALS {
            let mut block = Self::unmapped(logical, size, logical.chosen.host_memory)?;
            if block.place(unit)? {
                return Ok(block);
            }
            others.push(block);
        }
        Err(failure(PLACE, code::OUT_OF_MEMORY))
    }

    fn unmapped(logical: &Arc<Logical>, size: u64, memory_type: u32) -> Result<Self, Failure> {
        let info = vk::BufferCreateInfo::default().size(size).usage(usage());
        // SAFETY: the device is alive.
        let buffer = called("vkCreateBuffer", unsafe { logical.device.create_buffer(&info, None) })?;
        // From here on the value releases what was created.
        let (memory, mapped) = (vk::DeviceMemory::null(), ptr::null_mut());
        let (address, allocated) = (0, 0);
        let mut block = Block { logical: Arc::clone(logical), buffer, memory, address, size, allocated, mapped };
        block.allocate(memory_type)?;
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
        // A placed mapping is of whole units.
        self.allocated = needs.size.next_multiple_of(self.logical.chosen.placement.unwrap_or(1));
        let info = vk::MemoryAllocateInfo::default().allocation_size(self.allocated).memory_type_index(memory_type);
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

    /// Maps the memory at the address that kernels have, which is a multiple of this unit. False if
    /// the process has something else there.
    fn place(&mut self, unit: u64) -> Result<bool, Failure> {
        let unsupported = failure(PLACE, code::NOT_SUPPORTED);
        let functions =
            self.logical.placing.as_ref().filter(|_| self.address.is_multiple_of(unit)).ok_or(unsupported)?;
        let Some(reserved) = Reservation::create(self.address, self.allocated) else { return Ok(false) };
        let mut placed = vk::MemoryMapPlacedInfoEXT::default().placed_address(reserved.start());
        let info = vk::MemoryMapInfoKHR::default().flags(vk::MemoryMapFlags::PLACED_EXT).memory(self.memory);
        let info = info.size(vk::WHOLE_SIZE).push_next(&mut placed);
        let (function, mut mapped) = (functions.fp().map_memory2_khr, ptr::null_mut());
        // SAFETY: the memory is visible to the host and was not mapped before; nothing else uses
        // the range, which is reserved.
        let result = unsafe { function(functions.device(), &raw const info, &raw mut mapped) };
        called(PLACE, result.result())?;
        self.mapped = mapped.cast();
        // The mapping has replaced it.
        reserved.forget();
        Ok(true)
    }

    /// A copy of placed memory, taken from a budget in bytes. `None` for other memory, or if there
    /// is no room. The device has finished everything.
    pub(crate) fn keep(&self, budget: &mut usize) -> Option<Kept> {
        self.logical.chosen.placement.filter(|_| !self.mapped.is_null() && self.logical.is_usable())?;
        let rest = budget.checked_sub(usize::try_from(self.allocated).ok()?)?;
        // SAFETY: the memory is mapped with this size. Threads of the program that still write to
        // it race with the end of the process anyway.
        let kept = unsafe { Kept::copy(self.mapped, *budget - rest) }?;
        *budget = rest;
        Some(kept)
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
