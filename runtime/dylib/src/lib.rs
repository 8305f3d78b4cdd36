//! Libraries that are opened at run time.
//!
//! In: names, paths, and the functions of a library. Out: a table of functions
//! ([`function_table`]), or the reason why there is none. *Invariant:* nothing here depends on a
//! vendor or a driver, and the crate depends on no other of the workspace.

mod failure;
pub mod open;
mod table;

pub use failure::Failure;
pub use libloading;
