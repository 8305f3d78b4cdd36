//! `sinter-info`: shows the devices, paths and settings that the runtime uses on this machine.
//!
//! In: the environment, as a program would see it. Out: devices, paths and settings, as text or
//! JSON.
//! *Invariant:* all values come from functions that programs use; the only side effect is that the
//! cache folder may be created.
#![forbid(unsafe_code)]

mod facts;
mod text;

use clap::Parser;
use facts::Facts;
use sinter_tool_common::{ToolError, print, run};
use std::process::ExitCode;

/// Show devices, paths and settings of the Sinter runtime.
#[derive(Debug, Parser)]
#[command(
    version,
    after_help = "Examples:\n  sinter-info\n  SINTER_VISIBILITY_MASK=host sinter-info --config\n  sinter-info --json"
)]
struct Arguments {
    /// Show every setting with its value and where that came from
    #[arg(long)]
    config: bool,
    /// Show everything as JSON
    #[arg(long)]
    json: bool,
}

fn json(facts: &Facts) -> Result<String, ToolError> {
    let text = serde_json::to_string_pretty(facts).map_err(|error| ToolError::Defect(error.to_string()))?;
    Ok(text + "\n")
}

fn show(arguments: &Arguments) -> Result<(), ToolError> {
    let facts = facts::gather();
    facts.warnings.iter().for_each(|warning| eprintln!("sinter-info: warning: {warning}"));
    let text = match arguments {
        Arguments { json: true, .. } => json(&facts)?,
        Arguments { config: true, .. } => text::settings(&facts.settings),
        _ => text::overview(&facts),
    };
    print(text.as_bytes())
}

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    run("sinter-info", || show(&arguments))
}
