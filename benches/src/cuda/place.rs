//! The environment of a measurement on a GPU: a staged folder, the libraries, the built peers.
//!
//! *Invariant:* an open place has a GPU and nvcc, or is a rehearsal, which needs neither and
//! publishes no figures.

use std::cell::RefCell;
use std::collections::HashMap;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::toolkit::{self, Toolkit};
use super::{
    arguments::Arguments,
    stage::{self, SMALL},
};
use crate::error::BenchError;
use crate::lab;
use crate::processes::Small;
use crate::run::Program;

/// Files and settings of the suite.
#[derive(Debug)]
pub(super) struct Place {
    /// True if sizes are small and our programs are their own peers.
    pub(super) rehearsal: bool,
    /// Folder for results.
    pub(super) output: PathBuf,
    /// Folder for caches, dumps and built peers.
    pub(super) scratch: PathBuf,
    /// Folder of libsinter.so and libsinter_translate.so.
    pub(super) library: PathBuf,
    /// The CUDA toolkit, which a rehearsal lacks.
    pub(super) toolkit: Option<Toolkit>,
    folder: PathBuf,
    // Built peers. The reason why there is none is taken once.
    peers: RefCell<HashMap<&'static str, Result<PathBuf, BenchError>>>,
}

impl Place {
    /// Stages the programs unless they are prebuilt, finds GPU and nvcc, builds the peers.
    pub(super) fn open(arguments: &Arguments, output: Option<PathBuf>) -> Result<Self, BenchError> {
        let toolkit = if arguments.rehearse { None } else { Some(Toolkit::find()?) };
        let workspace_bench = stage::workspace().join("target/bench");
        let (folder, output) = match &arguments.prebuilt {
            Some(folder) => (absolute(folder)?, output.unwrap_or_else(|| folder.join("results"))),
            None => (workspace_bench.join("build/cuda"), output.unwrap_or(workspace_bench)),
        };
        let beside = if arguments.prebuilt.is_some() { folder.join("../lib") } else { stage::dist().join("lib") };
        let library = arguments.library.clone().unwrap_or(beside);
        if arguments.prebuilt.is_none() {
            stage::fill(&folder)?;
        }
        let (scratch, rehearsal) = (folder.join("scratch"), arguments.rehearse);
        lab::make_folder(&scratch)?;
        let peers = toolkit.as_ref().map(|kit| toolkit::build_peers(kit, &folder, &scratch)).unwrap_or_default();
        Ok(Self { rehearsal, output, scratch, library, toolkit, folder, peers: RefCell::new(peers) })
    }

    /// Path of a small program.
    pub(super) fn small(&self, small: &Small) -> PathBuf {
        self.ours(SMALL).join(small.test)
    }

    /// Path of our program.
    pub(super) fn ours(&self, name: &str) -> PathBuf {
        self.folder.join("ours").join(name)
    }

    /// Path of the peer's program, or the reason for which nvcc could not build it.
    pub(super) fn peer(&self, name: &str) -> Result<PathBuf, BenchError> {
        if self.rehearsal {
            return Ok(self.ours(name));
        }
        let mut peers = self.peers.borrow_mut();
        if let Some(Ok(built)) = peers.get(name) {
            return Ok(built.clone());
        }
        peers.remove(name).unwrap_or_else(|| Err(BenchError::Skipped { reason: format!("there is no peer `{name}`") }))
    }

    /// Options of programs with sizes.
    pub(super) fn options(&self) -> &'static [&'static str] {
        if self.rehearsal { &["--quick"] } else { &[] }
    }

    /// A program with the environment of the suite.
    pub(super) fn command(&self, program: &Path) -> Command {
        let mut command = Command::new(program);
        command.envs(self.environment());
        command
    }

    /// The same for programs that print a report and exit.
    pub(super) fn program(&self, path: PathBuf) -> Program {
        self.environment().into_iter().fold(Program::new(path), |program, (name, value)| program.variable(name, value))
    }

    // The driver's own compilation cache is off: otherwise the linker's tests would measure it.
    fn environment(&self) -> [(&'static str, OsString); 3] {
        [
            ("LD_LIBRARY_PATH", self.library_path()),
            ("SINTER_CACHE_DIR", self.scratch.join("cache").into()),
            ("CUDA_CACHE_DISABLE", "1".into()),
        ]
    }

    // Keeps the user's value: the NVIDIA driver may be found through it.
    fn library_path(&self) -> OsString {
        let toolkit = self.toolkit.iter().flat_map(|kit| kit.libraries());
        let mut path = self.library.clone().into_os_string();
        let before = std::env::var_os("LD_LIBRARY_PATH").filter(|value| !value.is_empty());
        for folder in toolkit.map(OsString::from).chain(before) {
            path.push(":");
            path.push(folder);
        }
        path
    }
}

fn absolute(path: &Path) -> Result<PathBuf, BenchError> {
    let absent = |source| BenchError::Read { path: path.to_owned(), source };
    std::fs::canonicalize(path).map_err(absent)
}
