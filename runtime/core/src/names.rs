//! Finds kernels, functions and variables by readable names.
//!
//! In: symbols, and names from users. Out: the readable name of a symbol, and the symbol that a
//! name refers to. *Invariant:* every printed name is accepted: each result of [`readable`] finds
//! its symbol. A symbol refers to itself and a full name to its kernel; a part of a name is
//! accepted only if one kernel contains it. Blanks are ignored, and so is the way a demangler
//! numbers lambdas.

mod demangle;
mod headers;
mod lambdas;

pub use demangle::{demangled, printable, readable};

use crate::nearest::nearest;
use demangle::with_return_type;
use headers::kernel_name;

/// Result of a lookup by name.
#[derive(Debug, PartialEq, Eq)]
pub enum Named<'a> {
    /// The name refers to one symbol.
    One(&'a str),
    /// The name is ambiguous.
    Several(Vec<&'a str>),
    /// The name is unknown. Contains the nearest known name, if there is one.
    None(Option<String>),
}

/// Permitted matches with a readable name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Extent {
    /// Only the full name.
    Whole,
    /// A part of the name, if no full name matches.
    Part,
}

/// Finds the symbol that `text` refers to: the symbol itself, its readable name, or a part of that.
pub fn find<'a>(text: &str, symbols: &'a [String], extent: Extent) -> Named<'a> {
    if let Some(symbol) = symbols.iter().find(|symbol| *symbol == text) {
        return Named::One(symbol);
    }
    // Accept a line that `with_symbol` has formatted.
    let symbol = text.strip_suffix(']').and_then(|text| text.rsplit_once(" [")).map(|(_, symbol)| symbol);
    if let Some(symbol) = symbols.iter().find(|known| Some(&*printable(known)) == symbol) {
        return Named::One(symbol);
    }
    let wanted = canonical(text);
    let (mut whole, mut part): (Vec<&str>, Vec<&str>) = (Vec::new(), Vec::new());
    for symbol in symbols {
        let names = canonical_names(symbol);
        if names.contains(&wanted) && !whole.contains(&symbol.as_str()) {
            whole.push(symbol);
        }
        let is_part = || names.iter().any(|name| name.contains(&wanted));
        if extent == Extent::Part && is_part() && !part.contains(&symbol.as_str()) {
            part.push(symbol);
        }
    }
    let found = if whole.is_empty() { part } else { whole };
    match found.as_slice() {
        [] => Named::None(meant(text, symbols)),
        [one] => Named::One(one),
        _ => Named::Several(found),
    }
}

/// All names of a symbol in canonical form, for comparison.
fn canonical_names(symbol: &str) -> Vec<String> {
    let whole = [demangled(symbol), with_return_type(symbol)].map(|name| name.unwrap_or_else(|| symbol.to_owned()));
    let of_headers = whole.iter().map(|name| kernel_name(name));
    let names = whole.iter().map(String::as_str).chain(of_headers);
    names.chain([&*readable(symbol)]).map(canonical).collect()
}

/// Removes blanks from a name and writes its lambdas as `{lambda(int)#2}`. LLVM's tools print that
/// one as `'lambda0'(int)`.
fn canonical(name: &str) -> String {
    let name: String = name.chars().filter(|c| !c.is_whitespace()).collect();
    let Some((before, rest)) = name.split_once("'lambda") else { return name };
    let whole = || {
        let (digits, rest) = rest.split_once("'(")?;
        let number = if digits.is_empty() { 1 } else { digits.parse::<u32>().ok()?.checked_add(2)? };
        let (parameters, rest) = headers::closed(rest)?;
        Some(format!("{before}{{lambda({})#{number}}}{}", canonical(parameters), canonical(rest)))
    };
    whole().unwrap_or_else(|| format!("{before}'lambda{}", canonical(rest)))
}

/// Suggests a symbol or readable name, with or without parameters and namespaces, for the probable
/// typing error `text`. Never suggests an unnamed function by its number, nor a name with other
/// numbers, such as `k2` for `k1`: the nearest number belongs to another kernel.
pub fn meant(text: &str, symbols: &[String]) -> Option<String> {
    if ["$_", "{lambda(", "'lambda"].iter().any(|mark| text.contains(mark)) {
        return None;
    }
    let names: Vec<String> = symbols.iter().flat_map(|symbol| spellings(symbol)).collect();
    let has_its_numbers = |name: &&str| numbers(name).eq(numbers(text));
    nearest(text, names.iter().map(String::as_str).filter(has_its_numbers)).map(str::to_owned)
}

/// The numbers in a name, in their order.
fn numbers(name: &str) -> impl Iterator<Item = &str> {
    name.split(|c: char| !c.is_ascii_digit()).filter(|digits| !digits.is_empty())
}

fn spellings(symbol: &str) -> Vec<String> {
    let name = readable(symbol);
    let head = name.split(['(', '<']).next().unwrap_or(&name);
    let last = head.rsplit("::").next().unwrap_or(head);
    [symbol, &name, head, last].into_iter().filter(|name| !name.is_empty()).map(str::to_owned).collect()
}

/// Readable name of a symbol, followed by the symbol in brackets if it differs.
pub fn with_symbol(symbol: &str) -> String {
    match (readable(symbol), printable(symbol)) {
        (name, symbol) if name == symbol => name,
        (name, symbol) => format!("{name} [{symbol}]"),
    }
}

/// Formats symbols one per line, each after its readable name.
pub fn listed<'a>(symbols: impl IntoIterator<Item = &'a str>) -> String {
    symbols.into_iter().map(|symbol| format!("\n  {}", with_symbol(symbol))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn find_part<'a>(text: &str, symbols: &'a [String]) -> Named<'a> {
        find(text, symbols, Extent::Part)
    }

    #[test]
    fn a_symbol_comes_before_a_part_of_a_name() {
        let symbols = ["_Z5triadPf", "_Z6triad2Pf", "triad", "_Z5triadPf"].map(str::to_owned);
        let find = |text| find_part(text, &symbols);
        assert_eq!(find("triad"), Named::One("triad"));
        assert_eq!(find("triad2"), Named::One("_Z6triad2Pf"));
        assert_eq!(find("triad("), Named::One("_Z5triadPf"));
        assert_eq!(find("float*"), Named::Several(vec!["_Z5triadPf", "_Z6triad2Pf"]));
        assert_eq!(find("traid"), Named::None(Some("triad".to_owned())));
        assert_eq!(find("histogram"), Named::None(None));
    }

    #[test]
    fn a_whole_name_comes_before_a_part_of_another() {
        let symbols = ["_Z5triadPf", "_ZN1kI1AIiEE1gEv", "k<A<int>>::g()::f", "_Z6triad2Pf"].map(str::to_owned);
        let find = |text| find_part(text, &symbols);
        assert_eq!(find("k<A<int>>::g()"), Named::One("_ZN1kI1AIiEE1gEv"));
        assert_eq!(find("k<A"), Named::Several(vec!["_ZN1kI1AIiEE1gEv", "k<A<int>>::g()::f"]));
        assert_eq!(find("triad(float*)"), Named::One("_Z5triadPf"));
    }

    #[test]
    fn a_part_is_not_enough_where_the_whole_is_wanted() {
        let symbols = ["_Z5triadPf".to_owned()];
        assert_eq!(find("triad(float *)", &symbols, Extent::Whole), Named::One("_Z5triadPf"));
        assert_eq!(find("triad(", &symbols, Extent::Whole), Named::None(Some("triad".to_owned())));
    }

    #[test]
    fn a_slip_in_a_readable_name_is_found() {
        let symbols = ["_Z5triadPf", "_ZN2ns6degreeE"].map(str::to_owned);
        for (text, name) in [("traid", "triad"), ("degre", "degree"), ("ns::degre", "ns::degree")] {
            assert_eq!(meant(text, &symbols).as_deref(), Some(name));
        }
        assert_eq!(meant("histogram", &symbols), None);
    }

    #[test]
    fn a_name_that_is_not_mangled_has_parts_and_blanks_do_not_count() {
        let symbols = ["my kernel-1.x$", "other", "_ZN1kI1AIiEE1gEv"].map(str::to_owned);
        let cases = [("my kernel", 0), ("k< A<int> >::g", 2), ("oth", 1)];
        for (text, index) in cases {
            assert_eq!(find_part(text, &symbols), Named::One(&symbols[index]));
        }
    }

    /// Symbols of `go<main::$_N>`, whose kernels are lambdas inside a lambda.
    fn lambdas() -> [String; 3] {
        let kernel = |function: &str, numbers: [&str; 2]| {
            let [outer, inner] = numbers;
            format!(
                "_ZN4sycl6detail12kernel_entryINS0_12range_kernelINS0_7unnamedELi1EZZ2goIZ4mainE{function}EvRNS_\
                 5queueET_\
                 ENKUlRNS_7handlerEE{outer}_clESA_EUlNS_4itemILi1ELb1EEEE{inner}_EEEEvRKT_"
            )
        };
        [kernel("3$_1", ["", ""]), kernel("3$_1", ["", "0"]), kernel("3$_2", ["", ""])]
    }

    #[test]
    fn each_printed_name_is_accepted() {
        let mut symbols = lambdas().to_vec();
        symbols.extend(["_Z5triadPf", "triad", "_ZN12_GLOBAL__N_14scaleEPfi"].map(str::to_owned));
        symbols.push(format!("long{}", "x".repeat(400)));
        for symbol in &symbols {
            for printed in [readable(symbol), with_symbol(symbol)] {
                assert_eq!(find_part(&printed, &symbols), Named::One(symbol), "{printed}");
            }
        }
    }

    #[test]
    fn the_names_of_other_demanglers_are_accepted_and_never_lead_to_another_kernel() {
        let symbols = lambdas();
        let llvm =
            "void go<main::$_1>(sycl::queue&, main::$_1)::'lambda'(sycl::handler&)::operator()(sycl::handler&) const::";
        let first = format!("{llvm}'lambda'(sycl::item<1, true>)");
        let second = format!("{llvm}'lambda0'(sycl::item<1, true>)");
        assert_eq!(find_part(&first, &symbols), Named::One(&symbols[0]));
        assert_eq!(find_part(&second, &symbols), Named::One(&symbols[1]));
        let third = format!("{llvm}'lambda1'(sycl::item<1, true>)");
        assert_eq!(find_part(&third, &symbols), Named::None(None), "no neighbour of it");
        assert_eq!(find_part("main::$_7", &symbols), Named::None(None));
        assert_eq!(find_part("'lambda", &symbols), Named::None(None), "an odd text");
    }

    #[test]
    fn a_name_with_another_number_is_never_meant() {
        let symbols = ["k2", "scale2d", "_Z4tileILi32EEvPf"].map(str::to_owned);
        assert_eq!(meant("k1", &symbols), None);
        assert_eq!(meant("void tile<16>(float*)", &symbols), None);
        assert_eq!(meant("void tiel<32>(float*)", &symbols).as_deref(), Some("tile<32>(float*)"));
        assert_eq!(meant("scalle2d", &symbols).as_deref(), Some("scale2d"));
    }

    #[test]
    fn lists_begin_with_the_readable_name() {
        assert_eq!(listed(["k", "_Z5triadPf"]), "\n  k\n  triad(float*) [_Z5triadPf]");
    }
}
