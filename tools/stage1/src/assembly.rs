//! Removes inline assembly without instructions.
//!
//! In: device code. Out: the same without `asm volatile("" ::: "memory")` and the like, which only
//! keep a compiler from moving accesses. *Invariant:* assembly with an instruction or a result
//! stays, and is reported later.

use sinter_llvm::{
    inkwell::module::Module,
    stage1::{call::calls, surgery},
};

pub(crate) fn remove_empty(module: &Module<'_>) {
    for function in module.get_functions() {
        let empty = calls(function).into_iter().filter(|call| call.is_empty_assembly());
        empty.for_each(|call| surgery::erase_call(call.instruction));
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::{accept, module_text, process};

    #[test]
    fn barriers_of_the_compiler_are_dropped() {
        let body = "  call void asm sideeffect \"\", \"~{memory}\"()\n  call void asm \" \", \"r\"(ptr %closure)";
        let device = accept(body, "").device;
        assert!(!device.contains("asm"), "{device}");
    }

    #[test]
    fn results_of_assembly_are_not_guessed() {
        let causes = process(&module_text("  %a = call i32 asm \"\", \"=r\"()", "")).causes;
        assert_eq!(causes.len(), 1);
    }
}
