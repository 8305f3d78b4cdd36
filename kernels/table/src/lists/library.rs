//! What the C++ of the libraries is compiled with.
//!
//! In: the table. Out: a header of declarations and lists. *Invariant:* every builtin is declared, so that a definition of
//! another type is an error of the compiler.

use super::{ORIGIN, lists};
use crate::{BUILTINS, Builtin, Function, Origin, Shape};

/// The header, for code that finds `builtins/generic/types.hpp`.
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

/// A type as the libraries name it.
fn cpp_type(word: &str) -> &str {
    match word {
        "char*" => "const char *",
        "local*" => "__attribute__((address_space(3))) void *",
        word => word,
    }
}

/// Lists of the functions on numbers: all of them (`MATH`), those that are intrinsics of LLVM (`EXACT`), those of vendors'
/// libraries (`VENDOR`) and of OpenCL alone (`OPENCL`), the C library's among the vendors' (`C_LIBRARY`), and
/// those of implementation-defined precision (`NATIVE`).
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
