//! Device globals on one device.
//!
//! In: objects of the program. Out: memory of the device, which starts as a copy of the object.
//! *Invariant:* an object has at most one allocation on a device, from its first use until another
//! definition has its address or the process ends.
#![expect(unsafe_code, reason = "reads objects of the program and copies them to devices")]

pub(crate) mod constants;
pub(crate) mod managed;
mod object;

use self::{
    constants::Bytes,
    object::{ALIGNMENT, bytes_of, layout_of, transfer},
};
use crate::{abi::DeviceGlobalLayout, buffers::side::DeviceSide, error::RuntimeError, registry::globals::Object};
use sinter_core::hip;
use sinter_driver::{Device, MemoryKind};
use std::{
    collections::BTreeMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

/// An allocation for a definition.
#[derive(Debug, Clone)]
struct Held {
    memory: usize,
    number: u64,
    /// The content, of a variable that device code only reads.
    bytes: Option<Arc<Bytes>>,
}

/// Device globals of a device, by the address of their objects.
#[derive(Default)]
pub(crate) struct DeviceGlobals {
    held: Mutex<BTreeMap<usize, Held>>,
}

impl DeviceGlobals {
    fn held(&self) -> MutexGuard<'_, BTreeMap<usize, Held>> {
        self.held.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The allocation of an object, if it is of the same definition. One without a table has no
    /// number, and gets that of the first table that lists it.
    fn known(&self, object: Object) -> Option<usize> {
        let mut held = self.held();
        let found = held.get_mut(&object.address)?;
        if found.number == 0 {
            found.number = object.number;
        }
        (object.number == 0 || found.number == object.number).then_some(found.memory)
    }

    /// Keeps an allocation. Returns the one to use, and one to free.
    fn keep(&self, object: Object, memory: usize, bytes: Option<Arc<Bytes>>) -> (usize, Option<usize>) {
        if let Some(other) = self.known(object) {
            return (other, Some(memory));
        }
        let old = self.held().insert(object.address, Held { memory, number: object.number, bytes });
        (memory, old.map(|old| old.memory))
    }

    /// The content of an object's copy on the device; `None` if device code may write to it.
    ///
    /// # Safety
    /// As for [`DeviceGlobals::address`].
    pub(crate) unsafe fn bytes(
        &self,
        device: &dyn Device,
        side: &DeviceSide,
        object: Object,
    ) -> Result<Option<Arc<Bytes>>, RuntimeError> {
        // SAFETY: the same contract, upheld by the caller.
        unsafe { self.address(device, side, object) }?;
        Ok(self.held().get(&object.address).and_then(|held| held.bytes.clone()))
    }

    /// Gives all copies the initial values of their objects again. `number` gives the number of the
    /// definition of the object at an address.
    ///
    /// # Safety
    /// Kernels that use the copies are complete.
    pub(crate) unsafe fn restore(
        &self,
        device: &dyn Device,
        side: &DeviceSide,
        number: impl Fn(usize) -> u64,
    ) -> Result<(), RuntimeError> {
        let all: Vec<_> = self.held().iter().map(|(object, held)| (*object, held.clone())).collect();
        let loaded = all.into_iter().filter(|(object, held)| held.number != 0 && number(*object) == held.number);
        for (object, held) in loaded {
            // SAFETY: the number says that a table lists the object.
            let Some(layout) = (unsafe { layout_of(object) }) else { continue };
            let (to, from) =
                (std::ptr::with_exposed_provenance_mut(held.memory), std::ptr::with_exposed_provenance(object));
            // SAFETY: the copy has as many bytes as its object.
            unsafe { transfer(device, side, to, from, layout.size as usize) }?;
            if let Some(bytes) = held.bytes {
                // SAFETY: the number says that a table lists the object.
                bytes.restore(unsafe { bytes_of(object, layout) });
            }
        }
        Ok(())
    }

    /// Address of an object's copy on the device, which the first call makes.
    ///
    /// # Safety
    /// The object is one of a `device_global` of the program: it starts with the address of its
    /// layout. Kernels that used an earlier object at its address are complete.
    pub(crate) unsafe fn address(
        &self,
        device: &dyn Device,
        side: &DeviceSide,
        object: Object,
    ) -> Result<usize, RuntimeError> {
        // SAFETY: the same contract, upheld by the caller.
        if let Some(variable) = unsafe { managed::of(object.address) } {
            // SAFETY: as above.
            return unsafe { managed::address(device, side, object.address, variable) };
        }
        if let Some(memory) = self.known(object) {
            return Ok(memory);
        }
        // SAFETY: as above.
        let (memory, bytes) = unsafe { copy_of(device, side, object.address) }?;
        let (used, spare) = self.keep(object, memory, bytes);
        if let Some(spare) = spare {
            // SAFETY: nothing uses the memory yet, or nothing any more.
            unsafe { device.memory().free(std::ptr::with_exposed_provenance_mut(spare)) }?;
        }
        Ok(used)
    }
}

/// Allocates memory with a copy of an object. Returns the content too, if device code only reads
/// it.
///
/// # Safety
/// As for [`DeviceGlobals::address`].
unsafe fn copy_of(
    device: &dyn Device,
    side: &DeviceSide,
    object: usize,
) -> Result<(usize, Option<Arc<Bytes>>), RuntimeError> {
    // SAFETY: the same contract, upheld by the caller.
    let layout = unsafe { layout_of(object) };
    let layout: DeviceGlobalLayout =
        layout.ok_or_else(|| RuntimeError::invalid("object", "is not an initialised device_global"))?;
    let (size, alignment) = (layout.size as usize, (hip::alignment_of(layout) as usize).max(ALIGNMENT));
    let memory = device.memory().allocate(MemoryKind::Device, size, alignment)?;
    // SAFETY: the object has `size` bytes, as its new copy has.
    unsafe { transfer(device, side, memory, std::ptr::with_exposed_provenance(object), size) }?;
    // SAFETY: an object with this layout.
    let bytes = hip::is_constant(layout).then(|| Arc::new(Bytes::new(unsafe { bytes_of(object, layout) })));
    Ok((memory.expose_provenance(), bytes))
}

#[cfg(test)]
mod tests {
    use super::*;
    use sinter_driver::{Driver, recording::RecordingDriver};

    #[test]
    fn an_allocation_lasts_as_long_as_its_definition() {
        let globals = DeviceGlobals::default();
        let object = |number| Object { address: 0x100, number };
        assert_eq!(globals.keep(object(0), 1, None), (1, None));
        assert_eq!(globals.known(object(4)), Some(1), "a table lists it now");
        assert_eq!(globals.known(object(0)), Some(1));
        assert_eq!(globals.keep(object(4), 2, None), (1, Some(2)), "another thread was faster");
        assert_eq!(globals.known(object(5)), None, "another library has the address");
        assert_eq!(globals.keep(object(5), 3, None), (3, Some(1)));
    }

    #[test]
    fn a_reset_gives_copies_their_initial_values() -> Result<(), Box<dyn std::error::Error>> {
        static LAYOUT: DeviceGlobalLayout = DeviceGlobalLayout { size: 16, alignment: 8 };
        let object = [(&raw const LAYOUT).expose_provenance(), 7];
        let address = (&raw const object).expose_provenance();
        let (driver, side, globals) = (RecordingDriver::new(), DeviceSide::default(), DeviceGlobals::default());
        let device = driver.devices()?.remove(0);
        // SAFETY: the object starts with the address of its layout.
        let memory = unsafe { globals.address(&*device, &side, Object { address, number: 3 }) }?;
        let value: *mut u64 = std::ptr::with_exposed_provenance_mut(memory + 8);
        // SAFETY: the copy has 16 bytes.
        unsafe { value.write(8) };
        // SAFETY: no kernel runs.
        unsafe { globals.restore(&*device, &side, |_| 4) }?;
        // SAFETY: as above.
        assert_eq!(unsafe { value.read() }, 8, "another definition is at this address");
        // SAFETY: as above.
        unsafe { globals.restore(&*device, &side, |_| 3) }?;
        // SAFETY: as above.
        assert_eq!(unsafe { value.read() }, 7);
        Ok(())
    }
}
