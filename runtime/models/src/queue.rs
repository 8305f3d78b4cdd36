//! A file of the runtime's `queue`.

#[path = "../../src/queue/place.rs"]
pub(crate) mod place;
