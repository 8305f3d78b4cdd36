//! Devices that take SPIR-V.

mod legal;

pub use legal::legalised;
