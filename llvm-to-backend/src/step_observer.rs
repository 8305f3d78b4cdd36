//! Shows the module after each step to whoever asked.
//!
//! *Invariant:* observing never changes the code that a translation returns; a dump that cannot be written is a warning.

use crate::{fingerprint::FINGERPRINT, steps::Step};
use sinter_core::{TranslateRequest, names::readable};
use sinter_llvm::Module;
use std::{
    fs,
    path::{Path, PathBuf},
};

/// Longest part of a kernel's name in a folder name.
const NAME_LENGTH: usize = 100;

/// What a stopped translation is asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Stop {
    /// The last step to run.
    pub(crate) after: Step,
}

/// Receives the module after each step.
#[derive(Debug)]
pub(crate) struct StepObserver {
    folder: Option<PathBuf>,
    stop: Option<Stop>,
    /// The text of the module at the step where the translation stopped.
    pub(crate) stopped_with: Option<String>,
}

impl StepObserver {
    /// Writes to `<dump>/<kernel>-<key8>/` where a dump folder is given, and stops after a step where one is given.
    pub(crate) fn new(dump: Option<&Path>, stop: Option<Stop>, request: &TranslateRequest) -> Self {
        let folder = dump.map(|dump| {
            let key = request.key(&FINGERPRINT).to_string();
            dump.join(format!("{}-{}", file_name(&readable(&request.config.entry)), &key[..8]))
        });
        if let Some(folder) = &folder {
            report(folder, fs::create_dir_all(folder));
            report(folder, fs::write(folder.join("replay.request"), request.to_bytes()));
        }
        StepObserver { folder, stop, stopped_with: None }
    }

    /// Shows the module after `step`; false means that the translation is to stop here.
    pub(crate) fn after(&mut self, step: Step, module: &Module<'_>) -> bool {
        self.write(step, "ll", || module.text().into_bytes());
        let stop = self.stop.is_some_and(|stop| stop.after == step);
        if stop {
            self.stopped_with = Some(module.text());
        }
        !stop
    }

    /// Writes what a step made, if a folder is given.
    pub(crate) fn write(&self, step: Step, extension: &str, content: impl FnOnce() -> Vec<u8>) {
        if let Some(folder) = &self.folder {
            let path = folder.join(format!("{:02}-{step}.{extension}", step as usize));
            report(&path, fs::write(&path, content()));
        }
    }
}

fn report(path: &Path, result: std::io::Result<()>) {
    if let Err(error) = result {
        tracing::warn!(path = %path.display(), %error, "cannot write a dump");
    }
}

/// A kernel's readable name with `_` in place of each run of characters other than letters, digits,
/// `_`, `.` and `-`. It needs no quotes in a shell, and starts with a letter or digit.
fn file_name(kernel: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "_.-".contains(c);
    let words: Vec<&str> = kernel.split(|c| !is_plain(c)).filter(|word| !word.is_empty()).collect();
    let name = words.join("_");
    name.trim_start_matches(['-', '.', '_']).chars().take(NAME_LENGTH).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folders_have_the_readable_names() {
        let names = [
            ("main::{lambda(int)#1}", "main_lambda_int_1"),
            ("(anonymous namespace)::scale<float, 2>", "anonymous_namespace_scale_float_2"),
            ("../-k", "k"),
            ("triad", "triad"),
            ("größe", "gr_e"),
        ];
        for (kernel, name) in names {
            assert_eq!(file_name(kernel), name);
        }
        assert_eq!(file_name(&"x".repeat(1000)).len(), NAME_LENGTH);
    }
}
