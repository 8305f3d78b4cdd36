//! Makes the machine code of SPIR-V.
//!
//! In: SPIR-V, or machine code that keeps the SPIR-V it was made from. Out: machine code of this
//! device with that SPIR-V, or a program that is built. *Invariant:* the assembler's name holds
//! vendor, version of the driver, device and options, and what the CPU can do unless the device is
//! a GPU, since the name of a CPU does not say which instructions it has. Settings that a driver
//! reads itself are not in it.

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
    /// Whether the library gave no machine code out.
    gives_none: AtomicBool,
}

/// A program that was built, and is released with the value.
pub(crate) struct Built<'a> {
    context: &'a Context<OpenCl>,
    program: Program,
}

impl Built<'_> {
    pub(crate) fn program(&self) -> Program {
        self.program
    }

    /// Leaves the program to the caller.
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

/// What a CPU says that it can do, in words of 32 bits (Intel's manual, "CPUID", leaves 1 and 7).
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
    /// `options` are those that programs are built with.
    pub(crate) fn new(info: &DeviceInfo, options: &CStr, target: &SpirvTarget) -> Self {
        let (DeviceInfo { name, driver_version, vendor, .. }, options) = (info, options.to_string_lossy());
        // An accelerator may be a CPU that stands for one.
        let own = if info.kind == DeviceKind::Gpu { String::new() } else { instructions() };
        let name = format!("opencl {driver_version} {vendor} {name}{own} {options}").trim_end().to_owned();
        let assembler = Assembler { name, source: CodeFormat::Spirv, machine: CodeFormat::ClBinary };
        Compiler { assembler, target: target.clone(), gives_none: AtomicBool::new(false) }
    }

    /// Whether code is as this device takes it.
    pub(crate) fn is_ready(&self, code: &CodeObject) -> bool {
        self.gives_none.load(Ordering::Relaxed) || self.assembler.is_ready(code)
    }

    /// Makes machine code of a code object's SPIR-V. A library that gives none out is not asked
    /// again: it compiles SPIR-V in each process.
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

    /// Builds a program of a code object. The context is current.
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
    // SAFETY: context and device are alive, there is one of each list, and the bytes are as many as
    // said.
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

/// What the compiler said.
fn log(opencl: &OpenCl, program: Program) -> String {
    let log = bytes(|room, place, size| {
        // SAFETY: program and device are alive, and there is as much room as said.
        unsafe { opencl.api.program_build_info(program, opencl.device.0, PROGRAM_BUILD_LOG, room, place, size) }
    });
    written(&log.unwrap_or_default())
}

/// The machine code of a program for its one device.
fn binary(built: &Built) -> Result<Arc<[u8]>, Failure> {
    let (api, mut size) = (&built.context.api.api, 0usize);
    let place = (&raw mut size).cast::<c_void>();
    // SAFETY: the program is alive, and the size has as many bytes as are asked for.
    unsafe { api.program_info(built.program, PROGRAM_BINARY_SIZES, size_of_val(&size), place, ptr::null_mut()) }?;
    let mut code = vec![0u8; size];
    let mut start = code.as_mut_ptr();
    let place = (&raw mut start).cast::<c_void>();
    // SAFETY: the program is alive, and behind the one pointer is as much room as the library said
    // that it wants.
    unsafe { api.program_info(built.program, PROGRAM_BINARIES, size_of_val(&start), place, ptr::null_mut()) }?;
    Ok(code.into())
}
