//! The list of tests that the script runs.
//!
//! Out: a line for each test with its name, its criterion, its time limit and a command for bash,
//! separated by tabs. In a command `$ROOT` is the folder of the archive; the current folder belongs
//! to the test.
//! *Invariant:* a file below `tests` that no line needs is removed, so that the archive has no file
//! of an earlier build.

use crate::shell;
use anyhow::{Context, Result};
use std::{
    collections::BTreeSet,
    fs,
    path::{Path, PathBuf},
};

/// Criterion for a passed test, in addition to its exit status.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Judge {
    /// The output has a line `PASS`.
    Pass,
    /// The exit status decides.
    Status,
}

/// Tests, and the files they need.
#[derive(Debug, Default)]
pub(crate) struct Plan {
    lines: Vec<String>,
    files: BTreeSet<PathBuf>,
}

impl Plan {
    /// Adds a test; `limit` is in seconds.
    pub(crate) fn test(&mut self, name: &str, judge: Judge, limit: u32, command: &str) {
        let judge = match judge {
            Judge::Pass => "pass",
            Judge::Status => "status",
        };
        self.lines.push(format!("{name}\t{judge}\t{limit}\t{command}\n"));
    }

    /// Keeps a file, given by its path in the archive.
    pub(crate) fn keep(&mut self, file: impl Into<PathBuf>) {
        self.files.insert(file.into());
    }

    pub(crate) fn text(&self) -> String {
        self.lines.concat()
    }

    /// Removes files of earlier builds.
    pub(crate) fn sweep(&self, tree: &Path) -> Result<()> {
        for path in shell::files(&tree.join("tests"))? {
            let name = path.strip_prefix(tree).unwrap_or(&path);
            if name != Path::new("tests/list") && !self.files.contains(name) {
                fs::remove_file(&path).with_context(|| format!("cannot remove {}", path.display()))?;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_test_is_a_line() {
        let mut plan = Plan::default();
        plan.test("a/b", Judge::Pass, 60, "$ROOT/tests/a/b 1");
        assert_eq!(plan.text(), "a/b\tpass\t60\t$ROOT/tests/a/b 1\n");
    }
}
