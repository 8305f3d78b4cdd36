//! Errors of a build script.
//!
//! *Invariant:* the debug form is the message itself, because a build script that returns an error
//! prints its debug form.

use std::{fmt, io, path::PathBuf, process::ExitStatus};

/// Error while compiling or linking kernels in a build script.
#[derive(thiserror::Error)]
#[non_exhaustive]
pub enum BuildError {
    /// No compiler was found.
    #[error(
        "sinter-cc was not found ({}); set SINTER_HOME to an installation of Sinter, the folder that holds \
         bin/sinter-cc. For one, unpack the archive sinter-{}-x86_64.tar.xz, or run `cargo xtask build` in a clone \
         of Sinter and take its dist. A build script may also name it with Build::home",
        looked_for(.0),
        env!("CARGO_PKG_VERSION")
    )]
    NotFound(Vec<PathBuf>),
    /// The installation lacks a file.
    #[error("{} is missing; unpack the whole archive, or run `cargo xtask build` again", .0.display())]
    Incomplete(PathBuf),
    /// No source was given.
    #[error("there is no source to compile; call Build::file")]
    NoFiles,
    /// A container is made from exactly one source.
    #[error("a container is made of one source, but there are {files}; make one container for each")]
    OneFile {
        /// Number of sources.
        files: usize,
    },
    /// Cargo did not set a variable of build scripts.
    #[error("the variable {0} is missing; call this from a build script")]
    Variable(&'static str),
    /// A program could not be started.
    #[error("cannot run {}: {source}", program.display())]
    Run {
        /// Path of the program.
        program: PathBuf,
        /// Error of the system.
        source: io::Error,
    },
    /// A program failed. Its output precedes this message.
    #[error("{} failed on {} ({status}); its messages are above", program.display(), file.display())]
    Failed {
        /// Path of the program.
        program: PathBuf,
        /// The file to compile or to write.
        file: PathBuf,
        /// Exit status of the program.
        status: ExitStatus,
    },
    /// A file could not be read or written.
    #[error("{}: {source}", path.display())]
    File {
        /// Path of the file.
        path: PathBuf,
        /// Error of the system.
        source: io::Error,
    },
}

fn looked_for(paths: &[PathBuf]) -> String {
    match paths {
        [path] => format!("there is no {}", path.display()),
        paths => format!("SINTER_HOME is not set, and it is in none of the {} folders of PATH", paths.len()),
    }
}

impl fmt::Debug for BuildError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}
