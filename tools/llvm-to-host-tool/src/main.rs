//! Entry point of `llvm-to-host-tool`.
#![forbid(unsafe_code)]

use llvm_to_host_tool::Host;
use std::process::ExitCode;

fn main() -> ExitCode {
    sinter_tool_translate::run::<Host>(std::env::args_os())
}
