//! Recognises the names that device code and stage 2 share.
//!
//! *Invariant:* every name with one of our prefixes is ours; programs do not use reserved
//! identifiers.

use sinter_llvm::inkwell::module::Module;

const PREFIXES: [&str; 3] = ["__acpp_", "__hipsycl_", "__sinter_"];

/// Functions of the C library that every device has, and that change or keep nothing but memory.
const OF_MEMORY: [&str; 3] = ["memcpy", "memmove", "memset"];
/// Those that print.
const PRINTING: [&str; 4] = ["printf", "putchar", "puts", "__assert_fail"];

/// True for a function of the C library that every device has.
pub(crate) fn is_of_library(name: &str) -> bool {
    OF_MEMORY.contains(&name) || prints(name)
}

/// True for one of them that prints.
pub(crate) fn prints(name: &str) -> bool {
    PRINTING.contains(&name)
}

/// True if stage 1 or stage 2 defines this symbol.
pub(crate) fn is_ours(name: &str) -> bool {
    PREFIXES.iter().any(|prefix| name.starts_with(prefix))
}

/// True if a module references a symbol of Sinter.
pub(crate) fn any_in(module: &Module<'_>) -> bool {
    let functions = module.get_functions().any(|function| is_ours(&function.get_name().to_string_lossy()));
    functions || module.get_globals().any(|global| is_ours(&global.get_name().to_string_lossy()))
}
