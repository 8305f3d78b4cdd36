//! Sends the allocations of a unit to memory that devices share with the program.
//!
//! In: the host module of a unit compiled with `--stdpar`. Out: the same, where calls of the
//! functions of a table ask `sinter_stdpar_allocate` first, and `main` says that it has begun.
//! *Invariant:* a program that is linked without that function, or whose process hands out no
//! shared memory, calls what its source calls. Calls that free are left alone: blocks pass between
//! units and libraries, so that the `free` of the process must know both kinds anyway. But
//! `__libc_free` and `__libc_realloc` lead past it, so that calls of these give it blocks of ours.
//!
//! A template of the C++ library that allocates is compiled in many units, and the linker keeps one
//! copy. It must not be that of a unit whose allocations stay where they are, so that the functions
//! that lead to an allocation get names of their own (`copies`).

mod copies;
mod own;
mod table;
mod wrapper;

use crate::error::Stage1Error;
use own::bodies;
use sinter_llvm::{
    inkwell::{builder::BuilderError, module::Module},
    stage1::{
        call::{Call, calls},
        is_unused,
        surgery::{self},
    },
};
use table::{Row, TABLE};

/// Interposes the allocations of a module. True if it has changed.
pub(crate) fn allocations(module: &Module<'_>) -> Result<bool, Stage1Error> {
    let begins = begin_in_main(module)?;
    let mut allocating = Vec::new();
    for row in TABLE {
        let Some(function) = module.get_function(row.name).filter(|function| row.fits(*function)) else { continue };
        let is_of_it = |call: &Call<'_>| call.function() == Some(function);
        let users: Vec<_> = bodies(module).into_iter().filter(|body| calls(*body).iter().any(is_of_it)).collect();
        if users.is_empty() {
            continue;
        }
        let wrapper = wrapper::of(module, row, function)?;
        for call in users.iter().flat_map(|user| calls(*user)).filter(is_of_it) {
            call.set_callee(wrapper);
            redirected(module, row, &call);
        }
        allocating.extend(users);
    }
    if copies::make(module, &allocating) {
        surgery::run_passes(module, "globaldce").map_err(Stage1Error::Passes)?;
    }
    Ok(begins || !allocating.is_empty())
}

/// Lets LLVM remove a call whose block nothing uses, if the language permits that: for functions of
/// C, and for new-expressions, but not for other calls of `operator new`.
fn redirected(module: &Module<'_>, row: &Row, call: &Call<'_>) {
    let of_expression = wrapper::attribute("builtin");
    if row.is_new() && call.has_attribute(of_expression) {
        wrapper::removable(module, row).into_iter().for_each(|attribute| call.add_attribute(attribute));
    }
    call.remove_attribute(of_expression);
}

/// Lets `main` say that it has begun.
fn begin_in_main(module: &Module<'_>) -> Result<bool, BuilderError> {
    let Some(main) = module.get_function("main").filter(|main| main.count_basic_blocks() > 0) else {
        return Ok(false);
    };
    let begin = wrapper::begin(module)?;
    // A second run on the same module finds the call.
    if !is_unused(begin) {
        return Ok(false);
    }
    if let Some(first) = main.get_first_basic_block().and_then(|block| block.get_first_instruction()) {
        let builder = module.get_context().create_builder();
        builder.position_before(&first);
        builder.build_call(begin, &[], "")?;
    }
    Ok(true)
}

#[cfg(test)]
mod tests {
    use crate::testing::interposed;

    const CALLERS: &str = "declare noalias ptr @malloc(i64)
declare ptr @_Znwm(i64)
declare void @_ZdlPv(ptr)
define ptr @strong() {\n  %p = call ptr @malloc(i64 8)\n  ret ptr %p\n}
define linkonce_odr ptr @leaf(i64 %n) comdat {\n  %p = call ptr @_Znwm(i64 %n) #1\n  ret ptr %p\n}
define linkonce_odr ptr @middle() comdat {\n  %p = call ptr @leaf(i64 4)\n  ret ptr %p\n}
define linkonce_odr i32 @unrelated() comdat {\n  ret i32 1\n}
define ptr @top() {\n  %p = call ptr @middle()\n  %i = call i32 @unrelated()\n  call void @_ZdlPv(ptr %p)\n  ret ptr %p\n}
@table = global ptr @middle\n$leaf = comdat any\n$middle = comdat any\n$unrelated = comdat any
attributes #1 = { builtin allocsize(0) }\n";

    #[test]
    fn allocations_ask_for_shared_memory_first() {
        let text = interposed(CALLERS);
        for expected in [
            "define linkonce_odr hidden noalias ptr @sinter.stdpar.malloc(i64 %0)",
            "declare extern_weak ptr @sinter_stdpar_allocate(i64, i64, i64, i32)",
            "call ptr @sinter_stdpar_allocate(i64 1, i64 %0, i64 0, i32 0)",
            "call ptr @sinter_stdpar_allocate(i64 1, i64 %0, i64 0, i32 2)",
            "call void @_ZdlPv(ptr %p)",
            "\"alloc-family\"=\"_Znwm\"",
            "\"alloc-family\"=\"malloc\"",
        ] {
            assert!(text.contains(expected), "{expected}\n{text}");
        }
        assert_eq!(text.matches("call ptr @malloc(").count(), 1, "{text}");
        assert_eq!(text.matches("call ptr @_Znwm(").count(), 1, "{text}");
    }

    #[test]
    fn a_direct_call_of_operator_new_stays() {
        let text = "declare ptr @_Znwm(i64)
define void @user() {\n  %p = call ptr @_Znwm(i64 1) #1\n  %q = call ptr @_Znwm(i64 2)\n  ret void\n}
attributes #1 = { builtin allocsize(0) }\n";
        let text = interposed(text);
        let attributes =
            |call: &str| text.lines().find(|line| line.contains(call)).and_then(|line| line.split(" #").nth(1));
        let of_expression = attributes("@sinter.stdpar._Znwm(i64 1)").expect("attributes");
        let list =
            text.lines().find(|line| line.starts_with(&format!("attributes #{of_expression} ="))).expect("a list");
        assert!(list.contains("allockind(\"alloc,uninitialized\")"), "{text}");
        assert_eq!(attributes("@sinter.stdpar._Znwm(i64 2)"), None, "{text}");
        let wrapper = attributes("define linkonce_odr hidden noalias ptr @sinter.stdpar._Znwm").expect("attributes");
        let wrapper = wrapper.split(' ').next().expect("a number");
        let list = text.lines().find(|line| line.starts_with(&format!("attributes #{wrapper} ="))).expect("a list");
        assert!(!list.contains("allockind"), "{text}");
    }

    #[test]
    fn templates_that_allocate_get_names_of_their_own() {
        let text = interposed(CALLERS);
        assert!(text.contains("define linkonce_odr ptr @leaf.sinter_stdpar(i64 %n) comdat"), "{text}");
        assert!(!text.contains("@leaf("), "{text}");
        // The address of a function is that of the other units.
        assert!(text.contains("@table = global ptr @middle") && text.contains("ptr @middle() comdat"), "{text}");
        assert_eq!(text.matches("call ptr @middle.sinter_stdpar()").count(), 1, "{text}");
        assert!(text.contains("@unrelated() comdat") && !text.contains("@unrelated.sinter"), "{text}");
    }

    #[test]
    fn a_second_run_changes_nothing() {
        let text = format!("{CALLERS}define i32 @main() {{\n  %p = call ptr @strong()\n  ret i32 0\n}}");
        let once = interposed(&text);
        assert_eq!(once.matches("call void @sinter.stdpar.begin()").count(), 1, "{once}");
        assert_eq!(interposed(&once), once);
    }

    #[test]
    fn an_allocator_of_the_program_is_left_alone() {
        let text = "define ptr @malloc(i64 %n) {\n  ret ptr null\n}
define ptr @user() {\n  %p = call ptr @malloc(i64 1)\n  ret ptr %p\n}\n";
        assert!(!interposed(text).contains("sinter"));
    }

    #[test]
    fn functions_of_the_c_library_alone_give_blocks_of_ours_to_the_process() {
        let text = "declare ptr @__libc_realloc(ptr, i64)\ndeclare void @__libc_free(ptr)
define void @user(ptr %p) {\n  %q = call ptr @__libc_realloc(ptr %p, i64 2)\n  call void @__libc_free(ptr %q)
  ret void\n}\n";
        let text = interposed(text);
        for (expected, times) in [
            ("declare extern_weak i32 @sinter_stdpar_owns(ptr)", 1),
            ("call i32 @sinter_stdpar_owns(ptr %0)", 2),
            ("call ptr @realloc(ptr %0, i64 %1)", 1),
            ("call ptr @__libc_realloc(ptr %0, i64 %1)", 1),
            ("call void @free(ptr %0)", 1),
            ("call void @__libc_free(ptr %0)", 1),
            ("call void @sinter.stdpar.__libc_free(ptr %q)", 1),
        ] {
            assert_eq!(text.matches(expected).count(), times, "{expected}\n{text}");
        }
    }

    #[test]
    fn posix_memalign_itself_refuses_bad_alignments() {
        let text = "declare i32 @posix_memalign(ptr, i64, i64)
define void @user(ptr %p) {\n  %a = call i32 @posix_memalign(ptr %p, i64 4, i64 1)\n  ret void\n}\n";
        let text = interposed(text);
        assert!(text.contains("icmp ult i64 %1, 8"), "{text}");
    }

    #[test]
    fn every_form_keeps_its_type() {
        let text = "declare i32 @posix_memalign(ptr, i64, i64)\ndeclare ptr @realloc(ptr, i64)
declare ptr @reallocarray(ptr, i64, i64)\ndeclare ptr @calloc(i64, i64)\ndeclare ptr @aligned_alloc(i64, i64)
declare ptr @_ZnamSt11align_val_tRKSt9nothrow_t(i64, i64, ptr)
define void @user(ptr %p) {\n  %a = call i32 @posix_memalign(ptr %p, i64 64, i64 1)
  %b = call ptr @realloc(ptr %p, i64 2)\n  %c = call ptr @reallocarray(ptr %b, i64 2, i64 3)
  %d = call ptr @calloc(i64 4, i64 5)\n  %e = call ptr @aligned_alloc(i64 64, i64 128)
  %f = call ptr @_ZnamSt11align_val_tRKSt9nothrow_t(i64 8, i64 64, ptr %p)\n  ret void\n}\n";
        let text = interposed(text);
        for expected in [
            "call ptr @sinter_stdpar_allocate(i64 %0, i64 %1, i64 0, i32 1)",
            "call ptr @sinter_stdpar_allocate(i64 1, i64 %2, i64 %1, i32 0)",
            "call ptr @sinter_stdpar_allocate(i64 %1, i64 %2, i64 0, i32 0)",
            "call ptr @sinter_stdpar_allocate(i64 1, i64 %1, i64 %0, i32 0)",
            "call ptr @sinter_stdpar_allocate(i64 1, i64 %0, i64 %1, i32 2)",
            "icmp eq ptr %0, null",
        ] {
            assert!(text.contains(expected), "{expected}\n{text}");
        }
    }
}
