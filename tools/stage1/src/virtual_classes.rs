//! Detaches the virtual classes that kernels construct from the C++ runtime library.
//!
//! In: vtables as clang emits them for the host. They refer to type information, which refers to
//! the library's; to the handler of pure virtual calls; and to deleting destructors, which free
//! memory. Out: type information without references to the library, and traps in place of functions
//! that a correct program cannot reach: no object in device code was allocated by `new`. Names are
//! those of the Itanium C++ ABI, sections 2.9 and 5.1.4.
//! *Invariant:* a virtual call reaches the same function as on the host.

use sinter_llvm::{
    inkwell::{
        module::Module,
        values::{FunctionValue, GlobalValue},
    },
    stage1::{call::calls, name, surgery},
};

/// Prefixes of vtables, construction vtables and type information.
const TABLES: [&str; 3] = ["_ZTV", "_ZTC", "_ZTI"];
/// Prefixes of tables that another file defines: vtables of type information itself, and type
/// information without a definition here.
const ELSEWHERE: [&str; 2] = ["_ZTVN10__cxxabiv1", "_ZTI"];
/// Handlers that vtables have in place of a function without a body.
const MISSING: [&str; 2] = ["__cxa_pure_virtual", "__cxa_deleted_virtual"];
const DELETING_DESTRUCTOR: &str = "D0Ev";
const OPERATOR_DELETE: &str = "_ZdlPv";

pub(crate) fn detach(module: &Module<'_>) {
    drop_library_definitions(module);
    let missing = MISSING.iter().filter_map(|symbol| module.get_function(symbol));
    missing.filter(|function| function.count_basic_blocks() == 0).for_each(surgery::define_as_trap);
    module.get_functions().filter(|f| name(*f).ends_with(DELETING_DESTRUCTOR)).for_each(trap_instead_of_delete);
}

fn drop_library_definitions(module: &Module<'_>) {
    let (declared, defined): (Vec<_>, Vec<_>) = module.get_globals().partition(|variable| variable.is_declaration());
    let elsewhere: Vec<_> = declared.into_iter().filter(|variable| is_named(variable, &ELSEWHERE)).collect();
    for table in defined.iter().filter(|variable| is_named(variable, &TABLES)) {
        surgery::null_in_value(*table, &elsewhere);
    }
}

fn is_named(variable: &GlobalValue<'_>, prefixes: &[&str]) -> bool {
    let symbol = variable.get_name().to_string_lossy();
    prefixes.iter().any(|prefix| symbol.starts_with(prefix))
}

fn trap_instead_of_delete(destructor: FunctionValue<'_>) {
    let is_delete = |callee: FunctionValue<'_>| name(callee).starts_with(OPERATOR_DELETE);
    // A trap removes the rest of its block, so the list of calls is recomputed after each.
    while let Some(call) = calls(destructor).into_iter().find(|call| call.function().is_some_and(is_delete)) {
        surgery::trap_at(call.instruction);
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::accept;

    #[test]
    fn vtables_need_nothing_of_the_library() {
        let rest = "@_ZTV1A = linkonce_odr constant { [5 x ptr] } { [5 x ptr] [ptr null, ptr @_ZTI1A, ptr @_ZN1A1fEv, ptr @_ZN1AD0Ev, ptr @__cxa_pure_virtual] }
@_ZTI1A = linkonce_odr constant { ptr, ptr, ptr } { ptr getelementptr inbounds (ptr, ptr @_ZTVN10__cxxabiv120__si_class_type_infoE, i64 2), ptr @_ZTS1A, ptr @_ZTI1B }
@_ZTS1A = linkonce_odr constant [3 x i8] c\"1A\\00\"
@_ZTVN10__cxxabiv120__si_class_type_infoE = external global ptr\n@_ZTI1B = external constant ptr
declare void @__cxa_pure_virtual()\ndeclare void @_ZdlPvm(ptr, i64)
define linkonce_odr void @_ZN1A1fEv(ptr %0) {\n  ret void\n}
define linkonce_odr void @_ZN1AD0Ev(ptr %0) {\n  call void @_ZdlPvm(ptr %0, i64 8)\n  ret void\n}";
        let device =
            accept("  store ptr getelementptr ({ [5 x ptr] }, ptr @_ZTV1A, i32 0, i32 0, i32 2), ptr %k", rest);
        for gone in ["external", "__cxxabi", "_ZTI1B", "_ZdlPv", "declare void @__cxa"] {
            assert!(!device.device.contains(gone), "{gone}\n{}", device.device);
        }
        for kept in ["ptr @_ZTI1A, ptr @_ZN1A1fEv, ptr @_ZN1AD0Ev", "ptr @_ZTS1A"] {
            assert!(device.device.contains(kept), "{kept}\n{}", device.device);
        }
        assert_eq!(device.device.matches("call void @llvm.trap()").count(), 2, "{}", device.device);
    }
}
