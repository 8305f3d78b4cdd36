//! Forked children over this driver's stand-in; alone in its process.

mod common;
#[path = "../../common/tests/shared/fork.rs"]
mod shared;
