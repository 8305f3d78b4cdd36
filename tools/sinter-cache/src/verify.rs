//! Checks the digest of every entry.
//!
//! *Invariant:* an entry that a program evicts meanwhile is not damaged.

use crate::cache::{Answer, Cache};
use serde_json::json;
use sinter::cache::list::{CacheFile, FileKind, ReadError};
use std::path::PathBuf;

/// Damaged entries, each with its defect.
pub(crate) fn answer(cache: &Cache) -> Answer {
    let read = |file: &CacheFile| (file.path.clone(), file.read().map(drop));
    let (gone, entries): (Vec<_>, Vec<_>) = cache
        .of_kind(FileKind::Entry)
        .map(read)
        .partition(|(_, result)| result.as_ref().is_err_and(ReadError::is_gone));
    let damage =
        |(path, result): &(PathBuf, Result<(), ReadError>)| Some((path.clone(), result.as_ref().err()?.to_string()));
    let damaged: Vec<(PathBuf, String)> = entries.iter().filter_map(damage).collect();
    let list = |(path, reason): &(PathBuf, String)| json!({ "file": path, "damage": reason });
    let json = json!({
        "entries": entries.len(),
        "damaged": damaged.iter().map(list).collect::<Vec<_>>(),
        "removed-meanwhile": gone.len(),
    });
    if damaged.is_empty() {
        let gone = if gone.is_empty() { String::new() } else { format!("; {} removed meanwhile", gone.len()) };
        return Answer::new(format!("{} entries, none damaged{gone}\n", entries.len()), json);
    }
    let lines: String = damaged.iter().map(|(path, reason)| format!("{}: {reason}\n", path.display())).collect();
    let advice = "programs set damaged entries aside and translate their kernels again, so nothing has to be done; \
                  remove the files to have their room now. If more are damaged soon, check the disk";
    let problem = format!("{} of {} entries are damaged; {advice}", damaged.len(), entries.len());
    Answer { text: lines, json, problem: Some(problem) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use sinter::{cache::list, settings::Tunables};
    use std::fs;

    #[test]
    fn an_entry_that_is_evicted_meanwhile_is_not_damaged() {
        let root = tempfile::tempdir().expect("folder");
        let [evicted, damaged] = ["00/a.sco", "00/b.sco"].map(|name| root.path().join(name));
        fs::create_dir(root.path().join("00")).expect("folder");
        for path in [&evicted, &damaged] {
            fs::write(path, "noise").expect("write");
        }
        let files = list::files(root.path()).expect("list");
        let cache = Cache { folder: root.path().to_owned(), files, tunables: Tunables::default() };
        fs::remove_file(evicted).expect("remove");
        let problem = answer(&cache).problem.expect("a problem");
        assert!(problem.starts_with("1 of 1 entries are damaged; "), "{problem}");
        fs::remove_file(damaged).expect("remove");
        let all_gone = answer(&cache);
        assert_eq!(
            (all_gone.problem, all_gone.text.as_str()),
            (None, "0 entries, none damaged; 2 removed meanwhile\n")
        );
    }
}
