//! Generates lists of functions for tests.
//!
//! In: the table. Out: the functions whose accuracy is measured, with their bounds, and those whose
//! vector versions are compared with the scalar ones. *Invariant:* every SYCL function in the
//! table, including vector versions, is tested.

use super::{ORIGIN, list, sycl::in_namespace};
use crate::{FUNCTIONS, Function, Shape};

/// `tests/gpu/ulp_functions.hpp`
pub fn measured() -> String {
    let shapes = [Shape::Unary, Shape::Binary, Shape::Whole];
    let math = shapes.map(|shape| bounds(&format!("ULP_{}", shape.word()), "math", shape, with_bound));
    let native = bounds("ULP_NATIVE", "native", Shape::Unary, with_interval);
    format!(
        "{ORIGIN}\n//\n// X(name, bound, interval from which most of the arguments are); there is no bound for NATIVE.\n\
         #ifndef GPU_ULP_FUNCTIONS_HPP\n#define GPU_ULP_FUNCTIONS_HPP\n\n{}{native}\n#endif\n",
        math.concat()
    )
}

fn bounds(name: &str, group: &str, shape: Shape, call: fn(&Function) -> Option<String>) -> String {
    let of_group = |function: &&Function| function.family.group == group && function.shape() == Some(shape);
    list(name, FUNCTIONS.iter().filter(of_group).filter_map(call))
}

fn with_bound(function: &Function) -> Option<String> {
    let bound = function.bound.as_ref()?;
    let [low, high] = bound.interval;
    Some(format!("X({}, {}, {low}, {high})", function.name, bound.ulps.unwrap_or("no_bound")))
}

fn with_interval(function: &Function) -> Option<String> {
    let [low, high] = function.bound.as_ref()?.interval;
    Some(format!("X({}, {low}, {high})", in_namespace(function)))
}

/// `tests/programs/types/builtin_functions.hpp`
pub fn tested() -> String {
    let text = [
        of_types("MATH_1", Shape::Unary, "f32", "="),
        of_types("MATH_2", Shape::Binary, "f32", "="),
        of_types("MATH_3", Shape::Ternary, "f32", "="),
        of_types("MATH_INTEGER", Shape::Whole, "f32", "="),
        pointers(),
        of_types("RELATIONAL_1", Shape::Exponent, "f32", "test"),
        of_types("RELATIONAL_2", Shape::Comparison, "f32", "test"),
        natives("FLOAT_1", Shape::Unary),
        natives("FLOAT_2", Shape::Binary),
        of_types("INTEGER_1", Shape::Unary, "u64", "="),
        of_types("INTEGER_2", Shape::Binary, "u64", "="),
        of_types("INTEGER_3", Shape::Ternary, "u64", "="),
    ];
    format!(
        "{ORIGIN}\n//\n// The functions of section 4.17 of the standard that are defined element by element, by the form of\n\
         // their arguments.\n#ifndef PROGRAMS_TYPES_BUILTIN_FUNCTIONS_HPP\n#define PROGRAMS_TYPES_BUILTIN_FUNCTIONS_HPP\n\n{}\n#endif\n",
        text.concat()
    )
}

/// SYCL functions that take numbers of this type.
fn of_types(name: &str, shape: Shape, ty: &str, word: &str) -> String {
    let chosen = |function: &&Function| {
        function.shape() == Some(shape) && function.has(word) && function.family.types.contains(&ty)
    };
    list(name, FUNCTIONS.iter().filter(chosen).map(|function| format!("X({})", function.name)))
}

/// Functions with a second result, and its type.
fn pointers() -> String {
    let second = |function: &Function| match function.shape() {
        Some(Shape::Split) => Some("T"),
        Some(Shape::Count) => Some("std::int32_t"),
        _ => None,
    };
    let call = |function: &Function| Some(format!("X({}, {})", function.name, second(function)?));
    list("MATH_POINTER", FUNCTIONS.iter().filter(|function| function.has("=")).filter_map(call))
}

fn natives(name: &str, shape: Shape) -> String {
    let chosen = |function: &&Function| function.shape() == Some(shape) && function.has("native::");
    let functions: Vec<&Function> = FUNCTIONS.iter().filter(chosen).collect();
    let calls = ["native", "half_precision"]
        .into_iter()
        .flat_map(|space| functions.iter().map(move |function| format!("X({space}, {})", in_namespace(function))));
    list(name, calls)
}
