//! Rejects code that no device can run.
//!
//! In: the device module, already pruned, so that unreachable code never matters. Out: one cause
//! per function and construct. *Invariant:* nothing is changed; the constructs are those of section
//! 3 of the interface description.

use crate::{
    device_globals,
    error::{Cause, Reporter},
    hip::LOCAL_SPACE,
};
use sinter_core::names::readable;
use sinter_llvm::{
    inkwell::{
        AddressSpace,
        module::Module,
        values::{FunctionValue, GlobalValue, InstructionOpcode, InstructionValue},
    },
    stage1::{
        call::{Call, Callee, calls, instructions},
        diagnose::Place,
        inspect, name,
    },
};

/// Prefixes of intrinsics that are specific to one processor family.
const TARGET_INTRINSICS: [&str; 5] = ["llvm.x86.", "llvm.aarch64.", "llvm.arm.", "llvm.riscv.", "llvm.ppc."];
/// Prefix of the guard variable of a static local variable in the Itanium ABI.
const GUARD: &str = "_ZGV";

pub(crate) fn unusual_code(module: &Module<'_>, reporter: &mut Reporter<'_>) {
    for function in module.get_functions().filter(|function| function.count_basic_blocks() > 0) {
        let mut seen = Vec::new();
        for (instruction, cause) in causes(module, function) {
            if !seen.contains(&cause) {
                reporter.report(Place::Instruction(instruction), &cause);
                seen.push(cause);
            }
        }
    }
}

/// False if `causes` finds nothing in the function, whatever else its module has.
pub(crate) fn may_be_unusual(function: FunctionValue<'_>) -> bool {
    !causes_where(function, &|_| false).is_empty()
}

/// The constructs of a function that no device can run, with their places.
pub(crate) fn causes<'ctx>(
    module: &Module<'ctx>,
    function: FunctionValue<'ctx>,
) -> Vec<(InstructionValue<'ctx>, Cause)> {
    causes_where(function, &|symbol| is_guarded(module, symbol))
}

/// The same, where variables that are guarded are reported by their guards.
fn causes_where<'ctx>(
    function: FunctionValue<'ctx>,
    is_guarded: &dyn Fn(&str) -> bool,
) -> Vec<(InstructionValue<'ctx>, Cause)> {
    let in_function = readable(&name(function));
    let at_calls =
        calls(function).into_iter().filter_map(|call| Some((call.instruction, at_call(&call, &in_function)?)));
    let at_others =
        instructions(function).flat_map(|i| at_instruction(i, &in_function).into_iter().map(move |c| (i, c)));
    at_calls.chain(at_others).chain(at_variables(function, &in_function, is_guarded)).collect()
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
    found
}

fn at_variables<'ctx>(
    function: FunctionValue<'ctx>,
    in_function: &str,
    is_guarded: &dyn Fn(&str) -> bool,
) -> Vec<(InstructionValue<'ctx>, Cause)> {
    let mut variables = inspect::Variables::default();
    let found = instructions(function).flat_map(|i| variables.of(i).into_iter().map(move |variable| (i, variable)));
    found.filter_map(|(i, variable)| Some((i, of_variable(variable, in_function, is_guarded)?))).collect()
}

fn of_variable(variable: GlobalValue<'_>, function: &str, is_guarded: &dyn Fn(&str) -> bool) -> Option<Cause> {
    let symbol = variable.get_name().to_string_lossy().into_owned();
    let function = function.to_owned();
    if symbol.starts_with(GUARD) {
        let guarded = readable(&symbol);
        let guarded = guarded.strip_prefix("guard variable for ").unwrap_or(&guarded).to_owned();
        Some(Cause::Guard { function, variable: guarded })
    } else if variable.is_thread_local() {
        Some(Cause::ThreadLocal { function, variable: readable(&symbol) })
    } else if !variable.is_declaration() && device_globals::has_type(variable) {
        Some(Cause::DeviceGlobal { function, variable: readable(&symbol) })
    } else if variable.is_constant() || variable.is_declaration() || is_guarded(&symbol) || is_local(variable) {
        None
    } else {
        Some(Cause::Variable { function, variable: readable(&symbol) })
    }
}

/// True for a variable of a work-group.
fn is_local(variable: GlobalValue<'_>) -> bool {
    variable.as_pointer_value().get_type().get_address_space() == AddressSpace::from(LOCAL_SPACE)
}

/// True if device code references the guard of the variable too, which is then reported instead.
fn is_guarded(module: &Module<'_>, symbol: &str) -> bool {
    symbol.strip_prefix("_Z").is_some_and(|rest| module.get_global(&format!("{GUARD}{rest}")).is_some())
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
    fn a_defined_variable_that_can_change_is_rejected_wherever_it_is_named() {
        let rest = "@_ZL4root = internal global double 0.0\n@_ZL5scale = internal global i32 3
@_ZL7pointer = internal constant ptr @_ZL5scale";
        let body =
            "  %a = load double, ptr @_ZL4root\n  %b = load ptr, ptr @_ZL7pointer\n  %c = load i32, ptr @_ZL5scale";
        let found = causes(body, rest);
        assert_eq!(found.lines().count(), 2, "{found}");
        assert!(found.contains("`root`") && found.contains("`scale`") && found.contains("capture it"), "{found}");
    }

    #[test]
    fn constants_and_variables_of_others_are_accepted() {
        let rest = "@table = internal constant [2 x i32] [i32 1, i32 2]\n@given_later = external global i32";
        assert_eq!(causes("  %a = load i32, ptr @table\n  %b = load i32, ptr @given_later", rest), "");
    }

    #[test]
    fn a_guarded_variable_is_reported_once() {
        let rest = "@_ZZ1fvE1s = internal global i32 0\n@_ZGVZ1fvE1s = internal global i64 0";
        let found = causes("  %a = load i32, ptr @_ZZ1fvE1s\n  %b = load i8, ptr @_ZGVZ1fvE1s", rest);
        assert_eq!(found.lines().count(), 1, "{found}");
        assert!(found.contains("initialised at run time"), "{found}");
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
