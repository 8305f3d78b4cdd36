//! One flag of another SYCL compiler: how it is written, and what is done about it.

use crate::{flags::Flags, response};

/// Placeholder for the value in [`Does::Becomes`].
pub(super) const VALUE: &str = "{}";

/// A reason for dropping flags of both compilers.
pub(super) const AT_RUN_TIME: &str = "code is made when a kernel is launched, for the device at hand";
/// Runs the algorithms of the C++ library on devices.
pub(super) const PARALLEL_STL: Does = Does::Set(|flags| flags.stdpar = true, "`--stdpar`");

/// A row: name of the flag, form of its value, and action.
#[derive(Debug)]
pub(crate) struct Flag(pub(super) &'static str, pub(super) Shape, pub(super) Does);

/// The form of a flag's value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Shape {
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
pub(super) enum Does {
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
    pub(super) flag: &'static Flag,
    value: Option<String>,
    /// True if the next argument is the value.
    pub(crate) takes_next: bool,
}

impl Flag {
    /// Prefixes by which the flag is recognised.
    pub(super) fn names(&self) -> Vec<String> {
        let is_switch = matches!(self.1, Shape::Switch | Shape::SwitchJoined);
        let no = is_switch.then(|| self.0.replacen("-f", "-fno-", 1));
        [self.0.to_owned()].into_iter().chain(no).collect()
    }

    pub(super) fn parse(&'static self, argument: &str) -> Option<Found> {
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
            Does::Words => flags.clang.extend(response::split(&value).into_iter().map(Into::into)),
            Does::Set(set, _) => set(flags),
            Does::Refuse(advice) => return Err(format!("{spelled} cannot be used here: {advice}")),
        }
        Ok(())
    }
}
