//! `llvm-to-spirv-tool`: translates one kernel to SPIR-V, offline.
//!
//! In: IR, bitcode, a container, a program with containers, or a request. Out: IR after a step, or
//! a SPIR-V module as words or text, from our emitter or another translator.
//! *Invariant:* this module has only the [`Family`] of SPIR-V devices; everything else is shared.
#![forbid(unsafe_code)]

mod external;
mod module;

use crate::family::Family;
use clap::{Args, ValueEnum};
use external::External;
use sinter_core::{
    FeatureChange, Image, SpirvDevice, SpirvEnvironment, SpirvTarget, Target, TranslateRequest,
    spirv::version as spirv_version,
};
use sinter_tool_common::ToolError;
use sinter_translate::{Format, Product, Step, emit};

/// Devices that take SPIR-V.
#[derive(Debug, Args)]
pub(crate) struct Spirv {
    /// Environment that loads the module
    #[arg(long, value_enum, default_value_t = Environment::OpenCl, value_name = "NAME")]
    env: Environment,
    /// Kind of device, for code that queries it
    #[arg(long, value_enum, default_value_t = Device::Gpu, value_name = "SORT")]
    device: Device,
    /// The newest version of SPIR-V to write, 1.0 to 1.5. Without it, 1.0 for opencl2.1, 1.2 for
    /// opencl2.2, 1.5 for vulkan1.3, where it is the only one, and else 1.4
    #[arg(long, value_parser = spirv_version, value_name = "VERSION")]
    spirv_version: Option<u32>,
    /// Features that the device lacks or has: `-fp64,-generic`, or `-all,+fp64`. By default it has
    /// all
    #[arg(long, value_name = "LIST", allow_hyphen_values = true, value_delimiter = ',')]
    features: Vec<FeatureChange>,
    /// Form of the output
    #[arg(long, value_enum, default_value_t = Emit::Spv)]
    emit: Emit,
    /// Emit line tables, which map instructions to source lines
    #[arg(long)]
    line_tables: bool,
    /// Let another translator write the module, for comparison: a command line, in which `{in}`
    /// stands for the bitcode that it reads and `{out}` for the file that it writes
    #[arg(long, value_name = "CMD", conflicts_with = "stop_after")]
    external: Option<External>,
}

/// Environment that loads the module.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Environment {
    /// OpenCL, on a current device.
    #[value(name = "opencl")]
    OpenCl,
    /// OpenCL 2.1, limited to features that every device supports.
    #[value(name = "opencl2.1")]
    OpenCl21,
    /// OpenCL 2.2, limited to features that every device supports.
    #[value(name = "opencl2.2")]
    OpenCl22,
    /// OpenCL 3, which requires no version.
    #[value(name = "opencl3.0")]
    OpenCl30,
    /// Level Zero.
    LevelZero,
    /// Vulkan 1.3.
    #[value(name = "vulkan1.3")]
    Vulkan,
}

/// Kind of device.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Device {
    Gpu,
    Cpu,
    Accelerator,
}

/// Output form.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Emit {
    /// IR after the optimiser and the legaliser.
    Ir,
    /// The module as disassembly.
    Text,
    /// The module as words, which the runtime loads.
    Spv,
}

impl Environment {
    fn interface(self) -> SpirvEnvironment {
        match self {
            Environment::LevelZero => SpirvEnvironment::LevelZero,
            Environment::Vulkan => SpirvEnvironment::Vulkan,
            _ => SpirvEnvironment::OpenCl,
        }
    }

    /// The SPIR-V version that every device of the environment accepts, times ten, if the
    /// specification requires one ("The OpenCL Specification" 2.1 and 2.2, `CL_DEVICE_IL_VERSION`).
    fn required(self) -> Option<u32> {
        match self {
            Environment::OpenCl21 => Some(10),
            Environment::OpenCl22 => Some(12),
            Environment::OpenCl | Environment::OpenCl30 | Environment::LevelZero | Environment::Vulkan => None,
        }
    }
}

impl From<Device> for SpirvDevice {
    fn from(device: Device) -> Self {
        match device {
            Device::Gpu => SpirvDevice::Gpu,
            Device::Cpu => SpirvDevice::Cpu,
            Device::Accelerator => SpirvDevice::Accelerator,
        }
    }
}

/// Header of IR output: its triple is not that of SPIR-V, which LLVM 19's optimiser does not know.
const ABOUT_IR: &str = "; IR of a kernel before SPIR-V is written of it. Triple and data layout are those that the optimiser works with.\n";

impl Spirv {
    fn write_external(&self, external: &External, ir: &str, request: &TranslateRequest) -> Result<Vec<u8>, ToolError> {
        match self.emit {
            Emit::Ir => {
                let reason = "--emit ir leaves what --external has not seen yet; leave out one of them";
                return Err(ToolError::usage(reason));
            }
            Emit::Text => external.translate_to_text(ir, request),
            Emit::Spv => external.translate(ir, request),
        }
        .map_err(ToolError::rejected)
    }
}

impl Family for Spirv {
    const TOOL: &'static str = "llvm-to-spirv-tool";
    const NAME: &'static str = "spirv";
    const ABOUT: &'static str = "Translates one kernel to SPIR-V";
    const EXAMPLES: &'static [&'static str] = &[
        "--list-kernels app",
        "app --kernel triad -o triad.spv",
        "k.ll --kernel triad --env level-zero --features=-fp16,-generic --emit text -o -",
        "k.ll --kernel use --stop-after specialize --constant n=i32:16 -o -",
        "k.ll --kernel triad --spirv-version 1.2 --emit ir -o -",
        "--replay failed.request -o k.spv",
    ];

    fn target(&self) -> Result<Target, ToolError> {
        let target = SpirvTarget::full(self.env.interface()).changed(&self.features);
        let version = self.spirv_version.or(self.env.required()).unwrap_or(target.version);
        let target = target.at_version(version);
        Ok(Target::Spirv(SpirvTarget { device: self.device.into(), line_tables: self.line_tables, ..target }))
    }

    fn libraries(&self) -> Result<Vec<Image>, ToolError> {
        Ok(Vec::new())
    }

    fn last_step(&self) -> Option<Step> {
        (self.emit != Emit::Spv || self.external.is_some()).then_some(Step::Optimise)
    }

    fn ir(&self, text: String) -> String {
        ABOUT_IR.to_owned() + &text
    }

    fn write(&self, product: Product, request: &TranslateRequest) -> Result<Vec<u8>, ToolError> {
        let text = match product {
            Product::Code(code) => return Ok(code.bytes.to_vec()),
            Product::Ir(text) => text,
        };
        if let Some(external) = &self.external {
            return self.write_external(external, &text, request);
        }
        match self.emit {
            Emit::Ir => Ok(self.ir(text).into_bytes()),
            Emit::Text => emit(&text, request, Format::Assembly).map_err(ToolError::rejected),
            Emit::Spv => emit(&text, request, Format::Object).map_err(ToolError::rejected),
        }
    }
}
