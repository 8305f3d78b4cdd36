//! Selects devices: by Sinter's own mask, or by the variables of other SYCL implementations.

mod foreign;
mod mask;

pub use foreign::{adaptive_cpp, one_api};
pub use mask::*;
