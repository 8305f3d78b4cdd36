//! Defines the IR constants of AdaptiveCpp's headers.
//!
//! In: variables such as `__acpp_sscp_s2_ir_constant<acpp::sycl::jit::current_backend,
//! int>::get(int)::__acpp_ir_constant_v`. Their initial value is a placeholder that a `static`
//! variable needs. Out: constants with the target's value. *Invariant:* a value from the
//! configuration is never replaced; a constant without a value stays undefined, so that its use is
//! reported.

use crate::{backend::Backend, device_module::DeviceModule};
use sinter_core::names::demangled;

/// Both are parts of the variable's mangled name.
const MARKS: [&str; 2] = ["__acpp_sscp_s2_ir_constant", "__acpp_ir_constant_v"];
/// Constants whose name differs from the query for the same fact.
const QUERIES: [(&str, &str); 1] = [("current_backend", "compiler_backend")];

/// Removes the placeholder values.
pub(crate) fn remove_placeholders<S>(m: &DeviceModule<'_, S>) {
    let defined = m.module.globals().into_iter().filter(|global| !global.is_declaration());
    defined.filter(|global| is_foreign(&global.name())).for_each(|global| global.declare_again(&m.module));
}

/// Defines constants that still have no value with the target's answers.
pub(crate) fn answer<B: Backend, S>(backend: &B, m: &DeviceModule<'_, S>) {
    for global in m.module.globals().into_iter().filter(|global| global.is_declaration() && is_foreign(&global.name()))
    {
        let answer = demangled(&global.name()).and_then(|name| query(&name)).and_then(|query| backend.reflect(&query));
        if let Some(literal) = answer.and_then(|answer| global.value_type().constant(answer)) {
            global.define_constant(literal);
        }
    }
}

pub(crate) fn is_foreign(name: &str) -> bool {
    MARKS.iter().all(|mark| name.contains(mark))
}

/// The query for a constant: the last part of the name between `<` and `,`.
fn query(demangled: &str) -> Option<String> {
    let (_, arguments) = demangled.split_once('<')?;
    let name = arguments.split([',', '>']).next()?.rsplit("::").next()?.trim_end_matches(')');
    let known = QUERIES.iter().find(|(constant, _)| *constant == name);
    Some(known.map_or(name, |(_, query)| query).to_owned())
}

#[cfg(test)]
mod tests {
    use super::query;

    #[test]
    fn the_last_part_of_the_name_decides() {
        let name = |of: &str| format!("__acpp_sscp_s2_ir_constant<{of}, int>::get(int)::__acpp_ir_constant_v");
        assert_eq!(query(&name("hipsycl::sycl::jit::current_backend")).as_deref(), Some("compiler_backend"));
        assert_eq!(query(&name("mine")).as_deref(), Some("mine"));
        assert_eq!(query("plain"), None);
    }
}
