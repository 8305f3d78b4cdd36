//! Projects that CMake configures, builds and installs in a folder of their own.
//!
//! In: folders of sources and an installation of Sinter. Out: what the programs print. *Invariant:* nothing is written
//! outside the temporary folder, and programs see no setting of the test's own run but those they are given.
#![allow(dead_code, reason = "each test file uses a part")]

use std::{
    env, fs,
    path::{Path, PathBuf},
    process::{Command, Output},
};
use tempfile::TempDir;

pub(crate) fn workspace() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap().to_owned()
}

/// The installation under test: `SINTER_DIST`, else `dist/` of the workspace.
pub(crate) fn installation() -> PathBuf {
    env::var_os("SINTER_DIST").map_or_else(|| workspace().join("dist"), PathBuf::from)
}

/// Whether a program is installed; a test that needs it says that it was skipped.
pub(crate) fn is_there(program: &str) -> bool {
    let is_there = Command::new(program).arg("--version").output().is_ok();
    if !is_there {
        println!("skipped: {program} is not installed");
    }
    is_there
}

pub(crate) fn text(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr)
}

/// Copies the files of a folder and of those below it.
pub(crate) fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let path = entry.unwrap().path();
        let to = to.join(path.file_name().unwrap());
        match path.is_dir() {
            true => copy(&path, &to),
            false => assert!(fs::copy(&path, to).is_ok(), "{}", path.display()),
        }
    }
}

/// The two compilers that a project may have.
pub(crate) fn compilers() -> [PathBuf; 2] {
    ["c++".into(), installation().join("bin/sinter-cc")]
}

/// A project in a temporary folder.
pub(crate) struct Project {
    folder: TempDir,
}

impl Project {
    /// One with the files of these folders of the workspace.
    pub(crate) fn new(folders: &[&str]) -> Self {
        let project = Project { folder: tempfile::tempdir().unwrap() };
        folders.iter().for_each(|folder| copy(&workspace().join(folder), &project.source()));
        project
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub(crate) fn source(&self) -> PathBuf {
        self.path("source")
    }

    pub(crate) fn build_folder(&self) -> PathBuf {
        self.path("build")
    }

    /// Runs CMake; gives whether it succeeded, and what it said.
    pub(crate) fn try_configure(&self, prefix: &Path, compiler: &Path, options: &[&str]) -> (bool, String) {
        let mut command = Command::new("cmake");
        command.arg("-S").arg(self.source()).arg("-B").arg(self.build_folder());
        command.arg(format!("-DCMAKE_PREFIX_PATH={}", prefix.display()));
        command.arg(format!("-DCMAKE_CXX_COMPILER={}", compiler.display()));
        let output = command.args(options).output().unwrap();
        (output.status.success(), text(&output))
    }

    pub(crate) fn configure(&self, prefix: &Path, compiler: &Path, options: &[&str]) {
        let (success, text) = self.try_configure(prefix, compiler, options);
        assert!(success, "{text}");
    }

    pub(crate) fn build(&self, options: &[&str]) -> String {
        run(Command::new("cmake").arg("--build").arg(self.build_folder()).args(options))
    }

    /// What a program prints, named from the project's folder.
    pub(crate) fn run(&self, program: &str) -> String {
        let mut command = Command::new(self.path(program));
        // The runtime warns of variables that start like its own and are none.
        run(command.env_remove("SINTER_DIST").env("SINTER_CACHE_DIR", self.path("cache")))
    }
}

/// What a command prints; it must succeed.
pub(crate) fn run(command: &mut Command) -> String {
    let output = command.output().unwrap_or_else(|error| panic!("{command:?}: {error}"));
    assert!(output.status.success(), "{command:?}: {}", text(&output));
    text(&output)
}
