//! Runs `sinter-cc` and `ar`.
//!
//! In: a source and flags. Out: an object or a container, and the files that it depends on.
//! *Invariant:* output of the compiler goes to the build script's standard error, in full.

use crate::{depfile, error::BuildError};
use std::{
    fs,
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

/// Output of a compilation.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Output<'a> {
    Object(&'a Path),
    Container(&'a Path),
}

/// One translation unit.
#[derive(Debug)]
pub(crate) struct Unit<'a> {
    pub(crate) file: &'a Path,
    pub(crate) flags: &'a [String],
    pub(crate) output: Output<'a>,
}

impl Unit<'_> {
    /// Compiles; returns the files that the compiler read.
    pub(crate) fn compile(&self, compiler: &Path) -> Result<Vec<PathBuf>, BuildError> {
        let path = match self.output {
            Output::Object(path) | Output::Container(path) => path,
        };
        let rules = path.with_extension("d");
        let mut command = Command::new(compiler);
        // Kernels are compiled again for the device, so `-O2` is for the host code.
        command.args(["-std=c++17", "-fPIC", "-O2"]).args(self.flags);
        command.args(["-MD", "-MF"]).arg(&rules).arg("-c").arg(self.file).arg("-o");
        match self.output {
            Output::Object(object) => command.arg(object),
            Output::Container(container) => {
                command.arg(container.with_extension("o"));
                command.arg(format!("--sinter-emit-hcf={}", container.display()))
            }
        };
        run(&mut command, self.file)?;
        let text = fs::read_to_string(&rules).map_err(|source| BuildError::File { path: rules, source })?;
        Ok(depfile::prerequisites(&text))
    }
}

/// Makes a static library.
pub(crate) fn archive(library: &Path, objects: &[PathBuf]) -> Result<(), BuildError> {
    // `ar` adds to an existing archive.
    if library.exists() {
        fs::remove_file(library).map_err(|source| BuildError::File { path: library.to_owned(), source })?;
    }
    run(Command::new("ar").arg("crs").arg(library).args(objects), library)
}

fn run(command: &mut Command, file: &Path) -> Result<(), BuildError> {
    let program = PathBuf::from(command.get_program());
    // Standard output belongs to cargo, and neither program has data for it.
    let status = command.stdout(Stdio::null()).status();
    let status = status.map_err(|source| BuildError::Run { program: program.clone(), source })?;
    if status.success() {
        return Ok(());
    }
    Err(BuildError::Failed { program, file: file.to_owned(), status })
}
