//! Kernels by the name that people know them by.
//!
//! *Invariant:* a text that is a symbol means that symbol, and one that is a whole readable name that kernel; a part of a readable name counts
//! where one kernel has it only. Blanks do not count in it: demanglers do not agree on them.

use sinter_core::{kernel_name, nearest::nearest};

/// Gives the readable name of a symbol, or the symbol where it has none. A tool has the demangler that it is linked with.
pub type Demangle = fn(&str) -> String;

/// What a text names.
#[derive(Debug, PartialEq, Eq)]
pub enum Named<'a> {
    /// One kernel.
    One(&'a str),
    /// Several kernels.
    Several(Vec<&'a str>),
    /// No kernel; perhaps this name was meant.
    None(Option<String>),
}

/// Finds the kernel that `text` names: by its symbol, its readable name, or a part of that.
pub fn find<'a>(text: &str, symbols: &'a [String], demangle: Demangle) -> Named<'a> {
    if let Some(symbol) = symbols.iter().find(|symbol| *symbol == text) {
        return Named::One(symbol);
    }
    let wanted = without_blanks(text);
    let (mut whole, mut part): (Vec<&str>, Vec<&str>) = (Vec::new(), Vec::new());
    for symbol in symbols {
        let name = readable(symbol, demangle);
        let is_whole = [&name, kernel_name(&name)].into_iter().any(|name| without_blanks(name) == wanted);
        if is_whole && !whole.contains(&symbol.as_str()) {
            whole.push(symbol);
        }
        if without_blanks(&name).contains(&wanted) && !part.contains(&symbol.as_str()) {
            part.push(symbol);
        }
    }
    let found = if whole.is_empty() { part } else { whole };
    match found.as_slice() {
        [] => Named::None(meant(text, symbols, demangle)),
        [one] => Named::One(one),
        _ => Named::Several(found),
    }
}

/// The symbol or readable name, with or without parameters and namespaces, that `text` is probably a slip of.
pub fn meant(text: &str, symbols: &[String], demangle: Demangle) -> Option<String> {
    let names: Vec<String> = symbols.iter().flat_map(|symbol| spellings(symbol, demangle)).collect();
    nearest(text, names.iter().map(String::as_str)).map(str::to_owned)
}

fn spellings(symbol: &str, demangle: Demangle) -> Vec<String> {
    let readable = readable(symbol, demangle);
    let name = kernel_name(&readable);
    let head = name.split(['(', '<']).next().unwrap_or(name);
    let last = head.rsplit("::").next().unwrap_or(head);
    [symbol, name, head, last].into_iter().filter(|name| !name.is_empty()).map(str::to_owned).collect()
}

/// A symbol, with its readable name where it has one.
pub fn with_name(symbol: &str, demangle: Demangle) -> String {
    match readable(symbol, demangle) {
        name if name == symbol => name,
        name => format!("{symbol} ({})", kernel_name(&name)),
    }
}

/// Symbols as a list, one a line, each beside its readable name where it has one.
pub fn listed<'a>(symbols: impl IntoIterator<Item = &'a str>, demangle: Demangle) -> String {
    symbols.into_iter().map(|symbol| format!("\n  {}", with_name(symbol, demangle))).collect()
}

/// A message, and the readable name of the kernel that it is about.
pub fn explained(message: String, symbol: &str, demangle: Demangle) -> String {
    match readable(symbol, demangle) {
        name if name == symbol => message,
        name => format!("{message}\n`{symbol}` is {}", kernel_name(&name)),
    }
}

/// Demanglers take names of types for symbols as well: `f` would be `float`.
fn readable(symbol: &str, demangle: Demangle) -> String {
    if symbol.starts_with("_Z") { demangle(symbol) } else { symbol.to_owned() }
}

fn without_blanks(text: &str) -> String {
    text.chars().filter(|c| !c.is_whitespace()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn demangle(symbol: &str) -> String {
        let known = [("_Z5triadPf", "triad(float*)"), ("_Z6triad2Pf", "triad2(float*)"), ("_Z1kI1AIiEE", "k<A<int> >")];
        known.iter().find(|(mangled, _)| *mangled == symbol).map_or(symbol, |(_, name)| name).to_owned()
    }

    #[test]
    fn a_symbol_comes_before_a_part_of_a_name() {
        let symbols = ["_Z5triadPf", "_Z6triad2Pf", "triad", "_Z5triadPf"].map(str::to_owned);
        let find = |text| find(text, &symbols, demangle);
        assert_eq!(find("triad"), Named::One("triad"));
        assert_eq!(find("triad2"), Named::One("_Z6triad2Pf"));
        assert_eq!(find("triad("), Named::One("_Z5triadPf"));
        assert_eq!(find("float*"), Named::Several(vec!["_Z5triadPf", "_Z6triad2Pf"]));
        assert_eq!(find("traid"), Named::None(Some("triad".to_owned())));
        assert_eq!(find("histogram"), Named::None(None));
    }

    #[test]
    fn a_whole_name_comes_before_a_part_of_another() {
        let symbols = ["_Z5triadPf", "_Z1kI1AIiEE", "k<A<int>>::f", "_Z6triad2Pf"].map(str::to_owned);
        let find = |text| find(text, &symbols, demangle);
        assert_eq!(find("k<A<int>>"), Named::One("_Z1kI1AIiEE"));
        assert_eq!(find("k<A"), Named::Several(vec!["_Z1kI1AIiEE", "k<A<int>>::f"]));
        assert_eq!(find("triad(float*)"), Named::One("_Z5triadPf"));
    }

    #[test]
    fn a_slip_in_a_readable_name_is_found() {
        let symbols = ["_Z5triadPf", "_ZN2ns6degreeE"].map(str::to_owned);
        let demangle = |symbol: &str| match symbol {
            "_ZN2ns6degreeE" => "ns::degree".to_owned(),
            other => demangle(other),
        };
        let meant = |text| meant(text, &symbols, demangle);
        for (text, name) in [("traid", "triad"), ("degre", "degree"), ("ns::degre", "ns::degree")] {
            assert_eq!(meant(text).as_deref(), Some(name));
        }
        assert_eq!(meant("histogram"), None);
    }

    #[test]
    fn a_name_that_is_not_mangled_has_parts_and_blanks_do_not_count() {
        let symbols = ["my kernel-1.x$", "other", "_Z1kI1AIiEE"].map(str::to_owned);
        for (text, symbol) in [("my kernel", "my kernel-1.x$"), ("k<A<int>>", "_Z1kI1AIiEE"), ("oth", "other")] {
            assert_eq!(find(text, &symbols, demangle), Named::One(symbol));
        }
    }

    #[test]
    fn a_message_says_what_its_kernel_is() {
        assert_eq!(explained("no".to_owned(), "k", demangle), "no");
        assert_eq!(explained("no".to_owned(), "_Z5triadPf", demangle), "no\n`_Z5triadPf` is triad(float*)");
        assert_eq!(listed(["k", "_Z5triadPf"], demangle), "\n  k\n  _Z5triadPf (triad(float*))");
    }
}
