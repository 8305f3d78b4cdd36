//! Assembles PTX to machine code.
//!
//! In: PTX, or a cubin with the PTX that it was made from. Out: a cubin for this GPU with that PTX.
//! *Invariant:* the assembler's name covers everything besides the PTX that the machine code
//! depends on: CUDA version, architecture, optimisation level, and the build of the driver if it is
//! known. Code with another name is assembled again.
//!
//! This uses the driver's linker instead of loading PTX, because the linker returns the cubin,
//! which is cached.

use crate::{
    context::Context,
    jit::{Jit, value},
    module::usage,
    registers,
};
use cudarc::driver::sys::{CUjit_option_enum as Option_, CUjitInputType_enum as Input, CUlinkState};
use sinter_core::{CodeFormat, CodeObject, names::readable};
use sinter_driver::DriverError;
use sinter_driver_common::{Assembler, Failure};
use std::{
    ffi::{CStr, CString},
    ptr, slice,
    sync::Arc,
};

/// The highest optimisation level of the driver's assembler, and its default.
const HIGHEST_LEVEL: u8 = 4;

/// The assembler for one GPU.
pub(crate) struct Compiler {
    pub(crate) assembler: Assembler,
    level: Option<u8>,
}

/// A link in progress.
struct Link<'a> {
    context: &'a Context,
    state: CUlinkState,
}

impl Drop for Link<'_> {
    fn drop(&mut self) {
        // SAFETY: the state is ours, and nothing refers to it any more. An error needs no handling.
        let _ = unsafe { self.context.api.link_destroy(self.state) };
    }
}

impl Compiler {
    pub(crate) fn new(version: &str, build: Option<&str>, sm: u32, level: Option<u8>) -> Self {
        let level = level.map(|level| level.min(HIGHEST_LEVEL));
        let suffix = level.map(|level| format!(" O{level}")).unwrap_or_default();
        let build = build.map(|build| format!(" ({build})")).unwrap_or_default();
        let name = format!("cuda {version}{build} sm_{sm}{suffix}");
        Compiler { assembler: Assembler { name, source: CodeFormat::Ptx, machine: CodeFormat::Cubin }, level }
    }

    /// Assembles the PTX of a code object.
    pub(crate) fn assemble(&self, context: &Arc<Context>, code: &CodeObject) -> Result<CodeObject, DriverError> {
        self.assembler.assemble(code, |text| self.link_best(context, &code.entry.symbol, text))
    }

    /// Links without the required work-group size, if the result can still run in groups of that
    /// size. The linker produces relocatable code, for which the assembler takes a required size as
    /// permission to use all registers for one group of that size: 118 instead of 32 per work-item
    /// in a tiled matrix product, which was 2.4 times slower. Links once more if another register
    /// count is worth it.
    fn link_best(&self, context: &Arc<Context>, symbol: &str, text: &[u8]) -> Result<Arc<[u8]>, DriverError> {
        let as_it_is = || self.link(context, symbol, text);
        let Ok(text) = std::str::from_utf8(text) else { return as_it_is() };
        let (unbounded, group) = registers::without_group_size(text).unwrap_or_else(|| (text.to_owned(), 1));
        let cubin = self.link(context, symbol, unbounded.as_bytes())?;
        let used = usage(context, symbol, &cubin)?;
        if used.group < group {
            return as_it_is();
        }
        let limit =
            if self.level.is_some() { None } else { registers::second_try(text, used, context.limits.registers) };
        let Some(limited) = limit.and_then(|limit| registers::with_at_most(&unbounded, limit)) else {
            return Ok(cubin);
        };
        let other = self.link(context, symbol, limited.as_bytes())?;
        let is_better = used.may_become(usage(context, symbol, &other)?, group);
        Ok(if is_better { other } else { cubin })
    }

    fn options(&self, text: &CStr) -> Jit {
        let mut jit = Jit::new();
        jit.push(Option_::CU_JIT_TARGET_FROM_CUCONTEXT, value(0));
        if let Some(level) = self.level {
            jit.push(Option_::CU_JIT_OPTIMIZATION_LEVEL, value(level.into()));
        }
        if has_line_tables(text) {
            jit.push(Option_::CU_JIT_GENERATE_LINE_INFO, value(1));
        }
        jit
    }

    fn link(&self, context: &Context, symbol: &str, text: &[u8]) -> Result<Arc<[u8]>, DriverError> {
        let text = CString::new(text).map_err(|_| context.refused(symbol, "its PTX contains a null character"))?;
        let name = context.c_name(symbol)?;
        let mut jit = self.options(&text);
        let _current = context.enter()?;
        let mut state = ptr::null_mut();
        // SAFETY: the arrays have as many entries as their count says, and `jit`, with the log,
        // outlives the state.
        let created = unsafe { context.api.link_create(jit.count(), jit.options(), jit.values(), &raw mut state) };
        let failed = |failure, jit: &Jit| context.failed(symbol, failure, &jit.logs());
        created.map_err(|failure| failed(failure, &jit))?;
        let link = Link { context, state };
        let cubin = finish(&link, &text, &name).map_err(|failure| failed(failure, &jit))?;
        tracing::debug!(kernel = readable(symbol), "assembled to {} bytes: {}", cubin.len(), jit.logs());
        match cubin.is_empty() {
            true => Err(context.refused(symbol, "the driver's assembler made no code of it")),
            false => Ok(cubin),
        }
    }
}

fn has_line_tables(text: &CStr) -> bool {
    text.to_str().is_ok_and(|text| text.contains(".loc\t") || text.contains(".loc "))
}

/// Adds the PTX to a link and takes its result.
fn finish(link: &Link, text: &CString, name: &CString) -> Result<Arc<[u8]>, Failure> {
    let (api, size) = (&link.context.api, text.as_bytes_with_nul().len());
    let (data, none, no_values) = (text.as_ptr().cast_mut().cast(), ptr::null_mut(), ptr::null_mut());
    // SAFETY: the PTX has `size` bytes with its null terminator, and the driver copies it.
    unsafe { api.link_add(link.state, Input::CU_JIT_INPUT_PTX, data, size, name.as_ptr(), 0, none, no_values) }?;
    let (mut image, mut size) = (ptr::null_mut(), 0);
    // SAFETY: both are writable.
    unsafe { api.link_complete(link.state, &raw mut image, &raw mut size) }?;
    if image.is_null() {
        return Ok(Arc::default());
    }
    // SAFETY: the image has `size` bytes and lives until the state is destroyed.
    Ok(Arc::from(unsafe { slice::from_raw_parts(image.cast::<u8>(), size) }))
}

#[cfg(test)]
mod tests {
    use super::Compiler;

    #[test]
    fn two_builds_of_one_version_of_cuda_have_two_names() {
        let name = |build, level| Compiler::new("13.0", build, 90, level).assembler.name;
        assert_eq!(name(None, None), "cuda 13.0 sm_90");
        assert_eq!(name(Some("580.65.06"), None), "cuda 13.0 (580.65.06) sm_90");
        assert_eq!(name(Some("580.105.08"), Some(9)), "cuda 13.0 (580.105.08) sm_90 O4");
    }
}
