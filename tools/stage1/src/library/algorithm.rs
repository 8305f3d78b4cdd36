//! Algorithms of the C++ library with a policy that permits devices.
//!
//! In: a symbol. Out: the algorithm and the types of its call. *Invariant:* overloads of ours are
//! no such algorithm: they take their policy by value, so that it is no argument of the template.

use crate::error::Cause;
use sinter_core::names::{demangled, readable};

/// The policies, as libstdc++ has them.
const POLICIES: [&str; 2] = ["27parallel_unsequenced_policyE", "15parallel_policyE"];
const NAMESPACE: &str = "N6__pstl9execution2v1";

/// Iterators of the C++ library without random access, up to their arguments.
const SEQUENTIAL: [&str; 17] = [
    "std::_Fwd_list_const_iterator",
    "std::_Fwd_list_iterator",
    "std::_List_const_iterator",
    "std::_List_iterator",
    "std::_Rb_tree_const_iterator",
    "std::_Rb_tree_iterator",
    "std::__detail::_Local_const_iterator",
    "std::__detail::_Local_iterator",
    "std::__detail::_Node_const_iterator",
    "std::__detail::_Node_iterator",
    "std::back_insert_iterator",
    "std::front_insert_iterator",
    "std::insert_iterator",
    "std::istream_iterator",
    "std::istreambuf_iterator",
    "std::ostream_iterator",
    "std::ostreambuf_iterator",
];
/// Those of `std::vector<bool>`.
const BITS: [&str; 2] = ["std::_Bit_const_iterator", "std::_Bit_iterator"];
/// Iterators over other iterators.
const AROUND: [&str; 3] = ["__gnu_debug::_Safe_iterator<", "std::move_iterator<", "std::reverse_iterator<"];

/// An algorithm and the types that its call has.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Algorithm {
    name: String,
    types: Vec<String>,
}

impl Algorithm {
    /// `None` for all other functions.
    pub(super) fn of(symbol: &str) -> Option<Self> {
        let name = name_of(symbol)?;
        let types = demangled(symbol).map(|name| arguments(&name)).unwrap_or_default();
        Some(Algorithm { name: format!("std::{name}"), types: types.into_iter().skip(1).collect() })
    }

    /// The reason why no device runs it.
    pub(super) fn cause(&self) -> Cause {
        let with = self.types.iter().map(|ty| format!("`{}`", readable(ty))).collect::<Vec<_>>().join(", ");
        let of = |list: &[&str]| self.types.iter().find(|ty| begins_with(ty, list));
        let reason = if let Some(iterator) = of(&SEQUENTIAL) {
            format!("`{}` is no random access iterator", readable(iterator))
        } else if of(&BITS).is_some() {
            "elements of std::vector<bool> share bytes".to_owned()
        } else {
            "no kernel takes these iterators, elements, values or callables (docs/stdpar.md has the conditions)"
                .to_owned()
        };
        Cause::Library { algorithm: self.name.clone(), with, reason }
    }
}

/// The name of the template in `std` whose first argument is a policy that permits devices, or a
/// reference to one.
fn name_of(symbol: &str) -> Option<&str> {
    let rest = symbol.strip_prefix("_ZSt")?;
    let digits = rest.find(|c: char| !c.is_ascii_digit())?;
    let length: usize = rest.get(..digits)?.parse().ok()?;
    let (name, rest) = rest.get(digits..)?.split_at_checked(length)?;
    let policy = rest.strip_prefix('I')?.trim_start_matches(['R', 'K']).strip_prefix(NAMESPACE)?;
    POLICIES.iter().any(|known| policy.starts_with(known)).then_some(name)
}

/// The arguments of the template with this name: `a<b, c<d, e>>(f)` has `b` and `c<d, e>`.
fn arguments(name: &str) -> Vec<String> {
    let Some((_, list)) = name.split_once('<') else { return Vec::new() };
    let (mut found, mut depth, mut start) = (Vec::new(), 0, 0);
    for (at, c) in list.char_indices() {
        match c {
            '<' | '(' | '{' | '[' => depth += 1,
            ',' if depth == 0 => {
                found.push(list[start..at].trim().to_owned());
                start = at + 1;
            }
            '>' | ')' | '}' | ']' if depth > 0 => depth -= 1,
            '>' => {
                found.push(list[start..at].trim().to_owned());
                break;
            }
            _ => {}
        }
    }
    found
}

/// True if a type, or the iterator that it goes around, is one of a list.
fn begins_with(ty: &str, list: &[&str]) -> bool {
    let inner = AROUND.iter().find_map(|around| ty.strip_prefix(around));
    match inner {
        Some(inner) => begins_with(inner, list),
        None => list.iter().any(|known| ty.strip_prefix(known).is_some_and(|rest| !rest.starts_with('_'))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cause(types: &str) -> Option<String> {
        Some(Algorithm::of(&format!("_ZSt4sortI{types}EvOT_T0_S1_"))?.cause().to_string())
    }

    #[test]
    fn algorithms_are_found_by_their_policies() {
        let policy = |prefix: &str, name: &str| format!("{prefix}N6__pstl9execution2v1{name}E");
        for prefix in ["RK", "R", ""] {
            for name in ["27parallel_unsequenced_policy", "15parallel_policy"] {
                assert!(cause(&format!("{}Pi", policy(prefix, name))).is_some(), "{prefix}{name}");
            }
        }
        for name in ["16sequenced_policy", "18unsequenced_policy"] {
            assert_eq!(cause(&format!("{}Pi", policy("RK", name))), None);
        }
        assert_eq!(cause("Pi"), None);
        for other in
            ["", "_ZSt", "_ZSt4sor", "_ZSt99sortI", "_ZN3own4sortIRKN6__pstl9execution2v115parallel_policyEEEvOT_"]
        {
            assert_eq!(Algorithm::of(other), None, "{other}");
        }
    }

    #[test]
    fn reasons_are_told_from_the_types() {
        let policy = "RKN6__pstl9execution2v115parallel_policyE";
        for (types, reason) in [
            ("St16reverse_iteratorISt20_List_const_iteratorIiEE", "_List_const_iterator<int> >` is no random access"),
            ("St13_Bit_iterator", "`std::sort` with `std::_Bit_iterator`: elements of std::vector<bool> share bytes"),
            ("PSs", "no kernel takes these iterators, elements, values or callables (docs/stdpar.md"),
        ] {
            let found = cause(&format!("{policy}{types}")).unwrap_or_default();
            assert!(found.contains(reason), "{types}: {found}");
        }
    }

    #[test]
    fn arguments_are_told_apart() {
        assert_eq!(arguments("a<b, c<d, e>, f(g, h)>(i, j)"), ["b", "c<d, e>", "f(g, h)"]);
        assert!(arguments("plain").is_empty());
    }
}
