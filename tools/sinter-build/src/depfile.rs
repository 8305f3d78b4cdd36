//! Parses the dependency file of a compiler.
//!
//! In: a make rule, as written by `-MD`. Out: its prerequisites. *Invariant:* names with spaces,
//! `#` and `$` are unescaped.

use std::path::PathBuf;

/// The prerequisites of a rule.
pub(crate) fn prerequisites(text: &str) -> Vec<PathBuf> {
    let Some((_, rest)) = text.split_once(": ") else { return Vec::new() };
    let (mut names, mut name) = (Vec::new(), String::new());
    let mut characters = rest.chars().peekable();
    while let Some(character) = characters.next() {
        match (character, characters.peek()) {
            ('\\', Some('\n')) => name = end(&mut names, name),
            ('\\', Some(next @ (' ' | '#'))) | ('$', Some(next @ '$')) => {
                name.push(*next);
                characters.next();
            }
            (character, _) if character.is_whitespace() => name = end(&mut names, name),
            (character, _) => name.push(character),
        }
    }
    end(&mut names, name);
    names
}

/// Appends a complete name and returns an empty one.
fn end(names: &mut Vec<PathBuf>, name: String) -> String {
    if !name.is_empty() {
        names.push(PathBuf::from(name));
    }
    String::new()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_unescaped_and_lines_joined() {
        let text = "out.o: src/a\\ b.cpp /usr/include/c++/x.h \\\n  c\\#d.h e$$f.h \\\n g.h\n";
        let expected = ["src/a b.cpp", "/usr/include/c++/x.h", "c#d.h", "e$f.h", "g.h"].map(PathBuf::from);
        assert_eq!(prerequisites(text), expected);
        assert_eq!(prerequisites("no rule"), Vec::<PathBuf>::new());
    }
}
