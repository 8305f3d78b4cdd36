//! Makes symbols readable.
//!
//! In: a symbol. Out: its C++ spelling; the symbol where it has none. *Invariant:* any text is accepted.

use cpp_demangle::{DemangleOptions, ParseOptions, Symbol};

/// What a symbol may make the demangler do; template arguments nest.
const MAX_DEPTH: u32 = 128;

pub(crate) fn demangle(symbol: &str) -> String {
    let limits = ParseOptions::default().recursion_limit(MAX_DEPTH);
    let options = DemangleOptions::new().recursion_limit(MAX_DEPTH);
    let parsed = Symbol::new_with_options(symbol, &limits).ok();
    parsed.and_then(|parsed| parsed.demangle_with_options(&options).ok()).unwrap_or_else(|| symbol.to_owned())
}
