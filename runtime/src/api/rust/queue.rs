//! Implements the queue interface of `sinter_program` on queues of the runtime.
//!
//! In: the operations of [`sinter_program::Queue`]. Out: calls of drivers. *Invariant:* a command
//! of 0 bytes submits nothing and returns the ticket of the last command.
#![expect(unsafe_code, reason = "allocates memory of devices and submits commands on it")]

use crate::{
    devices::{DEFAULT_ALIGNMENT, DeviceEntry},
    error::RuntimeError,
    queue::Queue,
};
use sinter_driver::{DeviceInfo, DeviceKind, MemoryKind, Profile, Ticket};
use std::{ffi::c_void, sync::Arc};

/// True if a device can access host USM of another device. A GPU accesses only host memory that its
/// own driver has mapped for it; a CPU accesses all of it.
fn reaches(device: &DeviceInfo, owner: &DeviceInfo) -> bool {
    device.kind == DeviceKind::Cpu || device.driver == owner.driver
}

// SAFETY: drivers return memory once, aligned to a cache line. A driver's queue runs its commands
// in order, and neither `wait` nor `is_complete` reports a command as complete that may still use
// memory.
unsafe impl sinter_program::Queue for Queue {
    type Error = RuntimeError;
    type Ticket = Ticket;
    type Device = DeviceEntry;
    type Owner = Arc<DeviceEntry>;

    fn is(&self, other: &Self) -> bool {
        self.is(other)
    }

    fn owner(&self) -> &Arc<DeviceEntry> {
        self.device_handle()
    }

    fn number(device: &DeviceEntry) -> u32 {
        device.index
    }

    fn reaches(&self, device: &DeviceEntry, kind: MemoryKind) -> bool {
        let ours = self.device();
        device.index == ours.index || (kind == MemoryKind::Host && reaches(ours.info(), device.info()))
    }

    fn allocate(device: &Arc<DeviceEntry>, kind: MemoryKind, size: usize) -> Result<*mut c_void, RuntimeError> {
        device.allocate(kind, size, DEFAULT_ALIGNMENT)
    }

    unsafe fn free(device: &DeviceEntry, pointer: *mut c_void) {
        // SAFETY: the same contract, upheld by the caller.
        let freed = unsafe { device.device.memory().free(pointer) };
        debug_assert!(freed.is_ok());
    }

    unsafe fn submit_fill(&self, to: *mut c_void, pattern: &[u8], count: usize) -> Result<Ticket, RuntimeError> {
        if count == 0 || pattern.is_empty() {
            return Ok(self.driver_queue().last());
        }
        // SAFETY: the same contract, upheld by the caller.
        Ok(unsafe { self.driver_queue().fill(to, pattern, count) }?)
    }

    unsafe fn submit_copy(&self, to: *mut c_void, from: *const c_void, size: usize) -> Result<Ticket, RuntimeError> {
        if size == 0 {
            return Ok(self.driver_queue().last());
        }
        // SAFETY: the same contract, upheld by the caller.
        Ok(unsafe { self.driver_queue().copy(to, from, size) }?)
    }

    fn depend(&self, other: &Self, ticket: Ticket) -> Result<(), RuntimeError> {
        self.depend(other, ticket)
    }

    fn wait(&self, ticket: Ticket) -> Result<(), RuntimeError> {
        self.wait(ticket)
    }

    fn settle(&self, ticket: Ticket) -> bool {
        self.settle(ticket)
    }

    fn is_complete(&self, ticket: Ticket) -> Result<bool, RuntimeError> {
        self.is_complete(ticket)
    }

    fn profile(&self, ticket: Ticket) -> Result<Profile, RuntimeError> {
        self.profile(ticket)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use sinter_driver::{Device, Driver, recording::RecordingDriver};

    #[test]
    fn host_memory_of_a_cpu_is_not_for_gpus() {
        let device: Arc<dyn Device> = RecordingDriver::new().devices().expect("devices").remove(0);
        let info = |driver, kind| DeviceInfo { driver, kind, ..device.info().clone() };
        let (cpu, gpu, other) =
            (info("host", DeviceKind::Cpu), info("cuda", DeviceKind::Gpu), info("hip", DeviceKind::Gpu));
        assert!(reaches(&cpu, &gpu) && reaches(&gpu, &gpu) && reaches(&cpu, &cpu));
        assert!(!reaches(&gpu, &cpu) && !reaches(&other, &gpu));
    }
}
