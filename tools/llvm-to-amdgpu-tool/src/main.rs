//! Entry point of `llvm-to-amdgpu-tool`.
#![forbid(unsafe_code)]

use llvm_to_amdgpu_tool::Amdgpu;
use std::process::ExitCode;

fn main() -> ExitCode {
    sinter_tool_translate::run::<Amdgpu>(std::env::args_os())
}
