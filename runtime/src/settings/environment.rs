//! What the runtime takes from the environment of its process.
//!
//! *Invariant:* nothing else in the runtime reads the environment, and a process with raised privileges
//! takes no path from its caller.
#![forbid(unsafe_code)]

use super::table::TABLE;
use crate::{
    drivers, system,
    vendor::families::{COUNT, FAMILIES},
};
use std::{collections::BTreeMap, ffi::OsString, path::PathBuf};

/// Prefix of the variables that are ours.
const PREFIX: &str = "SINTER_";

/// What the runtime takes from its environment.
#[derive(Debug, Clone, Default)]
pub struct Environment {
    /// Variables that start with `SINTER_`, and the others of the table.
    pub variables: Vec<(String, OsString)>,
    /// Whether the process has more rights than its caller.
    pub privileged: bool,
    /// `HOME`, if absolute. Neither this nor the next two are the caller's if the process has more rights.
    pub home: Option<PathBuf>,
    /// `XDG_CACHE_HOME`, if absolute.
    pub cache_home: Option<PathBuf>,
    /// The temporary folder.
    pub temp: PathBuf,
    /// Places of device functions that variables of their vendors name, if absolute; none if the process has more rights.
    pub libraries: [Vec<PathBuf>; COUNT],
    /// `ROCM_PATH`, if absolute; nothing if the process has more rights.
    pub rocm: Option<PathBuf>,
    /// Variables of [`drivers::variables`] that are set; none if the process has more rights.
    pub of_drivers: BTreeMap<&'static str, String>,
}

fn absolute_variable(name: &str) -> Option<PathBuf> {
    std::env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute())
}

impl Environment {
    /// The environment of this process.
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
