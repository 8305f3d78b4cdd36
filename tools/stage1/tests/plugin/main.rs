//! Tests of the plugin inside clang, on small sources that use the interface of `docs/abi.md`
//! directly.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod compile;
mod division;
mod errors;
mod output;
mod reproducible;
mod requirements;
