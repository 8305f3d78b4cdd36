//! Removes entries beyond the limits of the cache.

use crate::{
    cache::{Answer, Cache},
    text::amount,
};
use serde_json::json;
use sinter::cache::{Limits, evict, folder::Folder};
use sinter_tool_common::ToolError;
use std::time::{Duration, SystemTime};

/// Removes the entries, or only lists them for a dry run.
pub(crate) fn answer(
    cache: &Cache,
    max_size: Option<u64>,
    max_age: Option<Duration>,
    dry_run: bool,
) -> Result<Answer, ToolError> {
    let limits = Limits {
        bytes: max_size.unwrap_or(cache.tunables.cache_size),
        age: max_age.unwrap_or(cache.tunables.cache_age),
    };
    let sweep = evict::plan(cache.files.clone(), limits, SystemTime::now());
    if !dry_run && cache.folder.is_dir() {
        let failed = |error| ToolError::rejected(format!("{}: {error}", cache.folder.display()));
        Folder::open_named(&cache.folder).and_then(|folder| sweep.run(&folder)).map_err(failed)?;
    }
    let paths: Vec<_> = sweep.remove.iter().map(|file| &file.path).collect();
    let verb = if dry_run { "would remove" } else { "removed" };
    let removed = amount(paths.len(), sweep.removed_bytes());
    let kept = amount(sweep.keep.len(), sweep.kept_bytes());
    let lines: String = paths.iter().map(|path| format!("{verb} {}\n", path.display())).collect();
    let json = json!({
        "dry-run": dry_run,
        "removed": paths,
        "removed-bytes": sweep.removed_bytes(),
        "kept": { "files": sweep.keep.len(), "bytes": sweep.kept_bytes() },
    });
    Ok(Answer::new(format!("{lines}{verb} {removed}; kept {kept}\n"), json))
}
