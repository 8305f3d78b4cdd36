//! Finds the CUDA installation of a machine: nvcc, the libraries of NVRTC, the GPU and its state.
//!
//! *Invariant:* no setting of the GPU is changed.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::error::BenchError;
use crate::machine::{self, Description};
use crate::run;

const PEERS: [&str; 8] = ["ceilings", "stream", "fixed", "special", "patterns", "launch", "first", "compile"];
const OPTIONS: [&str; 3] = ["-O3", "-std=c++17", "-arch=sm_90"];

/// An installed CUDA toolkit.
#[derive(Debug)]
pub(super) struct Toolkit {
    nvcc: PathBuf,
}

impl Toolkit {
    /// Finds a GPU first, then nvcc.
    pub(super) fn find() -> Result<Self, BenchError> {
        if smi("name").is_none() {
            let reason = "no NVIDIA GPU: `nvidia-smi` does not list one. `--rehearse` shows that the suite works";
            return Err(BenchError::Skipped { reason: reason.to_owned() });
        }
        let folders = std::env::var_os("PATH").unwrap_or_default();
        let mut places = std::env::split_paths(&folders).chain([PathBuf::from("/usr/local/cuda/bin")]);
        let nvcc = places.find_map(|folder| std::fs::canonicalize(folder.join("nvcc")).ok());
        let reason = "no nvcc, which builds the peers: install the CUDA toolkit or add it to PATH";
        nvcc.map(|nvcc| Self { nvcc }).ok_or_else(|| BenchError::Skipped { reason: reason.to_owned() })
    }

    /// Folders of the toolkit's libraries.
    pub(super) fn libraries(&self) -> Vec<PathBuf> {
        let root = self.nvcc.parent().and_then(Path::parent).unwrap_or(Path::new("/usr/local/cuda"));
        ["lib64", "lib", "targets/x86_64-linux/lib"].iter().map(|name| root.join(name)).collect()
    }

    fn build(&self, name: &str, folder: &Path, to: &Path) -> Result<PathBuf, BenchError> {
        let program = to.join(format!("{name}.peer"));
        let mut command = Command::new(&self.nvcc);
        command.args(OPTIONS).arg("-I").arg(folder.join("sources/include"));
        command.arg(folder.join(format!("sources/peers/{name}.cu"))).arg("-o").arg(&program);
        if name == "compile" {
            command.args(["-lnvrtc", "-ldl"]);
            command.args(self.libraries().iter().map(|path| format!("-L{}", path.display())));
        }
        run::finish(&mut command)?;
        Ok(program)
    }
}

/// Builds all peers in parallel; a failed peer costs only its own part.
pub(super) fn build_peers(
    kit: &Toolkit,
    folder: &Path,
    to: &Path,
) -> HashMap<&'static str, Result<PathBuf, BenchError>> {
    eprintln!("building {} peers with nvcc", PEERS.len());
    std::thread::scope(|scope| {
        let builds = PEERS.map(|name| (name, scope.spawn(move || kit.build(name, folder, to))));
        let broken = || BenchError::Skipped { reason: "the thread that ran nvcc ended early".to_owned() };
        builds.into_iter().map(|(name, build)| (name, build.join().unwrap_or_else(|_| Err(broken())))).collect()
    })
}

/// Describes the machine, the GPU and nvcc.
pub(super) fn describe(toolkit: Option<&Toolkit>) -> Description {
    let nvcc = toolkit.and_then(|kit| machine::version_line(&kit.nvcc, "release"));
    let facts = [("gpu", smi("name,driver_version,memory.total")), ("nvcc", nvcc), ("gpu before", state())];
    let known = facts.into_iter().filter_map(|(name, value)| Some((name.to_owned(), value?)));
    machine::system().into_iter().chain(known).collect()
}

/// Current clocks, temperature and power.
pub(super) fn state() -> Option<String> {
    smi("clocks.sm,clocks.mem,temperature.gpu,power.draw")
}

fn smi(query: &str) -> Option<String> {
    let mut command = Command::new("nvidia-smi");
    let text = run::finish(command.arg(format!("--query-gpu={query}")).arg("--format=csv,noheader")).ok()?;
    text.lines().next().map(str::to_owned).filter(|line| !line.is_empty())
}
