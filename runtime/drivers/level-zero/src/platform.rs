//! A driver of Level Zero and the context that its devices share.
//!
//! In: a handle of the loader. Out: version, extensions, and the context while a device needs it.
//! *Invariant:* there is one context for all devices of a driver, so that each can wait for events
//! of another and access its memory.

use crate::library::Library;
use level_zero_sys::types::{
    Context, ContextDesc, Device, DeviceStruct, Driver, DriverProperties, DriverStruct, Extension, Structure, version,
};
use sinter_driver_common::{Failure, Handle, lock};
use std::{
    collections::BTreeSet,
    ffi::{CStr, c_char},
    mem, ptr,
    sync::{
        Arc, Mutex, OnceLock,
        atomic::{AtomicPtr, Ordering},
    },
};

/// First version of the specification with in-order command lists.
const IN_ORDER: u32 = version(1, 7);

/// A driver of the loader.
pub(crate) struct Platform {
    pub(crate) library: Arc<Library>,
    pub(crate) driver: Handle<DriverStruct>,
    /// Driver version, such as 1.3.27642.
    pub(crate) driver_version: String,
    /// True if command lists can be in-order and waited for.
    pub(crate) in_order: bool,
    extensions: BTreeSet<String>,
    /// The devices in use, with their numbers in our driver.
    devices: OnceLock<Vec<(Handle<DeviceStruct>, i32)>>,
    context: AtomicPtr<level_zero_sys::types::ContextStruct>,
    /// Number of references to the context.
    users: Mutex<usize>,
}

/// The string up to the first null character.
pub(crate) fn text(characters: &[c_char]) -> String {
    let bytes: Vec<u8> = characters.iter().map(|character| character.cast_unsigned()).collect();
    let text = CStr::from_bytes_until_nul(&bytes).map(CStr::to_string_lossy);
    text.map_or_else(|_| String::new(), String::from)
}

/// Lists the results of a function that first returns their number.
pub(crate) fn list<T: Copy>(
    blank: T,
    mut query: impl FnMut(*mut u32, *mut T) -> Result<(), Failure>,
) -> Result<Vec<T>, Failure> {
    let mut count = 0;
    query(&raw mut count, ptr::null_mut())?;
    let mut found = vec![blank; count as usize];
    if count > 0 {
        query(&raw mut count, found.as_mut_ptr())?;
    }
    found.truncate(count as usize);
    Ok(found)
}

/// Formats a version as Intel's drivers encode it: eight bits, eight bits, and a build.
fn version_text(number: u32) -> String {
    format!("{}.{}.{}", number >> 24, (number >> 16) & 0xff, number & 0xffff)
}

impl Platform {
    /// Describes a driver that the loader has initialised.
    pub(crate) fn new(library: &Arc<Library>, driver: Driver) -> Result<Self, Failure> {
        let (api, mut version, mut properties) = (&library.api, 0, DriverProperties::new());
        // SAFETY: the driver is the loader's, and `version` is writable.
        unsafe { api.driver_version(driver, &raw mut version) }?;
        // SAFETY: the driver is the loader's, and the structure states its type.
        unsafe { api.driver_properties(driver, &raw mut properties) }?;
        Ok(Platform {
            library: Arc::clone(library),
            driver: Handle(driver),
            driver_version: version_text(properties.driver_version),
            in_order: version >= IN_ORDER && api.has_list_synchronize(),
            extensions: extensions(library, driver)?,
            devices: OnceLock::new(),
            context: AtomicPtr::default(),
            users: Mutex::default(),
        })
    }

    /// True if the driver has an extension.
    pub(crate) fn has(&self, extension: &str) -> bool {
        self.extensions.contains(extension)
    }

    /// All devices of the driver.
    pub(crate) fn all_devices(&self) -> Result<Vec<Device>, Failure> {
        // SAFETY: the driver is the loader's; count and array follow the function's protocol.
        list(ptr::null_mut(), |count, places| unsafe { self.library.api.device_get(self.driver.0, count, places) })
    }

    /// Sets the devices in use. Called once.
    pub(crate) fn number(&self, devices: Vec<(Handle<DeviceStruct>, i32)>) {
        // Detection calls this once, so the list cannot be set already.
        let _ = self.devices.set(devices);
    }

    /// The devices in use.
    pub(crate) fn handles(&self) -> Vec<Device> {
        self.devices.get().into_iter().flatten().map(|(handle, _)| handle.0).collect()
    }

    /// Our number of a device.
    pub(crate) fn number_of(&self, device: Device) -> Option<i32> {
        let devices = self.devices.get()?;
        devices.iter().find(|(handle, _)| handle.0 == device).map(|(_, number)| *number)
    }

    /// The device with this number.
    pub(crate) fn device(&self, number: i32) -> Option<Device> {
        let devices = self.devices.get()?;
        devices.iter().find(|(_, known)| *known == number).map(|(handle, _)| handle.0)
    }

    // ---- The context.

    /// The context; null while no device needs it.
    #[inline]
    pub(crate) fn context(&self) -> Context {
        self.context.load(Ordering::Acquire)
    }

    /// Adds a reference to the context, and creates it for the first one.
    pub(crate) fn retain(&self) -> Result<Context, Failure> {
        let mut users = lock(&self.users);
        if *users == 0 {
            let (desc, mut made) = (ContextDesc::new(), ptr::null_mut());
            // SAFETY: the driver is the loader's, and `made` is writable.
            unsafe { self.library.api.context_create(self.driver.0, &raw const desc, &raw mut made) }?;
            self.context.store(made, Ordering::Release);
        }
        *users += 1;
        Ok(self.context())
    }

    /// Drops a reference to the context, and destroys it with the last one.
    pub(crate) fn release(&self) {
        let mut users = lock(&self.users);
        *users -= 1;
        if *users == 0 {
            let context = self.context.swap(ptr::null_mut(), Ordering::AcqRel);
            // SAFETY: nothing refers to the context any more. An error needs no handling.
            let _ = unsafe { self.library.api.context_destroy(context) };
        }
    }
}

/// The names of a driver's extensions.
fn extensions(library: &Library, driver: Driver) -> Result<BTreeSet<String>, Failure> {
    // SAFETY: the structure consists of a string and a number.
    let blank: Extension = unsafe { mem::zeroed() };
    // SAFETY: the driver is the loader's; count and array follow the function's protocol.
    let found = list(blank, |count, places| unsafe { library.api.driver_extensions(driver, count, places) })?;
    Ok(found.iter().map(|extension| text(&extension.name)).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_those_that_intel_prints() {
        assert_eq!(version_text(0x0103_6bfa), "1.3.27642");
    }

    #[test]
    fn a_list_that_shrank_is_cut() {
        let found = list(0, |count, places: *mut i32| {
            let size = if places.is_null() { 3 } else { 2 };
            // SAFETY: the count is the caller's variable.
            unsafe { *count = size };
            Ok(())
        });
        assert_eq!(found, Ok(vec![0, 0]));
    }
}
