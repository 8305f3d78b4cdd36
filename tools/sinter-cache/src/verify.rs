//! Checks every entry.

use crate::{Answer, Cache};
use serde_json::json;
use sinter::cache::list::{CacheFile, FileKind};
use std::path::PathBuf;

/// What is wrong with which entry.
pub(crate) fn answer(cache: &Cache) -> Answer {
    let entries: Vec<_> = cache.of_kind(FileKind::Entry).collect();
    let damage = |file: &&CacheFile| Some((file.path.clone(), file.read().err()?.to_string()));
    let damaged: Vec<(PathBuf, String)> = entries.iter().filter_map(damage).collect();
    let list = |(path, reason): &(PathBuf, String)| json!({ "file": path, "damage": reason });
    let json = json!({ "entries": entries.len(), "damaged": damaged.iter().map(list).collect::<Vec<_>>() });
    let lines: String = damaged.iter().map(|(path, reason)| format!("{}: {reason}\n", path.display())).collect();
    if damaged.is_empty() {
        return Answer::new(format!("{} entries, none damaged\n", entries.len()), json);
    }
    let problem = format!("{} of {} entries are damaged", damaged.len(), entries.len());
    Answer { text: lines, json, problem: Some(problem) }
}
