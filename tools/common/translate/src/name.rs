//! Kernels by the name that people know them by.
//!
//! *Invariant:* a text that is a symbol means that symbol; a part of a readable name counts where one kernel has it only.

use sinter_core::nearest::nearest;
use sinter_llvm::demangle;

/// What a text names.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Named<'a> {
    /// One kernel.
    One(&'a str),
    /// Several kernels.
    Several(Vec<&'a str>),
    /// No kernel; perhaps this one was meant.
    None(Option<&'a str>),
}

/// Finds the kernel that `text` names: by its symbol, or by a part of its readable name.
pub(crate) fn find<'a>(text: &str, symbols: &'a [String]) -> Named<'a> {
    if let Some(symbol) = symbols.iter().find(|symbol| *symbol == text) {
        return Named::One(symbol);
    }
    let holds = |symbol: &&String| is_mangled(symbol) && demangle(symbol).contains(text);
    let mut found: Vec<&str> = symbols.iter().filter(holds).map(String::as_str).collect();
    found.dedup();
    match found.as_slice() {
        [] => Named::None(nearest(text, symbols.iter().map(String::as_str))),
        [one] => Named::One(one),
        _ => Named::Several(found),
    }
}

/// Symbols as a list, each beside its readable name where it has one.
pub(crate) fn listed<'a>(symbols: impl IntoIterator<Item = &'a str>) -> String {
    symbols.into_iter().map(|symbol| format!("\n  {}", readable(symbol))).collect()
}

/// A symbol, with its readable name where it has one.
fn readable(symbol: &str) -> String {
    if is_mangled(symbol) { format!("{symbol} ({})", demangle(symbol)) } else { symbol.to_owned() }
}

/// A message, and the readable name of the kernel that it is about.
pub(crate) fn with_readable(message: String, symbol: &str) -> String {
    if is_mangled(symbol) { format!("{message}\n`{symbol}` is {}", demangle(symbol)) } else { message }
}

fn is_mangled(symbol: &str) -> bool {
    symbol.starts_with("_Z") && demangle(symbol) != symbol
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_symbol_comes_before_a_part_of_a_name() {
        let symbols = ["_Z5triadPf", "_Z6triad2Pf", "triad"].map(str::to_owned);
        assert_eq!(find("triad", &symbols), Named::One("triad"));
        assert_eq!(find("triad2", &symbols), Named::One("_Z6triad2Pf"));
        assert_eq!(find("triad(", &symbols), Named::One("_Z5triadPf"));
        assert_eq!(find("float*", &symbols), Named::Several(vec!["_Z5triadPf", "_Z6triad2Pf"]));
        assert_eq!(find("traid", &symbols), Named::None(Some("triad")));
        assert_eq!(find("histogram", &symbols), Named::None(None));
    }

    #[test]
    fn a_message_says_what_its_kernel_is() {
        assert_eq!(with_readable("no".to_owned(), "k"), "no");
        assert_eq!(with_readable("no".to_owned(), "_Z5triadPf"), "no\n`_Z5triadPf` is triad(float*)");
    }
}
