//! One file per step. Each is a function from a module in one state to a module in the next.

mod builtins;
mod check;
mod dead_arguments;
mod flavor;
mod fold;
mod imports;
mod inline;
mod launch_shape;
mod parse;
mod prune;
mod simplify;
mod specialize;

pub(crate) use self::{
    builtins::builtins, check::check, dead_arguments::dead_arguments, flavor::flavor, imports::imports, inline::inline,
    launch_shape::launch_shape, parse::parse, prune::prune, simplify::simplify, specialize::specialize,
};
