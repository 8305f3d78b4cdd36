//! Environment variables and folders that the runtime uses.
//!
//! *Invariant:* no other module of the runtime reads the environment, and a process with raised
//! privileges takes no path from its caller.
#![forbid(unsafe_code)]

use super::table::TABLE;
use crate::{
    drivers, system,
    vendor::families::{COUNT, FAMILIES},
};
use std::{collections::BTreeMap, ffi::OsString, path::PathBuf};

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
    /// Variables of [`drivers::variables`] that are set; empty with raised privileges.
    pub of_drivers: BTreeMap<&'static str, String>,
}

fn absolute_variable(name: &str) -> Option<PathBuf> {
    std::env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute())
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
            of_drivers: drivers::variables().filter_map(|name| Some((name, std::env::var(name).ok()?))).collect(),
        }
    }
}
