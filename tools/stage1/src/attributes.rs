//! Removes attributes that are specific to the host's processor, object format or debugging.
//!
//! In: functions as clang compiles them for the host, at any optimisation level. Out: functions
//! that can be optimised for any target. *Invariant:* attributes that change floating-point results
//! stay.

use sinter_llvm::{
    inkwell::{
        attributes::{Attribute, AttributeLoc},
        module::Module,
        values::FunctionValue,
    },
    stage1::call::calls,
};

const KEPT_STRINGS: [&str; 10] = [
    "approx-func-fp-math",
    "denormal-fp-math",
    "denormal-fp-math-f32",
    "less-precise-fpmad",
    "no-infs-fp-math",
    "no-nans-fp-math",
    "no-signed-zeros-fp-math",
    "no-trapping-math",
    "strictfp",
    "unsafe-fp-math",
];

const DROPPED: [&str; 23] = [
    "disable_sanitizer_instrumentation",
    "fn_ret_thunk_extern",
    "naked",
    "nocf_check",
    "noimplicitfloat",
    "noinline",
    "nonlazybind",
    "noredzone",
    "noprofile",
    "nosanitize_bounds",
    "nosanitize_coverage",
    "optnone",
    "safestack",
    "sanitize_address",
    "sanitize_hwaddress",
    "sanitize_memory",
    "sanitize_memtag",
    "sanitize_thread",
    "shadowcallstack",
    "ssp",
    "sspreq",
    "sspstrong",
    "uwtable",
];

pub(crate) fn strip_host(module: &Module<'_>) {
    for function in module.get_functions() {
        strip_strings(function);
        for name in DROPPED {
            function.remove_enum_attribute(AttributeLoc::Function, Attribute::get_named_enum_kind_id(name));
        }
        strip_call_sites(function);
    }
}

fn strip_strings(function: FunctionValue<'_>) {
    for attribute in function.attributes(AttributeLoc::Function) {
        if attribute.is_string() {
            let key = attribute.get_string_kind_id().to_string_lossy().into_owned();
            if !KEPT_STRINGS.contains(&key.as_str()) {
                function.remove_string_attribute(AttributeLoc::Function, &key);
            }
        }
    }
}

fn strip_call_sites(function: FunctionValue<'_>) {
    let noinline = Attribute::get_named_enum_kind_id("noinline");
    calls(function).iter().for_each(|call| call.remove_attribute(noinline));
}
