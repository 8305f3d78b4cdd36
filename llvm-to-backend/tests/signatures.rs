//! Every builtin of the table, declared with its own type and with wrong types, on every target.

#[path = "support/ir_type.rs"]
mod ir_type;
mod support;

use ir_type::ir_type;
use sinter_core::{Observer, PtxTarget, Target, TranslateCause, TranslateRequest};
use sinter_kernels::table::{BUILTINS, Builtin};
use sinter_translate::{Product, Step, inspect, native_target};
use support::{address, request, run, translate};

fn targets() -> Vec<Target> {
    vec![
        Target::Host(native_target()),
        Target::Ptx(PtxTarget { sm: 90, isa: 85, line_tables: false }),
        Target::Amdgcn("gfx90a".parse().expect("a target")),
        Target::Spirv("opencl".parse().expect("a target")),
    ]
}

/// A kernel that calls a builtin as a function of this type.
fn kernel(name: &str, result: &str, parameters: &[&str]) -> String {
    let loads: String = parameters.iter().enumerate().map(|(i, ty)| format!("  %v{i} = load {ty}, ptr %p\n")).collect();
    let list: Vec<String> = parameters.iter().enumerate().map(|(i, ty)| format!("{ty} %v{i}")).collect();
    let (target, store) = match result {
        "void" => ("", String::new()),
        _ => ("%r = ", format!("  store {result} %r, ptr %p\n")),
    };
    format!(
        "declare {result} @{name}({})\ndefine void @k(ptr %p) {{\n{loads}  {target}call {result} @{name}({})\n{store}  ret void\n}}\n",
        parameters.join(", "),
        list.join(", ")
    )
}

/// The translation's error about a builtin's type, if it reaches the step that checks types.
fn refusal(text: &str, target: &Target) -> Option<TranslateCause> {
    let request = TranslateRequest { target: target.clone(), ..request(text, "k") };
    inspect(&request, &Observer::default(), Some(Step::Imports)).err().map(|error| error.cause)
}

/// True for a query of the launch, which may have any integer result type.
fn is_query(builtin: &Builtin) -> bool {
    builtin.parameters.is_empty() && builtin.family.group == "core"
}

#[test]
fn each_builtin_is_taken_with_its_type_and_refused_with_another() {
    let checked = BUILTINS.iter().filter(|builtin| !is_query(builtin));
    for builtin in checked {
        let (name, result) = (builtin.name, ir_type(builtin.result));
        let parameters: Vec<&str> = builtin.parameters.iter().map(|word| ir_type(word)).collect();
        let right = kernel(name, result, &parameters);
        let wrong_result = kernel(name, if result == "<2 x i8>" { "void" } else { "<2 x i8>" }, &parameters);
        let more = kernel(name, result, &[&parameters[..], &["i64"]].concat());
        let mut wrong = vec![wrong_result, more];
        for index in 0..parameters.len() {
            let mut other = parameters.clone();
            other[index] = "<3 x float>";
            wrong.push(kernel(name, result, &other));
        }
        for target in targets() {
            assert!(refusal(&right, &target).is_none(), "{target}: {right}");
            for text in &wrong {
                let Some(TranslateCause::Unsupported { what, hint, .. }) = refusal(text, &target) else {
                    panic!("{target} took {text}")
                };
                assert!(what.contains(&format!("the builtin `{name}` declared as")), "{what}");
                assert!(hint.contains(&format!("it is `{result} ({})`", parameters.join(", "))), "{hint}");
            }
        }
    }
}

/// Runs a kernel on one value and an exponent.
fn computed(text: &str, x: f64, exponent: i64) -> f64 {
    let values = [x, f64::from_bits(exponent.cast_unsigned())];
    run(&translate(&request(text, "k")), &[&address(&values)], [1; 3], [1; 3]);
    // SAFETY: the kernel has written the first of them.
    unsafe { std::ptr::read_volatile(values.as_ptr()) }
}

fn power(name: &str) -> String {
    format!(
        "declare double @{name}(double, i64)\ndefine void @k(ptr %p) {{\n  %q = getelementptr double, ptr %p, i64 1\n  \
         %x = load double, ptr %p\n  %e = load i64, ptr %q\n  %r = call double @{name}(double %x, i64 %e)\n  \
         store double %r, ptr %p\n  ret void\n}}\n"
    )
}

#[test]
fn exponents_of_64_bits_are_brought_to_32() {
    let text = power("__acpp_sscp_ldexp_f64");
    for (x, exponent, expected) in [
        (1.5, 3, 12.0),
        (1.5, -3, 0.1875),
        (1.0, 1 << 32, f64::INFINITY),
        (-1.0, i64::MAX, f64::NEG_INFINITY),
        (1.0, -(1 << 32), 0.0),
        (-1.0, i64::MIN, -0.0),
        (0.0, i64::MAX, 0.0),
    ] {
        assert_eq!(computed(&text, x, exponent).to_bits(), f64::to_bits(expected), "{x} times 2^{exponent}");
    }
    let text = power("__hipsycl_sscp_pown_f64");
    for (x, exponent, expected) in [
        (-3.0, 3, -27.0),
        (-1.0, (1 << 32) + 1, -1.0),
        (-1.0, 1 << 32, 1.0),
        (-1.0, i64::MAX, -1.0),
        (-1.0, i64::MIN, 1.0),
        (-1.0, i64::MIN + 1, -1.0),
        (-2.0, i64::MAX, f64::NEG_INFINITY),
    ] {
        assert_eq!(computed(&text, x, exponent), expected, "{x} to the power of {exponent}");
    }
    assert_eq!(computed(&power("__acpp_sscp_rootn_f64"), -27.0, 3), -3.0);
}

#[test]
fn exponents_are_returned_in_the_declared_type() {
    for (result, store) in [
        ("i64", "  %f = sitofp i64 %r to double\n"),
        ("i32", "  %f = sitofp i32 %r to double\n"),
        ("double", "  %f = fadd double %r, 0.0\n"),
    ] {
        let text = format!(
            "declare {result} @__acpp_sscp_ilogb_f64(double)\ndefine void @k(ptr %p) {{\n  %x = load double, ptr %p\n  \
             %r = call {result} @__acpp_sscp_ilogb_f64(double %x)\n{store}  store double %f, ptr %p\n  ret void\n}}\n"
        );
        assert_eq!(computed(&text, 1e-3, 0), -10.0, "{result}");
    }
}

#[test]
fn half_precision_is_taken_as_its_bits() {
    for (name, own, other) in [("half_add", "i16", "half"), ("sub_group_reduce_f16", "half", "i16")] {
        let first = if name == "half_add" { other } else { "i32" };
        let text = kernel(&format!("__acpp_sscp_{name}"), other, &[first, other]);
        for target in targets() {
            let request = TranslateRequest { target, ..request(&text, "k") };
            let product = inspect(&request, &Observer::default(), Some(Step::Imports)).expect("translation");
            let Product::Ir(ir) = product else { panic!("no IR") };
            assert!(ir.contains(&format!("call {own} @__acpp_sscp_{name}(")), "{ir}");
            assert!(ir.contains(&format!("to {other}")), "{ir}");
        }
    }
}
