//! Renames functions that stand for instructions.
//!
//! In: declarations of `__sinter_spirv_op_*`, `__sinter_spirv_ocl_*` and
//! `__sinter_spirv_builtin_*`. Out: the same with the names that other translators know:
//! `__spirv_*`, `__spirv_ocl_*` and `__spirv_BuiltIn*`, mangled (Khronos, "SPIR-V representation in
//! LLVM IR"; LLVM, "User Guide for SPIR-V Target"). *Invariant:* every remaining function without a
//! body is one of these or an intrinsic of LLVM.

use super::{
    error::FriendlyError,
    mangle::{Parameter, mangled},
    text::SPACES,
};
use crate::targets::spirv::builtins::PREFIX;
use rspirv::{
    grammar::{INSTRUCTION_TABLE, OPENCL_STD_100_INSTRUCTION_TABLE},
    spirv::BuiltIn,
};
use sinter_llvm::{
    Module,
    ir::{Type, Value},
    types::TypeView,
};

/// Instructions whose pointers address 32-bit integers; other pointers address the type of the
/// first parameter.
const WITH_INTEGERS: [&str; 3] = ["frexp", "lgamma_r", "remquo"];
/// The instruction whose pointers address characters.
const WITH_CHARACTERS: &str = "printf";

/// Signedness of an instruction's integers. Only the mangled name depends on it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Sign {
    Signed,
    Unsigned,
}

pub(super) fn rename(module: &Module<'_>) -> Result<(), FriendlyError> {
    for function in module.functions() {
        if !function.is_declaration() || function.is_intrinsic() {
            continue;
        }
        if !function.is_used() {
            function.delete();
            continue;
        }
        let name = function.name();
        let friendly = friendly(function, &name).ok_or(FriendlyError::NoName { name })?;
        // Two names may differ only in signedness, and then have the same mangled name.
        match module.function(&friendly) {
            Some(known) => {
                function.replace_uses(known);
                function.delete();
            }
            None => function.set_name(&friendly),
        }
    }
    Ok(())
}

/// The mangled name of a declared function. `None` if other translators do not know it.
fn friendly(function: Value<'_>, name: &str) -> Option<String> {
    let (kind, name) = name.strip_prefix(PREFIX)?.split_once('_')?;
    let name = name.split_once("__").map_or(name, |(name, _)| name);
    let types: Vec<Type<'_>> = function.parameters().into_iter().map(Value::ty).collect();
    let (name, sign, pointee) = match kind {
        "op" => {
            INSTRUCTION_TABLE.iter().find(|known| known.opname == name)?;
            (format!("__spirv_{name}"), Sign::Unsigned, accessed(function, name, &types))
        }
        "ocl" => {
            OPENCL_STD_100_INSTRUCTION_TABLE.iter().find(|known| known.opname == name)?;
            (format!("__spirv_ocl_{name}"), Sign::Signed, behind(name, &types))
        }
        "builtin" => {
            name.parse::<BuiltIn>().ok()?;
            (format!("__spirv_BuiltIn{name}"), Sign::Signed, None)
        }
        _ => return None,
    };
    let parameters = types.into_iter().map(|ty| parameter(ty, sign, pointee)).collect::<Option<Vec<_>>>()?;
    Some(mangled(&name, &parameters))
}

/// Letters of the type that an atomic operation accesses.
fn accessed(function: Value<'_>, name: &str, types: &[Type<'_>]) -> Option<&'static str> {
    let value = if name == "AtomicStore" { *types.last()? } else { function.return_type() };
    letters(value, Sign::Unsigned)
}

/// Letters of the pointee type of an OpenCL instruction's pointers.
fn behind(name: &str, types: &[Type<'_>]) -> Option<&'static str> {
    match name {
        WITH_CHARACTERS => Some("c"),
        _ if WITH_INTEGERS.contains(&name) => Some("i"),
        _ => letters(*types.first()?, Sign::Signed),
    }
}

fn parameter(ty: Type<'_>, sign: Sign, pointee: Option<&'static str>) -> Option<Parameter> {
    Some(match ty.view() {
        TypeView::Pointer(space) => {
            let space = SPACES.iter().find(|(ours, _)| *ours == space)?.1;
            Parameter::Pointer(space, pointee?)
        }
        TypeView::Vector(element, count) => Parameter::Vector(count, letters(element, sign)?),
        _ => Parameter::Scalar(letters(ty, sign)?),
    })
}

/// Letters of a scalar type (Itanium C++ ABI, section 5.1.5.2, "Builtin types").
fn letters(ty: Type<'_>, sign: Sign) -> Option<&'static str> {
    Some(match (ty.view(), sign) {
        (TypeView::Integer(1), _) => "b",
        (TypeView::Integer(8), Sign::Signed) => "c",
        (TypeView::Integer(8), Sign::Unsigned) => "h",
        (TypeView::Integer(16), Sign::Signed) => "s",
        (TypeView::Integer(16), Sign::Unsigned) => "t",
        (TypeView::Integer(32), Sign::Signed) => "i",
        (TypeView::Integer(32), Sign::Unsigned) => "j",
        (TypeView::Integer(64), Sign::Signed) => "l",
        (TypeView::Integer(64), Sign::Unsigned) => "m",
        (TypeView::Float(16), _) => "Dh",
        (TypeView::Float(32), _) => "f",
        (TypeView::Float(64), _) => "d",
        _ => return None,
    })
}
