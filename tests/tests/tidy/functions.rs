//! Measures the sizes of functions.
//!
//! In: Rust code with comments and literals blanked. Out: name, first line and number of lines of
//! each function.

use super::source::{self, File};

/// A function with a body.
pub(crate) struct Function {
    /// File and line, for messages.
    pub(crate) place: String,
    /// Name of the function.
    pub(crate) name: String,
    /// Lines from `fn` to the closing brace.
    pub(crate) lines: usize,
}

/// Every function of a file.
pub(crate) fn functions(file: &File) -> Vec<Function> {
    source::words(&file.code, "fn").filter_map(|at| function(file, at)).collect()
}

fn function(file: &File, at: usize) -> Option<Function> {
    let rest = &file.code[at + 2..];
    let name: String = rest.trim_start().chars().take_while(|c| source::is_word_char(*c)).collect();
    if name.is_empty() {
        return None; // a function pointer type
    }
    let length = body_end(rest)?;
    let line = source::line_of(&file.code, at);
    Some(Function { place: format!("{}:{line}", file.path), name, lines: rest[..length].matches('\n').count() + 1 })
}

/// Length up to the brace that closes the body; `None` for a declaration without one.
fn body_end(rest: &str) -> Option<usize> {
    let (mut nesting, mut braces) = (0usize, 0usize);
    for (at, c) in rest.char_indices() {
        match c {
            '(' | '[' => nesting += 1,
            ')' | ']' => nesting = nesting.saturating_sub(1),
            ';' if braces == 0 && nesting == 0 => return None,
            '{' => braces += 1,
            '}' if braces <= 1 => return Some(at),
            '}' => braces -= 1,
            _ => {}
        }
    }
    None
}
