//! Pages that are made from tables in the code.
//!
//! `SINTER_BLESS=1 cargo test -p sinter-tests --test documents` writes them anew.
#![allow(clippy::unwrap_used, reason = "a test says what it expects by unwrapping")]

use sinter::tunables::{Row, TABLE};
use std::{env, fs, path::Path};

const TUNABLES_HEAD: &str = "# Settings

Every setting is an environment variable; none is needed. `sinter-info --config` prints the values in force and where each came from. An
unknown `SINTER_` variable is reported with the nearest name; a value that does not parse, or a mask that names no driver, is reported once and the
default used.

A process with raised privileges (set-user-id and the like) ignores the settings marked *trusted*: they name files and folders.
Settings marked *code* change the machine code of kernels and are part of the cache key.

| variable | values | default | | meaning |
|---|---|---|---|---|
";

fn line(row: &Row) -> String {
    let marks = [(row.trusted_only, "trusted"), (row.changes_code, "code")];
    let marks: Vec<&str> = marks.iter().filter(|(set, _)| *set).map(|(_, mark)| *mark).collect();
    let kind = row.kind.replace('|', "\\|");
    let default = if row.default.is_empty() { "unset" } else { row.default };
    format!("| `{}` | {kind} | {default} | {} | {} |\n", row.name, marks.join(", "), row.doc)
}

#[test]
fn the_settings_page_is_the_table() {
    let expected = TUNABLES_HEAD.to_owned() + &TABLE.iter().map(line).collect::<String>();
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/tunables.md");
    if env::var_os("SINTER_BLESS").is_some() {
        fs::write(&path, &expected).unwrap();
    }
    let present = fs::read_to_string(&path).unwrap_or_default();
    assert!(present == expected, "docs/tunables.md is out of date; run this test with SINTER_BLESS=1");
}
