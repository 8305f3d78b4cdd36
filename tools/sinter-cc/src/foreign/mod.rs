//! Flags of other SYCL compilers.
//!
//! In: an argument that may be a flag of icpx or acpp. Out: its row, with the action to take.
//! *Invariant:* only the tables list these flags; parser, tests and `docs/compiler-flags.md` are
//! derived from them.

mod acpp;
mod flag;
mod icpx;
mod page;

use flag::{Flag, Found};
use sinter_core::nearest::nearest;

pub(crate) use page::page;

/// Prefixes of AdaptiveCpp's flags in older releases.
const OLD_PREFIXES: [&str; 2] = ["--hipsycl-", "--opensycl-"];
const ACPP_PREFIX: &str = "--acpp-";
/// Finds the row of an argument in the tables of other compilers.
pub(crate) fn find(argument: &str) -> Option<Found> {
    let old = OLD_PREFIXES.iter().find_map(|prefix| argument.strip_prefix(prefix));
    let renamed = old.map(|rest| format!("{ACPP_PREFIX}{rest}"));
    let argument = renamed.as_deref().unwrap_or(argument);
    icpx::TABLE.iter().chain(acpp::TABLE).find_map(|flag| flag.parse(argument))
}

/// Rejects an argument that starts like a flag of another compiler but is unknown, and suggests the
/// nearest flag. Clang 19 has no flags with these prefixes beyond those in the tables.
pub(crate) fn check_unknown(argument: &str) -> Result<(), String> {
    let prefixes = ["-fsycl-", "-fno-sycl-", ACPP_PREFIX].into_iter().chain(OLD_PREFIXES);
    if !prefixes.into_iter().any(|prefix| argument.starts_with(prefix)) {
        return Ok(());
    }
    let end = argument.find('=').map_or(argument.len(), |sign| sign + 1);
    let name = &argument[..end];
    let names: Vec<String> = icpx::TABLE.iter().chain(acpp::TABLE).flat_map(Flag::names).collect();
    let meant = nearest(name, names.iter().map(String::as_str)).map(|name| format!("; did you mean {name}?"));
    Err(format!(
        "unknown flag {argument}{}",
        meant.unwrap_or_else(|| "; --sinter-flags lists those that are known".to_owned())
    ))
}

#[cfg(test)]
mod tests;
