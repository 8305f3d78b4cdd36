//! Memory goes back to the device that it came from.
//!
//! In: two devices, of which the first has a driver that knows the memory of both. Out: the owner
//! of a pointer. *Invariant:* what was allocated here is never taken for memory of the program's.

use sinter::devices::{Devices, discover};
use sinter_core::{CodeObject, Target};
use sinter_driver::{
    Device, DeviceInfo, Driver, DriverError, Kernel, Memory, MemoryKind, PointerInfo, Queue, recording::RecordingDriver,
};
use std::{ffi::c_void, sync::Arc};

/// A device whose driver answers for every pointer, as one for several GPUs may.
struct Knowing(Arc<dyn Device>);

impl Device for Knowing {
    fn info(&self) -> &DeviceInfo {
        self.0.info()
    }
    fn target(&self) -> &Target {
        self.0.target()
    }
    fn load(&self, code: &CodeObject) -> Result<Arc<dyn Kernel>, DriverError> {
        self.0.load(code)
    }
    fn create_queue(&self) -> Result<Arc<dyn Queue>, DriverError> {
        self.0.create_queue()
    }
    fn choose_group_size(&self, global: [u64; 3]) -> [u32; 3] {
        self.0.choose_group_size(global)
    }
    fn memory(&self) -> &dyn Memory {
        self
    }
}

impl Memory for Knowing {
    fn allocate(&self, kind: MemoryKind, size: usize, alignment: usize) -> Result<*mut c_void, DriverError> {
        self.0.memory().allocate(kind, size, alignment)
    }
    unsafe fn free(&self, pointer: *mut c_void) -> Result<(), DriverError> {
        Err(DriverError::UnknownPointer { device: self.info().name.clone(), pointer: pointer as usize })
    }
    fn query(&self, pointer: *const c_void) -> Option<PointerInfo> {
        Some(PointerInfo { kind: MemoryKind::Host, base: pointer.cast_mut(), size: 1 })
    }
    fn query_own(&self, pointer: *const c_void) -> Option<PointerInfo> {
        self.0.memory().query_own(pointer)
    }
}

struct Two;

impl Driver for Two {
    fn name(&self) -> &'static str {
        "two"
    }
    fn devices(&self) -> Result<Vec<Arc<dyn Device>>, DriverError> {
        let device = || RecordingDriver::new().devices().map(|mut devices| devices.remove(0));
        Ok(vec![Arc::new(Knowing(device()?)), device()?])
    }
    fn absence(&self) -> Option<String> {
        None
    }
}

#[test]
fn memory_of_a_second_device_is_found_before_the_first_ones_driver_is_asked() {
    let devices: Devices = discover(&[Box::new(Two)], None);
    let index = |pointer| devices.owner(pointer).map(|(entry, _)| entry.index);
    let memory = devices.visible[1].device.memory();
    let pointer = memory.allocate(MemoryKind::Host, 64, 64).expect("memory");
    assert_eq!(index(pointer), Some(1));
    assert_eq!(index((&raw const devices).cast()), Some(0), "memory of the program's own is asked about");
}
