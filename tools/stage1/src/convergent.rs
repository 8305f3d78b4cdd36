//! Propagates `convergent`.
//!
//! In: a module in which clang marked only declarations, since it compiles for a host. Out: every
//! function that may reach a barrier is marked, and so are its calls. *Invariant:* runs before any
//! pass that moves or duplicates code; unknown callees count as convergent.

use crate::{builtins, image};
use sinter_llvm::{
    inkwell::{
        attributes::{Attribute, AttributeLoc},
        module::Module,
        values::FunctionValue,
    },
    stage1::{
        call::{Call, Callee, calls},
        name,
    },
};

pub(crate) fn propagate(module: &Module<'_>) {
    let kind = Attribute::get_named_enum_kind_id("convergent");
    let attribute = module.get_context().create_enum_attribute(kind, 0);
    let is_marked = |function: FunctionValue<'_>| function.get_enum_attribute(AttributeLoc::Function, kind).is_some();
    let mark = |function: FunctionValue<'_>| function.add_attribute(AttributeLoc::Function, attribute);
    module.get_functions().filter(|function| is_unknown(*function)).for_each(mark);
    let converges = |call: &Call<'_>| match call.callee {
        Callee::Function(function) => is_marked(function),
        Callee::InlineAsm | Callee::Indirect => true,
    };
    loop {
        let is_new = |function: &FunctionValue<'_>| !is_marked(*function) && calls(*function).iter().any(converges);
        let callers: Vec<_> = module.get_functions().filter(is_new).collect();
        if callers.is_empty() {
            break;
        }
        callers.into_iter().for_each(mark);
    }
    let all = module.get_functions().flat_map(calls).filter(converges);
    all.for_each(|call| call.add_attribute(attribute));
}

/// True if the function is defined in another translation unit, so that it must count as
/// convergent.
fn is_unknown(function: FunctionValue<'_>) -> bool {
    let name = name(function);
    image::is_import(function) && !builtins::is_ours(&name)
}

#[cfg(test)]
mod tests {
    use crate::testing::accept;

    #[test]
    fn callers_of_barriers_and_unknown_functions_are_convergent() {
        let result = accept(
            "  call void @outer()\n  call void @plain()\n  %f = load ptr, ptr %closure\n  call void %f()\n  call void @more()",
            "declare void @__acpp_sscp_work_group_barrier(i32, i32) convergent
declare i64 @__acpp_sscp_get_local_id_x()\ndeclare void @imported()
define void @outer() {\n  call void @inner()\n  ret void\n}
define void @inner() {\n  call void @__acpp_sscp_work_group_barrier(i32 1, i32 1)\n  ret void\n}
define void @plain() {\n  %i = call i64 @__acpp_sscp_get_local_id_x()\n  %p = call float @llvm.sin.f32(float 1.0)\n  ret void\n}
define void @more() {\n  call void @imported()\n  ret void\n}
declare float @llvm.sin.f32(float)",
        );
        let is_convergent = |symbol: &str| {
            let define =
                result.device.lines().find(|l| l.starts_with("define") && l.contains(&format!("@{symbol}("))).unwrap();
            let group = define.split('#').nth(1).map(|rest| rest.split(' ').next().unwrap_or_default());
            group.is_some_and(|group| {
                result
                    .device
                    .lines()
                    .any(|l| l.starts_with(&format!("attributes #{group} =")) && l.contains("convergent"))
            })
        };
        assert!(is_convergent("kernel") && is_convergent("outer") && is_convergent("inner"), "{}", result.device);
        assert!(is_convergent("more"), "{}", result.device);
        let imported = result.device.lines().find(|line| line.contains("call void @imported()")).unwrap();
        assert!(imported.contains('#'), "{imported}");
        assert!(!is_convergent("plain"), "{}", result.device);
    }
}
