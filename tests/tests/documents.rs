//! Generates the pages that are derived from tables in the code.
//!
//! `SINTER_BLESS=1 cargo test -p sinter-tests --test documents` rewrites them.
#![allow(clippy::unwrap_used, reason = "a test says what it expects by unwrapping")]

use sinter::settings::{Row, TABLE};
use sinter_core::{
    AmdgcnTarget,
    amdgcn::{Setting, Wave},
};
use std::{env, fs, path::Path};

const TUNABLES_HEAD: &str = "# Settings

Every setting is an environment variable; none is needed. `sinter-info --config` prints the values
in force and where each came from. An unknown `SINTER_` variable is reported with the nearest name;
a value that does not parse is reported once and the default used. A list of devices is the
exception: what is not understood in it selects none, because whoever gives one does not want all.
An empty value is an unset one.

A process with raised privileges (set-user-id and the like) ignores the settings marked *trusted*:
they name files and folders. Settings marked *code* change the machine code of kernels and are part
of the cache key.

| variable | values | default | |
|---|---|---|---|
";

const MEANINGS_HEAD: &str = "\n## What does each of them do?\n\n";

/// The width of a page in columns.
const WIDTH: usize = 100;

fn line(row: &Row) -> String {
    let marks = [(row.trusted_only, "trusted"), (row.changes_code, "code")];
    let marks: Vec<&str> = marks.iter().filter(|(set, _)| *set).map(|(_, mark)| *mark).collect();
    let kind = row.kind.replace('|', "\\|");
    let default = if row.default.is_empty() { "unset" } else { row.default };
    format!("| `{}` | {kind} | {default} | {} |\n", row.name, marks.join(", "))
}

/// A list item, filled to the width of a page.
fn meaning(row: &Row) -> String {
    let mut lines = vec![format!("* **`{}`:**", row.name)];
    for word in row.doc.split_whitespace() {
        match lines.last_mut() {
            Some(line) if line.chars().count() + 1 + word.chars().count() <= WIDTH => *line += &format!(" {word}"),
            _ => lines.push(format!("  {word}")),
        }
    }
    lines.join("\n") + "\n"
}

fn settings() -> String {
    let lines: String = TABLE.iter().map(line).collect();
    let meanings: String = TABLE.iter().map(meaning).collect();
    format!("{TUNABLES_HEAD}{lines}{MEANINGS_HEAD}{meanings}")
}

#[test]
fn the_settings_page_is_the_table() {
    let expected = settings();
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/tunables.md");
    if env::var_os("SINTER_BLESS").is_some() {
        fs::write(&path, &expected).unwrap();
    }
    let present = fs::read_to_string(&path).unwrap_or_default();
    assert!(present == expected, "docs/tunables.md is out of date; run this test with SINTER_BLESS=1");
}

const PROCESSORS_HEAD: &str = "| processor | features | work-items of a sub-group |\n|---|---|---|\n";

fn processor(name: &str) -> String {
    let target: AmdgcnTarget = name.parse().unwrap();
    let features = [("`xnack`", target.xnack), ("`sramecc`", target.sramecc)];
    let features: Vec<&str> =
        features.iter().filter(|(_, setting)| *setting != Setting::Unsupported).map(|(name, _)| *name).collect();
    let waves = match target.wave {
        Wave::Wave32 => "32, with `wavefrontsize64+` 64",
        Wave::Wave64 => "64",
    };
    format!("| `{name}` | {} | {waves} |\n", features.join(", "))
}

#[test]
fn the_processors_of_amd_are_the_table() {
    let expected = PROCESSORS_HEAD.to_owned() + &AmdgcnTarget::processors().map(processor).collect::<String>() + "\n";
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/cli.md");
    let page = fs::read_to_string(&path).unwrap();
    let (before, rest) = page.split_once(PROCESSORS_HEAD).expect("the head of the table");
    let (_, after) = rest.split_once("\n\n").expect("a paragraph behind the table");
    if env::var_os("SINTER_BLESS").is_some() {
        fs::write(&path, format!("{before}{expected}{after}")).unwrap();
    }
    let present = fs::read_to_string(&path).unwrap();
    assert!(present.contains(&expected), "docs/cli.md is out of date; run this test with SINTER_BLESS=1");
}
