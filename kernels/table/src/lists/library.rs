//! Generates the header with which the builtins are compiled.
//!
//! In: the table. Out: a header of declarations and lists. *Invariant:* every builtin is declared,
//! so that a definition with another type is a compile error.

use super::{ORIGIN, lists};
use crate::{BUILTINS, Builtin, Function, Origin, Shape};

/// The header; requires `builtins/generic/types.hpp`.
pub fn library() -> String {
    let declarations: String = BUILTINS.iter().map(declaration).collect();
    format!("{ORIGIN}\n#pragma once\n#include \"types.hpp\"\n\n{declarations}\n{}", functions())
}

fn declaration(builtin: &Builtin) -> String {
    let parameters: Vec<&str> = builtin.parameters.iter().map(|word| cpp_type(word)).collect();
    let convergent = if builtin.family.is_convergent { "__attribute__((convergent)) " } else { "" };
    let noreturn = if builtin.family.returns { "" } else { "[[noreturn]] " };
    let (result, list) = (cpp_type(builtin.result), parameters.join(", "));
    format!("extern \"C\" {noreturn}{convergent}{result} {}({list});\n", builtin.name)
}

/// Type names in the builtins' C++.
fn cpp_type(word: &str) -> &str {
    match word {
        "char*" => "const char *",
        "local*" => "__attribute__((address_space(3))) void *",
        word => word,
    }
}

/// Lists of the math functions: all of them (`MATH`), LLVM intrinsics (`EXACT`), vendor library
/// functions (`VENDOR`), those of OpenCL only (`OPENCL`), the C library's among the vendor
/// functions (`C_LIBRARY`), and native ones (`NATIVE`).
fn functions() -> String {
    let math = |function: &Function| function.family.group == "math";
    let from = |origin: Origin| move |function: &Function| math(function) && function.family.origin == origin;
    let shapes = Shape::ALL.map(|(shape, ..)| shape);
    let text = [
        lists("MATH", &shapes, math),
        lists("EXACT", &shapes, from(Origin::Intrinsic)),
        lists("VENDOR", &shapes, from(Origin::Vendor)),
        lists("OPENCL", &shapes, from(Origin::OpenCl)),
        lists("C_LIBRARY", &shapes, |function| from(Origin::Vendor)(function) && function.is_in_c()),
        lists("NATIVE", &shapes, |function| function.family.group == "native"),
    ];
    text.concat()
}
