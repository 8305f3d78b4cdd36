//! `llvm-to-amdgpu-tool`: translates one kernel to code for AMD GPUs, offline.
//!
//! In: IR, bitcode, a container, a program with containers, or a request. Out: IR after a step,
//! assembly, an object or a code object.
//! *Invariant:* this module has only the [`Family`] of these GPUs; everything else is shared.
#![forbid(unsafe_code)]

use crate::{family::Family, library::read_library};
use clap::{Args, ValueEnum};
use sinter_core::{AmdgcnTarget, Image, Target, TranslateRequest};
use sinter_tool_common::ToolError;
use sinter_translate::{Format, Product, Step, emit};
use std::path::PathBuf;

/// AMD GPUs.
#[derive(Debug, Args)]
pub(crate) struct Amdgpu {
    /// Target ID: processor and the features that are known, as in `gfx90a:sramecc+:xnack-` or
    /// `gfx1100:wavefrontsize64+`
    #[arg(long, default_value = "gfx90a", value_name = "ID")]
    target: AmdgcnTarget,
    /// Form of the output
    #[arg(long, value_enum, default_value_t = Emit::Co)]
    emit: Emit,
    /// AMD's ocml, instead of the mathematical functions that are built in
    #[arg(long, value_name = "FILE")]
    library: Option<PathBuf>,
    /// Emit line tables, which map instructions to source lines
    #[arg(long)]
    line_tables: bool,
}

/// Prefix of the functions of ocml.
const OCML: &str = "__ocml_";

/// Output form.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Emit {
    /// IR after the optimiser.
    Ir,
    /// Assembly.
    Asm,
    /// A relocatable object.
    Obj,
    /// The code object that the runtime loads.
    Co,
}

impl Family for Amdgpu {
    const TOOL: &'static str = "llvm-to-amdgpu-tool";
    const NAME: &'static str = "amdgpu";
    const ABOUT: &'static str = "Translates one kernel to code for AMD GPUs";
    const EXAMPLES: &'static [&'static str] = &[
        "--list-kernels app",
        "app --kernel triad --target gfx90a:xnack- -o triad.co",
        "k.ll --kernel triad --target gfx1100 --group-size 64 --emit asm -o -",
        "k.ll --kernel use --stop-after specialize --constant n=i32:16 -o -",
        "k.ll --kernel triad --fast-math --emit ir -o -",
        "--replay failed.request -o k.co",
    ];

    fn target(&self) -> Result<Target, ToolError> {
        Ok(Target::Amdgcn(AmdgcnTarget { line_tables: self.line_tables, ..self.target.clone() }))
    }

    fn libraries(&self) -> Result<Vec<Image>, ToolError> {
        self.library.iter().map(|path| read_library(path, "AMD's ocml", OCML)).collect()
    }

    fn last_step(&self) -> Option<Step> {
        (self.emit != Emit::Co).then_some(Step::Optimise)
    }

    fn write(&self, product: Product, request: &TranslateRequest) -> Result<Vec<u8>, ToolError> {
        let text = match product {
            Product::Code(code) => return Ok(code.bytes.to_vec()),
            Product::Ir(text) => text,
        };
        match self.emit {
            Emit::Ir => Ok(text.into_bytes()),
            Emit::Asm => emit(&text, request, Format::Assembly).map_err(ToolError::rejected),
            Emit::Obj | Emit::Co => emit(&text, request, Format::Object).map_err(ToolError::rejected),
        }
    }
}
