//! `llvm-to-spirv-tool`: translates one kernel to SPIR-V, offline.
//!
//! In: IR, bitcode, a container, a program with containers, or a request. Out: IR after a step, or a module of SPIR-V as words or text.
//! *Invariant:* this is the [`Family`] of devices that take SPIR-V; everything else is what these tools share.
#![forbid(unsafe_code)]

use clap::{Args, ValueEnum};
use sinter_core::{Image, SpirvEnvironment, SpirvTarget, Target, TranslateRequest};
use sinter_tool_common::ToolError;
use sinter_tool_translate::Family;
use sinter_translate::{Format, Product, Step, emit};

/// Devices that take SPIR-V.
#[derive(Debug, Args)]
pub struct Spirv {
    /// The interface that takes the module
    #[arg(long, value_enum, default_value_t = Environment::OpenCl, value_name = "NAME")]
    env: Environment,
    /// The version of SPIR-V to write, 1.0 to 1.4
    #[arg(long, default_value = "1.4", value_name = "VERSION")]
    spirv_version: String,
    /// What the device has not, or has: `-fp64,-generic`, or `-all,+fp64`. Without it, it has everything
    #[arg(long, value_name = "LIST", allow_hyphen_values = true, value_delimiter = ',')]
    features: Vec<String>,
    /// What to write
    #[arg(long, value_enum, default_value_t = Emit::Spv)]
    emit: Emit,
    /// Say in the module which source line it comes from
    #[arg(long)]
    line_tables: bool,
}

/// The interface.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Environment {
    /// OpenCL 2.1 or newer.
    #[value(name = "opencl2.1", alias = "opencl")]
    OpenCl,
    /// Level Zero.
    LevelZero,
}

/// What to write.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Emit {
    /// IR after the optimiser and the legaliser.
    Ir,
    /// The module as text.
    Text,
    /// The module as words, which the runtime loads.
    Spv,
}

impl From<Environment> for SpirvEnvironment {
    fn from(environment: Environment) -> Self {
        match environment {
            Environment::OpenCl => SpirvEnvironment::OpenCl,
            Environment::LevelZero => SpirvEnvironment::LevelZero,
        }
    }
}

impl Family for Spirv {
    const TOOL: &'static str = "llvm-to-spirv-tool";
    const NAME: &'static str = "spirv";
    const ABOUT: &'static str = "Translates one kernel to SPIR-V";
    const EXAMPLES: &'static [&'static str] = &[
        "--list-kernels app",
        "app --kernel triad -o triad.spv",
        "k.ll --kernel triad --env level-zero --features=-fp64 --emit text -o -",
        "k.ll --kernel use --stop-after specialize --constant n=i32:16 -o -",
        "k.ll --kernel triad --spirv-version 1.2 --emit ir -o -",
        "--replay failed.request -o k.spv",
    ];

    fn target(&self) -> Result<Target, ToolError> {
        let environment = SpirvEnvironment::from(self.env).name();
        let words = [environment, &self.spirv_version].into_iter().chain(self.features.iter().map(String::as_str));
        let text = words.collect::<Vec<_>>().join(":");
        let target: SpirvTarget = text.parse().map_err(ToolError::usage)?;
        Ok(Target::Spirv(SpirvTarget { line_tables: self.line_tables, ..target }))
    }

    fn libraries(&self) -> Result<Vec<Image>, ToolError> {
        Ok(Vec::new())
    }

    fn last_step(&self) -> Option<Step> {
        (self.emit != Emit::Spv).then_some(Step::Optimise)
    }

    fn write(&self, product: Product, request: &TranslateRequest) -> Result<Vec<u8>, ToolError> {
        let text = match product {
            Product::Code(code) => return Ok(code.bytes.to_vec()),
            Product::Ir(text) => text,
        };
        match self.emit {
            Emit::Ir => Ok(text.into_bytes()),
            Emit::Text => emit(&text, request, Format::Assembly).map_err(ToolError::rejected),
            Emit::Spv => emit(&text, request, Format::Object).map_err(ToolError::rejected),
        }
    }
}
