//! Generates the parts of SYCL's headers that have one line per function.
//!
//! In: the table. Out: the declarations of builtins and the lists of functions. *Invariant:* each
//! SYCL function in the table is in one list for scalars, if its code there is a call of one
//! function, and in one for vectors.

use super::{ORIGIN, list, lists};
use crate::{BUILTINS, Builtin, FUNCTIONS, Function, Shape};

/// Shapes with one result.
const VALUES: [Shape; 5] = [Shape::Unary, Shape::Binary, Shape::Ternary, Shape::Whole, Shape::Exponent];
/// Shapes of functions with a second result, or that are builtins.
const BUILTIN: [Shape; 6] = [Shape::Unary, Shape::Binary, Shape::Ternary, Shape::Whole, Shape::Split, Shape::Count];
const TESTS: [Shape; 2] = [Shape::Exponent, Shape::Comparison];
/// Functions whose error in glibc exceeds the bound: `derived_roots.hpp`.
const INACCURATE: [&str; 1] = ["cbrt"];
const NATIVE: &str = "native::";
const HALF: &str = "half_precision::";

/// `runtime/include/sycl/detail/declarations.hpp`
pub fn declarations() -> String {
    let called = |builtin: &&Builtin| builtin.family.group != "other" && cpp_type(builtin.result).is_some();
    let body: String = BUILTINS.iter().filter(called).filter_map(declaration).collect();
    format!(
        "{ORIGIN}\n//\n// The builtins with the types of C++; those on half precision and those that print are left out.\n// To \
         be included by builtins.hpp.\n#ifndef SYCL_DETAIL_DECLARATIONS_HPP\n#define SYCL_DETAIL_DECLARATIONS_HPP\n\n\
         extern \"C\" {{\n{body}}}\n\n#endif\n"
    )
}

/// `None` if C++ has no type for a parameter.
fn declaration(builtin: &Builtin) -> Option<String> {
    let parameters: Option<Vec<String>> = builtin.parameters.iter().map(|word| cpp_type(word)).collect();
    let (result, list) = (cpp_type(builtin.result)?, parameters?.join(", "));
    let (pure, convergent) = (builtin.family.is_pure, builtin.family.is_convergent);
    let pure = if pure { "SINTER_CONST " } else { "" };
    let convergent = if convergent { "SINTER_CONVERGENT " } else { "" };
    let space = if result.ends_with('*') { "" } else { " " };
    Some(format!("{pure}{convergent}{result}{space}{}({list}) noexcept;\n", builtin.name))
}

/// A C++ type with the same calling convention.
fn cpp_type(word: &str) -> Option<String> {
    const PLAIN: [(&str, &str); 16] = [
        ("void", "void"),
        ("bool", "bool"),
        ("i8", "signed char"),
        ("i16", "short"),
        ("i32", "int"),
        ("i64", "long long"),
        ("u8", "unsigned char"),
        ("u16", "unsigned short"),
        ("u32", "unsigned"),
        ("u64", "unsigned long long"),
        ("f32", "float"),
        ("f64", "double"),
        ("operation", "int"),
        ("order", "int"),
        ("scope", "int"),
        ("space", "int"),
    ];
    match word {
        "local*" => Some("SINTER_LOCAL void *".to_owned()),
        word => {
            let (_, plain) = PLAIN.into_iter().find(|(known, _)| *known == word.trim_end_matches('*'))?;
            Some(if word.ends_with('*') { format!("{plain} *") } else { plain.to_owned() })
        }
    }
}

/// `runtime/include/sycl/detail/function_lists.hpp`
pub fn function_lists() -> String {
    let text = [
        comment("Functions of the C library, which stage 1 turns into intrinsics and builtins."),
        lists("SINTER_C_LIBRARY", &VALUES, calls_c),
        comment("Builtins that device code calls; what host code calls is in host_math.hpp."),
        lists("SINTER_BUILTIN", &BUILTIN, calls_builtin),
        comment("Tests on numbers."),
        lists("SINTER_CLASS", &TESTS[..1], |function| function.has("test")),
        comment("Functions of native, and those of half_precision that are the same or not."),
        natives("SINTER_NATIVE_UNARY", Some(Shape::Unary), |_| true),
        natives("SINTER_NATIVE_BINARY", Some(Shape::Binary), |_| true),
        natives("SINTER_HALF_NATIVE", None, |function| function.has(HALF)),
        natives("SINTER_HALF_UNARY", Some(Shape::Unary), |function| !function.has(HALF)),
        natives("SINTER_HALF_BINARY", Some(Shape::Binary), |function| !function.has(HALF)),
        comment("All functions on elements, by their types; SCALAR: the last argument may be one number."),
        elements("REAL", &Shape::ALL.map(|(shape, ..)| shape), &[Shape::Binary, Shape::Whole]),
        elements("INTEGER", &VALUES[..3], &[]),
        elements("NUMBER", &VALUES[..3], &[Shape::Binary]),
        lists("SINTER_TEST", &TESTS, |function| function.has("test")),
    ];
    format!(
        "{ORIGIN}\n#ifndef SYCL_DETAIL_FUNCTION_LISTS_HPP\n#define SYCL_DETAIL_FUNCTION_LISTS_HPP\n{}\n#endif\n",
        text.concat()
    )
}

/// The functions on elements that are all real, all integer, or of both kinds.
fn elements(kind: &str, shapes: &[Shape], scalar: &[Shape]) -> String {
    let all = lists(&format!("SINTER_{kind}"), shapes, |function| function.has("=") && element(function) == kind);
    let chosen = |function: &Function| function.has("scalar") && element(function) == kind;
    all + &lists(&format!("SINTER_{kind}_SCALAR"), scalar, chosen)
}

/// The kind of numbers that a function takes.
fn element(function: &Function) -> &'static str {
    let is_integer = |ty: &&str| ty.starts_with(['i', 'u']);
    let types = function.family.types;
    match types.iter().filter(|ty| is_integer(ty)).count() {
        0 => "REAL",
        count if count == types.len() => "INTEGER",
        _ => "NUMBER",
    }
}

fn comment(text: &str) -> String {
    format!("\n// {text}\n")
}

/// True if a function takes and returns numbers by value, and the C library has it within its
/// bound.
fn calls_c(function: &Function) -> bool {
    let is_within = !INACCURATE.contains(&function.name);
    is_within
        && function.has("=")
        && function.is_in_c()
        && function.shape().is_some_and(|shape| VALUES.contains(&shape))
}

fn calls_builtin(function: &Function) -> bool {
    let is_math = function.family.is_builtin() && function.family.group == "math";
    is_math && function.has("=") && !calls_c(function)
}

/// Native functions by their names in the namespace `native`.
fn natives(name: &str, shape: Option<Shape>, chosen: impl Fn(&Function) -> bool) -> String {
    let is_meant = |function: &&Function| {
        function.has(NATIVE) && (shape.is_none() || shape == function.shape()) && chosen(function)
    };
    list(name, FUNCTIONS.iter().filter(is_meant).map(|function| format!("X({})", in_namespace(function))))
}

/// The name of a native function in its namespace.
pub(super) fn in_namespace(function: &Function) -> &str {
    function.name.trim_start_matches("native_")
}
