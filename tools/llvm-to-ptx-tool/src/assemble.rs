//! From PTX to machine code, with NVIDIA's assembler.
//!
//! *Invariant:* the assembler sees files in a folder of its own, which is gone afterwards.

use sinter_core::PtxTarget;
use std::{
    fs, io,
    path::{Path, PathBuf},
    process::Command,
};

/// Why there is no machine code.
#[derive(Debug, thiserror::Error)]
pub(crate) enum AssembleError {
    /// The assembler does not start.
    #[error(
        "cannot run {}: {error}; NVIDIA's assembler comes with the CUDA toolkit (or `pip install nvidia-cuda-nvcc-cu12`): put it on PATH or name it with --ptxas or SINTER_PTXAS; --emit ptx needs none",
        program.display()
    )]
    Missing {
        /// What was to run.
        program: PathBuf,
        /// Why it does not.
        error: io::Error,
    },
    /// The assembler refused the code.
    #[error("{} refuses the code for sm_{sm}: {message}", program.display())]
    Refused {
        /// What ran.
        program: PathBuf,
        /// The compute capability times ten.
        sm: u32,
        /// What it said.
        message: String,
    },
    /// A temporary file could not be written or read.
    #[error("temporary files: {0}")]
    Files(#[from] io::Error),
}

/// Assembles PTX.
pub(crate) fn assemble(program: &Path, ptx: &[u8], target: &PtxTarget) -> Result<Vec<u8>, AssembleError> {
    let folder = tempfile::tempdir()?;
    let (input, output) = (folder.path().join("kernel.ptx"), folder.path().join("kernel.cubin"));
    fs::write(&input, ptx)?;
    let mut command = Command::new(program);
    command.arg(format!("--gpu-name=sm_{}", target.sm)).arg("--output-file").arg(&output).arg(&input);
    if target.line_tables {
        command.arg("--generate-line-info");
    }
    let missing = |error| AssembleError::Missing { program: program.to_owned(), error };
    let done = command.output().map_err(missing)?;
    if done.status.success() {
        return Ok(fs::read(&output)?);
    }
    let message = [done.stderr, done.stdout].concat();
    let message = String::from_utf8_lossy(&message).trim().to_owned();
    Err(AssembleError::Refused { program: program.to_owned(), sm: target.sm, message })
}
