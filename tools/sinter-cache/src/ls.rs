//! Lists entries as a table.
//!
//! *Invariant:* a damaged entry is a row like any other, with the defect in place of its kernel.

use crate::{
    cache::{Answer, Cache},
    text,
};
use serde_json::{Value, json};
use sinter::cache::list::{CacheFile, FileKind, ReadError};
use sinter_core::{KeyFields, names::readable};
use std::time::SystemTime;

/// A row of the table.
struct Row<'a> {
    file: &'a CacheFile,
    fields: Result<KeyFields, ReadError>,
    /// The driver that assembled the machine code, if the entry has any.
    assembler: Option<String>,
    seconds: u64,
}

impl<'a> Row<'a> {
    /// The row of an entry; `None` if a program evicted it meanwhile.
    fn new(file: &'a CacheFile) -> Option<Self> {
        let entry = file.read();
        if entry.as_ref().is_err_and(ReadError::is_gone) {
            return None;
        }
        let assembly = entry.as_ref().ok().and_then(|entry| entry.code.assembly.as_ref());
        let assembler = assembly.map(|assembly| assembly.assembler.clone());
        let (fields, seconds) = (entry.map(|entry| entry.fields), file.age(SystemTime::now()).as_secs());
        Some(Row { file, fields, assembler, seconds })
    }

    fn key(&self) -> String {
        self.file.key().map(|key| key.to_string()).unwrap_or_default()
    }

    fn target(&self) -> String {
        self.fields.as_ref().map(text::target).unwrap_or_default()
    }

    /// Formats the row; `width` is that of the target column.
    fn text(&self, width: usize) -> String {
        let kernel = match &self.fields {
            Ok(fields) => readable(&text::field(fields, "kernel")),
            Err(error) => format!("damaged: {error}"),
        };
        let (age, target) = (text::age(std::time::Duration::from_secs(self.seconds)), self.target());
        let key: String = self.key().chars().take(text::KEY_DIGITS).collect();
        format!("{key:16}  {:>8}  {age:>5}  {target:width$}  {kernel}\n", self.file.size)
    }

    fn json(&self) -> Value {
        let mut row = json!({
            "key": self.key(),
            "file": self.file.path,
            "bytes": self.file.size,
            "unused-seconds": self.seconds,
        });
        match &self.fields {
            Ok(fields) => {
                row["name"] = readable(&text::field(fields, "kernel")).into();
                row["kernel"] = text::field(fields, "kernel").into();
                row["target"] = self.target().into();
                row["assembler"] = self.assembler.as_deref().into();
            }
            Err(error) => row["damage"] = error.to_string().into(),
        }
        row
    }
}

/// All entries as rows.
pub(crate) fn answer(cache: &Cache) -> Answer {
    let rows: Vec<_> = cache.of_kind(FileKind::Entry).filter_map(Row::new).collect();
    // Targets of one family have similar lengths; those of another may be ten times as long.
    let width = rows.iter().map(|row| row.target().len()).max().unwrap_or_default().max(20);
    let heading = format!("{:16}  {:>8}  {:>5}  {:width$}  kernel\n", "key", "bytes", "age", "target");
    let total: u64 = rows.iter().map(|row| row.file.size).sum();
    let lines: String = rows.iter().map(|row| row.text(width)).collect();
    let text = format!("{heading}{lines}{} entries, {total} bytes\n", rows.len());
    Answer::new(text, json!({ "folder": cache.folder, "entries": rows.iter().map(Row::json).collect::<Vec<_>>() }))
}
