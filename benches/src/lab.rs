//! The environment of a measurement: the tools, the sources, a build folder, the effort.
//!
//! `SINTER_DIST` names the install tree and `SINTER_LLVM` LLVM's folder; `cargo xtask bench` sets
//! both.
//!
//! *Invariant:* an open lab has all tools; a missing one is reported before anything is measured.

use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::error::BenchError;
use crate::processes::Small;
use crate::run;

/// Numbers of repetitions.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Effort {
    /// Pairs of processes.
    pub(crate) rounds: usize,
    /// Repetitions of a stream kernel in one process.
    pub(crate) stream_repetitions: usize,
    /// Doubles in each of the three arrays of the stream kernels.
    pub(crate) stream_elements: usize,
    /// Batches of launches in one process.
    pub(crate) launch_batches: usize,
    /// Launches in a batch.
    pub(crate) launches: usize,
}

impl Effort {
    /// Effort for published figures: at least 9 samples of each.
    pub(crate) fn full() -> Self {
        let stream_elements = 1 << 25; // 256 MiB an array: far beyond any cache
        Self { rounds: 11, stream_repetitions: 11, stream_elements, launch_batches: 11, launches: 2000 }
    }

    /// Effort for a functional test.
    pub(crate) fn quick() -> Self {
        Self { rounds: 3, stream_repetitions: 5, launch_batches: 5, launches: 1000, ..Self::full() }
    }
}

/// Tools and folders of a suite.
#[derive(Debug)]
pub(crate) struct Lab {
    /// Numbers of repetitions.
    pub(crate) effort: Effort,
    dist: PathBuf,
    llvm: PathBuf,
    sources: PathBuf,
    output: PathBuf,
}

impl Lab {
    /// Finds the tools and prepares `output`, by default `target/bench` of the workspace.
    pub(crate) fn open(output: Option<PathBuf>, effort: Effort) -> Result<Self, BenchError> {
        let sources = PathBuf::from(env!("CARGO_MANIFEST_DIR"));
        let workspace = sources.parent().unwrap_or(&sources).to_owned();
        let lab = Self {
            effort,
            dist: variable("SINTER_DIST").unwrap_or_else(|| workspace.join("dist")),
            llvm: variable("SINTER_LLVM")
                .or_else(|| variable("LLVM_SYS_191_PREFIX"))
                .unwrap_or_else(|| "/usr/lib/llvm-19".into()),
            output: output.unwrap_or_else(|| workspace.join("target/bench")),
            sources,
        };
        require(&lab.clang(), "install it with `apt-get install clang-19` or set SINTER_LLVM")?;
        require(&lab.llvm.join("lib/libomp.so"), "install it with `apt-get install libomp-19-dev`")?;
        require(&lab.sinter_cc(), "run `cargo xtask build` or set SINTER_DIST to an install tree")?;
        make_folder(&lab.build_folder())?;
        Ok(lab)
    }

    /// The C++ compiler of the peers.
    pub(crate) fn clang(&self) -> PathBuf {
        self.llvm.join("bin/clang++")
    }

    /// Path of sinter-cc.
    pub(crate) fn sinter_cc(&self) -> PathBuf {
        self.dist.join("bin/sinter-cc")
    }

    /// Folder for results.
    pub(crate) fn output(&self) -> &Path {
        &self.output
    }

    /// Path of a source file of this crate.
    pub(crate) fn source(&self, name: &str) -> PathBuf {
        self.sources.join(name)
    }

    /// Path of a build output.
    pub(crate) fn built(&self, name: &str) -> PathBuf {
        self.build_folder().join(name)
    }

    /// Path of a cache folder that does not exist yet: the runtime creates it, like a user's.
    pub(crate) fn fresh_cache(&self, name: &str) -> Result<PathBuf, BenchError> {
        let path = self.build_folder().join("cache").join(name);
        match fs::remove_dir_all(&path) {
            Err(source) if source.kind() != std::io::ErrorKind::NotFound => Err(BenchError::Write { path, source }),
            _ => make_folder(&self.build_folder().join("cache")).map(|()| path),
        }
    }

    /// Compiles `NAME.cpp`, for example `cpu/stream`, with sinter-cc.
    pub(crate) fn build_ours(&self, name: &str) -> Result<PathBuf, BenchError> {
        self.build_ours_with(name, &[])
    }

    /// Compiles `NAME.cpp` with sinter-cc and these flags.
    pub(crate) fn build_ours_with(&self, name: &str, flags: &[&str]) -> Result<PathBuf, BenchError> {
        self.build(Command::new(self.sinter_cc()).args(flags), name, self.built(&name.replace('/', "-")))
    }

    /// Compiles a small program.
    pub(crate) fn build_small(&self, small: &Small) -> Result<PathBuf, BenchError> {
        let compiler = &mut Command::new(self.sinter_cc());
        self.build(compiler.args(small.definitions()), "cuda/patterns", self.small(small))
    }

    /// Path of a small program.
    pub(crate) fn small(&self, small: &Small) -> PathBuf {
        self.built(&format!("small-{}", small.test))
    }

    /// Compiles `NAME.cpp` with clang and these flags.
    pub(crate) fn build_plain_peer(&self, name: &str, flags: &[&str]) -> Result<PathBuf, BenchError> {
        let program = self.built(&format!("{}-peer", name.replace('/', "-")));
        self.build(Command::new(self.clang()).args(flags), name, program)
    }

    /// Compiles `cpu/many.cpp` with this number of kernels, with little optimisation, because it
    /// takes minutes otherwise.
    pub(crate) fn build_many(&self, kernels: usize) -> Result<PathBuf, BenchError> {
        let program = self.built(&format!("cpu-many-{kernels}"));
        let mut command = Command::new(self.sinter_cc());
        command.arg("-O1").args(self.common_options()).arg(format!("-DKERNELS={kernels}"));
        run::finish(command.arg(self.source("cpu/many.cpp")).arg("-o").arg(&program))?;
        Ok(program)
    }

    /// Compiles `peers/NAME.cpp` with clang and OpenMP, for the native CPU.
    pub(crate) fn build_peer(&self, name: &str) -> Result<PathBuf, BenchError> {
        self.build_peer_with(name, "", &[])
    }

    /// The same with these flags, under a name with `suffix`.
    pub(crate) fn build_peer_with(&self, name: &str, suffix: &str, flags: &[&str]) -> Result<PathBuf, BenchError> {
        let library = self.llvm.join("lib");
        let mut command = Command::new(self.clang());
        command.args(["-march=native", "-fopenmp"]).args(flags);
        command.arg("-L").arg(&library).arg(format!("-Wl,-rpath,{}", library.display()));
        self.build(&mut command, &format!("peers/{name}"), self.built(&format!("peers-{name}{suffix}")))
    }

    /// Compiles `peers/opencl/NAME.cpp` with clang. The path of its OpenCL C sources is compiled
    /// in.
    pub(crate) fn build_opencl_peer(&self, name: &str) -> Result<PathBuf, BenchError> {
        let sources = self.source("peers/opencl");
        let mut command = Command::new(self.clang());
        command.arg(format!("-DBENCH_OPENCL_SOURCES={:?}", sources.display().to_string())).arg("-ldl");
        self.build(&mut command, &format!("peers/opencl/{name}"), self.built(&format!("peers-opencl-{name}")))
    }

    /// Folder of libsinter.so and libsinter_translate.so.
    pub(crate) fn library(&self) -> PathBuf {
        self.dist.join("lib")
    }

    // Compiles `NAME`. The folder is part of the output's name, since programs of several folders
    // have the same name.
    fn build(&self, compiler: &mut Command, name: &str, program: PathBuf) -> Result<PathBuf, BenchError> {
        compiler.arg("-O3").args(self.common_options()).arg(self.source(&format!("{name}.cpp")));
        run::finish(compiler.arg("-o").arg(&program))?;
        Ok(program)
    }

    fn common_options(&self) -> [PathBuf; 3] {
        ["-std=c++17".into(), "-I".into(), self.source("include")]
    }

    fn build_folder(&self) -> PathBuf {
        self.output.join("build")
    }
}

/// Creates `path` and its parents.
pub(crate) fn make_folder(path: &Path) -> Result<(), BenchError> {
    fs::create_dir_all(path).map_err(|source| BenchError::Write { path: path.to_owned(), source })
}

fn variable(name: impl AsRef<OsStr>) -> Option<PathBuf> {
    std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from)
}

fn require(path: &Path, remedy: &'static str) -> Result<(), BenchError> {
    if path.exists() { Ok(()) } else { Err(BenchError::Missing { path: path.to_owned(), remedy }) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn full_effort_gives_the_promised_number_of_samples() {
        let effort = Effort::full();
        assert!(effort.rounds >= 9 && effort.stream_repetitions >= 9 && effort.launch_batches >= 9);
    }

    #[test]
    fn a_missing_file_is_reported_with_its_remedy() {
        let found = require(Path::new("/nonexistent/clang++"), "install it");
        assert!(matches!(found, Err(BenchError::Missing { remedy: "install it", .. })));
    }
}
