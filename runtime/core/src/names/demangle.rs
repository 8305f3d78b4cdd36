//! Demangles symbols.
//!
//! In: a symbol. Out: its name in C++. *Invariant:* this is the only demangler of the workspace, so
//! that every tool, message and log prints the same string for a symbol. Any string is accepted;
//! one that is not mangled is returned unchanged.

use super::{headers::kernel_name, lambdas::mended};
use cpp_demangle::{DemangleOptions, ParseOptions, Symbol};
use std::borrow::Cow;

/// Recursion limit of the demangler, for template arguments that nest.
const MAX_DEPTH: u32 = 128;
/// Maximum length of a name in characters, so that it fits a file name, a line of a log and a
/// column of a table. Longer names are shortened.
const MAX_LENGTH: usize = 200;

/// Ending of the entry of a kernel of HIP in machine code, where no dot may stand.
const ENTRY_SUFFIX: &str = "_kernel";
/// Endings of the symbols of kernels, of their statements and of functions in HIP.
const HIP_SUFFIXES: [&str; 3] = [".kernel", ".body", ".device"];

/// Full name of a symbol, with parameters and without return type. `None` if it is not mangled, or
/// in an unknown scheme.
pub fn demangled(symbol: &str) -> Option<String> {
    demangled_with(symbol, DemangleOptions::new().no_return_type())
}

/// Full name with the return type, as other demanglers print it.
pub(super) fn with_return_type(symbol: &str) -> Option<String> {
    demangled_with(symbol, DemangleOptions::new())
}

/// Rejects strings that are not symbols: the demangler also accepts encoded types, so that `f`
/// would become `float`.
fn demangled_with(symbol: &str, options: DemangleOptions) -> Option<String> {
    let mangled = Some(symbol).filter(|symbol| symbol.starts_with("_Z"))?;
    let limits = ParseOptions::default().recursion_limit(MAX_DEPTH);
    let parsed = Symbol::new_with_options(mangled, &limits).ok()?;
    let name = parsed.demangle_with_options(&options.recursion_limit(MAX_DEPTH)).ok()?;
    Some(mended(&special(&name).unwrap_or(name)))
}

/// Converts `{vtable(X)}` to `vtable for X`, as other demanglers print it.
fn special(name: &str) -> Option<String> {
    let (what, of) = name.strip_prefix('{')?.strip_suffix(")}")?.split_once('(')?;
    Some(format!("{what} for {of}"))
}

/// Name of a symbol in every message. For a kernel of the SYCL headers, the kernel name in the
/// program, or its function type; for other symbols the full name; the symbol itself if it is not
/// mangled. At most 200 characters: a longer name is cut in the middle.
pub fn readable(symbol: &str) -> String {
    let symbol = HIP_SUFFIXES.iter().find_map(|suffix| symbol.strip_suffix(suffix)).unwrap_or(symbol);
    let entry = || demangled(symbol.strip_suffix(ENTRY_SUFFIX)?);
    match demangled(symbol).or_else(entry) {
        Some(name) => cut(&printable(kernel_name(&name))),
        None => cut(&printable(symbol)),
    }
}

/// Escapes control characters, because a string from a damaged file could send commands to the
/// terminal.
pub fn printable(text: &str) -> Cow<'_, str> {
    if !text.contains(char::is_control) {
        return Cow::Borrowed(text);
    }
    let escaped = |c: char| if c.is_control() { c.escape_default().to_string() } else { c.to_string() };
    Cow::Owned(text.chars().map(escaped).collect())
}

/// Shortens a name in the middle, because its end is more informative.
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
        assert_eq!(readable("_Z5triadPfi.kernel"), "triad(float*, int)");
        assert_eq!(readable("_Z5triadPfi_kernel"), "triad(float*, int)");
        assert_eq!(readable("_Z12triad_kernelPf"), "triad_kernel(float*)");
        for text in ["triad", "triad_kernel", "f", "_Z", "", "_Zbad"] {
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
