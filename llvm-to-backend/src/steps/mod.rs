//! The steps of a translation: one file each, and a table.
//!
//! In: a request. Out: its code, or the failure of a step. Each step is a function from a module in
//! one state to a module in the next. *Invariant:* a step's name, purpose, position and function
//! stand in one row of the table below and nowhere else; dumps are numbered by it.

mod allocations;
mod audit;
mod builtins;
mod candidates;
mod check;
mod dead_arguments;
mod device_globals;
mod flavor;
mod imports;
mod inline;
mod launch_shape;
mod local_memory;
mod origins;
mod parse;
mod places;
mod progress;
mod prune;
mod reach;
mod simplify;
mod specialize;

use crate::{
    backend::Backend,
    context::Context,
    device_module::{
        Addressed, Bound, Checked, Complete, DeviceModule, Flavored, Inlined, Linked, Optimised, Parsed, Placed,
        Pruned, Shaped, Simplified, Specialized,
    },
    failure::Outcome,
};
use sinter_core::CodeObject;
use std::{fmt, str::FromStr};

/// Runs steps and observes their results.
pub(crate) trait Runner {
    /// The reason for stopping.
    type Halt;

    /// Runs a step.
    fn step<'s, S>(
        &mut self,
        step: Step,
        run: impl FnOnce() -> Outcome<DeviceModule<'s, S>>,
    ) -> Result<DeviceModule<'s, S>, Self::Halt>;

    /// Runs the last step.
    fn last(&mut self, step: Step, run: impl FnOnce() -> Outcome<CodeObject>) -> Result<CodeObject, Self::Halt>;
}

/// A row has the purpose, the variant, the name, the state that the step leaves, and the call. The
/// last row makes code.
macro_rules! steps {
    (
        |$cx:ident, $backend:ident, $m:ident|
        $($(#[$doc:meta])* $step:ident $name:literal -> $state:ident = $run:expr;)*
        => $(#[$last_doc:meta])* $last:ident $last_name:literal = $last_run:expr;
    ) => {
        /// One step of a translation.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
        pub enum Step {
            $($(#[$doc])* $step,)*
            $(#[$last_doc])* $last,
        }

        impl Step {
            /// All steps in order.
            pub const ALL: [Step; [$($name,)* $last_name].len()] = [$(Step::$step,)* Step::$last];

            /// The name that command lines, dumps and errors use.
            pub fn name(self) -> &'static str {
                [$($name,)* $last_name][self as usize]
            }
        }

        /// Runs all steps in order.
        pub(crate) fn run_all<'s, B: Backend, R: Runner>(
            $backend: &B,
            $cx: &Context<'s, '_>,
            runner: &mut R,
        ) -> Result<CodeObject, R::Halt> {
            $(let $m: DeviceModule<'s, $state> = runner.step(Step::$step, || $run)?;)*
            runner.last(Step::$last, || $last_run)
        }

        /// The states that the steps leave, except the last.
        #[cfg(test)]
        const STATES: &[&str] = &[$(stringify!($state)),*];
    };
}

steps! {
    |cx, backend, m|
    /// Reads the kernel and its callees from the image.
    Parse "parse" -> Parsed = parse::parse(cx);
    /// Links the kernel's imports from other images.
    Imports "imports" -> Complete = imports::imports(cx, m);
    /// Replaces queries of the launch by literals.
    LaunchShape "launch-shape" -> Shaped = launch_shape::launch_shape(cx, backend, m);
    /// Replaces IR constants, queries of the target and specialised arguments by their values.
    Specialize "specialize" -> Specialized = specialize::specialize(cx, backend, m);
    /// Removes functions and variables that the kernel does not reach.
    Prune "prune" -> Pruned = prune::prune(cx, m);
    /// Inlines the functions that need the work-group into the kernel.
    Inline "inline" -> Inlined = inline::inline(cx, m);
    /// Turns device globals into parameters of the kernel.
    DeviceGlobals "device-globals" -> Addressed = device_globals::device_globals(cx, m);
    /// Rejects code that is specific to one instruction set.
    Audit "audit" -> Addressed = audit::audit(cx, m);
    /// Gives the module the target's triple, layout and attributes.
    Flavor "flavor" -> Flavored = flavor::flavor(cx, backend, m);
    /// Links the definitions of the device builtins that the kernel calls.
    Builtins "builtins" -> Linked = builtins::builtins(cx, backend, m);
    /// Turns each request for local memory into a variable of the work-group.
    LocalMemory "local-memory" -> Placed = local_memory::local_memory(cx, m);
    /// Brings the kernel into SSA form.
    Simplify "simplify" -> Simplified = simplify::simplify(cx, backend, m);
    /// Gives memory accesses alias scopes, one per allocation.
    Allocations "allocations" -> Simplified = allocations::allocations(cx, backend, m);
    /// Finds the kernel's live parameters and lays out the argument buffer.
    DeadArguments "dead-arguments" -> Bound = dead_arguments::dead_arguments(cx, backend, m);
    /// Rejects everything that the target cannot run.
    Check "check" -> Checked = check::check(cx, backend, m);
    /// Gives the kernel the signature with which the driver launches it.
    Entry "entry" -> Checked = backend.entry(cx, m);
    /// Runs LLVM's optimiser.
    Optimise "optimise" -> Optimised = backend.optimise(cx, m);
    =>
    /// Generates machine code.
    Lower "lower" = backend.lower(cx, m);
}

impl fmt::Display for Step {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A name that no step has.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("there is no step `{name}`; the steps are {}", Step::ALL.map(Step::name).join(", "))]
pub struct UnknownStep {
    /// The name as it was given.
    pub name: String,
}

impl FromStr for Step {
    type Err = UnknownStep;

    fn from_str(text: &str) -> Result<Self, UnknownStep> {
        let unknown = || UnknownStep { name: text.to_owned() };
        Step::ALL.into_iter().find(|step| step.name() == text).ok_or_else(unknown)
    }
}

#[cfg(test)]
mod tests {
    use super::{STATES, Step};

    /// Two neighbours that take `A` and leave `B`, and take `B` and leave `C`, could be swapped
    /// unnoticed if all three states were the same.
    #[test]
    fn no_two_neighbours_can_change_places() {
        for states in STATES.windows(3) {
            assert!(states.iter().any(|state| *state != states[0]), "steps that take and leave `{}`", states[0]);
        }
    }

    #[test]
    fn every_step_has_a_name_of_its_own() {
        for step in Step::ALL {
            assert_eq!(step.name().parse(), Ok(step));
        }
    }
}
