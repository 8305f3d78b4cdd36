//! Source files, with a minimal lexer for Rust.
//!
//! In: the workspace. Out: its files, and for Rust the code with comments and literals blanked.
//! *Invariant:* blanking keeps the line structure, so that findings have line numbers.

use std::{
    fs,
    path::{Path, PathBuf},
};

/// One file of the workspace.
pub(crate) struct File {
    /// Path from the root, with forward slashes.
    pub(crate) path: String,
    /// Unchanged contents.
    pub(crate) text: String,
    /// For Rust: its text with comments, strings and characters replaced by spaces.
    pub(crate) code: String,
}

impl File {
    /// True for Rust files.
    pub(crate) fn is_rust(&self) -> bool {
        self.path.ends_with(".rs")
    }

    /// Lines of code, numbered from 1.
    pub(crate) fn code_lines(&self) -> impl Iterator<Item = (usize, &str)> {
        self.code.lines().enumerate().map(|(i, line)| (i + 1, line))
    }
}

/// Root of the workspace.
pub(crate) fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap().to_path_buf()
}

/// All text files of the workspace that are not built or fetched, sorted by path.
pub(crate) fn files() -> Vec<File> {
    let root = root();
    let mut files = Vec::new();
    collect(&root, &root, &mut files);
    files.sort_by(|a, b| a.path.cmp(&b.path));
    assert!(files.len() > 30, "the workspace was not found in {}", root.display());
    files
}

fn collect(root: &Path, folder: &Path, files: &mut Vec<File>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        // In a worktree of git, `.git` is a file.
        if [".git", "target", "dist", "proptest-regressions"].contains(&name.as_str()) {
            continue;
        }
        if path.is_dir() {
            collect(root, &path, files);
        } else if let Ok(text) = fs::read_to_string(&path) {
            let path = path.strip_prefix(root).unwrap().to_string_lossy().into_owned();
            let code = if path.ends_with(".rs") { blank(&text) } else { String::new() };
            files.push(File { path, text, code });
        }
    }
}

/// Replaces comments and literals by spaces; line breaks stay.
pub(crate) fn blank(text: &str) -> String {
    let chars: Vec<char> = text.chars().collect();
    let mut out = String::with_capacity(text.len());
    let mut at = 0;
    while at < chars.len() {
        let end = at + literal(&chars[at..], at.checked_sub(1).map(|before| chars[before])).max(1);
        let is_code = end == at + 1 && !matches!(chars[at], '"');
        out.extend(chars[at..end].iter().map(|c| if *c == '\n' || is_code { *c } else { ' ' }));
        at = end;
    }
    out
}

/// Length of the comment or literal that `rest` starts with; 0 if it starts with neither.
fn literal(rest: &[char], before: Option<char>) -> usize {
    match rest {
        ['/', '/', ..] => rest.iter().position(|c| *c == '\n').unwrap_or(rest.len()),
        ['/', '*', ..] => block_comment(rest),
        ['"', ..] => quoted(rest, '"'),
        ['\'', '\\', ..] => quoted(rest, '\''),
        ['\'', _, '\'', ..] => 3,
        ['r', '"' | '#', ..] if !before.is_some_and(is_word_char) => raw_string(rest),
        ['b' | 'c', 'r', '"' | '#', ..] if !before.is_some_and(is_word_char) => raw_string(&rest[1..]) + 1,
        _ => 0,
    }
}

fn quoted(rest: &[char], quote: char) -> usize {
    let mut at = 1;
    while at < rest.len() && rest[at] != quote {
        at += if rest[at] == '\\' { 2 } else { 1 };
    }
    (at + 1).min(rest.len())
}

fn block_comment(rest: &[char]) -> usize {
    let (mut depth, mut at) = (0, 0);
    while at < rest.len() {
        match rest[at..] {
            ['/', '*', ..] => (depth, at) = (depth + 1, at + 2),
            ['*', '/', ..] => (depth, at) = (depth - 1, at + 2),
            _ => at += 1,
        }
        if depth == 0 {
            break;
        }
    }
    at
}

/// `r#name` is an identifier, not a string.
fn raw_string(rest: &[char]) -> usize {
    let hashes = rest[1..].iter().take_while(|c| **c == '#').count();
    if rest.get(1 + hashes) != Some(&'"') {
        return 0;
    }
    let end: Vec<char> = std::iter::once('"').chain(std::iter::repeat_n('#', hashes)).collect();
    let body = &rest[2 + hashes..];
    let length = body.windows(end.len()).position(|window| window == end).unwrap_or(body.len());
    (2 + hashes + length + end.len()).min(rest.len())
}

/// True if `c` may be part of an identifier.
pub(crate) fn is_word_char(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// Byte positions at which `word` occurs as a whole word.
pub(crate) fn words<'a>(code: &'a str, word: &'a str) -> impl Iterator<Item = usize> + 'a {
    code.match_indices(word).map(|(at, _)| at).filter(move |at| {
        let before = code[..*at].chars().next_back();
        let after = code[at + word.len()..].chars().next();
        !before.is_some_and(is_word_char) && !after.is_some_and(is_word_char)
    })
}

/// Line number of a byte position.
pub(crate) fn line_of(text: &str, at: usize) -> usize {
    text[..at].matches('\n').count() + 1
}
