//! Expands response files.
//!
//! In: arguments, some of the form `@file`. Out: their contents, split as clang does on Linux
//! (`cl::TokenizeGNUCommandLine`).
//! *Invariant:* an unreadable file is left to clang, which takes the argument literally.

use std::ffi::OsString;

/// Limit for nested response files.
const MAX_DEPTH: usize = 8;

/// All arguments, with response files replaced by their contents.
pub(crate) fn expand(arguments: &[OsString]) -> Vec<String> {
    let mut out = Vec::new();
    arguments.iter().for_each(|argument| expand_into(&argument.to_string_lossy(), MAX_DEPTH, &mut out));
    out
}

fn expand_into(argument: &str, depth: usize, out: &mut Vec<String>) {
    match read(argument).filter(|_| depth > 0) {
        Some(inner) => inner.iter().for_each(|argument| expand_into(argument, depth - 1, out)),
        None => out.push(argument.to_owned()),
    }
}

fn read(argument: &str) -> Option<Vec<String>> {
    let text = std::fs::read_to_string(argument.strip_prefix('@')?).ok()?;
    Some(split(&text))
}

/// Splits a string into words with shell quoting.
pub(crate) fn split(text: &str) -> Vec<String> {
    let (mut words, mut word, mut quote) = (Vec::new(), None::<String>, None);
    let mut chars = text.chars();
    while let Some(c) = chars.next() {
        match (quote, c) {
            (None, c) if c.is_whitespace() => words.extend(word.take()),
            (None, '\'' | '"') => {
                quote = Some(c);
                word.get_or_insert_default();
            }
            (Some(open), c) if c == open => quote = None,
            (_, '\\') => word.get_or_insert_default().extend(chars.next()),
            (_, c) => word.get_or_insert_default().push(c),
        }
    }
    words.extend(word);
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_split_as_clang_splits_them() {
        assert_eq!(split(" a  'b c' d\\ e \"f 'g'\" ''\n"), ["a", "b c", "d e", "f 'g'", ""]);
        assert_eq!(split(r#""a\"b""#), ["a\"b"]);
    }

    #[test]
    fn a_missing_file_is_left_to_clang() {
        assert_eq!(expand(&["@/no/such/file".into(), "-c".into()]), ["@/no/such/file", "-c"]);
    }
}
