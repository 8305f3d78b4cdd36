//! Entries as a table.
//!
//! *Invariant:* a damaged entry is a line like any other, with what is wrong in place of its kernel.

use sinter::cache::list::{CacheFile, FileKind};
use sinter_core::KeyFields;
use std::time::{Duration, SystemTime};

const MINUTE: u64 = 60;
const HOUR: u64 = 60 * MINUTE;
const DAY: u64 = 24 * HOUR;

/// A duration in its largest unit.
fn age(elapsed: Duration) -> String {
    match elapsed.as_secs() {
        seconds @ 0..MINUTE => format!("{seconds}s"),
        seconds @ MINUTE..HOUR => format!("{}m", seconds / MINUTE),
        seconds @ HOUR..DAY => format!("{}h", seconds / HOUR),
        seconds => format!("{}d", seconds / DAY),
    }
}

/// One field of a key as text.
fn field(fields: &KeyFields, name: &str) -> String {
    let found = fields.iter().find(|(field, _)| *field == name);
    found.map(|(_, value)| String::from_utf8_lossy(value).into_owned()).unwrap_or_default()
}

fn line(file: &CacheFile) -> String {
    let (kernel, target) = match file.read() {
        Ok(entry) => (field(&entry.fields, "kernel"), target(&entry.fields)),
        Err(error) => (format!("damaged: {error}"), String::new()),
    };
    let key = file.key().map(|key| key.to_string()).unwrap_or_default();
    let elapsed = SystemTime::now().duration_since(file.modified).unwrap_or_default();
    format!("{:16}  {:>8}  {:>5}  {:20}  {kernel}\n", &key[..key.len().min(16)], file.size, age(elapsed), target)
}

fn target(fields: &KeyFields) -> String {
    format!("{}:{}", field(fields, "target"), field(fields, "cpu"))
}

/// The entries among `files`, one a line.
pub(crate) fn render(files: &[CacheFile]) -> String {
    let entries: Vec<_> = files.iter().filter(|file| file.kind == FileKind::Entry).collect();
    let heading = format!("{:16}  {:>8}  {:>5}  {:20}  kernel\n", "key", "bytes", "age", "target");
    let total: u64 = entries.iter().map(|file| file.size).sum();
    let lines: String = entries.iter().map(|file| line(file)).collect();
    format!("{heading}{lines}{} entries, {total} bytes\n", entries.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ages_have_one_unit() {
        let texts = [5, 65, 3700, 200_000].map(|seconds| age(Duration::from_secs(seconds)));
        assert_eq!(texts, ["5s", "1m", "1h", "2d"]);
    }
}
