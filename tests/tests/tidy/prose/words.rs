//! Checks the words of comments, and their width.
//!
//! In: code, comments, messages and pages. Out: findings with file and line. *Invariant:* an
//! allowance may shrink but never grow: it is the count from when the rule was made.

use crate::{
    expect_none,
    source::{self, File},
};

/// Largest width of a line with a comment, in columns.
const WIDTH: usize = 100;
/// Files with wider comments.
const WIDE_FILES: usize = 4;

/// A phrase, the field's word for it, and the number of its remaining occurrences. Each is split in
/// two pieces, or this file would match itself.
const PHRASES: [(&str, &str, usize); 7] = [
    (concat!("truth ", "value"), "boolean or i1", 0),
    (concat!("merged ", "into"), "inlined", 0),
    (concat!("spelled ", "out"), "lowered or emitted", 0),
    (concat!("taken ", "apart"), "scalarised or split", 0),
    (concat!("rag", "ged"), "exact range", 0),
    (concat!("computed ", "jump"), "indirect branch", 0),
    (concat!("the ", "maker's"), "the vendor's", 0),
];

/// Forbidden openings of comments, with the number of remaining ones.
const OPENINGS: [(&str, usize); 2] = [("What ", 0), ("Whether ", 0)];

/// Files without English prose, or with quotations.
const SKIPPED: [&str; 4] = ["CHANGELOG.md", "Cargo.lock", "LICENSE-APACHE", "LICENSE-MIT"];

const CODE: [&str; 5] = [".rs", ".cpp", ".hpp", ".h", ".c"];

fn is_code(file: &File) -> bool {
    CODE.iter().any(|end| file.path.ends_with(end))
}

fn files() -> Vec<File> {
    let mut files = source::files();
    files.retain(|file| !SKIPPED.contains(&file.path.rsplit('/').next().unwrap_or_default()));
    files
}

/// The comment on this line without its marks; `None` without a comment.
fn comment(line: &str) -> Option<&str> {
    let (before, text) = line.split_once("//")?;
    let is_comment = before.trim().is_empty() || (before.ends_with(' ') && before.matches('"').count() % 2 == 0);
    is_comment.then(|| text.trim_start_matches(['/', '!']).trim())
}

/// The lines of a file without the marks of comments, joined, and the offset of each line.
fn prose(file: &File) -> (String, Vec<usize>) {
    let (mut text, mut starts) = (String::new(), Vec::new());
    for line in file.text.lines() {
        starts.push(text.len());
        text.push_str(line.trim().trim_start_matches(['/', '!', '*', '#', ';']).trim());
        text.push(' ');
    }
    (text, starts)
}

/// `file:line` of each occurrence of the phrase, which may continue on the next line.
fn occurrences(files: &[File], phrase: &str) -> Vec<String> {
    let mut places = Vec::new();
    for file in files {
        let (text, starts) = prose(file);
        let line = |at: usize| starts.partition_point(|start| *start <= at);
        let begins = |at: &usize| !text[..*at].ends_with(source::is_word_char);
        // A plural matches, and an identifier that continues does not.
        let ends = |at: &usize| !text[at + phrase.len()..].starts_with('_');
        let found = text.match_indices(phrase).map(|(at, _)| at).filter(|at| begins(at) && ends(at));
        places.extend(found.map(|at| format!("{}:{}", file.path, line(at))));
    }
    places
}

/// A finding if the places exceed the allowance.
fn excess(rule: &str, allowed: usize, places: &[String]) -> Option<String> {
    println!("{rule}: {} of {allowed} allowed", places.len());
    (places.len() > allowed)
        .then(|| format!("{rule}: {}, {allowed} allowed:\n    {}", places.len(), places.join("\n    ")))
}

#[test]
fn the_words_are_those_of_the_field() {
    let files = files();
    let findings = PHRASES.iter().filter_map(|(phrase, word, allowed)| {
        excess(&format!("`{phrase}` (better: {word})"), *allowed, &occurrences(&files, phrase))
    });
    expect_none("words that do not come back", findings.collect());
}

/// `file:line` of each comment with this opening.
fn beginning_with(file: &File, opening: &str) -> Vec<String> {
    let (mut places, mut before) = (Vec::new(), None);
    for (index, line) in file.text.lines().enumerate() {
        let text = comment(line);
        if before.is_none() && text.is_some_and(|text| text.starts_with(opening)) {
            places.push(format!("{}:{}", file.path, index + 1));
        }
        before = text.filter(|text| !text.is_empty());
    }
    places
}

#[test]
fn comments_do_not_begin_with_a_question() {
    let files = files();
    let findings = OPENINGS.iter().filter_map(|(opening, allowed)| {
        let code = files.iter().filter(|file| is_code(file));
        let places: Vec<String> = code.flat_map(|file| beginning_with(file, opening)).collect();
        excess(&format!("comments that begin with `{opening}`"), *allowed, &places)
    });
    expect_none("say why, or leave the comment out", findings.collect());
}

#[test]
fn comments_are_at_most_100_columns_wide() {
    let files = files();
    let is_wide = |line: &str| line.chars().count() > WIDTH && comment(line).is_some();
    let wide = files.iter().filter(|file| is_code(file) && file.text.lines().any(is_wide));
    let wide: Vec<String> = wide.map(|file| file.path.clone()).collect();
    expect_none("at most 100 columns", excess("files with wider comments", WIDE_FILES, &wide).into_iter().collect());
}

#[test]
fn comments_and_phrases_are_found() {
    assert_eq!(comment("    /// What it is."), Some("What it is."));
    assert_eq!(comment("let x = 1; // one"), Some("one"));
    assert_eq!(comment("open(\"https://example.org\")"), None);
    let file = |text: &str| File { path: "a.rs".to_owned(), code: source::blank(text), text: text.to_owned() };
    let merged = file("//! A call is merged\n//! away, or merged\n//! into its caller.\n");
    assert_eq!(occurrences(&[merged], concat!("merged ", "into")), ["a.rs:2"]);
    let names = file(concat!("rag", "ged_groups(); // un", "rag", "ged, rag", "gedness\n"));
    assert_eq!(occurrences(&[names], concat!("rag", "ged")), ["a.rs:1"]);
}
