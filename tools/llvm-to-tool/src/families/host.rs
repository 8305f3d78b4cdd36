//! `llvm-to-host-tool`: translates one kernel to code for the host CPU, offline.
//!
//! In: IR, bitcode, a container, a program with containers, or a request. Out: IR after a step,
//! assembly or the object that the runtime loads.
//! *Invariant:* this module has only the [`Family`] of the host; everything else is shared.
#![forbid(unsafe_code)]

use crate::family::Family;
use clap::{Args, ValueEnum};
use sinter_core::{HostTarget, Target, TranslateRequest};
use sinter_tool_common::ToolError;
use sinter_translate::{Format, Product, Step, check_target, emit, native_target};

/// Host CPUs.
#[derive(Debug, Args)]
pub(crate) struct Host {
    /// `native` or LLVM's name of a CPU, with optional features: `x86-64-v3:-fma`,
    /// `native:-avx512f`
    #[arg(long, default_value = "native", value_name = "CPU[:FEATURES]")]
    target: String,
    /// Form of the output
    #[arg(long, value_enum, default_value_t = Emit::Obj)]
    emit: Emit,
    /// Emit line tables, which map instructions to source lines
    #[arg(long)]
    line_tables: bool,
}

/// Output form.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Emit {
    /// IR after the optimiser.
    Ir,
    /// Assembly.
    Asm,
    /// The relocatable object that the runtime loads.
    Obj,
}

impl Family for Host {
    const TOOL: &'static str = "llvm-to-host-tool";
    const NAME: &'static str = "host";
    const ABOUT: &'static str = "Translates one kernel to code for the host CPU";
    const EXAMPLES: &'static [&'static str] = &[
        "--list-kernels app",
        "app --kernel triad -o triad.o",
        "k.ll --kernel triad --group-size 64 --emit asm -o -",
        "k.ll --kernel use --stop-after specialize --constant n=i32:16 -o -",
        "app --kernel triad --constant depth=bytes:0x10000000 -o triad.o",
        "--replay failed.request -o k.o",
    ];

    fn target(&self) -> Result<Target, ToolError> {
        let native = native_target();
        let of_cpu = |cpu: &str, features: &str| HostTarget {
            triple: native.triple.clone(),
            cpu: cpu.to_owned(),
            features: features.to_owned(),
            line_tables: self.line_tables,
        };
        let target = match self.target.split_once(':') {
            _ if self.target == "native" => HostTarget { line_tables: self.line_tables, ..native },
            // The last change of a feature takes effect.
            Some(("native", changes)) => of_cpu(&native.cpu, &format!("{},{changes}", native.features)),
            Some((cpu, features)) => of_cpu(cpu, features),
            None => of_cpu(&self.target, ""),
        };
        let known =
            "`native`, `x86-64`, `x86-64-v2` to `x86-64-v4`, or a name that `clang --print-supported-cpus` prints";
        check_target(&target).map_err(|error| {
            ToolError::usage(format!(
                "--target {}: {error}; give {known}, and features as in x86-64-v3:-fma",
                self.target
            ))
        })?;
        Ok(Target::Host(target))
    }

    fn last_step(&self) -> Option<Step> {
        (self.emit != Emit::Obj).then_some(Step::Optimise)
    }

    fn write(&self, product: Product, request: &TranslateRequest) -> Result<Vec<u8>, ToolError> {
        let text = match product {
            Product::Code(code) => return Ok(code.bytes.to_vec()),
            Product::Ir(text) => text,
        };
        match self.emit {
            Emit::Ir => Ok(text.into_bytes()),
            Emit::Asm => emit(&text, request, Format::Assembly).map_err(ToolError::rejected),
            Emit::Obj => emit(&text, request, Format::Object).map_err(ToolError::rejected),
        }
    }
}
