//! Checks pages: their width, links and pictures.
//!
//! In: the Markdown of the workspace. Out: findings with page and line. *Invariant:* a page that
//! names a file, a folder or a test fails if that is renamed.

use crate::{
    expect_none,
    source::{self, File},
};
use std::{collections::BTreeSet, fs};

/// Files that are generated, not in the repository.
const MADE: [&str; 1] = ["fuzz/artifacts/"];
/// Largest width of a line outside tables, in columns.
const WIDTH: usize = 100;
/// Largest width of a table cell, in characters.
const CELL: usize = 120;
/// Largest number of lines of the pages that readers start with.
const LENGTHS: [(&str, usize); 2] = [("README.md", 120), ("ARCHITECTURE.md", 120)];
/// Largest size of a picture, in bytes.
const PICTURE: u64 = 300 * 1024;
/// Lines that may still be wider: page and number, which may only shrink.
const WIDE: [(&str, usize); 2] = [("CHANGELOG.md", 103), ("docs/builtins.md", 13)];
/// Folders of the root in which pages name files.
const FOLDERS: [&str; 9] =
    ["benches/", "docs/", "examples/", "fuzz/", "kernels/", "llvm-to-backend/", "runtime/", "tests/", "tools/"];

fn pages(files: &[File]) -> impl Iterator<Item = &File> {
    files.iter().filter(|file| file.path.ends_with(".md"))
}

/// The lines of a page, numbered from 1.
fn lines(page: &File) -> impl Iterator<Item = (usize, &str)> {
    page.text.lines().enumerate().map(|(index, line)| (index + 1, line))
}

#[test]
fn lines_of_pages_are_short() {
    let mut findings = Vec::new();
    for page in pages(&source::files()) {
        let is_wide = |line: &str| !line.starts_with('|') && line.chars().count() > WIDTH;
        let wide: Vec<usize> = lines(page).filter(|(_, line)| is_wide(line)).map(|(number, _)| number).collect();
        let allowed = WIDE.iter().find(|(path, _)| *path == page.path).map_or(0, |(_, count)| *count);
        if wide.len() > allowed {
            findings.push(format!("{}: {} lines, {allowed} allowed: {wide:?}", page.path, wide.len()));
        }
    }
    expect_none("at most 100 columns outside of tables", findings);
}

/// Cells of a table row; `\|` does not separate them.
fn cells(row: &str) -> Vec<String> {
    row.replace("\\|", "\u{0}").split('|').map(|cell| cell.trim().replace('\u{0}', "|")).collect()
}

#[test]
fn cells_of_tables_are_short() {
    let mut findings = Vec::new();
    for page in pages(&source::files()) {
        for (number, row) in lines(page).filter(|(_, line)| line.starts_with('|')) {
            let long = cells(row).into_iter().map(|cell| cell.chars().count()).filter(|length| *length > CELL);
            findings.extend(long.map(|length| format!("{}:{number}: {length} characters", page.path)));
        }
    }
    expect_none("a cell of a table has at most 120 characters", findings);
}

#[test]
fn cells_are_divided_at_borders_only() {
    assert_eq!(cells(r"| `a\|b` | c |"), ["", "`a|b`", "c", ""]);
}

#[test]
fn pages_that_are_read_first_fit_on_a_few_screens() {
    let files = source::files();
    let of = |path: &str| files.iter().find(|file| file.path == path).map_or(0, |file| file.text.lines().count());
    let long = LENGTHS.iter().filter(|(path, limit)| !(1..=*limit).contains(&of(path)));
    expect_none("too long", long.map(|(path, limit)| format!("{path}: at most {limit} lines")).collect());
}

/// The lines of a page that are not code, numbered from 1.
fn prose(page: &File) -> impl Iterator<Item = (usize, &str)> {
    let mut in_code = false;
    lines(page).filter(move |(_, line)| {
        let is_border = line.starts_with("```");
        in_code ^= is_border;
        !in_code && !is_border && !line.starts_with("    ")
    })
}

/// The targets of links in a line.
fn links(line: &str) -> impl Iterator<Item = &str> {
    line.split("](").skip(1).filter_map(|rest| rest.split_once(')')).map(|(target, _)| target)
}

#[test]
fn links_lead_to_files() {
    let root = source::root();
    let mut findings = Vec::new();
    for page in pages(&source::files()) {
        let folder = root.join(&page.path).parent().map(std::path::Path::to_path_buf).unwrap_or_default();
        // In the archive, that page is one folder above the others.
        let folder = if page.path == "docs/archive.md" { root.clone() } else { folder };
        for (number, line) in prose(page) {
            let own = links(line).filter(|link| !link.contains("://") && !link.starts_with('#'));
            let dead = own.filter(|link| !folder.join(link.split('#').next().unwrap_or(link)).exists());
            findings.extend(dead.map(|link| format!("{}:{number}: {link}", page.path)));
        }
    }
    expect_none("links that lead nowhere", findings);
}

/// The parts of a text between backquotes.
fn quoted(text: &str) -> impl Iterator<Item = &str> {
    text.split('`').skip(1).step_by(2)
}

/// True for a placeholder, such as `STEP` in `tests/files/STEP/`.
fn is_placeholder(part: &str) -> bool {
    part.len() > 1 && part.chars().all(|c| c.is_ascii_uppercase())
}

#[test]
fn files_that_pages_name_exist() {
    let root = source::root();
    let mut findings = Vec::new();
    let files = source::files();
    for page in pages(&files).filter(|page| page.path != "CHANGELOG.md") {
        for (number, line) in lines(page) {
            let paths = quoted(line).filter(|path| FOLDERS.iter().any(|folder| path.starts_with(folder)));
            let plain = paths.filter(|path| !path.contains(['*', ' ', '{']) && !path.split('/').any(is_placeholder));
            let missing = plain.filter(|path| !MADE.contains(path) && !root.join(path).exists());
            findings.extend(missing.map(|path| format!("{}:{number}: {path}", page.path)));
        }
    }
    expect_none("files that do not exist", findings);
}

/// Names of functions, and of files and folders without extension.
fn names(files: &[File]) -> BTreeSet<String> {
    let functions = files.iter().flat_map(|file| file.code.split("fn ").skip(1));
    let functions = functions.filter_map(|rest| rest.split(|c| !source::is_word_char(c)).next());
    let parts = files.iter().flat_map(|file| file.path.split('/')).filter_map(|part| part.split('.').next());
    functions.chain(parts).map(str::to_owned).collect()
}

#[test]
fn decisions_have_evidence_that_exists() {
    let files = source::files();
    let names = names(&files);
    let (mut findings, mut count) = (Vec::new(), 0);
    for page in pages(&files).filter(|page| page.path.starts_with("docs/design/")) {
        let paragraphs = page.text.split("\n\n").filter(|text| text.starts_with("*Evidence:*"));
        let words = paragraphs.flat_map(quoted).filter(|word| word.chars().all(|c| c.is_ascii_lowercase() || c == '_'));
        for word in words.filter(|word| word.contains('_')) {
            count += 1;
            if !names.contains(word) {
                findings.push(format!("{}: {word}", page.path));
            }
        }
    }
    assert!(count > 50, "only {count} tests are named in docs/design");
    expect_none("evidence that is neither a test nor a file", findings);
}

/// The words in a description of a picture, line by line.
fn labels(description: &str) -> impl Iterator<Item = &str> {
    let labels = description.split("label=\"").skip(1).filter_map(|rest| rest.split_once('"'));
    labels.flat_map(|(label, _)| label.split("\\n")).filter(|label| !label.is_empty())
}

#[test]
fn pictures_are_small_and_those_of_their_descriptions() {
    let folder = source::root().join("docs/pictures");
    let mut findings = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if fs::metadata(&path).unwrap().len() > PICTURE {
            findings.push(format!("{}: more than {PICTURE} bytes", path.display()));
        }
        if path.extension().is_some_and(|extension| extension == "dot") {
            let picture = fs::read_to_string(path.with_extension("svg")).unwrap_or_default();
            let description = fs::read_to_string(&path).unwrap();
            let is_there = |label: &&str| picture.contains(&format!(">{}<", label.replace('-', "&#45;")));
            let missing = labels(&description).filter(|label| !is_there(label));
            findings.extend(missing.map(|label| format!("{}: {label} is not in the picture", path.display())));
        }
    }
    expect_none("pictures", findings);
}
