//! Assembles SPIR-V to machine code.
//!
//! In: SPIR-V, or machine code with the SPIR-V that it was made from. Out: machine code for this
//! device with that SPIR-V, or a module of the driver. *Invariant:* the machine code depends only
//! on the SPIR-V, the driver version and the device.

use crate::gpu::Gpu;
use level_zero_sys::types::{
    DeviceProperties, FORMAT_NATIVE, FORMAT_SPIRV, Module, ModuleDesc, ModuleLog, ModuleStruct, Structure,
};
use sinter_core::{CodeFormat, CodeObject, SpirvTarget, names::readable};
use sinter_driver::DriverError;
use sinter_driver_common::{Assembler, Context, Failure, Handle, error::written, spirv};
use std::{
    ffi::{CStr, c_char},
    ptr,
    sync::Arc,
};

/// Requests correctly rounded division and square root of `float`; Intel's compiler uses this name
/// in both of its interfaces. Code that allows less precision says so itself.
const CORRECTLY_ROUNDED: &CStr = c"-cl-fp32-correctly-rounded-divide-sqrt";

/// The compiler of one device.
pub(crate) struct Compiler {
    pub(crate) assembler: Assembler,
    target: SpirvTarget,
}

/// A module of the driver, destroyed when dropped.
pub(crate) struct Built<'a> {
    gpu: &'a Gpu,
    handle: Handle<ModuleStruct>,
}

impl Built<'_> {
    pub(crate) fn handle(&self) -> Module {
        self.handle.0
    }

    /// Passes ownership of the module to the caller.
    pub(crate) fn keep(self) -> Handle<ModuleStruct> {
        let handle = self.handle;
        std::mem::forget(self);
        handle
    }
}

impl Drop for Built<'_> {
    fn drop(&mut self) {
        // SAFETY: the module is ours, and nobody has a kernel of it. An error needs no handling.
        let _ = unsafe { self.gpu.api().module_destroy(self.handle.0) };
    }
}

impl Compiler {
    pub(crate) fn new(driver_version: &str, properties: &DeviceProperties, target: &SpirvTarget) -> Self {
        let (vendor, device) = (properties.vendor_id, properties.device_id);
        let name = format!("level-zero {driver_version} {vendor:04x}:{device:04x}");
        let assembler = Assembler { name, source: CodeFormat::Spirv, machine: CodeFormat::ZeBinary };
        Compiler { assembler, target: target.clone() }
    }

    /// Assembles the SPIR-V of a code object.
    pub(crate) fn assemble(&self, context: &Context<Gpu>, code: &CodeObject) -> Result<CodeObject, DriverError> {
        self.assembler.assemble(code, |text| {
            let module = self.build_spirv(context, &code.entry.symbol, text)?;
            binary(&module).map_err(|failure| context.report(failure))
        })
    }

    /// Creates a module from a code object.
    pub(crate) fn build<'a>(&self, context: &'a Context<Gpu>, code: &CodeObject) -> Result<Built<'a>, DriverError> {
        let symbol = &code.entry.symbol;
        match self.assembler.is_machine(context, code)? {
            true => build_native(context, symbol, &code.bytes),
            false => self.build_spirv(context, symbol, &code.bytes),
        }
    }

    fn build_spirv<'a>(&self, context: &'a Context<Gpu>, symbol: &str, bytes: &[u8]) -> Result<Built<'a>, DriverError> {
        spirv::check(bytes, symbol, &self.target).map_err(|reason| context.refused(symbol, reason))?;
        create(context, symbol, FORMAT_SPIRV, bytes)
    }
}

fn build_native<'a>(context: &'a Context<Gpu>, symbol: &str, bytes: &[u8]) -> Result<Built<'a>, DriverError> {
    if bytes.is_empty() {
        return Err(context.refused(symbol, "its machine code has no bytes"));
    }
    create(context, symbol, FORMAT_NATIVE, bytes)
}

/// Creates a module from bytes. The error contains the driver's build log.
fn create<'a>(context: &'a Context<Gpu>, symbol: &str, format: u32, bytes: &[u8]) -> Result<Built<'a>, DriverError> {
    let gpu = context.api.as_ref();
    let (mut desc, mut module, mut log) = (ModuleDesc::new(), ptr::null_mut(), ptr::null_mut());
    (desc.format, desc.size, desc.input) = (format, bytes.len(), bytes.as_ptr());
    desc.flags = if format == FORMAT_SPIRV { CORRECTLY_ROUNDED.as_ptr() } else { ptr::null() };
    let _current = context.enter()?;
    let (desc, module_place, log_place) = (&raw const desc, &raw mut module, &raw mut log);
    // SAFETY: context and device are alive, the size is that of the bytes, which are copied, and
    // both places are writable.
    let created = unsafe { gpu.api().module_create(context.handle.0, gpu.device.0, desc, module_place, log_place) };
    let log = take_log(gpu, log);
    created.map_err(|failure| context.failed(symbol, failure, &log))?;
    tracing::debug!(kernel = readable(symbol), "built from {} bytes: {log}", bytes.len());
    Ok(Built { gpu, handle: Handle(module) })
}

/// Reads a build log and destroys it.
fn take_log(gpu: &Gpu, log: ModuleLog) -> String {
    if log.is_null() {
        return String::new();
    }
    let mut size = 0;
    // SAFETY: the log is ours, and `size` is writable.
    let asked = unsafe { gpu.api().log_string(log, &raw mut size, ptr::null_mut()) };
    let mut text = vec![0u8; if asked.is_ok() { size } else { 0 }];
    if !text.is_empty() {
        // SAFETY: the buffer has the requested size.
        let read = unsafe { gpu.api().log_string(log, &raw mut size, text.as_mut_ptr().cast::<c_char>()) };
        text.truncate(if read.is_ok() { size } else { 0 });
    }
    // SAFETY: the log is ours, and its contents were copied. An error needs no handling.
    let _ = unsafe { gpu.api().log_destroy(log) };
    written(&text)
}

/// The machine code of a module.
fn binary(module: &Built) -> Result<Arc<[u8]>, Failure> {
    let (api, mut size) = (module.gpu.api(), 0);
    // SAFETY: the module is alive, and `size` is writable.
    unsafe { api.module_binary(module.handle(), &raw mut size, ptr::null_mut()) }?;
    let mut bytes = vec![0u8; size];
    // SAFETY: the module is alive, and the buffer has the requested size.
    unsafe { api.module_binary(module.handle(), &raw mut size, bytes.as_mut_ptr()) }?;
    bytes.truncate(size);
    Ok(bytes.into())
}

#[cfg(test)]
mod tests {
    use super::*;
    use sinter_core::SpirvEnvironment;

    #[test]
    fn two_versions_of_a_driver_have_two_names() {
        let name = |device| {
            let mut properties = DeviceProperties::new();
            (properties.vendor_id, properties.device_id) = (0x8086, device);
            Compiler::new("1.3.27642", &properties, &SpirvTarget::full(SpirvEnvironment::LevelZero)).assembler.name
        };
        assert_eq!(name(0x56a0), "level-zero 1.3.27642 8086:56a0");
        assert_eq!(name(0x0bd5), "level-zero 1.3.27642 8086:0bd5");
    }
}
