//! Compiles C++ kernels in the build scripts of Rust packages.
//!
//! In: C++ sources. Out: objects that are linked into the program, or a container for
//! `include_bytes!`.
//! *Invariant:* cargo gets every file that a result depends on, headers included, and an error
//! names the command that failed and the remedy.
//!
//! There are two ways to call a kernel. Link the C++ objects, and find the kernel with
//! `Runtime::linked_kernel`; C++ functions that launch SYCL kernels themselves can be called like
//! any C function:
//!
//! ```no_run
//! // build.rs
//! fn main() -> Result<(), sinter_build::BuildError> {
//!     sinter_build::Build::new().file("src/kernels.cpp").link("kernels")
//! }
//! ```
//!
//! Or embed only the container, which has the kernels for every device:
//!
//! ```no_run
//! // build.rs; the program has `include_bytes!(concat!(env!("OUT_DIR"), "/saxpy.hcf"))`
//! fn main() -> Result<(), sinter_build::BuildError> {
//!     sinter_build::Build::new().file("src/saxpy.cpp").container("saxpy.hcf").map(drop)
//! }
//! ```
//!
//! `sinter-cc` is searched for in the folder given to [`Build::home`], then in `SINTER_HOME`, then
//! in `PATH`. Its installation becomes a run path of the package's programs, tests and examples, in
//! which the runtime finds the translator.
#![forbid(unsafe_code)]

mod cargo;
mod compile;
mod depfile;
mod error;
mod find;

pub use error::BuildError;

use compile::{Output, Unit};
use find::Installation;
use std::path::{Path, PathBuf};

/// Links the package with the runtime of the installation in `SINTER_HOME` or `PATH`, and adds its
/// run path. Use it in packages that call the C interface, `sinter/sinter.h`. The crate
/// `sinter-prebuilt` calls it itself; programs that use that crate call it too if they compile no
/// kernels.
pub fn link_runtime() -> Result<(), BuildError> {
    let installation = Installation::find(None)?.with_runtime()?;
    cargo::link_runtime(&installation.libraries());
    cargo::use_libraries(&installation.libraries());
    Ok(())
}

/// Sources and flags of a compilation.
#[derive(Debug, Clone, Default)]
pub struct Build {
    files: Vec<PathBuf>,
    flags: Vec<String>,
    home: Option<PathBuf>,
}

impl Build {
    /// A build without sources. Sources are C++17 and optimised (`-O2`) unless a flag says
    /// otherwise.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a C++ source; the path is relative to the package.
    #[must_use]
    pub fn file(mut self, path: impl Into<PathBuf>) -> Self {
        self.files.push(path.into());
        self
    }

    /// Adds a flag for clang++.
    #[must_use]
    pub fn flag(mut self, flag: impl Into<String>) -> Self {
        self.flags.push(flag.into());
        self
    }

    /// Adds an include folder.
    #[must_use]
    pub fn include(self, folder: impl AsRef<Path>) -> Self {
        self.flag("-I").flag(folder.as_ref().display().to_string())
    }

    /// Defines a macro.
    #[must_use]
    pub fn define(self, name: &str, value: &str) -> Self {
        self.flag(format!("-D{name}={value}"))
    }

    /// Sets the installation: the folder that holds `bin/sinter-cc`.
    #[must_use]
    pub fn home(mut self, folder: impl Into<PathBuf>) -> Self {
        self.home = Some(folder.into());
        self
    }

    /// Compiles the sources and links them into the package, as the library `name`.
    pub fn link(&self, name: &str) -> Result<(), BuildError> {
        let (installation, folder) = self.prepare()?;
        let mut objects = Vec::new();
        for (index, file) in self.files.iter().enumerate() {
            let object = folder.join(format!("{name}-{index}.o"));
            self.compile(&installation, file, Output::Object(&object))?;
            objects.push(object);
        }
        compile::archive(&folder.join(format!("lib{name}.a")), &objects)?;
        cargo::link(&folder, name);
        Ok(())
    }

    /// Compiles the one source and writes its container to `name` in cargo's `OUT_DIR`; returns the
    /// path.
    pub fn container(&self, name: &str) -> Result<PathBuf, BuildError> {
        let [file] = &self.files[..] else { return Err(BuildError::OneFile { files: self.files.len() }) };
        let (installation, folder) = self.prepare()?;
        let container = folder.join(name);
        self.compile(&installation, file, Output::Container(&container))?;
        Ok(container)
    }

    fn prepare(&self) -> Result<(Installation, PathBuf), BuildError> {
        if self.files.is_empty() {
            return Err(BuildError::NoFiles);
        }
        let installation = Installation::find(self.home.as_deref())?;
        cargo::use_libraries(&installation.libraries());
        Ok((installation, cargo::out_dir()?))
    }

    fn compile(&self, installation: &Installation, file: &Path, output: Output<'_>) -> Result<(), BuildError> {
        cargo::depend_on([file.to_owned()]);
        let unit = Unit { file, flags: &self.flags, output };
        unit.compile(&installation.compiler()).map(cargo::depend_on)
    }
}
