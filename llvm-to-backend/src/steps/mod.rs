//! One file per step. Each is a function from a module in one state to a module in the next.

mod allocations;
mod audit;
mod builtins;
mod check;
mod dead_arguments;
mod flavor;
mod imports;
mod inline;
mod launch_shape;
mod local_memory;
mod parse;
mod prune;
mod simplify;
mod specialize;

pub(crate) use self::{
    allocations::allocations, audit::audit, builtins::builtins, check::check, dead_arguments::dead_arguments,
    flavor::flavor, imports::imports, inline::inline, launch_shape::launch_shape, local_memory::local_memory,
    parse::parse, prune::prune, simplify::simplify, specialize::specialize,
};
