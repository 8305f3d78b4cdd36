//! `llvm-to-ptx-tool`: translates one kernel to code for NVIDIA GPUs, offline.
//!
//! In: IR, bitcode, a container, a program with containers, or a request. Out: IR after a step,
//! PTX, or a cubin that NVIDIA's assembler makes of it.
//! *Invariant:* this module has only the [`Family`] of these GPUs; everything else is shared.
#![forbid(unsafe_code)]

mod assemble;
mod target;

use crate::{family::Family, library::read_library};
use clap::{Args, ValueEnum};
use sinter_core::{Image, Target, TranslateRequest};
use sinter_tool_common::ToolError;
use sinter_translate::{Product, Step};
use std::path::PathBuf;
use target::Gpu;

/// NVIDIA GPUs.
#[derive(Debug, Args)]
pub(crate) struct Ptx {
    /// Compute capability, with the newest PTX version it may use where that matters: `sm_80:ptx72`
    #[arg(long, default_value = "sm_90", value_name = "SM[:PTX]")]
    target: Gpu,
    /// Form of the output
    #[arg(long, value_enum, default_value_t = Emit::Ptx)]
    emit: Emit,
    /// NVIDIA's assembler, for cubins
    #[arg(long, env = "SINTER_PTXAS", default_value = "ptxas", value_name = "FILE")]
    ptxas: PathBuf,
    /// NVIDIA's libdevice (libdevice.10.bc), instead of the mathematical functions that are built
    /// in
    #[arg(long, visible_alias = "libdevice", value_name = "FILE")]
    library: Option<PathBuf>,
    /// Emit line tables, which map instructions to source lines
    #[arg(long)]
    line_tables: bool,
}

/// Prefix of the functions of libdevice.
const LIBDEVICE: &str = "__nv_";

/// Output form.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Emit {
    /// IR after the optimiser.
    Ir,
    /// PTX, as the runtime passes it to the GPU's driver.
    Ptx,
    /// Machine code; needs ptxas.
    Cubin,
}

impl Family for Ptx {
    const TOOL: &'static str = "llvm-to-ptx-tool";
    const NAME: &'static str = "ptx";
    const ABOUT: &'static str = "Translates one kernel to code for NVIDIA GPUs";
    const EXAMPLES: &'static [&'static str] = &[
        "--list-kernels app",
        "app --kernel triad -o triad.ptx",
        "k.ll --kernel triad --target sm_80:ptx72 --group-size 64 -o -",
        "k.ll --kernel use --stop-after specialize --constant n=i32:16 -o -",
        "k.ll --kernel triad --fast-math --emit ir -o -",
        "--replay failed.request -o k.ptx",
        "app --kernel triad --emit cubin -o triad.cubin",
    ];

    fn target(&self) -> Result<Target, ToolError> {
        Ok(Target::Ptx(self.target.target(self.line_tables)))
    }

    fn libraries(&self) -> Result<Vec<Image>, ToolError> {
        self.library.iter().map(|path| read_library(path, "NVIDIA's libdevice", LIBDEVICE)).collect()
    }

    fn last_step(&self) -> Option<Step> {
        (self.emit == Emit::Ir).then_some(Step::Optimise)
    }

    fn write(&self, product: Product, request: &TranslateRequest) -> Result<Vec<u8>, ToolError> {
        let code = match product {
            Product::Ir(text) => return Ok(text.into_bytes()),
            Product::Code(code) => code,
        };
        match &request.target {
            Target::Ptx(target) if self.emit == Emit::Cubin => {
                assemble::assemble(&self.ptxas, &code.bytes, target).map_err(ToolError::rejected)
            }
            _ => Ok(code.bytes.to_vec()),
        }
    }
}
