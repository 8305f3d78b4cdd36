//! Flags of other SYCL compilers.
//!
//! In: an argument that may be a flag of icpx or acpp. Out: its row, with the action to take.
//! *Invariant:* only the tables list these flags; parser, tests and `docs/compiler-flags.md` are
//! derived from them.

mod acpp;
mod icpx;
mod page;

use crate::flags::Flags;
use sinter_core::nearest::nearest;

pub(crate) use page::page;

/// Prefixes of AdaptiveCpp's flags in older releases.
const OLD_PREFIXES: [&str; 2] = ["--hipsycl-", "--opensycl-"];
const ACPP_PREFIX: &str = "--acpp-";
/// Placeholder for the value in [`Does::Becomes`].
const VALUE: &str = "{}";

/// Reasons for dropping or rejecting flags of both compilers.
const AT_RUN_TIME: &str = "code is made when a kernel is launched, for the device at hand";
const PARALLEL_STL: &str =
    "offloading the algorithms of the C++ library is not supported yet; write the loops as kernels";

/// A row: name of the flag, form of its value, and action.
#[derive(Debug)]
pub(crate) struct Flag(&'static str, Shape, Does);

/// The form of a flag's value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Shape {
    /// `NAME`
    Alone,
    /// `-fNAME` and `-fno-NAME`
    Switch,
    /// `NAME=VALUE`; the sign is part of the name
    Joined,
    /// `-fNAME=VALUE` and `-fno-NAME=VALUE`; the sign is part of the name
    SwitchJoined,
    /// `NAME` and `NAME=VALUE`
    Optional,
    /// `NAMEVALUE`
    Attached,
    /// `NAME VALUE`
    Separate,
    /// `NAMEVALUE` and `NAME VALUE`
    Either,
    /// `NAME VALUE` and `NAME=TRIPLE VALUE`
    Tool,
}

/// The action to take for a flag.
#[derive(Debug, Clone, Copy)]
enum Does {
    /// Nothing: sinter-cc always does what the flag asks for.
    Always,
    /// Dropped with a note, for this reason.
    Drop(&'static str),
    /// Replaced by these words for clang.
    Becomes(&'static [&'static str]),
    /// Replaced by the words of its value for clang.
    Words,
    /// Sets one of our own flags.
    Set(fn(&mut Flags), &'static str),
    /// Rejected, with this advice.
    Refuse(&'static str),
}

/// A flag on a command line.
#[derive(Debug)]
pub(crate) struct Found {
    flag: &'static Flag,
    value: Option<String>,
    /// True if the next argument is the value.
    pub(crate) takes_next: bool,
}

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

impl Flag {
    /// Prefixes by which the flag is recognised.
    fn names(&self) -> Vec<String> {
        let is_switch = matches!(self.1, Shape::Switch | Shape::SwitchJoined);
        let no = is_switch.then(|| self.0.replacen("-f", "-fno-", 1));
        [self.0.to_owned()].into_iter().chain(no).collect()
    }

    fn parse(&'static self, argument: &str) -> Option<Found> {
        let found =
            |value: Option<&str>, takes_next| Some(Found { flag: self, value: value.map(str::to_owned), takes_next });
        let rest = argument.strip_prefix(self.0).or_else(|| self.without_no(argument))?;
        match (self.1, rest) {
            (Shape::Alone | Shape::Switch | Shape::Optional, "") => found(None, false),
            (Shape::Joined | Shape::SwitchJoined | Shape::Attached, value) => found(Some(value), false),
            (Shape::Separate | Shape::Either | Shape::Tool, "") => found(None, true),
            (Shape::Either, value) => found(Some(value), false),
            (Shape::Tool, triple) if triple.starts_with('=') => found(None, true),
            (Shape::Optional, value) => value.strip_prefix('=').and_then(|value| found(Some(value), false)),
            _ => None,
        }
    }

    /// Strips `-fno-NAME` from an argument.
    fn without_no<'a>(&self, argument: &'a str) -> Option<&'a str> {
        let is_switch = matches!(self.1, Shape::Switch | Shape::SwitchJoined);
        let name = self.0.strip_prefix("-f").filter(|_| is_switch)?;
        argument.strip_prefix("-fno-")?.strip_prefix(name)
    }
}

impl Found {
    /// Takes the flag's action. `spelled` is the argument; `next` is the following argument if
    /// [`takes_next`](Found::takes_next) is set.
    pub(crate) fn apply(self, spelled: &str, next: Option<String>, flags: &mut Flags) -> Result<(), String> {
        if self.takes_next && next.is_none() {
            return Err(format!("{spelled} needs a value behind it"));
        }
        let value = self.value.or(next).unwrap_or_default();
        match self.flag.2 {
            Does::Always => {}
            Does::Drop(_) => flags.drop_foreign(spelled),
            Does::Becomes(words) => flags.clang.extend(words.iter().map(|word| word.replace(VALUE, &value).into())),
            Does::Words => flags.clang.extend(crate::response::split(&value).into_iter().map(Into::into)),
            Does::Set(set, _) => set(flags),
            Does::Refuse(advice) => return Err(format!("{spelled} cannot be used here: {advice}")),
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests;
