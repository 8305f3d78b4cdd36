//! The names of the steps.
//!
//! *Invariant:* [`Step::ALL`] is in the order in which `translate.rs` runs them; dumps are numbered by it.

use std::{fmt, str::FromStr};

/// One step of a translation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Step {
    /// Reads the kernel and what it calls out of the image.
    Parse,
    /// Adds what the kernel imports from other images.
    Imports,
    /// Replaces what is known of the launch.
    LaunchShape,
    /// Replaces IR constants, queries of the target and specialised arguments by their values.
    Specialize,
    /// Removes what the kernel no longer needs.
    Prune,
    /// Merges called functions into the kernel.
    Inline,
    /// Refuses what is made for one instruction set.
    Audit,
    /// Gives the module the target's triple, layout and attributes.
    Flavor,
    /// Adds the definitions of the device builtins that the kernel calls.
    Builtins,
    /// Makes each request for local memory a variable of the work-group.
    LocalMemory,
    /// Brings the kernel into SSA form.
    Simplify,
    /// Tells accesses to different allocations apart.
    Allocations,
    /// Finds the parameters that the kernel still reads.
    DeadArguments,
    /// Reports everything that the target cannot run.
    Check,
    /// Gives the kernel the form in which the driver starts it.
    Entry,
    /// Runs LLVM's optimiser.
    Optimise,
    /// Generates machine code.
    Lower,
}

impl Step {
    /// All steps in order.
    pub const ALL: [Step; 17] = [
        Step::Parse,
        Step::Imports,
        Step::LaunchShape,
        Step::Specialize,
        Step::Prune,
        Step::Inline,
        Step::Audit,
        Step::Flavor,
        Step::Builtins,
        Step::LocalMemory,
        Step::Simplify,
        Step::Allocations,
        Step::DeadArguments,
        Step::Check,
        Step::Entry,
        Step::Optimise,
        Step::Lower,
    ];

    /// The name that command lines, dumps and errors use.
    pub fn name(self) -> &'static str {
        match self {
            Step::Parse => "parse",
            Step::Imports => "imports",
            Step::Specialize => "specialize",
            Step::Prune => "prune",
            Step::LaunchShape => "launch-shape",
            Step::Inline => "inline",
            Step::Audit => "audit",
            Step::Flavor => "flavor",
            Step::Builtins => "builtins",
            Step::LocalMemory => "local-memory",
            Step::Simplify => "simplify",
            Step::Allocations => "allocations",
            Step::DeadArguments => "dead-arguments",
            Step::Check => "check",
            Step::Entry => "entry",
            Step::Optimise => "optimise",
            Step::Lower => "lower",
        }
    }
}

impl fmt::Display for Step {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A text that names no step.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("there is no step `{name}`; the steps are {}", Step::ALL.map(Step::name).join(", "))]
pub struct UnknownStep {
    /// The text.
    pub name: String,
}

impl FromStr for Step {
    type Err = UnknownStep;

    fn from_str(text: &str) -> Result<Self, UnknownStep> {
        let unknown = || UnknownStep { name: text.to_owned() };
        Step::ALL.into_iter().find(|step| step.name() == text).ok_or_else(unknown)
    }
}
