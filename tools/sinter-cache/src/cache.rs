//! A cache folder that a command looks into, and the answer of a command.
//!
//! *Invariant:* the files are those of one moment; a command that reads one finds it gone without
//! failing.

use serde_json::Value;
use sinter::{cache::list, settings::Tunables};
use std::path::PathBuf;

/// A cache folder and the settings in force.
pub(crate) struct Cache {
    pub(crate) folder: PathBuf,
    pub(crate) files: Vec<list::CacheFile>,
    pub(crate) tunables: Tunables,
}

impl Cache {
    pub(crate) fn of_kind(&self, kind: list::FileKind) -> impl Iterator<Item = &list::CacheFile> {
        self.files.iter().filter(move |file| file.kind == kind)
    }
}

/// Result of a command.
pub(crate) struct Answer {
    pub(crate) text: String,
    pub(crate) json: Value,
    /// Problem that makes the exit status 1.
    pub(crate) problem: Option<String>,
}

impl Answer {
    pub(crate) fn new(text: String, json: Value) -> Self {
        Answer { text, json, problem: None }
    }
}
