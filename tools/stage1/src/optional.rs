//! Leaves out optional kernels that no device can run.
//!
//! In: the device module, and the kernels whose host code has another way. Out: the kernels that
//! are left out, each with its reason. *Invariant:* an optional kernel that stays imports nothing
//! but builtins and functions that other units export, and does not depend on where constants and
//! functions lie; kernels that are not optional always stay.

use crate::{
    annotations::Marks,
    builtins, check,
    error::{Cause, Reporter},
    identity, math,
    origin::{self, Callers},
    requests,
};
use sinter_core::names::readable;
use sinter_llvm::{
    inkwell::{
        module::Module,
        values::{FunctionValue, GlobalValue, InstructionValue},
    },
    stage1::{
        call::{Call, calls, instructions},
        diagnose::Place,
        inspect, name, surgery,
    },
};

/// Ends a program whose exception left a function that must not throw; clang's landing pad for it.
const TERMINATES: &str = "__clang_call_terminate";

/// A kernel that has no code for devices.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct LeftOut {
    pub(crate) symbol: String,
    pub(crate) reason: String,
}

/// The functions that handle exceptions. Must be asked before exceptions are lowered.
pub(crate) fn catching(module: &Module<'_>) -> Vec<String> {
    module.get_functions().filter(|function| catches(*function)).map(name).collect()
}

fn catches(function: FunctionValue<'_>) -> bool {
    let is_handler = |pad: InstructionValue<'_>| {
        let ends = |call: InstructionValue<'_>| {
            calls(function).iter().any(|c| c.instruction == call && c.function().is_some_and(|f| name(f) == TERMINATES))
        };
        let block = pad.get_parent().into_iter().flat_map(|block| block.get_instructions());
        inspect::has_clauses(pad) && !block.into_iter().any(ends)
    };
    instructions(function).any(is_handler)
}

/// Facts about functions that their code does not tell.
struct Known<'a> {
    /// Those that handle exceptions.
    catching: &'a [String],
    marks: &'a Marks,
}

impl Known<'_> {
    fn catches(&self, function: FunctionValue<'_>) -> bool {
        self.catching.contains(&name(function))
    }

    /// True if another unit exports it for devices.
    fn is_exported(&self, symbol: &String) -> bool {
        self.marks.foreign.contains(symbol) || self.marks.late.contains(symbol)
    }
}

/// Takes the kernels that cannot run on a device out of `marks`. `host` has the code that asks for
/// them.
pub(crate) fn leave_out<'ctx>(
    module: &Module<'ctx>,
    host: &Module<'ctx>,
    marks: &mut Marks,
    catching: &[String],
    reporter: &mut Reporter<'_>,
) -> Vec<LeftOut> {
    let known = Known { catching, marks };
    // Most kernels reach none, and a copy of what a kernel reaches takes time.
    let suspects = if marks.optional.is_empty() { Vec::new() } else { suspects(module, &known) };
    let optional = marks.optional.iter().filter_map(|symbol| module.get_function(symbol));
    let suspicious = optional.filter(|kernel| !suspects.is_empty() && surgery::reaches(*kernel, &suspects));
    let left_out: Vec<_> = suspicious.filter_map(|kernel| left_out(kernel, host, &known, reporter)).collect();
    marks.kernels.retain(|symbol| left_out.iter().all(|kernel| kernel.symbol != *symbol));
    left_out
}

/// The functions that no device can run, and what depends on its address, both by what is known of
/// the module as a whole: a kernel that reaches none of these stays.
fn suspects<'ctx>(module: &Module<'ctx>, known: &Known<'_>) -> Vec<GlobalValue<'ctx>> {
    let is_unfit = |function: &FunctionValue<'ctx>| {
        check::may_be_unusual(*function) || undefined(*function, known).is_some() || known.catches(*function)
    };
    let bodies = module.get_functions().filter(|function| function.count_basic_blocks() > 0);
    let functions = bodies.filter(is_unfit).map(|function| function.as_global_value());
    functions.chain(identity::all_exposed(module)).collect()
}

fn left_out<'ctx>(
    kernel: FunctionValue<'ctx>,
    host: &Module<'ctx>,
    known: &Known<'_>,
    reporter: &mut Reporter<'_>,
) -> Option<LeftOut> {
    let symbol = name(kernel);
    let closure = surgery::clone_reachable(kernel);
    let (place, cause) = unfit(&closure, known).or_else(|| identity::exposed(&closure, &symbol))?;
    reporter.leave_out(in_program(place, &closure, host, &symbol), &cause);
    Some(LeftOut { symbol, reason: cause.to_string() })
}

/// The line of the program for a place in the code of a kernel: that of the place, of the call that
/// leads to it, or of the algorithm.
fn in_program<'ctx>(place: Place<'ctx>, closure: &Module<'ctx>, host: &Module<'ctx>, kernel: &str) -> Place<'ctx> {
    if origin::is_known(place) {
        return place;
    }
    let in_callable = || Callers::of(closure).in_program(place.function()?);
    let algorithm = || {
        let binds = requests::calls_of(host, requests::OPTIONAL);
        let bind = binds.into_iter().find(|call| requests::entry_of(call).as_deref() == Some(kernel))?;
        Callers::of(host).in_program(Place::Instruction(bind.instruction).function()?)
    };
    in_callable().or_else(algorithm).map_or(place, Place::Instruction)
}

/// The first construct of a module that no device can run.
fn unfit<'ctx>(module: &Module<'ctx>, known: &Known<'_>) -> Option<(Place<'ctx>, Cause)> {
    let bodies = || module.get_functions().filter(|function| function.count_basic_blocks() > 0);
    let unusual = bodies().find_map(|function| check::causes(module, function).into_iter().next());
    let unusual = unusual.or_else(|| bodies().find_map(|function| undefined(function, known)));
    let handler = || {
        let function = bodies().find(|function| known.catches(*function))?;
        Some((Place::Function(function), Cause::Catch { function: readable(&name(function)) }))
    };
    unusual.map(|(instruction, cause)| (Place::Instruction(instruction), cause)).or_else(handler)
}

/// The first use of something that only the host has.
fn undefined<'ctx>(function: FunctionValue<'ctx>, known: &Known<'_>) -> Option<(InstructionValue<'ctx>, Cause)> {
    let callee = |call: Call<'_>| {
        let callee = call.function().filter(|callee| is_undefined(*callee)).map(name);
        callee.filter(|symbol| !known.is_exported(symbol))
    };
    let mut at_calls = calls(function).into_iter().map(|call| (call.instruction, callee(call)));
    let mut variables = inspect::Variables::default();
    let mut variable = |instruction| variables.of(instruction).into_iter().find_map(undefined_variable);
    let at_others = instructions(function).map(|instruction| (instruction, variable(instruction)));
    let (instruction, symbol) = at_calls.by_ref().chain(at_others).find_map(|(i, symbol)| Some((i, symbol?)))?;
    Some((instruction, Cause::Undefined { function: readable(&name(function)), symbol: readable(&symbol) }))
}

fn is_undefined(callee: FunctionValue<'_>) -> bool {
    let symbol = name(callee);
    let is_known = symbol.starts_with("llvm.")
        || builtins::is_ours(&symbol)
        || builtins::is_of_library(&symbol)
        || math::is_complex_operation(&symbol);
    callee.count_basic_blocks() == 0 && !is_known
}

fn undefined_variable(variable: GlobalValue<'_>) -> Option<String> {
    let symbol = variable.get_name().to_string_lossy().into_owned();
    (variable.is_declaration() && !builtins::is_ours(&symbol)).then_some(symbol)
}

#[cfg(test)]
mod tests {
    use crate::testing::{Result, module_text, process};

    /// A module whose kernel is optional, and host code that asks for it.
    fn optional(body: &str, rest: &str) -> Result {
        optional_with(body, rest, &[])
    }

    /// The same with further annotations.
    fn optional_with(body: &str, rest: &str, annotations: &[String]) -> Result {
        let bind = "declare void @__sinter_bind_optional_kernel(ptr, ptr, ptr)
define void @launch(ptr %slot, ptr %reason) {
  call void @__sinter_bind_optional_kernel(ptr @kernel, ptr %slot, ptr %reason)\n  ret void\n}
@.o = private unnamed_addr constant [16 x i8] c\"sinter_optional\\00\", section \"llvm.metadata\"";
        let text = module_text(body, &format!("{bind}\n{rest}"));
        let mark = "{ ptr, ptr, ptr, i32, ptr } { ptr @kernel, ptr @.o, ptr @.f, i32 1, ptr null }".to_owned();
        let all = [&[mark], annotations].concat();
        let text = text.replace("i32 1, ptr null }]", &format!("i32 1, ptr null }}, {}]", all.join(", ")));
        let result = process(&text.replace("global [1 x", &format!("global [{} x", 1 + all.len())));
        assert_eq!(result.causes, Vec::<String>::new());
        result
    }

    #[test]
    fn a_kernel_that_devices_can_run_stays() {
        let rest = "declare double @sqrt(double)\ndeclare i64 @__acpp_sscp_get_local_id_x()";
        let body = "  %r = call double @sqrt(double 2.0)\n  %i = call i64 @__acpp_sscp_get_local_id_x()";
        let result = optional(body, rest);
        assert_eq!(result.left_out, Vec::<String>::new());
        assert!(result.device.contains("define void @kernel("), "{}", result.device);
        assert!(result.host.contains("store ptr @sinter.kernel, ptr %slot"), "{}", result.host);
    }

    #[test]
    fn what_only_the_host_has_leaves_a_kernel_out() {
        let rest = "@state = global i32 0\n@elsewhere = external global i32\ndeclare i32 @pthread_mutex_lock(ptr)
define linkonce_odr void @near() {\n  %r = call i32 @pthread_mutex_lock(ptr null)\n  ret void\n}";
        for (body, reason) in [
            ("  store i32 1, ptr @state", "the variable `state`"),
            ("  store i32 1, ptr @elsewhere", "`elsewhere`, which no device has, in device code (in `kernel`)"),
            ("  call void @near()", "`pthread_mutex_lock`, which no device has, in device code (in `near`)"),
            ("  call void asm \"nop\", \"\"()", "inline assembly"),
        ] {
            let result = optional(body, rest);
            assert!(result.left_out.len() == 1 && result.left_out[0].contains(reason), "{:?}", result.left_out);
            assert!(result.device.is_empty() && result.host.contains("ptr %reason"), "{}", result.host);
            assert!(!result.host.contains("ptr %slot, align") && !result.host.contains("__sinter"), "{}", result.host);
        }
    }

    #[test]
    fn a_function_that_another_unit_exports_may_be_called() {
        let entry = |function: &str, text: &str| {
            format!("{{ ptr, ptr, ptr, i32, ptr }} {{ ptr @{function}, ptr @{text}, ptr @.f, i32 1, ptr null }}")
        };
        for kind in ["sinter_export", "sinter_late_export"] {
            let rest = format!(
                "declare i32 @far(i32)\n@.e = private unnamed_addr constant [{} x i8] c\"{kind}\\00\", section \
                 \"llvm.metadata\"",
                kind.len() + 1
            );
            let body = "  %r = call i32 @far(i32 1)";
            let exported = optional_with(body, &rest, &[entry("far", ".e")]);
            assert_eq!(exported.left_out, Vec::<String>::new(), "{kind}");
            assert!(exported.device.contains("declare i32 @far("), "{}", exported.device);
            assert!(optional(body, &rest).left_out[0].contains("`far`, which no device has"));
        }
    }

    #[test]
    fn the_address_of_a_constant_or_function_leaves_a_kernel_out() {
        let rest = "@table = private constant [2 x i32] [i32 1, i32 2]\ndeclare void @llvm.assume(i1)
define internal i32 @near(ptr %p) {\n  %x = load i32, ptr %p\n  ret i32 %x\n}";
        let exposed = [
            ("  store ptr @table, ptr inttoptr (i64 64 to ptr)", "`table`"),
            ("  %p = getelementptr i8, ptr @near, i64 0\n  store ptr %p, ptr inttoptr (i64 64 to ptr)", "`near`"),
            (
                "  %l = load ptr, ptr inttoptr (i64 64 to ptr)\n  %c = icmp eq ptr %l, @table\n  call void @llvm.assume(i1 %c)",
                "`table`",
            ),
        ];
        for (body, symbol) in exposed {
            let result = optional(body, rest);
            let reason = result.left_out.first().map_or("", String::as_str);
            assert!(reason.contains(&format!("the address of {symbol}")), "{body}: {:?}", result.left_out);
        }
        let slot = "  %s = alloca ptr\n  store ptr @table, ptr %s\n  %p = load ptr, ptr %s";
        for body in ["  %r = call i32 @near(ptr @table)", &format!("{slot}\n  %r = call i32 @near(ptr %p)")] {
            assert_eq!(optional(body, rest).left_out, Vec::<String>::new(), "{body}");
        }
    }

    #[test]
    fn a_handler_for_exceptions_leaves_a_kernel_out_but_the_end_of_the_program_does_not() {
        let rest = |clause: &str, handler: &str| {
            format!(
                "declare i32 @__gxx_personality_v0(...)\ndeclare void @__clang_call_terminate(ptr)
define linkonce_odr void @thrower() {{\n  ret void\n}}
define linkonce_odr void @near() personality ptr @__gxx_personality_v0 {{
  invoke void @thrower() to label %fine unwind label %pad
fine:\n  ret void
pad:\n  %l = landingpad {{ ptr, i32 }} {clause}\n{handler}\n}}"
            )
        };
        let handled = optional("  call void @near()", &rest("catch ptr null", "  ret void"));
        assert!(handled.left_out[0].contains("`catch` block in device code (in `near`)"), "{:?}", handled.left_out);
        let ends = "  %p = extractvalue { ptr, i32 } %l, 0\n  call void @__clang_call_terminate(ptr %p)\n  unreachable";
        assert!(optional("  call void @near()", &rest("catch ptr null", ends)).left_out.is_empty());
        assert!(optional("  call void @near()", &rest("cleanup", "  resume { ptr, i32 } %l")).left_out.is_empty());
    }
}
