//! Links mathematical functions that are vectorised with the kernel.
//!
//! In: a kernel that calls functions of libm, or LLVM's intrinsics for them. Out: the same with our
//! functions inlined, which are code for one lane without calls. *Invariant:* a function of the
//! library is known by the name of the C library's; intrinsics have it from the table of builtins.

use crate::{
    context::Context,
    device_library::DeviceLibrary,
    failure::{Failure, Outcome},
};
use sinter_builtins::{FUNCTIONS, Function, Llvm, Precision, c_function};
use sinter_kernels::slices::{HOST_LANES, HOST_LANES_FMA, Library};
use sinter_llvm::{
    Module,
    ir::{Opcode, Value},
};
use std::collections::HashMap;

/// Prefix of the names of the library.
const PREFIX: &str = "__sinter_lanes_";

/// Inlines the functions, and makes values of what they return through pointers.
const INLINE: &str = "always-inline,globaldce,function(sroa<modify-cfg>)";
/// The intrinsic that returns two values, where the C library's function has a pointer.
const FREXP: &str = "frexp";

/// Instructions that all inlined functions may have together. Code grows with them, not with the
/// kernel, and its translation takes a second for each ten thousand.
const MOST: usize = 20_000;

/// Result of linking functions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Linked {
    /// The kernel calls no function of the library.
    Nothing,
    Inlined,
    /// So many instructions would be inlined that the kernel was left as it is.
    TooMany(usize),
}

/// An operation of the kernel and the function of the library that computes it.
type Replacement<'s> = (Value<'s>, &'static str);

/// The library for the machine.
fn library(cx: &Context<'_, '_>) -> &'static Library {
    if cx.machine.has_feature("fma") { &HOST_LANES_FMA } else { &HOST_LANES }
}

/// True if the library has a function for an operation.
pub(super) fn has(cx: &Context<'_, '_>, operation: Value<'_>) -> bool {
    function_for(library(cx), operation).is_some()
}

/// Replaces the calls in these functions, the kernel and others that run in rows, that the library
/// has a function for.
pub(super) fn link<'s>(cx: &Context<'s, '_>, module: &Module<'s>, functions: &[Value<'s>]) -> Outcome<Linked> {
    let library = library(cx);
    let found = |operation| Some((operation, function_for(library, operation)?));
    let instructions = functions.iter().copied().flat_map(Value::instructions);
    let replacements: Vec<Replacement<'s>> = instructions.filter_map(found).collect();
    if replacements.is_empty() {
        return Ok(Linked::Nothing);
    }
    define(cx, module, library, &replacements)?;
    let function = |name| module.function(name).ok_or_else(|| Failure::internal(format!("{name} was not linked")));
    let mut sizes: HashMap<&str, usize> = HashMap::new();
    for (_, name) in &replacements {
        if !sizes.contains_key(name) {
            sizes.insert(name, function(name)?.instructions().len());
        }
    }
    let whole = replacements.iter().map(|(_, name)| sizes[name]).sum();
    if whole > MOST {
        return Ok(Linked::TooMany(whole));
    }
    for (operation, name) in replacements {
        let function = function(name)?;
        match is_frexp(operation) {
            true => replace_frexp(cx, operation, function),
            false => replace(operation, function),
        }
    }
    module.run_passes(INLINE, Some(cx.machine))?;
    Ok(Linked::Inlined)
}

/// The name of our function for a call or a remainder.
fn function_for(library: &'static Library, operation: Value<'_>) -> Option<&'static str> {
    if operation.opcode() == Opcode::LLVMFRem {
        let precision = precision_of_suffix(&operation.ty().text())?;
        return named(library, |function| function.llvm == Some(Llvm::Remainder), precision);
    }
    let callee = operation.callee().filter(|callee| callee.is_declaration())?;
    let name = callee.name();
    let Some((intrinsic, types)) = name.strip_prefix("llvm.").and_then(|rest| rest.split_once('.')) else {
        let (function, precision) = c_function(&name)?;
        return named(library, |other| std::ptr::eq(other, function), precision);
    };
    let precision = precision_of_suffix(types.split('.').next()?)?;
    let is_it = |function: &Function| match function.llvm {
        Some(Llvm::Intrinsic(known)) => known.strip_prefix("llvm.") == Some(intrinsic),
        _ => function.name == FREXP && is_frexp(operation),
    };
    named(library, is_it, precision)
}

/// True for the intrinsic with an `i32` whose results are used one by one.
fn is_frexp(operation: Value<'_>) -> bool {
    let Some(name) = operation.callee().map(Value::name) else { return false };
    let is_split = |user: Value<'_>| user.opcode() == Opcode::LLVMExtractValue;
    name.starts_with("llvm.frexp.") && name.ends_with(".i32") && operation.users().into_iter().all(is_split)
}

/// The precision of a type, as IR or an intrinsic's name spells it.
fn precision_of_suffix(ty: &str) -> Option<Precision> {
    match ty {
        "float" | "f32" => Some(Precision::Single),
        "double" | "f64" => Some(Precision::Double),
        _ => None,
    }
}

/// The library's name of a function of the table that it has.
fn named(
    library: &'static Library,
    is_wanted: impl Fn(&'static Function) -> bool,
    precision: Precision,
) -> Option<&'static str> {
    let suffix = if precision == Precision::Single { "f" } else { "" };
    let symbols = FUNCTIONS.iter().filter(|function| is_wanted(function)).flat_map(|function| function.c);
    let names: Vec<String> = symbols.map(|symbol| format!("{PREFIX}{symbol}{suffix}")).collect();
    library.names().find(|known| names.iter().any(|name| name == known))
}

/// Links each function once, for inlining.
fn define<'s>(
    cx: &Context<'s, '_>,
    module: &Module<'s>,
    library: &'static Library,
    replacements: &[Replacement<'s>],
) -> Outcome<()> {
    for (operation, name) in replacements {
        if module.function(name).is_some() {
            continue;
        }
        match operation.callee() {
            Some(_) if is_frexp(*operation) => {
                let ty = operation.operands()[0].ty();
                module.declare(name, ty, &[ty, cx.session.pointer()])
            }
            Some(callee) => module.declare_like(name, callee),
            None => module.declare(name, operation.ty(), &[operation.ty(); 2]),
        };
        for part in DeviceLibrary::Slices(library).parts(&[(*name).to_owned()]) {
            let part = cx.session.lazy_bitcode(&part)?;
            part.copy_target(module);
            module.link_needed(part)?;
        }
        module.function(name).into_iter().for_each(|function| prepare(operation.function(), function));
    }
    Ok(())
}

/// Makes a linked function one that LLVM inlines into its caller: with equal target attributes.
pub(super) fn prepare<'s>(caller: Value<'s>, function: Value<'s>) {
    function.make_internal();
    caller.target_attributes().iter().for_each(|(key, value)| function.add_text_attribute(key, value));
    function.remove_attribute("noinline");
    function.add_attribute("alwaysinline", 0);
}

/// Calls our function instead. A function of the C library that was declared with other types
/// stays.
fn replace<'s>(operation: Value<'s>, function: Value<'s>) {
    match operation.callee() {
        Some(callee) if callee.value_type().text() == function.value_type().text() => operation.set_callee(function),
        Some(_) => {}
        None => {
            let result = operation.insert_before(|insert| insert.call(function, &operation.operands()));
            operation.replace_uses(result);
            operation.erase();
        }
    }
}

/// Calls our function with a pointer to room for the exponent.
fn replace_frexp<'s>(cx: &Context<'s, '_>, operation: Value<'s>, function: Value<'s>) {
    let (integer, x) = (cx.session.integer(32), operation.operands()[0]);
    let room = operation.function().instructions()[0].insert_before(|insert| insert.room(integer));
    let [fraction, exponent] =
        operation.insert_before(|insert| [insert.call(function, &[x, room]), insert.load(integer, room)]);
    for user in operation.users() {
        user.replace_uses(if user.member_indices() == [0] { fraction } else { exponent });
        user.erase();
    }
    operation.erase();
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test says what it expects by unwrapping")]
mod tests {
    use super::{super::super::layout, *};
    use sinter_core::{HostTarget, Image, KernelConfig, Target, TranslateRequest};
    use sinter_llvm::{Session, host_triple};

    /// The kernel `k` of a module after [`link`], as text, and what became of it.
    fn linking(text: &str, cpu: &str) -> (Linked, String) {
        let target =
            HostTarget { triple: host_triple(), cpu: cpu.to_owned(), features: String::new(), line_tables: false };
        let machine = layout::machine(&target, true).unwrap();
        let request = TranslateRequest {
            image: Image { hash: None, bytes: Vec::new().into() },
            imports: Vec::new(),
            libraries: Vec::new(),
            target: Target::Host(target),
            config: KernelConfig::generic("k".to_owned()),
        };
        let session = Session::new().unwrap();
        let module = session.parse(text.as_bytes()).unwrap();
        let kernel = module.function("k").unwrap();
        let result = link(&Context { session: &session, machine: &machine, request: &request }, &module, &[kernel]);
        module.verify().unwrap();
        (result.unwrap(), module.text())
    }

    fn linked(text: &str, cpu: &str) -> String {
        linking(text, cpu).1
    }

    const KERNEL: &str = "
declare float @expf(float)
declare double @atan2(double, double)
declare void @sincosf(float, ptr, ptr)
declare float @llvm.pow.f32(float, float)
declare double @llvm.sin.f64(double)
declare float @llvm.ldexp.f32.i32(float, i32)
declare { double, i32 } @llvm.frexp.f64.i32(double)
declare <2 x float> @llvm.exp.v2f32(<2 x float>)
declare i32 @exp(i32)
declare float @lgammaf_r(float, ptr)
define float @log2f(float %x) noinline { ret float %x }
define void @k(float %x, double %y, ptr %p, <2 x float> %v) {
  %a = call float @expf(float %x)
  %b = call double @atan2(double %y, double %y)
  call void @sincosf(float %x, ptr %p, ptr %p)
  %c = call float @llvm.pow.f32(float %a, float %a)
  %d = call double @llvm.sin.f64(double %b)
  %e = call float @llvm.ldexp.f32.i32(float %c, i32 3)
  %f = frem double %d, %y
  store float %e, ptr %p
  store double %f, ptr %p
  %l = call { double, i32 } @llvm.frexp.f64.i32(double %y)
  %m = extractvalue { double, i32 } %l, 0
  %n = extractvalue { double, i32 } %l, 1
  store double %m, ptr %p
  store i32 %n, ptr %p
  %g = call i32 @exp(i32 5)
  %h = call <2 x float> @llvm.exp.v2f32(<2 x float> %v)
  %i = call float @log2f(float %x)
  %j = call float @lgammaf_r(float %x, ptr %p)
  ret void
}";

    #[test]
    fn calls_become_code_of_the_kernel() {
        for cpu in ["x86-64-v2", "x86-64-v3"] {
            let text = linked(KERNEL, cpu);
            let code: String = text.lines().filter(|line| !line.starts_with("declare")).collect();
            for gone in [
                "@expf(",
                "@atan2(",
                "@sincosf(",
                "@llvm.pow",
                "@llvm.sin.",
                "@llvm.ldexp",
                " frem ",
                "@llvm.frexp",
                "alloca",
                "@__sinter",
            ] {
                assert!(!code.contains(gone), "{cpu}: {gone} in {text}");
            }
            assert_eq!(code.contains("@llvm.fma.f32"), cpu == "x86-64-v3", "{text}");
        }
    }

    #[test]
    fn too_many_calls_stay() {
        let calls = |count: usize| {
            let lines = (0..count).map(|i| format!("  %v{} = call double @pow(double %v{i}, double %v0)\n", i + 1));
            let body: String = lines.collect();
            format!(
                "declare double @pow(double, double)\ndefine double @k(double %v0) {{\n{body}  ret double %v{count}\n}}"
            )
        };
        let (result, text) = linking(&calls(10), "x86-64-v3");
        assert!(result == Linked::Inlined && !text.contains("call double @pow("), "{result:?} {text}");
        let (result, text) = linking(&calls(1000), "x86-64-v3");
        assert!(matches!(result, Linked::TooMany(_)), "{result:?}");
        assert_eq!(text.matches("call double @pow(").count(), 1000);
    }

    #[test]
    fn what_the_library_lacks_stays() {
        let text = linked(KERNEL, "x86-64-v3");
        for kept in
            ["call i32 @exp(i32 5)", "call <2 x float> @llvm.exp", "call float @log2f(", "call float @lgammaf_r("]
        {
            assert!(text.contains(kept), "{kept}: {text}");
        }
    }

    /// Every function of the library has a name in the C library, and those with an intrinsic are
    /// found by it.
    #[test]
    fn every_function_is_found() {
        for name in HOST_LANES.names() {
            let symbol = name.strip_prefix(PREFIX).unwrap();
            let (function, precision) = c_function(symbol).unwrap_or_else(|| panic!("{symbol} is no function of libm"));
            assert_eq!(named(&HOST_LANES, |other| std::ptr::eq(other, function), precision), Some(name));
            if let Some(Llvm::Intrinsic(_)) = function.llvm {
                assert_eq!(named(&HOST_LANES_FMA, |other| other.llvm == function.llvm, precision), Some(name));
            }
        }
    }
}
