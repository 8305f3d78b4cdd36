//! Entry point of `llvm-to-ptx-tool`.
#![forbid(unsafe_code)]

use llvm_to_ptx_tool::Ptx;
use std::process::ExitCode;

fn main() -> ExitCode {
    sinter_tool_translate::run::<Ptx>(std::env::args_os())
}
