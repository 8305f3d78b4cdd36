//! The library, its platforms and descriptions of its errors.
//!
//! In: a table of functions and a platform's handle. Out: a [`Platform`], whose devices share a
//! context, and an [`OpenCl`] for each device. *Invariant:* the context lives exactly as long as a
//! device uses it, and a remedy is something that the user can do.

use crate::{
    failure::{made, remedy},
    memory::{Allocator, Owner},
};
use opencl_sys::{
    Api, IlProgram,
    types::{
        CONTEXT_PLATFORM, Context, ContextStruct, Device, DeviceStruct, PlatformStruct, Program, Queue, error::name,
    },
};
use sinter_driver_common::{Describe, Failure, Handle, lock};
use std::{
    ffi::{CStr, c_void},
    ptr,
    sync::{
        Arc, Mutex,
        atomic::{AtomicPtr, Ordering},
    },
};

/// Requests correctly rounded division and square root of `float`. Code that allows less precision
/// says so itself.
pub(crate) const CORRECTLY_ROUNDED: &CStr = c"-cl-fp32-correctly-rounded-divide-sqrt";

/// A platform: the devices of one vendor.
pub(crate) struct Platform {
    pub(crate) api: Arc<Api>,
    pub(crate) handle: Handle<PlatformStruct>,
    /// Present if programs are created by the extension.
    pub(crate) il_program: Option<IlProgram>,
    /// The devices in use.
    pub(crate) devices: Vec<Handle<DeviceStruct>>,
    /// The context of all devices, and the number of references to it.
    context: Mutex<(Handle<ContextStruct>, usize)>,
}

impl Platform {
    pub(crate) fn new(
        api: &Arc<Api>,
        handle: Handle<PlatformStruct>,
        il_program: Option<IlProgram>,
        devices: Vec<Handle<DeviceStruct>>,
    ) -> Self {
        let context = Mutex::new((Handle(ptr::null_mut()), 0));
        Platform { api: Arc::clone(api), handle, il_program, devices, context }
    }

    /// Adds a reference to the context, and creates it for the first one.
    pub(crate) fn retain(&self) -> Result<Context, Failure> {
        let mut context = lock(&self.context);
        if context.1 == 0 {
            context.0 = Handle(self.create()?);
        }
        context.1 += 1;
        Ok(context.0.0)
    }

    fn create(&self) -> Result<Context, Failure> {
        let properties = [CONTEXT_PLATFORM, self.handle.0.expose_provenance().cast_signed(), 0];
        let devices: Vec<Device> = self.devices.iter().map(|device| device.0).collect();
        let (mut code, count) = (0, devices.len() as u32);
        let (properties, devices) = (properties.as_ptr(), devices.as_ptr());
        // SAFETY: the properties end with 0, the count is that of the devices, and there is no
        // error callback.
        let context =
            unsafe { self.api.context_create(properties, count, devices, ptr::null(), ptr::null_mut(), &raw mut code) };
        made("clCreateContext", code, context)
    }

    /// Drops a reference from [`Platform::retain`], and releases the context with the last one.
    pub(crate) fn release(&self) {
        let mut context = lock(&self.context);
        context.1 -= 1;
        if context.1 == 0 {
            // SAFETY: nobody uses the context any more. An error, such as that the process is
            // exiting, needs no handling.
            let _ = unsafe { self.api.context_release(context.0.0) };
        }
    }

    /// Creates a program from SPIR-V, for all devices of the context.
    ///
    /// # Safety
    /// The context is alive.
    pub(crate) unsafe fn program(&self, context: Context, code: &[u8]) -> Result<Program, Failure> {
        let (mut error, bytes) = (0, code.as_ptr().cast::<c_void>());
        match &self.il_program {
            Some(extension) => {
                // SAFETY: the size is that of the bytes.
                let program = unsafe { extension.program_create(context, bytes, code.len(), &raw mut error) };
                made("clCreateProgramWithILKHR", error, program)
            }
            None => {
                // SAFETY: as above.
                let program = unsafe { self.api.program_create(context, bytes, code.len(), &raw mut error) };
                made("clCreateProgramWithIL", error, program)
            }
        }
    }
}

/// A device of a platform.
pub(crate) struct OpenCl {
    pub(crate) api: Arc<Api>,
    pub(crate) platform: Arc<Platform>,
    pub(crate) device: Handle<DeviceStruct>,
    /// Our number of the device.
    pub(crate) number: i32,
    pub(crate) allocator: Allocator,
    /// Build options of all programs.
    pub(crate) options: &'static CStr,
    /// The platform's context; null until this device uses it.
    context: AtomicPtr<ContextStruct>,
}

impl OpenCl {
    pub(crate) fn new(
        platform: &Arc<Platform>,
        number: i32,
        device: Handle<DeviceStruct>,
        allocator: Allocator,
        options: &'static CStr,
    ) -> Self {
        let (api, context) = (Arc::clone(&platform.api), AtomicPtr::default());
        OpenCl { api, platform: Arc::clone(platform), device, number, allocator, options, context }
    }

    pub(crate) fn set_context(&self, context: Context) {
        self.context.store(context, Ordering::Release);
    }

    /// The context, which exists.
    pub(crate) fn context(&self) -> Context {
        self.context.load(Ordering::Acquire)
    }

    /// The device as the owner of memory. The context exists.
    pub(crate) fn owner(&self) -> Owner<'_> {
        Owner { api: &self.api, context: self.context(), device: self.device.0, number: self.number }
    }

    /// Submits the commands of a queue to the device, because others wait for them or the program
    /// queries their progress.
    ///
    /// # Safety
    /// The queue is alive.
    pub(crate) unsafe fn flush(&self, queue: Queue) -> Result<(), Failure> {
        // SAFETY: upheld by the caller.
        unsafe { self.api.flush(queue) }
    }
}

impl Describe for OpenCl {
    fn name(&self, code: u32) -> Option<String> {
        name(code.cast_signed()).map(str::to_owned)
    }

    /// OpenCL describes errors only by name.
    fn text(&self, code: u32) -> Option<String> {
        self.name(code)
    }

    fn remedy(&self, code: u32) -> Option<&'static str> {
        remedy(code.cast_signed())
    }
}
