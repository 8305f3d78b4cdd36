//! The environment of a measurement on OpenCL: the tools, and the environment variables of the
//! programs.
//!
//! *Invariant:* both sides find the same OpenCL runtime, given by the environment of this process
//! (set by `cargo xtask bench`); our programs find the install tree's libraries first.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::error::BenchError;
use crate::lab::{self, Lab};
use crate::session::Session;

/// Device of Sinter's program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Device {
    /// The first OpenCL device.
    OpenCl,
    /// The CPU, with Sinter's host backend.
    Host,
}

impl Device {
    fn mask(self) -> &'static str {
        match self {
            Self::OpenCl => "opencl",
            Self::Host => "host",
        }
    }
}

/// Tools, folders and sizes of the suite.
#[derive(Debug)]
pub(super) struct Place {
    /// Tools and folders shared with the CPU suite.
    pub(super) lab: Lab,
    /// Option of the programs that selects the sizes.
    pub(super) scale: &'static str,
    /// Folder for dumps and requests.
    pub(super) scratch: PathBuf,
    cache: PathBuf,
}

impl Place {
    /// Creates the folders inside the lab's.
    pub(super) fn open(lab: Lab, quick: bool) -> Result<Self, BenchError> {
        let cache = lab.fresh_cache("opencl")?;
        let (scratch, scale) = (lab.built("opencl"), if quick { "--quick" } else { "--cpu" });
        lab::make_folder(&scratch)?;
        Ok(Self { lab, scale, scratch, cache })
    }

    /// A command for a program of the peer.
    pub(super) fn peer(&self, program: &Path) -> Command {
        let mut command = Command::new(program);
        command.env("LD_LIBRARY_PATH", self.library_path());
        command
    }

    /// A command for one of our programs on a device, which runs full code from the first launch.
    pub(super) fn ours(&self, program: &Path, device: Device) -> Command {
        let mut command = self.peer(program);
        command.env("SINTER_CACHE_DIR", &self.cache).env("SINTER_VISIBILITY_MASK", device.mask());
        command.env("SINTER_JIT_MODE", "sync");
        command
    }

    /// Starts our program and the peer's. If ours uses OpenCL, both must use the same device.
    pub(super) fn start(&self, ours: &Path, peer: &Path, device: Device) -> Result<(Session, Session), BenchError> {
        let mut ours = Session::serve(self.ours(ours, device).arg(self.scale))?;
        let mut peer = Session::serve(self.peer(peer).arg(self.scale))?;
        let (on, beside) = (ours.device()?, peer.device()?);
        if device == Device::OpenCl && on != beside {
            let reason =
                format!("ours runs on `{on}`, the peer on `{beside}`; `sinter-info` says which devices there are");
            return Err(BenchError::Skipped { reason });
        }
        Ok((ours, peer))
    }

    fn library_path(&self) -> OsString {
        let mut path = self.lab.library().into_os_string();
        if let Some(told) = std::env::var_os("LD_LIBRARY_PATH").filter(|value| !value.is_empty()) {
            path.push(":");
            path.push(told);
        }
        path
    }
}
