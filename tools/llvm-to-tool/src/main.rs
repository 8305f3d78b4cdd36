//! The `llvm-to-*-tool`s, in one executable that is called by the name of one.
//!
//! In: IR, bitcode, a container, a program with containers, or a request. Out: IR after a step, or
//! the output form that the [`Family`] derives from the code object. *Invariant:* the translator is
//! the one that runs at run time, so a replayed request gives the same bytes. An installation has
//! one copy of the executable and a link for each tool.
#![forbid(unsafe_code)]

mod cli;
mod failure;
mod families;
mod family;
mod given;
mod kernels;
mod library;
mod local_accessors;
mod missing;
mod request;
mod required;
mod work;

use families::{Amdgpu, Host, Ptx, Spirv};
use family::Family;
use std::{env, ffi::OsString, path::Path, process::ExitCode};
use work::run;

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
