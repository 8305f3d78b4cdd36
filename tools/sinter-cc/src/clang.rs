//! Finds clang++ 19 and the files of the installation.
//!
//! In: `PATH` and the path of this program. Out: an installation, or advice on how to get one.
//! *Invariant:* clang's version is 19, for which the plugin is built: only names that carry the
//! version are searched.

use std::{
    env,
    ffi::OsStr,
    path::{Path, PathBuf},
};

const CLANG: &str = "clang++-19";
/// Path of clang 19 on Debian and Ubuntu.
const DEBIAN_CLANG: &str = "/usr/lib/llvm-19/bin/clang++";
const PLUGIN: &str = "lib/libsinter_stage1.so";

/// Files that a command refers to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Installation {
    pub(crate) clang: PathBuf,
    /// The folder that holds `bin`, `include` and `lib`.
    pub(crate) root: PathBuf,
}

impl Installation {
    /// Searches for clang in the folders of `path`, the value of `PATH`.
    pub(crate) fn find(path: &OsStr) -> Result<Self, String> {
        let clang = find_clang(path).ok_or("clang++ 19 was not found; on Debian: apt-get install clang-19")?;
        let root = root()?;
        let installation = Installation { clang, root };
        match installation.plugin().exists() {
            true => Ok(installation),
            false => Err(format!(
                "{} is missing; run `cargo xtask build` and use dist/bin/sinter-cc",
                installation.plugin().display()
            )),
        }
    }

    pub(crate) fn plugin(&self) -> PathBuf {
        self.root.join(PLUGIN)
    }
}

fn find_clang(path: &OsStr) -> Option<PathBuf> {
    let in_path = env::split_paths(path).map(|folder| folder.join(CLANG));
    in_path.chain([PathBuf::from(DEBIAN_CLANG)]).find(|candidate| candidate.is_file())
}

fn root() -> Result<PathBuf, String> {
    let program = env::current_exe().and_then(|program| program.canonicalize());
    let program = program.map_err(|error| format!("cannot find the folder of sinter-cc: {error}"))?;
    let root = program.parent().and_then(Path::parent);
    root.map(Path::to_path_buf).ok_or_else(|| format!("{} is not in a bin folder", program.display()))
}
