//! The functions of the C library that are made in another way than on other GPUs.
//!
//! *Invariant:* OpenCL's instructions write through pointers to one kind of memory that is known, so what writes through a pointer is our
//! own code, and so is what OpenCL leaves open and C does not.

use crate::gpu::c_library::{Function, Other};

pub(super) const FUNCTIONS: [Function; 3] = [
    ("frexp", "ttp", "  %r = call {t} @__acpp_sscp_frexp_{s}({t} %a, ptr %b)\n  ret {t} %r"),
    // Zero and what is no number have one of two results in OpenCL.
    ("ilogb", "it", "  %r = call i32 @__acpp_sscp_ilogb_{s}({t} %a)\n  ret i32 %r"),
    // There are no floating-point exceptions that it could avoid.
    ("nearbyint", "tt", "rint"),
];

/// The library of builtins has what is called for a failed assertion.
pub(super) const OTHERS: [Other; 0] = [];
