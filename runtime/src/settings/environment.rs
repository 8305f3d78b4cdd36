//! Environment variables and folders that the runtime uses.
//!
//! *Invariant:* no other module of the runtime reads the environment, and a process with raised
//! privileges takes no path from its caller.
#![forbid(unsafe_code)]

use super::table::TABLE;
use crate::{
    system,
    vendor::families::{COUNT, FAMILIES},
};
use std::{ffi::OsString, path::PathBuf};

/// Prefix of Sinter's variables.
const PREFIX: &str = "SINTER_";

/// The environment of a process.
#[derive(Debug, Clone, Default)]
pub struct Environment {
    /// Variables that start with `SINTER_`, and the others in the table of settings.
    pub variables: Vec<(String, OsString)>,
    /// True if the process has more rights than its caller.
    pub privileged: bool,
    /// `HOME`, if absolute. With raised privileges, this and the next two are not taken from the
    /// caller.
    pub home: Option<PathBuf>,
    /// `XDG_CACHE_HOME`, if absolute.
    pub cache_home: Option<PathBuf>,
    /// Folder for temporary files.
    pub temp: PathBuf,
    /// Absolute paths of vendor libraries from the vendors' variables; empty with raised
    /// privileges.
    pub libraries: [Vec<PathBuf>; COUNT],
    /// `ROCM_PATH`, if absolute; `None` with raised privileges.
    pub rocm: Option<PathBuf>,
    /// `CUDA_VISIBLE_DEVICES`, which NVIDIA's driver reads itself; only for messages.
    pub visible_gpus: Option<String>,
    /// First set variable of those that AMD's library reads itself, such as
    /// `HIP_VISIBLE_DEVICES=1`.
    pub visible_amd_gpus: Option<String>,
    /// `ZE_AFFINITY_MASK`, which Level Zero's drivers read themselves; only for messages.
    pub level_zero_mask: Option<String>,
    /// `OCL_ICD_VENDORS`, which OpenCL's loader reads itself; only for messages.
    pub opencl_vendors: Option<String>,
}

/// Variables that hide AMD's GPUs.
const VISIBLE_AMD_GPUS: [&str; 4] =
    ["ROCR_VISIBLE_DEVICES", "HIP_VISIBLE_DEVICES", "CUDA_VISIBLE_DEVICES", "GPU_DEVICE_ORDINAL"];

fn absolute_variable(name: &str) -> Option<PathBuf> {
    std::env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute())
}

/// `NAME=value` of a variable; `None` if it is not set.
fn setting_of(name: &str) -> Option<String> {
    std::env::var(name).ok().map(|value| format!("{name}={value}"))
}

impl Environment {
    /// Reads the environment of this process.
    pub fn current() -> Self {
        let ours = |(name, value): (OsString, OsString)| Some((name.into_string().ok()?, value));
        let is_ours = |name: &str| name.starts_with(PREFIX) || TABLE.iter().any(|row| row.name == name);
        let variables = std::env::vars_os().filter_map(ours).filter(|(name, _)| is_ours(name));
        let variables = variables.collect();
        if system::raised_privileges() {
            return Environment { variables, privileged: true, temp: PathBuf::from("/tmp"), ..Environment::default() };
        }
        Environment {
            variables,
            privileged: false,
            home: absolute_variable("HOME"),
            cache_home: absolute_variable("XDG_CACHE_HOME"),
            temp: std::env::temp_dir(),
            libraries: FAMILIES.each_ref().map(|family| family.named(absolute_variable)),
            rocm: absolute_variable("ROCM_PATH"),
            visible_gpus: std::env::var("CUDA_VISIBLE_DEVICES").ok(),
            visible_amd_gpus: VISIBLE_AMD_GPUS.into_iter().find_map(setting_of),
            level_zero_mask: std::env::var("ZE_AFFINITY_MASK").ok(),
            opencl_vendors: std::env::var("OCL_ICD_VENDORS").ok(),
        }
    }
}
