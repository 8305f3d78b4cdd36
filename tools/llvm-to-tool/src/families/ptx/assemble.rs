//! Assembles PTX to machine code with NVIDIA's `ptxas`.
//!
//! *Invariant:* the files of the assembler are in a temporary folder, which is removed afterwards.

use sinter_core::PtxTarget;
use std::{
    fs, io,
    path::{Path, PathBuf},
    process::{Command, ExitStatus},
};

/// Reason for which assembling failed.
#[derive(Debug, thiserror::Error)]
pub(crate) enum AssembleError {
    /// The assembler could not be started.
    #[error(
        "cannot run {}: {error}; NVIDIA's assembler comes with the CUDA toolkit (or `pip install nvidia-cuda-nvcc-cu12`): put it on PATH or name it with --ptxas or SINTER_PTXAS; --emit ptx needs none",
        program.display()
    )]
    Missing {
        /// Path of the assembler, as given.
        program: PathBuf,
        /// Error of the system.
        error: io::Error,
    },
    /// The assembler rejected the code.
    #[error("{} refuses the code for sm_{sm} ({status}){}", program.display(), or_silence(message, "; it gives no reason"))]
    Refused {
        /// Path of the assembler, as given.
        program: PathBuf,
        /// The compute capability times ten.
        sm: u32,
        /// Exit status of the assembler.
        status: ExitStatus,
        /// Output of the assembler.
        message: String,
    },
    /// The assembler succeeded but wrote no code.
    #[error("{} wrote no cubin, although it reports success; is it NVIDIA's ptxas{}", program.display(), or_silence(message, "?"))]
    Silent {
        /// Path of the assembler, as given.
        program: PathBuf,
        /// Output of the assembler.
        message: String,
    },
    /// A temporary file could not be written or read.
    #[error("temporary files: {0}")]
    Files(#[from] io::Error),
}

/// Assembles PTX to a cubin.
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
    let message = String::from_utf8_lossy(&[done.stderr, done.stdout].concat()).trim().to_owned();
    let (program, status) = (program.to_owned(), done.status);
    if !status.success() {
        return Err(AssembleError::Refused { program, sm: target.sm, status, message });
    }
    match fs::read(&output) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Err(AssembleError::Silent { program, message }),
        result => Ok(result?),
    }
}

/// The output of a program for a message, or `silence` if it is empty.
fn or_silence(message: &str, silence: &str) -> String {
    if message.is_empty() { silence.to_owned() } else { format!("; it says: {message}") }
}
