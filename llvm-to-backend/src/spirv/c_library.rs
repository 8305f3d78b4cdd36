//! The functions of the C library that are made in another way than on GPUs.

use crate::gpu::c_library::{Function, Other};

pub(super) const FUNCTIONS: [Function; 0] = [];
pub(super) const OTHERS: [Other; 0] = [];
