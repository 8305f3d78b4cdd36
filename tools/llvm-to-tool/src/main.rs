//! All `llvm-to-*-tool`s in one executable, selected by the name under which it is called.
//!
//! An installation has one copy of it and a link for each tool. *Invariant:* under the name of a
//! tool it behaves as that tool.
#![forbid(unsafe_code)]

use llvm_to_amdgpu_tool::Amdgpu;
use llvm_to_host_tool::Host;
use llvm_to_ptx_tool::Ptx;
use llvm_to_spirv_tool::Spirv;
use sinter_tool_translate::{Family, run};
use std::{env, ffi::OsString, path::Path, process::ExitCode};

/// A tool: its name and its entry point.
type Tool = (&'static str, fn(Vec<OsString>) -> ExitCode);

const TOOLS: [Tool; 4] =
    [(Host::TOOL, run::<Host>), (Ptx::TOOL, run::<Ptx>), (Amdgpu::TOOL, run::<Amdgpu>), (Spirv::TOOL, run::<Spirv>)];

fn main() -> ExitCode {
    let arguments: Vec<OsString> = env::args_os().collect();
    let called = arguments.first().map(Path::new).and_then(Path::file_name).unwrap_or_default();
    match TOOLS.iter().find(|(name, _)| called == *name) {
        Some((_, tool)) => tool(arguments),
        None => {
            let names = TOOLS.map(|(name, _)| name).join(", ");
            eprintln!("{}: error: call this file by the name of a tool: {names}", called.display());
            ExitCode::from(2)
        }
    }
}
