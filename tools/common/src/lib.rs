//! Shared parts of the command-line tools: input kinds, flags, exit codes, messages.
//!
//! Conventions of every tool: data on stdout, messages on stderr; exit status 0 done, 1 input
//! rejected, 2 usage, 3 a defect of the tool; a closed pipe is success; an output file is complete
//! or absent.
#![forbid(unsafe_code)]

mod exit;
mod flags;
mod foreign;
mod input;
mod isolate;
mod local;
mod output;

pub use exit::{ToolError, run};
pub use flags::{ArgumentValue, GroupSize, KernelFlags};
pub use input::{Embedded, Input, InputKind};
pub use isolate::isolated;
pub use local::LocalAccessor;
pub use output::{print, write_file};
