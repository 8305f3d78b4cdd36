//! Rejects code that no device can run.
//!
//! In: the device module, pruned, so that unreachable code never matters. Out: one cause per function and construct.
//! *Invariant:* nothing is changed; the constructs are those of section 3 of the interface description.

use crate::error::{Cause, Reporter};
use sinter_llvm::{
    demangle,
    inkwell::{
        module::Module,
        values::{FunctionValue, GlobalValue, InstructionOpcode, InstructionValue},
    },
    stage1::{
        call::{Call, Callee, calls, instructions},
        diagnose::Place,
        inspect, name,
    },
};

/// Prefixes of intrinsics that belong to one processor family.
const TARGET_INTRINSICS: [&str; 5] = ["llvm.x86.", "llvm.aarch64.", "llvm.arm.", "llvm.riscv.", "llvm.ppc."];
/// The Itanium name of the guard of a static local variable.
const GUARD: &str = "_ZGV";

pub(crate) fn unusual_code(module: &Module<'_>, reporter: &mut Reporter<'_>) {
    for function in module.get_functions().filter(|function| function.count_basic_blocks() > 0) {
        let mut seen = Vec::new();
        for (instruction, cause) in causes(function) {
            if !seen.contains(&cause) {
                reporter.report(Place::Instruction(instruction), &cause);
                seen.push(cause);
            }
        }
    }
}

fn causes(function: FunctionValue<'_>) -> Vec<(InstructionValue<'_>, Cause)> {
    let in_function = demangle(&name(function));
    let at_calls =
        calls(function).into_iter().filter_map(|call| Some((call.instruction, at_call(&call, &in_function)?)));
    let at_others =
        instructions(function).flat_map(|i| at_instruction(i, &in_function).into_iter().map(move |c| (i, c)));
    at_calls.chain(at_others).collect()
}

fn at_call(call: &Call<'_>, function: &str) -> Option<Cause> {
    let function = function.to_owned();
    match call.callee {
        Callee::InlineAsm => Some(Cause::InlineAsm { function }),
        Callee::Indirect => None,
        Callee::Function(callee) => {
            let intrinsic = name(callee);
            if intrinsic.starts_with("llvm.va_") {
                Some(Cause::VariableArguments { function })
            } else if TARGET_INTRINSICS.iter().any(|prefix| intrinsic.starts_with(prefix)) {
                Some(Cause::TargetIntrinsic { function, intrinsic })
            } else {
                None
            }
        }
    }
}

fn at_instruction(instruction: InstructionValue<'_>, function: &str) -> Vec<Cause> {
    let mut found = Vec::new();
    if instruction.get_opcode() == InstructionOpcode::VAArg {
        found.push(Cause::VariableArguments { function: function.to_owned() });
    }
    if inspect::uses_x86_fp80(instruction) {
        found.push(Cause::LongDouble { function: function.to_owned() });
    }
    found.extend(inspect::variables(instruction).into_iter().filter_map(|variable| of_variable(variable, function)));
    found
}

fn of_variable(variable: GlobalValue<'_>, function: &str) -> Option<Cause> {
    let symbol = variable.get_name().to_string_lossy().into_owned();
    let function = function.to_owned();
    if symbol.starts_with(GUARD) {
        let guarded = demangle(&symbol);
        let guarded = guarded.strip_prefix("guard variable for ").unwrap_or(&guarded).to_owned();
        Some(Cause::Guard { function, variable: guarded })
    } else if variable.is_thread_local() {
        Some(Cause::ThreadLocal { function, variable: demangle(&symbol) })
    } else {
        None
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::{module_text, process};

    fn causes(body: &str, rest: &str) -> String {
        process(&module_text(body, rest)).causes.join("\n")
    }

    #[test]
    fn each_unusual_construct_is_named_once() {
        assert!(
            causes("  call void asm \"nop\", \"\"()\n  call void asm \"nop\", \"\"()", "")
                .starts_with("inline assembly")
        );
        let long = causes("  %a = load x86_fp80, ptr %k\n  %b = fadd x86_fp80 %a, %a\n  store x86_fp80 %b, ptr %k", "");
        assert_eq!(long.lines().count(), 1, "{long}");
        assert!(long.contains("long double"), "{long}");
        assert!(causes("  %a = va_arg ptr %k, i32", "").contains("variable arguments"));
        let pause = causes("  call void @llvm.x86.sse2.pause()", "declare void @llvm.x86.sse2.pause()");
        assert!(pause.contains("llvm.x86.sse2.pause"), "{pause}");
    }

    #[test]
    fn thread_locals_and_guards_are_found_in_constants_too() {
        let rest = "@_ZN1n2tlE = thread_local global [2 x i32] zeroinitializer\n@_ZGVZ1fvE1s = internal global i64 0";
        let body = "  %a = load i32, ptr getelementptr ([2 x i32], ptr @_ZN1n2tlE, i64 0, i64 1)\n  %b = load i8, ptr @_ZGVZ1fvE1s";
        let found = causes(body, rest);
        assert!(found.contains("`n::tl`") && found.contains("`f()::s`") && found.contains("in `kernel`"), "{found}");
    }

    #[test]
    fn unreachable_code_is_never_rejected() {
        let rest = "define void @host() {\n  call void asm \"nop\", \"\"()\n  ret void\n}";
        assert_eq!(causes("", rest), "");
        let folded =
            "  %h = load i32, ptr @__acpp_sscp_is_host\n  %c = icmp ne i32 %h, 0\n  br i1 %c, label %on, label %off
on:\n  call void @host()\n  br label %off\noff:";
        assert_eq!(causes(folded, &format!("{rest}\n@__acpp_sscp_is_host = external constant i32")), "");
    }
}
