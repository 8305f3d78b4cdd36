//! Assembles SPIR-V to machine code.
//!
//! In: SPIR-V, or machine code with the SPIR-V that it was made from. Out: machine code for this
//! device with that SPIR-V, or a built program. *Invariant:* the assembler's name covers vendor,
//! driver version, device and options and, unless the device is a GPU, the features of the CPU,
//! because the name of a CPU does not determine its instruction set. Settings that a driver reads
//! itself are not covered.

use crate::{failure::made, library::OpenCl, queries::bytes};
use opencl_sys::types::{PROGRAM_BINARIES, PROGRAM_BINARY_SIZES, PROGRAM_BUILD_LOG, Program, ProgramStruct};
use sinter_core::{CodeFormat, CodeObject, SpirvTarget};
use sinter_driver::{DeviceInfo, DeviceKind, DriverError};
use sinter_driver_common::{Assembler, Context, Failure, Handle, error::written, spirv};
use std::{
    ffi::{CStr, c_void},
    ptr,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
};

/// The compiler of one device.
pub(crate) struct Compiler {
    assembler: Assembler,
    target: SpirvTarget,
    /// True once the library has returned no machine code.
    gives_none: AtomicBool,
}

/// A built program, released when dropped.
pub(crate) struct Built<'a> {
    context: &'a Context<OpenCl>,
    program: Program,
}

impl Built<'_> {
    pub(crate) fn program(&self) -> Program {
        self.program
    }

    /// Passes ownership of the program to the caller.
    pub(crate) fn keep(self) -> Handle<ProgramStruct> {
        let program = Handle(self.program);
        std::mem::forget(self);
        program
    }
}

impl Drop for Built<'_> {
    fn drop(&mut self) {
        // SAFETY: the program is ours, and nobody else has it. An error, such as that the process
        // is exiting, needs no handling.
        let _ = unsafe { self.context.api.api.program_release(self.program) };
    }
}

/// The feature words of the CPU, in hexadecimal (Intel's manual, "CPUID", leaves 1 and 7).
#[cfg(target_arch = "x86_64")]
fn instructions() -> String {
    use std::arch::x86_64::{__cpuid, __cpuid_count};
    let (first, more, most) = (__cpuid(1), __cpuid_count(7, 0), __cpuid_count(7, 1));
    let words = [first.eax, first.ecx, first.edx, more.ebx, more.ecx, more.edx, most.eax, most.edx];
    words.map(|word| format!(" {word:08x}")).concat()
}

#[cfg(not(target_arch = "x86_64"))]
fn instructions() -> String {
    String::new()
}

impl Compiler {
    /// `options` are the build options of all programs.
    pub(crate) fn new(info: &DeviceInfo, options: &CStr, target: &SpirvTarget) -> Self {
        let (DeviceInfo { name, driver_version, vendor, .. }, options) = (info, options.to_string_lossy());
        // An accelerator may be a CPU presented as one.
        let own = if info.kind == DeviceKind::Gpu { String::new() } else { instructions() };
        let name = format!("opencl {driver_version} {vendor} {name}{own} {options}").trim_end().to_owned();
        let assembler = Assembler { name, source: CodeFormat::Spirv, machine: CodeFormat::ClBinary };
        Compiler { assembler, target: target.clone(), gives_none: AtomicBool::new(false) }
    }

    /// Name of the assembler.
    pub(crate) fn name(&self) -> &str {
        &self.assembler.name
    }

    /// True if code needs no assembling for this device.
    pub(crate) fn is_ready(&self, code: &CodeObject) -> bool {
        self.gives_none.load(Ordering::Relaxed) || self.assembler.is_ready(code)
    }

    /// Assembles the SPIR-V of a code object. A library that returns no machine code is not asked
    /// again; it compiles SPIR-V in each process.
    pub(crate) fn assemble(
        &self,
        context: &Context<OpenCl>,
        code: &CodeObject,
    ) -> Result<Option<CodeObject>, DriverError> {
        let made = self.assembler.assemble(code, |text| {
            let _current = context.enter()?;
            let built = self.build_spirv(context, &code.entry.symbol, text)?;
            Ok(binary(&built).unwrap_or_default())
        })?;
        let has_code = !made.bytes.is_empty();
        self.gives_none.store(!has_code, Ordering::Relaxed);
        Ok(has_code.then_some(made))
    }

    /// Builds a program from a code object. The context is current.
    pub(crate) fn build<'a>(&self, context: &'a Context<OpenCl>, code: &CodeObject) -> Result<Built<'a>, DriverError> {
        let symbol = &code.entry.symbol;
        match self.assembler.is_machine(context, code)? {
            true => build_binary(context, symbol, &code.bytes),
            false => self.build_spirv(context, symbol, &code.bytes),
        }
    }

    fn build_spirv<'a>(
        &self,
        context: &'a Context<OpenCl>,
        symbol: &str,
        bytes: &[u8],
    ) -> Result<Built<'a>, DriverError> {
        spirv::check(bytes, symbol, &self.target).map_err(|reason| context.refused(symbol, reason))?;
        let opencl = &context.api;
        // SAFETY: the context is alive.
        let program = unsafe { opencl.platform.program(opencl.context(), bytes) };
        build(context, symbol, program)
    }
}

fn build_binary<'a>(context: &'a Context<OpenCl>, symbol: &str, bytes: &[u8]) -> Result<Built<'a>, DriverError> {
    let (opencl, mut status, mut code) = (&context.api, 0, 0);
    let (size, start) = (bytes.len(), bytes.as_ptr());
    let (device, size, start) = (&raw const opencl.device.0, &raw const size, &raw const start);
    // SAFETY: context and device are alive, each array has one entry, and the size is that of the
    // bytes.
    let program = unsafe {
        opencl.api.program_of_binary(opencl.context(), 1, device, size, start, &raw mut status, &raw mut code)
    };
    let code = if code == 0 { status } else { code };
    build(context, symbol, made("clCreateProgramWithBinary", code, program))
}

fn build<'a>(
    context: &'a Context<OpenCl>,
    symbol: &str,
    program: Result<Program, Failure>,
) -> Result<Built<'a>, DriverError> {
    let opencl = &context.api;
    let program = program.map_err(|failure| context.failed(symbol, failure, ""))?;
    let built = Built { context, program };
    // SAFETY: program and device are alive.
    let result = unsafe {
        let options = opencl.options.as_ptr();
        opencl.api.program_build(program, 1, &raw const opencl.device.0, options, ptr::null(), ptr::null_mut())
    };
    result.map_err(|failure| context.failed(symbol, failure, &log(opencl, program)))?;
    Ok(built)
}

/// The compiler's build log.
fn log(opencl: &OpenCl, program: Program) -> String {
    let log = bytes(|room, place, size| {
        // SAFETY: program and device are alive, and the buffer has the given size.
        unsafe { opencl.api.program_build_info(program, opencl.device.0, PROGRAM_BUILD_LOG, room, place, size) }
    });
    written(&log.unwrap_or_default())
}

/// The machine code of a program for its only device.
fn binary(built: &Built) -> Result<Arc<[u8]>, Failure> {
    let (api, mut size) = (&built.context.api.api, 0usize);
    let place = (&raw mut size).cast::<c_void>();
    // SAFETY: the program is alive, and `size` has the given size.
    unsafe { api.program_info(built.program, PROGRAM_BINARY_SIZES, size_of_val(&size), place, ptr::null_mut()) }?;
    let mut code = vec![0u8; size];
    let mut start = code.as_mut_ptr();
    let place = (&raw mut start).cast::<c_void>();
    // SAFETY: the program is alive, and the only pointer refers to a buffer of the size that the
    // library requested.
    unsafe { api.program_info(built.program, PROGRAM_BINARIES, size_of_val(&start), place, ptr::null_mut()) }?;
    Ok(code.into())
}
