//! Compiles pipelines ahead of the first launch, to keep them with the SPIR-V.
//!
//! In: a code object with SPIR-V, or with pipelines of some driver beside it. Out: one with data of
//! `vkGetPipelineCacheData`, for the group size that launches probably have. *Invariant:* a driver
//! that exports no pipelines is not made to compile any here.
#![forbid(unsafe_code)]

use crate::{
    callable::{Callable, Needs},
    forms::{Forms, HEADER},
    kernel::{self, rules},
    vendor::Vulkan,
};
use sinter_core::CodeObject;
use sinter_driver::DriverError;
use sinter_driver_common::Context;
use std::sync::{Arc, OnceLock};

/// A shader that does nothing, with the entry point `main`.
#[rustfmt::skip]
const NOTHING: [u32; 35] = [
    0x0723_0203, 0x0001_0500, 0, 5, 0, // the header
    0x0002_0011, 1, // the capability Shader
    0x0003_000e, 0, 1, // the memory model GLSL450
    0x0005_000f, 5, 1, 0x6e69_616d, 0, // the entry point
    0x0006_0010, 1, 17, 1, 1, 1, // one item a group
    0x0002_0013, 2, // void
    0x0003_0021, 3, 2, // the type of the function
    0x0005_0036, 2, 1, 0, 3, // the function
    0x0002_00f8, 4, // its block
    0x0001_00fd, // the return
    0x0001_0038, // the end
];

/// The compiler of pipelines of one device.
pub(crate) struct Compiler {
    pub(crate) forms: Forms,
    /// True if the driver exports pipelines, once that is known.
    exports: OnceLock<bool>,
}

impl Compiler {
    pub(crate) fn new(forms: Forms) -> Self {
        Compiler { forms, exports: OnceLock::new() }
    }

    /// True if code needs no assembling for this device.
    pub(crate) fn is_ready(&self, code: &CodeObject) -> bool {
        self.exports.get() == Some(&false) || self.forms.assembler.is_ready(code)
    }

    /// Compiles the pipeline of a code object. `None` if the driver exports none, or there is none
    /// for the usual group size: the first launch then says why, or compiles another one.
    pub(crate) fn assemble(
        &self,
        context: &Arc<Context<Vulkan>>,
        code: &CodeObject,
    ) -> Result<Option<CodeObject>, DriverError> {
        let _current = context.enter()?;
        if !*self.exports.get_or_init(|| exports(&context.api)) {
            return Ok(None);
        }
        let mut callable = kernel::callable(context, &self.forms, code)?;
        callable.keep_pipelines(&[]);
        let info = &context.info;
        let sub_group = info.sub_group_sizes.iter().max().map_or(1, |size| *size as u32);
        let [usual, ..] = rules(info.kind, callable.sub_group.unwrap_or(sub_group)).candidates;
        if let Err(failure) = callable.prepare([usual.min(context.limits.group), 1, 1]) {
            tracing::debug!(?failure, "no pipeline for the usual group size");
            return Ok(None);
        }
        let data = callable.compiled_pipelines();
        if !self.forms.are_ours(&data) {
            return Ok(None);
        }
        self.forms.assembler.assemble(code, |_| Ok(data.into())).map(Some)
    }
}

/// True if the driver exports more than a header for a pipeline.
fn exports(vulkan: &Vulkan) -> bool {
    let code: Vec<u8> = NOTHING.iter().flat_map(|word| word.to_le_bytes()).collect();
    let needs = Needs { argument_size: 0, fixed_words: Some(1) };
    let made = vulkan
        .blank_status()
        .and_then(|status| Callable::create(vulkan.logical(), needs, &code, c"main".to_owned(), None, status));
    let Ok(mut callable) = made else { return false };
    callable.keep_pipelines(&[]);
    callable.prepare([1; 3]).is_ok() && callable.compiled_pipelines().len() > HEADER
}
