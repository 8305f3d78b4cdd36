//! Entry point of `llvm-to-spirv-tool`.
#![forbid(unsafe_code)]

use llvm_to_spirv_tool::Spirv;
use std::process::ExitCode;

fn main() -> ExitCode {
    sinter_tool_translate::run::<Spirv>(std::env::args_os())
}
