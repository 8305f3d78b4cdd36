//! Sums up a cache.
//!
//! In: its files. Out: their number by kind, and a histogram of the last uses of entries. A hit is
//! recorded at most every six hours, so the first class has that width.

use crate::{
    cache::{Answer, Cache},
    text::{age, amount},
};
use serde_json::{Value, json};
use sinter::cache::{
    directory::{self, Owners},
    list::{self, CacheFile, FileKind},
};
use std::{path::Path, time::SystemTime};

const HOUR: u64 = 3600;
/// Upper bounds of the histogram's classes in seconds, with their names.
const CLASSES: [(u64, &str); 6] = [
    (6 * HOUR, "6 hours"),
    (24 * HOUR, "1 day"),
    (7 * 24 * HOUR, "1 week"),
    (30 * 24 * HOUR, "30 days"),
    (90 * 24 * HOUR, "90 days"),
    (u64::MAX, "longer"),
];
/// Kinds other than entries, with their names.
const KINDS: [(FileKind, &str); 6] = [
    (FileKind::Request, "failed"),
    (FileKind::Quarantined, "quarantined"),
    (FileKind::List, "lists"),
    (FileKind::Lock, "locks"),
    (FileKind::Temporary, "temporary"),
    (FileKind::Other, "foreign"),
];

fn sum<'a>(files: impl Iterator<Item = &'a CacheFile>) -> (usize, u64) {
    files.fold((0, 0), |(count, bytes), file| (count + 1, bytes + file.size))
}

fn as_json((files, bytes): (usize, u64)) -> Value {
    json!({ "files": files, "bytes": bytes })
}

/// Entries by the time since their last use.
fn histogram(cache: &Cache) -> [(usize, u64); CLASSES.len()] {
    let now = SystemTime::now();
    let class = |file: &CacheFile| CLASSES.iter().position(|(end, _)| file.age(now).as_secs() < *end);
    std::array::from_fn(|index| sum(cache.of_kind(FileKind::Entry).filter(|file| class(file) == Some(index))))
}

/// Entries and bytes of a read-only layer, or the reason for which it is not used.
fn layer(folder: &Path) -> Result<(usize, u64), String> {
    directory::check(folder, Owners::UserAndRoot).map_err(|problem| problem.to_string())?;
    let files = list::files(folder).map_err(|error| error.to_string())?;
    Ok(sum(files.iter().filter(|file| file.kind == FileKind::Entry)))
}

fn layer_text(folder: &Path) -> String {
    let content = layer(folder).map_or_else(|problem| format!("not used: {problem}"), |(n, bytes)| amount(n, bytes));
    format!("below        {}: {content}\n", folder.display())
}

fn layer_json(folder: &Path) -> Value {
    match layer(folder) {
        Ok((files, bytes)) => json!({ "folder": folder, "files": files, "bytes": bytes }),
        Err(problem) => json!({ "folder": folder, "problem": problem }),
    }
}

fn text(cache: &Cache, classes: &[(usize, u64)]) -> String {
    let (count, bytes) = sum(cache.of_kind(FileKind::Entry));
    let limits = (cache.tunables.cache_size, age(cache.tunables.cache_age));
    let mut text = format!("folder       {}\nlimits       {} bytes, {}\n", cache.folder.display(), limits.0, limits.1);
    text += &format!("entries      {}\nlast used within\n", amount(count, bytes));
    let used =
        CLASSES.iter().zip(classes).map(|((_, name), (n, bytes))| format!("  {name:<9}  {}\n", amount(*n, *bytes)));
    text.extend(used);
    text.extend(KINDS.map(|(kind, name)| {
        let (count, bytes) = sum(cache.of_kind(kind));
        format!("{name:<11}  {}\n", amount(count, bytes))
    }));
    text.extend(cache.tunables.cache_dirs.iter().map(|folder| layer_text(folder)));
    text
}

/// The summary.
pub(crate) fn answer(cache: &Cache) -> Answer {
    let classes = histogram(cache);
    let used = CLASSES.iter().zip(classes).map(|((_, name), sums)| json!({ "within": name, "sums": as_json(sums) }));
    let mut json = json!({
        "folder": cache.folder,
        "limits": { "bytes": cache.tunables.cache_size, "seconds": cache.tunables.cache_age.as_secs() },
        "entries": as_json(sum(cache.of_kind(FileKind::Entry))),
        "last-used": used.collect::<Vec<_>>(),
        "below": cache.tunables.cache_dirs.iter().map(|folder| layer_json(folder)).collect::<Vec<_>>(),
    });
    KINDS.iter().for_each(|(kind, name)| json[*name] = as_json(sum(cache.of_kind(*kind))));
    Answer::new(text(cache, &classes), json)
}
