//! A folder in which tests run a tool.
//!
//! Tests of the tools take this file in by its path. *Invariant:* what a tool writes lies in the folder and goes with it.
#![allow(dead_code, reason = "each tool uses what it needs")]

use std::{
    fs,
    path::{Path, PathBuf},
    process::{Command, Output},
};
use tempfile::TempDir;

/// Two kernels, one of which has a name of C++.
pub(crate) const TWO_KERNELS: &str = "define void @copy(ptr %p) { store i32 1, ptr %p ret void }
define void @_Z5scalePif(ptr %p, float %x) { store float %x, ptr %p ret void }";

/// The tool at a path, in a folder with the file `two.ll`.
pub(crate) struct Folder {
    folder: TempDir,
    tool: &'static Path,
}

impl Folder {
    pub(crate) fn new(tool: &'static str) -> Self {
        let folder = Folder { folder: tempfile::tempdir().expect("folder"), tool: Path::new(tool) };
        folder.write("two.ll", TWO_KERNELS);
        folder
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub(crate) fn write(&self, name: &str, content: impl AsRef<[u8]>) {
        fs::write(self.path(name), content).expect("write");
    }

    pub(crate) fn run(&self, arguments: &[&str]) -> Output {
        Command::new(self.tool).current_dir(self.folder.path()).args(arguments).output().expect("the tool runs")
    }

    /// What the tool writes to standard output, where it succeeds.
    pub(crate) fn text(&self, arguments: &[&str]) -> String {
        let output = self.run(arguments);
        assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8_lossy(&output.stdout).into_owned()
    }

    /// Runs the examples of the help.
    pub(crate) fn run_examples(&self, tool: &str) {
        let help = self.text(&["--help"]);
        let start = format!("  {tool} ");
        let examples: Vec<_> = help.lines().filter_map(|line| line.strip_prefix(start.as_str())).collect();
        assert!(examples.len() >= 6, "{help}");
        examples.into_iter().for_each(|example| drop(self.text(&example.split(' ').collect::<Vec<_>>())));
    }
}

pub(crate) fn refused(output: &Output, code: i32, text: &str) {
    let message = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(code), "{message}");
    assert!(message.contains(text), "`{text}` is not in: {message}");
}
