//! Makes the symbol of a kernel readable.
//!
//! In: a symbol. Out: a short name for messages and reports; the symbol itself if it is not a C++ one. *Invariant:* any
//! text is accepted, and the result has at most `MAX_LENGTH` characters. It is for people: two kernels may share it.
#![forbid(unsafe_code)]

use cpp_demangle::{DemangleOptions, ParseOptions, Symbol};
use sinter_core::kernel_name;

/// Longer names are cut.
const MAX_LENGTH: usize = 80;
/// What a symbol may make the demangler do; template arguments nest.
const MAX_DEPTH: u32 = 128;
/// At most this many symbols of a message are explained.
const MAX_SYMBOLS: usize = 8;

/// A message, with a line for each mangled symbol that it has between backquotes.
pub fn with_readable(message: String) -> String {
    let mut seen: Vec<&str> = Vec::new();
    for symbol in message.split('`').skip(1).filter(|part| part.starts_with("_Z")) {
        if !seen.contains(&symbol) && demangled(symbol).is_some() {
            seen.push(symbol);
        }
    }
    let lines: String =
        seen.iter().take(MAX_SYMBOLS).map(|symbol| format!("\n`{symbol}` is {}", short(symbol))).collect();
    message + &lines
}

/// A short name for `symbol`.
pub fn short(symbol: &str) -> String {
    let name = demangled(symbol).unwrap_or_else(|| symbol.to_owned());
    cut(kernel_name(&name))
}

fn demangled(symbol: &str) -> Option<String> {
    let limits = ParseOptions::default().recursion_limit(MAX_DEPTH);
    let options = DemangleOptions::new().no_params().no_return_type().recursion_limit(MAX_DEPTH);
    Symbol::new_with_options(symbol, &limits).ok()?.demangle_with_options(&options).ok()
}

/// The name, or its start and its end: the end of a long name tells more than its middle.
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
        assert_eq!(short(unnamed), "Triad<float>");
        let lambda = "_ZN4sycl6detail12kernel_entryINS0_12range_kernelINS0_7unnamedELi1EZ4mainE3$_0EEEEvRKT_";
        assert_eq!(short(lambda), "main::$_0");
        let named = "_ZN4sycl6detail12kernel_entryINS0_12range_kernelI4nameLi1E5TriadIfEEEEEvRKT_";
        assert_eq!(short(named), "name");
    }

    #[test]
    fn other_symbols_are_demangled_or_left_alone() {
        assert_eq!(short("_Z5triadPfi"), "triad");
        assert_eq!(short("triad"), "triad");
        assert_eq!(short("_Z"), "_Z");
        assert_eq!(short(""), "");
    }

    #[test]
    fn a_message_explains_each_of_its_symbols_once() {
        let message = "kernel `_Z5triadPfi` needs `_ZSt4cout`, `n` and `_Zbad` (`_Z5triadPfi`)".to_owned();
        let expected = format!("{message}\n`_Z5triadPfi` is triad\n`_ZSt4cout` is std::cout");
        assert_eq!(with_readable(message), expected);
        assert_eq!(with_readable("_Z5triadPfi".to_owned()), "_Z5triadPfi");
        assert_eq!(with_readable("no symbol".to_owned()), "no symbol");
    }

    #[test]
    fn long_names_keep_both_ends() {
        let short = short(&format!("start{}end", "é".repeat(200)));
        assert!(short.starts_with("start") && short.ends_with("end") && short.contains("..."), "{short}");
        assert!(short.chars().count() <= MAX_LENGTH);
    }

    #[test]
    fn deep_nesting_is_given_up() {
        let deep = format!("_Z1f{}v", "P".repeat(100_000));
        assert!(short(&deep).starts_with("_Z1f"));
    }
}
