//! What the command-line tools share: exit codes, input kinds, output files.
//!
//! *Invariant:* data goes to stdout, messages to stderr; exit status 0 means done, 1 input rejected, 2 usage, 3 a
//! defect of ours; a reader that closes the pipe early is success.
#![forbid(unsafe_code)]

pub mod exit;
pub mod input;
pub mod output;

pub use exit::{Failure, run};
pub use input::{Input, InputError, InputKind};
pub use output::{print, write_output};
