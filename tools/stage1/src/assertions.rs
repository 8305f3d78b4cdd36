//! Replaces handlers of failed assertions by the builtin that prints them.
//!
//! In: calls of the functions behind `assert` and behind the assertions of libstdc++. Out: calls of
//! the corresponding builtins, whose parameters have the same order.
//! *Invariant:* the expression, file and line reach the builtin.

use sinter_llvm::{
    inkwell::{module::Module, values::FunctionValue},
    stage1::surgery,
};

/// Functions of the C and C++ libraries with their builtins.
const BUILTINS: [(&str, &str); 2] = [
    ("__assert_fail", "__acpp_sscp_assert_fail"),
    ("_ZSt21__glibcxx_assert_failPKciS0_S0_", "__acpp_sscp_glibcxx_assert_fail"),
];

pub(crate) fn replace(module: &Module<'_>) {
    for (library, builtin) in BUILTINS {
        if let Some(function) = module.get_function(library).filter(|function| function.count_basic_blocks() == 0) {
            become_builtin(module, function, builtin);
        }
    }
}

fn become_builtin<'ctx>(module: &Module<'ctx>, function: FunctionValue<'ctx>, builtin: &str) {
    let address = |function: FunctionValue<'ctx>| function.as_global_value().as_pointer_value();
    match module.get_function(builtin) {
        None => function.as_global_value().set_name(builtin),
        Some(builtin) => {
            surgery::replace_uses(address(function), address(builtin));
            surgery::erase_function(function);
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::accept;

    #[test]
    fn assertions_keep_their_text() {
        let body = "  %c = icmp eq ptr %k, null\n  br i1 %c, label %bad, label %good
bad:\n  call void @__assert_fail(ptr @text, ptr @text, i32 7, ptr @text)\n  unreachable
good:\n  call void @_ZSt21__glibcxx_assert_failPKciS0_S0_(ptr @text, i32 8, ptr @text, ptr @text)";
        let rest = "@text = private constant [2 x i8] c\"a\\00\"\ndeclare void @__assert_fail(ptr, ptr, i32, ptr)
declare void @_ZSt21__glibcxx_assert_failPKciS0_S0_(ptr, i32, ptr, ptr)";
        for declared in ["", "\ndeclare void @__acpp_sscp_assert_fail(ptr, ptr, i32, ptr)"] {
            let device = accept(body, &format!("{rest}{declared}")).device;
            assert!(device.contains("call void @__acpp_sscp_assert_fail(ptr @text, ptr @text, i32 7,"), "{device}");
            assert!(device.contains("call void @__acpp_sscp_glibcxx_assert_fail(ptr @text, i32 8,"), "{device}");
            assert!(!device.contains("@__assert_fail") && !device.contains("@_ZSt21"), "{device}");
        }
    }
}
