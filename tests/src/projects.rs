//! Projects outside the tree, each in its own folder.
//!
//! In: folders of sources, an installation of Sinter, commands. Out: the output of programs.
//! *Invariant:* no file is written outside the temporary folder, and programs see no settings of
//! the test run except those passed to them. Commands of `docs/install.md` run unchanged, except
//! that the folder of the archive is replaced by the installation under test.

use std::{
    env, fs,
    path::{Path, PathBuf},
    process::{Command, Output},
};
use tempfile::TempDir;

pub fn workspace() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap().to_owned()
}

/// The installation under test: `SINTER_DIST`, or else `dist/` of the workspace.
pub fn installation() -> PathBuf {
    env::var_os("SINTER_DIST").map_or_else(|| workspace().join("dist"), PathBuf::from)
}

/// True if a program is installed. Otherwise prints that the test is skipped.
pub fn is_there(program: &str) -> bool {
    let is_there = Command::new(program).arg("--version").output().is_ok();
    if !is_there {
        println!("skipped: {program} is not installed");
    }
    is_there
}

pub fn text(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr)
}

/// Copies a folder recursively.
pub fn copy(from: &Path, to: &Path) {
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

/// The two compilers for a project.
pub fn compilers() -> [PathBuf; 2] {
    ["c++".into(), installation().join("bin/sinter-cc")]
}

/// The folder into which `docs/install.md` unpacks the archive.
const ARCHIVE: &str = concat!("/path/to/sinter-", env!("CARGO_PKG_VERSION"), "-x86_64");

/// Commands under a heading of `docs/install.md`: its indented lines, up to the next heading.
fn commands(heading: &str) -> String {
    let page = fs::read_to_string(workspace().join("docs/install.md")).unwrap();
    let (_, section) = page.split_once(&format!("\n{heading}\n")).expect("the heading");
    let section = section.split("\n#").next().unwrap_or_default();
    let lines: Vec<&str> = section.lines().filter_map(|line| line.strip_prefix("    ")).collect();
    assert!(section.contains(ARCHIVE) && !lines.is_empty(), "{heading} has no commands");
    lines.join("\n").replace(ARCHIVE, &installation().display().to_string())
}

/// A project in a temporary folder.
pub struct Project {
    folder: TempDir,
}

impl Project {
    /// A project with the files of these folders of the workspace.
    pub fn new(folders: &[&str]) -> Self {
        let project = Project { folder: tempfile::tempdir().unwrap() };
        folders.iter().for_each(|folder| copy(&workspace().join(folder), &project.source()));
        project
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub fn source(&self) -> PathBuf {
        self.path("source")
    }

    pub fn build_folder(&self) -> PathBuf {
        self.path("build")
    }

    /// Runs CMake; returns true if it succeeded, and its output.
    pub fn try_configure(&self, prefix: &Path, compiler: &Path, options: &[&str]) -> (bool, String) {
        let mut command = Command::new("cmake");
        command.arg("-S").arg(self.source()).arg("-B").arg(self.build_folder());
        command.arg(format!("-DCMAKE_PREFIX_PATH={}", prefix.display()));
        command.arg(format!("-DCMAKE_CXX_COMPILER={}", compiler.display()));
        let output = command.args(options).output().unwrap();
        (output.status.success(), text(&output))
    }

    pub fn configure(&self, prefix: &Path, compiler: &Path, options: &[&str]) {
        let (success, text) = self.try_configure(prefix, compiler, options);
        assert!(success, "{text}");
    }

    pub fn build(&self, options: &[&str]) -> String {
        run(Command::new("cmake").arg("--build").arg(self.build_folder()).args(options))
    }

    /// Runs the commands under a heading of `docs/install.md` in the project's sources; returns
    /// their output.
    pub fn follow(&self, heading: &str) -> String {
        let mut command = Command::new("sh");
        for (name, _) in env::vars_os().filter(|(name, _)| name.to_string_lossy().starts_with("SINTER_")) {
            command.env_remove(name);
        }
        command.env_remove("CARGO_TARGET_DIR").env("CARGO_NET_OFFLINE", "true");
        run(command.args(["-e", "-c", &commands(heading)]).current_dir(self.source()))
    }

    /// Runs a program, named relative to the project's folder; returns its output.
    pub fn run(&self, program: &str) -> String {
        let mut command = Command::new(self.path(program));
        // The runtime warns about unknown variables that start with `SINTER_`.
        run(command.env_remove("SINTER_DIST").env("SINTER_CACHE_DIR", self.path("cache")))
    }
}

/// Runs a command, which must succeed; returns its output.
pub fn run(command: &mut Command) -> String {
    let output = command.output().unwrap_or_else(|error| panic!("{command:?}: {error}"));
    assert!(output.status.success(), "{command:?}: {}", text(&output));
    text(&output)
}
