//! One file per step. Each is a function from a module in one state to a module in the next.

mod allocations;
mod audit;
mod builtins;
mod check;
mod complex;
mod convergent;
mod dead_arguments;
mod exceptions;
mod exponents;
mod flavor;
mod fold;
mod foreign_constants;
mod hosted;
mod imports;
mod inline;
mod launch_shape;
mod link;
mod local_memory;
mod parse;
mod prune;
mod signatures;
mod simplify;
mod specialization_constants;
mod specialize;
mod start_up;

pub(crate) use self::{
    allocations::allocations, audit::audit, builtins::builtins, check::check, dead_arguments::dead_arguments,
    flavor::flavor, imports::imports, inline::inline, launch_shape::launch_shape, link::link,
    local_memory::local_memory, parse::parse, prune::prune, simplify::simplify, specialize::specialize,
};
