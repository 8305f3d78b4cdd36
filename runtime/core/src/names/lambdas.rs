//! Corrects names of lambdas that the demangler misprints.
//!
//! In: a name as `cpp_demangle` prints it. It attaches text that belongs around a lambda's type
//! (parameters of its call operator, `const` of a reference to it) to the first class among the
//! lambda's parameters. Out: the name as other demanglers print it. *Invariant:* a name without
//! such a lambda is returned unchanged: a mangled name has no top-level `const` on parameters of a
//! lambda, and no class followed by parentheses.

use super::headers::{closed, split};

const LAMBDA: &str = "{lambda(";

/// Text that was misplaced among a lambda's parameters.
#[derive(Default)]
struct Strays {
    /// Qualifiers of the lambda's type: ` const`, ` volatile`.
    qualifiers: String,
    /// Parameters of a member function of the lambda, with parentheses.
    parameters: String,
}

/// The name with all its lambdas corrected.
pub(super) fn mended(name: &str) -> String {
    let Some((before, rest)) = name.split_once(LAMBDA) else { return name.to_owned() };
    let lambda = || {
        let (parameters, rest) = closed(rest)?;
        let (number, rest) = rest.split_once('}')?;
        let (member, behind) = member(rest);
        let takes_parameters = !member.is_empty() && !behind.starts_with('(');
        let mut strays = Strays::default();
        let parameters = split(parameters).into_iter().map(|one| mended(strays.taken_from(one, takes_parameters)));
        let parameters = parameters.collect::<Vec<_>>().join(", ");
        let Strays { qualifiers, parameters: own } = strays;
        let (member, own, behind) = (mended(member), mended(&own), mended(behind));
        Some(format!("{before}{LAMBDA}{parameters}){number}}}{qualifiers}{member}{own}{behind}"))
    };
    lambda().unwrap_or_else(|| format!("{before}{LAMBDA}{}", mended(rest)))
}

/// Splits off the name of a lambda's member function, with template arguments.
fn member(text: &str) -> (&str, &str) {
    let Some(name) = text.strip_prefix("::") else { return ("", text) };
    let length = match name.strip_prefix("operator()") {
        Some(_) => "operator()".len(),
        None => name.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(name.len()),
    };
    if length == 0 {
        return ("", text);
    }
    let behind = &name[length..];
    let behind = behind.strip_prefix('<').and_then(closed).map_or(behind, |(_, behind)| behind);
    text.split_at(text.len() - behind.len())
}

impl Strays {
    /// Removes misplaced text from a parameter and stores it.
    fn taken_from<'a>(&mut self, parameter: &'a str, takes_parameters: bool) -> &'a str {
        let mut rest = parameter;
        for qualifier in [" volatile", " const"] {
            if let Some(shorter) = rest.strip_suffix(qualifier) {
                self.qualifiers.insert_str(0, qualifier);
                rest = shorter;
            }
        }
        match call(rest).filter(|_| takes_parameters && self.parameters.is_empty()) {
            Some((class, parameters)) => {
                self.parameters = parameters.to_owned();
                class
            }
            None => rest,
        }
    }
}

/// Splits a class from the parentheses directly after its name. In a function type, other
/// characters precede them.
fn call(parameter: &str) -> Option<(&str, &str)> {
    let open = parameter.char_indices().filter(|(_, c)| *c == '(').map(|(i, _)| i);
    let is_last = |open: &usize| closed(&parameter[open + 1..]).is_some_and(|(_, behind)| behind.is_empty());
    let (class, parameters) = parameter.split_at(open.into_iter().find(is_last)?);
    class.ends_with(|c: char| c.is_alphanumeric() || matches!(c, '_' | '>')).then_some((class, parameters))
}

#[cfg(test)]
mod tests {
    use super::super::demangle::demangled;

    /// Symbols of programs in `tests/programs`, with the output of `c++filt` except for return
    /// types.
    const NAMES: [(&str, &str); 6] = [
        (
            "_ZZZ4mainENK3$_2clEvENKUlN4sycl7nd_itemILi3EEEE_clES2_",
            "main::$_2::operator()() const::{lambda(sycl::nd_item<3>)#1}::operator()(sycl::nd_item<3>) const",
        ),
        (
            "_ZN4sycl6detail12all_but_lastIZ4mainEUlNS_7nd_itemILi1EEEE_EEvRKT_",
            "sycl::detail::all_but_last<main::{lambda(sycl::nd_item<1>)#1}>(main::{lambda(sycl::nd_item<1>)#1} const&)",
        ),
        (
            "_ZN4sycl6detail6invokeIZZZ4mainENK3$_1clEvENKUlRNS_7handlerEE_clES4_EUlNS_7nd_itemILi2EEEE_JS7_EEEvRKT_DpOT0_",
            "sycl::detail::invoke<main::$_1::operator()() \
             const::{lambda(sycl::handler&)#1}::operator()(sycl::handler&) \
             const::{lambda(sycl::nd_item<2>)#1}, sycl::nd_item<2> >(main::$_1::operator()() const::{lambda(sycl::handler&)#1}\
             ::operator()(sycl::handler&) const::{lambda(sycl::nd_item<2>)#1} const&, sycl::nd_item<2>&&)",
        ),
        ("_ZZ1fvENKUlN4sycl2idILi1EEEE_clES1_", "f()::{lambda(sycl::id<1>)#1}::operator()(sycl::id<1>) const"),
        (
            "_ZZ1fvENUlN4sycl2idILi1EEEiE0_8__invokeES1_i",
            "f()::{lambda(sycl::id<1>, int)#2}::__invoke(sycl::id<1>, int)",
        ),
        (
            "_ZZZ1fvENKUlN4sycl2idILi1EEEE_clES1_ENKUlN4sycl4itemILi1EEEE_clES5_",
            "f()::{lambda(sycl::id<1>)#1}::operator()(sycl::id<1>) \
             const::{lambda(sycl::item<1>)#1}::operator()(sycl::item<1>) const",
        ),
    ];

    #[test]
    fn call_operators_of_lambdas_are_as_other_demanglers_have_them() {
        for (symbol, name) in NAMES {
            assert_eq!(demangled(symbol).as_deref(), Some(name), "{symbol}");
        }
    }

    #[test]
    fn what_is_no_lambda_of_a_demangler_stays() {
        for name in ["{lambda(", "f{lambda(int", "{lambda(int)#1", "a::{lambda(void (int))#1}::f", "{lambda(A(B))#1}"] {
            assert_eq!(super::mended(name), name);
        }
    }
}
