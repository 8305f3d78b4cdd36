//! `__managed__` variables of programs in HIP and CUDA.
//!
//! In: objects of the program, and the slots from which its host code loads the addresses of their
//! values. Out: the memory that host and devices share. *Invariant:* a slot is set once, so that an
//! address which host code has taken stays valid; a device that cannot reach the memory gets an
//! error.
#![expect(unsafe_code, reason = "reads objects of the program and copies them to shared memory")]

use super::object::{ALIGNMENT, layout_of, transfer};
use crate::{buffers::side::DeviceSide, error::RuntimeError};
use sinter_core::hip::Managed;
use sinter_driver::{Device, DeviceFeatures, MemoryKind};
use std::{
    collections::BTreeMap,
    ffi::c_void,
    ptr,
    sync::{
        Mutex, MutexGuard, PoisonError,
        atomic::{AtomicUsize, Ordering},
    },
};

/// Offset in an object of the address of its slot.
const SLOT: usize = size_of::<usize>();

/// An object in shared memory.
#[derive(Debug, Clone, Copy)]
struct Placed {
    object: usize,
    size: usize,
    /// Driver of the device that allocated the memory.
    driver: &'static str,
}

/// Objects in shared memory, by the address there. They stay until the process ends.
static PLACED: Mutex<BTreeMap<usize, Placed>> = Mutex::new(BTreeMap::new());

fn placed() -> MutexGuard<'static, BTreeMap<usize, Placed>> {
    PLACED.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The managed variable with this object.
///
/// # Safety
/// The object is one of a device global of the program.
pub(super) unsafe fn of(object: usize) -> Option<Managed> {
    // SAFETY: the same contract, upheld by the caller.
    unsafe { layout_of(object) }.and_then(Managed::of)
}

/// The slot of a managed variable.
///
/// # Safety
/// As for [`of`], which returned a variable.
unsafe fn slot<'a>(object: usize) -> &'a AtomicUsize {
    let place: *const *const AtomicUsize = ptr::with_exposed_provenance(object + SLOT);
    // SAFETY: stage 1 wrote the address of the slot there.
    let slot = unsafe { place.read() };
    // SAFETY: a variable of the program, which this interface sets and host code only loads.
    unsafe { &*slot }
}

fn reaches_all(device: &dyn Device) -> bool {
    device.info().features.0 & DeviceFeatures::USM_SYSTEM != 0
}

/// Address of the object for kernels of a device. The first call decides where the value is: with a
/// device that reaches all memory of the program it stays where it is.
///
/// # Safety
/// As for [`of`], which returned `variable`.
pub(super) unsafe fn address(
    device: &dyn Device,
    side: &DeviceSide,
    object: usize,
    variable: Managed,
) -> Result<usize, RuntimeError> {
    let mut placed = placed();
    // SAFETY: the same contract, upheld by the caller.
    let slot = unsafe { slot(object) };
    let held = slot.load(Ordering::Acquire);
    if held != 0 {
        let block = held - variable.offset;
        let known = placed.get(&block).map(|placed| placed.driver);
        return if reaches_all(device) || known == Some(device.info().driver) {
            Ok(block)
        } else {
            Err(out_of_reach(device, known))
        };
    }
    let block = if reaches_all(device) { object } else { allocate(device, side, object, variable)? };
    if block != object {
        placed.insert(block, Placed { object, size: variable.size, driver: device.info().driver });
    }
    slot.store(block + variable.offset, Ordering::Release);
    Ok(block)
}

fn allocate(device: &dyn Device, side: &DeviceSide, object: usize, variable: Managed) -> Result<usize, RuntimeError> {
    if device.info().features.0 & DeviceFeatures::USM_SHARED == 0 {
        let (device, feature) =
            (device.info().name.clone(), "__managed__ variables: it has no shared memory".to_owned());
        return Err(RuntimeError::Unsupported { device, feature });
    }
    let alignment = variable.offset.max(ALIGNMENT);
    let memory = device.memory().allocate(MemoryKind::Shared, variable.size, alignment)?;
    // SAFETY: the object has `size` bytes, as its new copy has.
    unsafe { transfer(device, side, memory, ptr::with_exposed_provenance(object), variable.size) }?;
    Ok(memory.expose_provenance())
}

fn out_of_reach(device: &dyn Device, driver: Option<&str>) -> RuntimeError {
    let memory = driver.map_or("the program".to_owned(), |driver| format!("the driver `{driver}`"));
    let feature = format!(
        "access to a __managed__ variable that is in memory of {memory}: select the device before the variable is \
         first used"
    );
    RuntimeError::Unsupported { device: device.info().name.clone(), feature }
}

/// Lets host code use the value where it is, if no device has placed it.
///
/// # Safety
/// `slot` is the slot of a managed variable and `value` the address of its value in the program.
pub(crate) unsafe fn settle(slot: *const AtomicUsize, value: *const c_void) -> usize {
    let _placed = placed();
    // SAFETY: a variable of the program, by the caller's promise.
    let slot = unsafe { &*slot };
    let value = value.expose_provenance();
    slot.compare_exchange(0, value, Ordering::AcqRel, Ordering::Acquire).map_or_else(|held| held, |_| value)
}

/// The object whose shared memory is around an address, the offset there, and the bytes from there
/// to the end.
pub(crate) fn around(address: usize) -> Option<(usize, usize, usize)> {
    let placed = placed();
    let (block, found) = placed.range(..=address).next_back()?;
    let offset = address - block;
    let left = found.size.checked_sub(offset).filter(|left| *left > 0)?;
    Some((found.object, offset, left))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{abi::DeviceGlobalLayout, device_globals::DeviceGlobals, registry::globals::Object};
    use sinter_core::hip::MANAGED;
    use sinter_driver::{
        Driver,
        recording::{Call, RecordingDriver},
    };

    static LAYOUT: DeviceGlobalLayout = DeviceGlobalLayout { size: 32, alignment: MANAGED | 16 };

    /// An object as stage 1 writes it: layout, slot, value.
    #[repr(align(16))]
    struct Variable([usize; 4]);

    #[test]
    fn the_first_use_places_the_value_in_shared_memory_for_good() -> Result<(), Box<dyn std::error::Error>> {
        let slot = AtomicUsize::new(0);
        let (layout, place) = ((&raw const LAYOUT).expose_provenance(), (&raw const slot).expose_provenance());
        let object = Variable([layout, place, 7, 8]);
        let address = (&raw const object.0).expose_provenance();
        let (driver, side, globals) = (RecordingDriver::new(), DeviceSide::default(), DeviceGlobals::default());
        let device = driver.devices()?.remove(0);
        let find = || {
            // SAFETY: the object starts with the address of its layout.
            unsafe { globals.address(&*device, &side, Object { address, number: 1 }) }
        };
        let block = find()?;
        let allocated = |call: &Call| matches!(call, Call::Allocate { kind: MemoryKind::Shared, size: 32, .. });
        assert_eq!(driver.take_calls().iter().filter(|call| allocated(call)).count(), 1);
        assert_eq!(slot.load(Ordering::Relaxed), block + 16);
        assert_eq!(around(block + 20), Some((address, 20, 12)));
        assert_eq!(around(block + 32), None);
        assert_eq!((find()?, driver.take_calls().len()), (block, 0));
        let value: *const usize = ptr::with_exposed_provenance(block + 16);
        // SAFETY: the copy has as many bytes as the object.
        assert_eq!(unsafe { value.read() }, 7);
        // SAFETY: a slot and its value, which is not used any more.
        let settled = unsafe { settle(&raw const slot, ptr::with_exposed_provenance(address + 16)) };
        assert_eq!(settled, block + 16);
        // Host code placed this one in the program, which the device does not reach.
        slot.store(address + 16, Ordering::Relaxed);
        let refused = find().map_err(|error| error.to_string());
        assert!(refused.is_err_and(|text| text.contains("memory of the program")), "the device reaches it");
        Ok(())
    }
}
