//! A file of the runtime's `device_globals`.

#[path = "../../src/device_globals/constants.rs"]
pub(crate) mod constants;
