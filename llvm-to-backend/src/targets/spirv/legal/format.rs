//! Rewrites formats of `printf`.
//!
//! In: a C format and the types of the arguments. Out: the same format in OpenCL's syntax ("OpenCL
//! C Specification", "The printf Function"), and the arguments that it uses. *Invariant:* a
//! conversion fits the type of its argument; OpenCL has no widths from arguments, and its `l` means
//! a 64-bit integer.

use std::fmt::Write;

/// Type of an argument.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Given {
    /// An integer, with its width in bits.
    Integer(u32),
    /// A floating-point value.
    Float,
    /// A pointer.
    Pointer,
    /// Anything else.
    Other,
}

/// Conversion specifiers.
const CONVERSIONS: &str = "diouxXfFeEgGaAcsp";

/// Use of an argument.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Taken {
    /// Printed as a value.
    Value,
    /// Printed as the string that it points to.
    Text,
}

/// A format in OpenCL's syntax.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Rewritten {
    /// The rewritten format.
    pub(super) text: String,
    /// Use of each argument, from the first on. Further ones are unused.
    pub(super) taken: Vec<Taken>,
}

/// Rewrites a format. The error names the feature that OpenCL lacks.
pub(super) fn rewrite(format: &str, given: &[Given]) -> Result<Rewritten, String> {
    let mut made = Rewritten::default();
    let mut rest = format;
    while let Some((before, conversion)) = rest.split_once('%') {
        made.text += before;
        rest = match conversion.strip_prefix('%') {
            Some(rest) => {
                made.text += "%%";
                rest
            }
            None => convert(&mut made, conversion, given)?,
        };
    }
    made.text += rest;
    Ok(made)
}

/// Rewrites the conversion that `text` starts with, after its `%`. Returns the rest of `text`.
fn convert<'t>(made: &mut Rewritten, text: &'t str, given: &[Given]) -> Result<&'t str, String> {
    let end = text.find(|c: char| !"-+ #0123456789.*".contains(c)).unwrap_or(text.len());
    let (width, rest) = text.split_at(end);
    let end = rest.find(|c: char| !"hljztLq".contains(c)).unwrap_or(rest.len());
    let (length, rest) = rest.split_at(end);
    let mut rest = rest.chars();
    let letter = rest.next().ok_or("`%` at the end of the format")?;
    let whole = format!("%{width}{length}{letter}");
    if width.contains('*') {
        return Err(format!("`{whole}`, whose width is an argument"));
    }
    let argument = given.get(made.taken.len()).ok_or_else(|| format!("`{whole}` without an argument"))?;
    if matches!(letter, 's' | 'c') && !length.is_empty() {
        return Err(format!("`{whole}`, whose characters are wide"));
    }
    let short = if length.starts_with('h') { length } else { "" };
    let length = match (letter, argument) {
        ('d' | 'i' | 'o' | 'u' | 'x' | 'X', Given::Integer(64)) => "l",
        ('d' | 'i' | 'o' | 'u' | 'x' | 'X', Given::Integer(32)) => short,
        ('f' | 'F' | 'e' | 'E' | 'g' | 'G' | 'a' | 'A', Given::Float) => "",
        ('c', Given::Integer(32)) | ('s' | 'p', Given::Pointer) => "",
        _ if !CONVERSIONS.contains(letter) => return Err(format!("`{whole}`, which OpenCL does not know")),
        _ => return Err(format!("`{whole}` with an argument of another type")),
    };
    let _ = write!(made.text, "%{width}{length}{letter}");
    made.taken.push(if letter == 's' { Taken::Text } else { Taken::Value });
    Ok(rest.as_str())
}

#[cfg(test)]
mod tests {
    use super::{Given::*, Taken::*, *};

    fn ok(format: &str, given: &[Given]) -> (String, Vec<Taken>) {
        let made = rewrite(format, given).expect("a format");
        (made.text, made.taken)
    }

    #[test]
    fn lengths_are_those_of_the_arguments() {
        assert_eq!(ok("%d %zu", &[Integer(32), Integer(64)]), ("%d %lu".to_owned(), vec![Value, Value]));
        assert_eq!(ok("%lld|%5.3jx|%hhd", &[Integer(64), Integer(64), Integer(32)]).0, "%ld|%5.3lx|%hhd");
        assert_eq!(ok("%ld", &[Integer(32)]).0, "%d");
        assert_eq!(ok("%-+8.3Lf%%", &[Float]).0, "%-+8.3f%%");
    }

    #[test]
    fn texts_and_pointers_are_told_apart() {
        assert_eq!(ok("%s at %p: %c\n", &[Pointer, Pointer, Integer(32)]).1, [Text, Value, Value]);
        assert_eq!(ok("no more", &[Float]), ("no more".to_owned(), vec![]));
    }

    #[test]
    fn what_opencl_lacks_is_named() {
        let error = |format, given: &[Given]| rewrite(format, given).expect_err("refused");
        assert_eq!(error("%*d", &[Integer(32), Integer(32)]), "`%*d`, whose width is an argument");
        assert_eq!(error("a %", &[]), "`%` at the end of the format");
        assert_eq!(error("%d %d", &[Integer(32)]), "`%d` without an argument");
        assert_eq!(error("%f", &[Integer(32)]), "`%f` with an argument of another type");
        assert_eq!(error("%n", &[Pointer]), "`%n`, which OpenCL does not know");
        assert_eq!(error("%'d", &[Integer(32)]), "`%'`, which OpenCL does not know");
        assert_eq!(error("%ls", &[Pointer]), "`%ls`, whose characters are wide");
        assert_eq!(error("%d", &[Other]), "`%d` with an argument of another type");
    }
}
