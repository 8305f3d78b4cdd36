//! Defines the functions of the C library that kernels call.
//!
//! In: calls of `sinf`, `memcmp`, `abort` and the like, which host code gets from libc and libm.
//! Out: their definitions by functions of the vendor library and LLVM's intrinsics. *Invariant:* a
//! function whose declared type differs from C's is not defined, and is reported as unresolved.

use super::dialect::{Dialect, Function, Other};
use crate::{
    context::Context,
    device_module::DeviceModule,
    failure::Outcome,
    passes::template::{Text, link_text},
};
use sinter_builtins::{Function as CFunction, Llvm, Origin, Precision, c_function};
use sinter_llvm::ir::Value;

/// Functions that neither the vendor library nor the builtins define.
const FUNCTIONS: [Function; 10] = [
    ("llrint", NEAREST),
    ("llround", AWAY),
    ("lrint", NEAREST),
    ("lround", AWAY),
    ("nan", "  ret {t} 0x7FF8000000000000"),
    ("remquo", REMQUO),
    ("scalbln", SCALBLN),
    ("scalbn", "  %r = call {t} @{l}ldexp{f}({t} %a, i32 %b)\n  ret {t} %r"),
    ("significand", SIGNIFICAND),
    ("sincos", SINCOS),
];

const NEAREST: &str =
    "  %w = call {t} @llvm.rint.{s}({t} %a)\n  %i = fptosi {t} %w to i64\n  %r = freeze i64 %i\n  ret i64 %r";
const AWAY: &str =
    "  %w = call {t} @llvm.round.{s}({t} %a)\n  %i = fptosi {t} %w to i64\n  %r = freeze i64 %i\n  ret i64 %r";
/// The low bits of the quotient are those of a remainder by eight times the divisor.
const REMQUO: &str = "\
  %r = call {t} @{l}remainder{f}({t} %a, {t} %b)
  %e = fmul {t} %b, 8.0
  %m = call {t} @{l}fmod{f}({t} %a, {t} %e)
  %d = fsub {t} %m, %r
  %q = fdiv {t} %d, %b
  %n = call {t} @llvm.rint.{s}({t} %q)
  %i = fptosi {t} %n to i32
  %j = freeze i32 %i
  %k = srem i32 %j, 8
  store i32 %k, ptr %c
  ret {t} %r";
const SCALBLN: &str = "\
  %l = call i64 @llvm.smax.i64(i64 %b, i64 -5000)
  %h = call i64 @llvm.smin.i64(i64 %l, i64 5000)
  %n = trunc i64 %h to i32
  %r = call {t} @{l}ldexp{f}({t} %a, i32 %n)
  ret {t} %r";
const SIGNIFICAND: &str = "\
  %e = call i32 @{l}ilogb{f}({t} %a)
  %n = sub i32 0, %e
  %r = call {t} @{l}ldexp{f}({t} %a, i32 %n)
  ret {t} %r";
const SINCOS: &str = "\
  %s = call {t} @{l}sin{f}({t} %a)
  %z = call {t} @{l}cos{f}({t} %a)
  store {t} %s, ptr %b
  store {t} %z, ptr %c
  ret void";

/// Functions of libc. `abort` is a trap and is reported like any other.
const OTHERS: [Other; 6] = [
    (
        "abort",
        "void ()",
        "define void @abort() alwaysinline noreturn nounwind {\n  \
         call void @llvm.trap() \"sinter-trap\"=\"abort\"\n  unreachable\n}\n",
    ),
    (
        "memcpy",
        "ptr (ptr, ptr, i64)",
        "define ptr @memcpy(ptr %to, ptr %from, i64 %size) alwaysinline nounwind {\n  \
         call void @llvm.memcpy.p0.p0.i64(ptr %to, ptr %from, i64 %size, i1 false)\n  ret ptr %to\n}\n",
    ),
    (
        "memmove",
        "ptr (ptr, ptr, i64)",
        "define ptr @memmove(ptr %to, ptr %from, i64 %size) alwaysinline nounwind {\n  \
         call void @llvm.memmove.p0.p0.i64(ptr %to, ptr %from, i64 %size, i1 false)\n  ret ptr %to\n}\n",
    ),
    (
        "memset",
        "ptr (ptr, i32, i64)",
        "define ptr @memset(ptr %to, i32 %value, i64 %size) alwaysinline nounwind {\n  %byte = trunc i32 %value to i8\n  \
         call void @llvm.memset.p0.i64(ptr %to, i8 %byte, i64 %size, i1 false)\n  ret ptr %to\n}\n",
    ),
    ("memcmp", "i32 (ptr, ptr, i64)", MEMCMP),
    ("bcmp", "i32 (ptr, ptr, i64)", MEMCMP),
];

const MEMCMP: &str = "\
define i32 @NAME(ptr %a, ptr %b, i64 %size) nounwind {
entry:
  %empty = icmp eq i64 %size, 0
  br i1 %empty, label %same, label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %more ]
  %pa = getelementptr i8, ptr %a, i64 %i
  %pb = getelementptr i8, ptr %b, i64 %i
  %va = load i8, ptr %pa
  %vb = load i8, ptr %pb
  %equal = icmp eq i8 %va, %vb
  br i1 %equal, label %more, label %differ
more:
  %next = add nuw i64 %i, 1
  %end = icmp eq i64 %next, %size
  br i1 %end, label %same, label %loop
differ:
  %wa = zext i8 %va to i32
  %wb = zext i8 %vb to i32
  %d = sub i32 %wa, %wb
  ret i32 %d
same:
  ret i32 0
}
";

/// Defines the functions of the C library that the module calls.
pub(crate) fn define<S>(cx: &Context<'_, '_>, dialect: &Dialect, m: &DeviceModule<'_, S>) -> Outcome<()> {
    let mut text = Text::new(dialect.naming);
    for function in m.undefined() {
        let (name, ty) = (function.name(), function.value_type().text());
        let mut others = OTHERS.iter().chain(dialect.others);
        if let Some((_, _, body)) = others.find(|(other, expected, _)| *other == name && *expected == ty) {
            text.add(&body.replace("NAME", &name), "float");
        } else if let Some((definition, ty)) = mathematics(dialect.functions, &name, &ty) {
            text.add(&definition, ty);
        }
    }
    let text = text.finish();
    if !text.is_empty() {
        link_text(cx, m, &text)?.into_iter().for_each(Value::make_internal);
    }
    Ok(())
}

/// The definition of a function of libm, and its scalar type. The dialect's bodies take precedence.
fn mathematics(special: &[Function], name: &str, declared: &str) -> Option<(String, &'static str)> {
    let (function, precision) = c_function(name)?;
    let ty = match precision {
        Precision::Single => "float",
        Precision::Double => "double",
    };
    let result = ir_type(function.family.result, ty);
    let parameters: Vec<&str> = function.family.parameters.iter().map(|word| ir_type(word, ty)).collect();
    if declared != format!("{result} ({})", parameters.join(", ")) {
        return None;
    }
    let list: Vec<String> = parameters.iter().zip('a'..).map(|(ty, name)| format!("{ty} %{name}")).collect();
    let list = list.join(", ");
    let call = |callee: &str| format!("  %r = call {result} @{callee}({list})\n  ret {result} %r");
    let mut written = special.iter().chain(&FUNCTIONS);
    let body = match written.find(|(other, _)| *other == function.name).map(|(_, body)| *body) {
        Some(body) if body.contains(' ') => body.to_owned(),
        Some(intrinsic) => call(&format!("llvm.{intrinsic}.{{s}}")),
        None => call(&provider(function)?),
    };
    Some((format!("define {result} @{name}({list}) alwaysinline nounwind {{\n{body}\n}}\n"), ty))
}

/// Name of the intrinsic, library function or builtin that computes a function of libm, for any
/// type and dialect.
fn provider(function: &CFunction) -> Option<String> {
    match (function.family.origin, function.llvm) {
        (Origin::Intrinsic, Some(Llvm::Intrinsic(name))) => Some(format!("{name}.{{s}}")),
        (Origin::Vendor, _) => Some(format!("{{l}}{}{{f}}", function.name)),
        _ => function.builtin("{s}"),
    }
}

/// A type of the table, with `T` replaced by `ty`.
fn ir_type<'t>(word: &'t str, ty: &'t str) -> &'t str {
    match word {
        "T" => ty,
        "f80" => "x86_fp80",
        word if word.ends_with('*') => "ptr",
        word => word,
    }
}

#[cfg(test)]
mod tests {
    use super::mathematics;

    #[test]
    fn names_and_types_must_match() {
        let defined = |name, ty| mathematics(&[], name, ty).is_some();
        assert!(defined("sinf", "float (float)") && defined("sin", "double (double)"));
        assert!(defined("lgammaf_r", "float (float, ptr)") && defined("scalbln", "double (double, i64)"));
        assert!(defined("rint", "double (double)") && defined("dremf", "float (float, float)"));
        assert!(!defined("nexttoward", "double (double, x86_fp80)") && !defined("sin", "float (float)"));
        assert!(!defined("sinl", "x86_fp80 (x86_fp80)"));
    }
}
