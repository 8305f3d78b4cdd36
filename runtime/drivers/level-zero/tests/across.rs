//! Queues of this driver and of the host.

mod common;
#[path = "../../common/tests/shared/across.rs"]
mod shared;
