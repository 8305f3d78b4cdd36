//! The table of builtins: every function of the device interface, and who provides it on which target.
//!
//! In: `builtins/table/builtins.txt`, read when this crate is built. Out: constants. *Invariant:* names are unique.

/// Functions that differ in a word of their name and a type: one line of the table.
#[derive(Debug)]
pub struct Family {
    /// What kind of functions they are.
    pub group: &'static str,
    /// The name without the prefix `__acpp_sscp_`, unless it starts with `__`; `{T}` stands for the type, `{a,b}` for one
    /// of the words.
    pub name: &'static str,
    /// What `T` stands for.
    pub types: &'static [&'static str],
    /// Type of the result.
    pub result: &'static str,
    /// Types of the parameters.
    pub parameters: &'static [&'static str],
    /// Whether it depends on nothing but its arguments and the work-item.
    pub is_pure: bool,
    /// Whether all work-items of the group call it together.
    pub is_convergent: bool,
    /// Whether it ever returns.
    pub returns: bool,
    /// Who provides it, for each of [`TARGETS`].
    pub providers: &'static [Provider],
}

/// One function of the interface.
#[derive(Debug)]
pub struct Builtin {
    /// Its symbol.
    pub name: &'static str,
    /// Type of the result.
    pub result: &'static str,
    /// Types of the parameters.
    pub parameters: &'static [&'static str],
    /// The line it is from.
    pub family: &'static Family,
}

/// Who provides a function on a target.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Provider {
    /// The bitcode of this crate.
    Library,
    /// The translator's backend.
    Backend,
    /// The target's own C library.
    LibC,
    /// Nobody, and why.
    Refused(&'static str),
}

impl Builtin {
    /// Who provides this function on the target of that name, `None` if there is no such target.
    pub fn provider(&self, target: &str) -> Option<Provider> {
        let column = TARGETS.iter().position(|name| *name == target)?;
        self.family.providers.get(column).copied()
    }
}

/// The function of that name.
pub fn find(name: &str) -> Option<&'static Builtin> {
    BUILTINS.iter().find(|builtin| builtin.name == name)
}

include!(concat!(env!("OUT_DIR"), "/table.rs"));
