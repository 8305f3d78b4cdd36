//! Says which algorithms are left to the C++ library.
//!
//! In: the host module of a unit compiled with `--stdpar`. Out: the same, where each call of an
//! algorithm of the library whose policy permits devices is reported, and says so when it is
//! reached. No overload of our headers takes its types. *Invariant:* no other call is touched, and
//! algorithms that the library's own ones call are not mentioned.

mod algorithm;
mod says;

use crate::{
    error::{Cause, Reporter, Stage1Error},
    origin::Callers,
};
use algorithm::Algorithm;
use sinter_llvm::{
    inkwell::{module::Module, values::FunctionValue},
    stage1::{
        call::{Call, calls},
        diagnose::{Place, is_of_program},
        name,
    },
};
use std::collections::HashMap;

/// Reports the algorithms that the library runs. True if there are any.
pub(crate) fn report(module: &Module<'_>, reporter: &mut Reporter<'_>) -> Result<bool, Stage1Error> {
    // A second run on the same module finds what the first one has made.
    if says::is_made(module) {
        return Ok(false);
    }
    let functions = module.get_functions().filter_map(|function| Some((function, Algorithm::of(&name(function))?)));
    let algorithms: HashMap<FunctionValue<'_>, Algorithm> = functions.collect();
    if algorithms.is_empty() {
        return Ok(false);
    }
    let callers = Callers::of(module);
    let mut said = HashMap::new();
    let is_outside = |function: &FunctionValue<'_>| !algorithms.contains_key(function);
    for call in module.get_functions().filter(is_outside).flat_map(calls) {
        let Some(algorithm) = call.function().and_then(|callee| algorithms.get(&callee)) else { continue };
        let cause = algorithm.cause();
        reporter.leave_out(place(&call, &callers), &cause);
        say(module, &call, &cause, &mut said)?;
    }
    Ok(!said.is_empty())
}

/// The line of the program from which a call is reached.
fn place<'ctx>(call: &Call<'ctx>, callers: &Callers<'ctx>) -> Place<'ctx> {
    let own = Place::Instruction(call.instruction);
    match own.function().filter(|_| !is_of_program(call.instruction)) {
        Some(function) => callers.in_program(function).map_or(own, Place::Instruction),
        None => own,
    }
}

fn say<'ctx>(
    module: &Module<'ctx>,
    call: &Call<'ctx>,
    cause: &Cause,
    said: &mut HashMap<String, FunctionValue<'ctx>>,
) -> Result<(), Stage1Error> {
    let text = cause.to_string();
    let says = match said.get(&text) {
        Some(says) => *says,
        None => says::of(module, &text)?,
    };
    said.insert(text, says);
    let builder = module.get_context().create_builder();
    builder.position_before(&call.instruction);
    builder.build_call(says, &[], "")?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use crate::testing::left_to_library;

    const LIST: &str =
        "_ZSt8for_eachIRKN6__pstl9execution2v127parallel_unsequenced_policyESt14_List_iteratorIiE1FEvOT_";
    const OURS: &str = "_ZSt8for_eachIPi1FvEvN6__pstl9execution2v127parallel_unsequenced_policyET_S4_T0_";

    #[test]
    fn a_call_of_the_library_says_so_once_for_each_text() {
        let (text, causes) = left_to_library(&format!(
            "define linkonce_odr void @{LIST}() {{\n  call void @{LIST}()\n  ret void\n}}
declare void @{OURS}()\ndefine void @user() {{
  call void @{LIST}()\n  call void @{LIST}()\n  call void @{OURS}()\n  ret void\n}}"
        ));
        let cause = "`std::for_each` with `std::_List_iterator<int>`, `F`: `std::_List_iterator<int>` is no random \
                     access iterator";
        assert_eq!(causes, [cause, cause]);
        assert_eq!(text.matches("call void @sinter.stdpar.says()").count(), 2, "{text}");
        assert_eq!(text.matches("call void @sinter_stdpar_report(ptr @").count(), 1, "{text}");
        assert!(text.contains("declare extern_weak void @sinter_stdpar_report(ptr)"), "{text}");
        assert!(text.contains("load atomic i8, ptr @sinter.stdpar.said monotonic"), "{text}");
        assert_eq!(left_to_library(&text), (text, Vec::new()));
    }

    #[test]
    fn a_module_without_such_calls_is_not_changed() {
        let (text, causes) = left_to_library(&format!(
            "declare void @{OURS}()\ndefine void @user() {{\n  call void @{OURS}()\n  ret void\n}}"
        ));
        assert!(causes.is_empty() && !text.contains("sinter.stdpar"), "{text}");
    }
}
