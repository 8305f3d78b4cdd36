//! Makes mangled names readable.
//!
//! In: a symbol. Out: its name in C++. *Invariant:* this is the only demangler of the workspace, so
//! that every tool, message and log has the same string for a symbol. Any string is accepted; one
//! that is not mangled stays as it is.

use super::{headers::kernel_name, lambdas::mended};
use cpp_demangle::{DemangleOptions, ParseOptions, Symbol};
use std::borrow::Cow;

/// Recursion limit of the demangler, for template arguments that nest.
const MAX_DEPTH: u32 = 128;
/// Characters after which names are shortened, so that one fits a file name, a line of a log and a
/// column of a table.
const MAX_LENGTH: usize = 200;

/// The whole name of a symbol, with parameters and without return type. `None` if it is not
/// mangled, or in an unknown way.
pub fn demangled(symbol: &str) -> Option<String> {
    demangled_with(symbol, DemangleOptions::new().no_return_type())
}

/// The same with the return type, as other demanglers print it.
pub(super) fn with_return_type(symbol: &str) -> Option<String> {
    demangled_with(symbol, DemangleOptions::new())
}

/// Takes symbols only: a demangler would also take the name of a type, and `f` would be `float`.
fn demangled_with(symbol: &str, options: DemangleOptions) -> Option<String> {
    let mangled = Some(symbol).filter(|symbol| symbol.starts_with("_Z"))?;
    let limits = ParseOptions::default().recursion_limit(MAX_DEPTH);
    let parsed = Symbol::new_with_options(mangled, &limits).ok()?;
    let name = parsed.demangle_with_options(&options.recursion_limit(MAX_DEPTH)).ok()?;
    Some(mended(&special(&name).unwrap_or(name)))
}

/// Turns `{vtable(X)}` into `vtable for X`, as other demanglers print it.
fn special(name: &str) -> Option<String> {
    let (what, of) = name.strip_prefix('{')?.strip_suffix(")}")?.split_once('(')?;
    Some(format!("{what} for {of}"))
}

/// The name of a symbol in every message: for a kernel of the SYCL headers the name that its
/// program gave it, or its function; for other symbols the whole name; the symbol itself if it is
/// not mangled. At most 200 characters: a longer name loses its middle.
pub fn readable(symbol: &str) -> String {
    match demangled(symbol) {
        Some(name) => cut(&printable(kernel_name(&name))),
        None => cut(&printable(symbol)),
    }
}

/// Escapes the control characters of a string that may come from a damaged file: they would command
/// the terminal.
pub fn printable(text: &str) -> Cow<'_, str> {
    if !text.contains(char::is_control) {
        return Cow::Borrowed(text);
    }
    let escaped = |c: char| if c.is_control() { c.escape_default().to_string() } else { c.to_string() };
    Cow::Owned(text.chars().map(escaped).collect())
}

/// Shortens a name in the middle, because its end tells more.
fn cut(name: &str) -> String {
    let length = name.chars().count();
    if length <= MAX_LENGTH {
        return name.to_owned();
    }
    let half = (MAX_LENGTH - 3) / 2;
    let (start, end) = (name.chars().take(half), name.chars().skip(length - half));
    start.chain("...".chars()).chain(end).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kernels_of_the_headers_are_called_by_name_or_function() {
        let unnamed = "_ZN4sycl6detail12kernel_entryINS0_12range_kernelINS0_7unnamedELi1E5TriadIfEEEEEvRKT_";
        assert_eq!(readable(unnamed), "Triad<float>");
        let lambda = "_ZN4sycl6detail12kernel_entryINS0_12range_kernelINS0_7unnamedELi1EZ4mainE3$_0EEEEvRKT_";
        assert_eq!(readable(lambda), "main::$_0");
        let named = "_ZN4sycl6detail12kernel_entryINS0_12range_kernelI4nameLi1E5TriadIfEEEEEvRKT_";
        assert_eq!(readable(named), "name");
    }

    #[test]
    fn other_symbols_are_demangled_or_left_alone() {
        assert_eq!(readable("_Z5triadPfi"), "triad(float*, int)");
        assert_eq!(readable("_ZTVN1a1AE"), "vtable for a::A");
        assert_eq!(readable("_ZTI1A"), "typeinfo for A");
        for text in ["triad", "f", "_Z", "", "_Zbad"] {
            assert_eq!(readable(text), text);
        }
    }

    #[test]
    fn control_characters_of_damaged_names_are_escaped() {
        assert_eq!(readable("a\u{1b}[2Jb\n"), "a\\u{1b}[2Jb\\n");
        assert_eq!(printable("größe"), "größe");
    }

    #[test]
    fn long_names_keep_both_ends() {
        let short = readable(&format!("start{}end", "é".repeat(300)));
        assert!(short.starts_with("start") && short.ends_with("end") && short.contains("..."), "{short}");
        assert!(short.chars().count() <= MAX_LENGTH);
    }

    #[test]
    fn deep_nesting_is_given_up() {
        let deep = format!("_Z1f{}v", "P".repeat(100_000));
        assert!(readable(&deep).starts_with("_Z1f"));
    }
}
