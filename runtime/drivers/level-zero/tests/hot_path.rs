//! What a launch of this driver costs; alone in its process.

mod common;
#[path = "../../common/tests/shared/hot_path.rs"]
mod shared;
