//! Calls and allocations of a launch of this driver; alone in its process.

mod common;
#[path = "../../common/tests/shared/hot_path.rs"]
mod shared;
