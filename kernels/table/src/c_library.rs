//! The functions of the C library on floating-point numbers.
//!
//! In: a symbol. Out: the function, and the variant. *Invariant:* a `long double` is no variant.

use crate::{FUNCTIONS, Function};

/// The floating-point type of a variant.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Precision {
    /// `float`
    Single,
    /// `double`
    Double,
}

impl Precision {
    /// The type in names of builtins and of LLVM's intrinsics.
    pub fn word(self) -> &'static str {
        match self {
            Precision::Single => "f32",
            Precision::Double => "f64",
        }
    }
}

/// The function of the C library with this symbol, and which variant it is.
pub fn c_function(symbol: &str) -> Option<(&'static Function, Precision)> {
    let named = |name: &str| FUNCTIONS.iter().find(|function| function.c.contains(&name));
    if let Some(function) = named(symbol) {
        return Some((function, Precision::Double));
    }
    // `lgammaf_r` is the one name with the suffix inside.
    let double = if symbol == "lgammaf_r" { "lgamma_r" } else { symbol.strip_suffix('f')? };
    named(double).map(|function| (function, Precision::Single))
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test says what it expects by unwrapping")]
mod tests {
    use super::*;

    #[test]
    fn suffixes_choose_the_variant() {
        assert_eq!(c_function("erf").unwrap().1, Precision::Double);
        assert_eq!(c_function("erff").unwrap().1, Precision::Single);
        assert_eq!(c_function("modff").unwrap().0.name, "modf");
        assert_eq!(c_function("drem").unwrap().0.name, "remainder");
        assert_eq!(c_function("lgammaf_r").unwrap().0.name, c_function("lgamma_r").unwrap().0.name);
        assert_eq!(c_function("lgammaf_r").unwrap().1, Precision::Single);
        assert!(c_function("printf").is_none() && c_function("f").is_none() && c_function("sinl").is_none());
    }

    #[test]
    fn no_name_occurs_twice() {
        let mut names: Vec<_> = FUNCTIONS.iter().flat_map(|function| function.c).collect();
        let count = names.len();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), count);
    }
}
