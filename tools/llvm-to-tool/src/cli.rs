//! The command line that the translation tools share.

use crate::given::Given;
use clap::{Args, Parser};
use sinter_tool_common::KernelFlags;
use sinter_translate::Step;
use std::path::PathBuf;

/// The shared flags, with those of the family.
#[derive(Debug, Parser)]
#[command(version)]
pub(crate) struct Cli<F: Args> {
    /// LLVM IR (.ll), bitcode (.bc), an HCF container, a program or object file with containers, a
    /// request, or `-`
    #[arg(required_unless_present_any = ["replay", "print_steps"])]
    pub(crate) input: Option<PathBuf>,
    /// File to write; `-` is stdout
    #[arg(short, long, value_name = "FILE", conflicts_with = "lists")]
    pub(crate) output: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) family: F,
    #[command(flatten)]
    pub(crate) kernel: KernelFlags,
    /// Stop after this step and write the IR
    #[arg(long, value_name = "STEP")]
    pub(crate) stop_after: Option<Step>,
    /// List the steps in order
    #[arg(long, group = "lists")]
    pub(crate) print_steps: bool,
    /// List the kernels of the input
    #[arg(long, group = "lists")]
    pub(crate) list_kernels: bool,
    /// List functions that kernels of a program call and nothing defines for devices
    #[arg(long, group = "lists", conflicts_with = "json")]
    pub(crate) list_missing: bool,
    /// Library that a program is linked with, whose functions --list-missing knows of; may be
    /// repeated
    #[arg(long, value_name = "FILE")]
    pub(crate) with: Vec<PathBuf>,
    /// Print lists as JSON
    #[arg(long, requires = "lists")]
    pub(crate) json: bool,
    /// Translate a request file, with nothing changed
    #[arg(long, value_name = "FILE", conflicts_with_all = ["input", "kernel"])]
    pub(crate) replay: Option<PathBuf>,
    /// Print the translator's decisions about the finished code
    #[arg(long)]
    pub(crate) remarks: bool,
    /// Folder for the IR after each step
    #[arg(long, value_name = "DIR")]
    pub(crate) dump: Option<PathBuf>,
    /// Flags that were present on the command line.
    #[arg(skip)]
    pub(crate) given: Given,
}
