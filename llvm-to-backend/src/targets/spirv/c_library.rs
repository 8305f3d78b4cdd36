//! The functions of the C library that are made in another way than on other GPUs.
//!
//! *Invariant:* OpenCL's instructions write through pointers to one kind of memory that is known, so what writes through a pointer is our
//! own code, and so is what OpenCL leaves open and C does not.

use crate::targets::gpu::dialect::{Function, Other};

pub(super) const FUNCTIONS: [Function; 3] = [
    ("frexp", "ttp", "  %r = call {t} @__acpp_sscp_frexp_{s}({t} %a, ptr %b)\n  ret {t} %r"),
    // Zero and what is no number have one of two results in OpenCL.
    ("ilogb", "it", "  %r = call i32 @__acpp_sscp_ilogb_{s}({t} %a)\n  ret i32 %r"),
    // There are no floating-point exceptions that it could avoid.
    ("nearbyint", "tt", "rint"),
];

/// The library of builtins has what is called for a failed assertion.
pub(super) const OTHERS: [Other; 2] = [
    (
        "putchar",
        "i32 (i32)",
        "@sinter.character = private constant [3 x i8] c\"%c\\00\"\n\
         define i32 @putchar(i32 %character) alwaysinline nomerge convergent nounwind {\n  \
         %r = call i32 (ptr, ...) @__sinter_spirv_print(ptr @sinter.character, i32 %character)\n  \
         %byte = and i32 %character, 255\n  ret i32 %byte\n}\n",
    ),
    (
        "puts",
        "i32 (ptr)",
        "@sinter.line = private constant [4 x i8] c\"%s\\0A\\00\"\n\
         define i32 @puts(ptr %text) alwaysinline nomerge convergent nounwind {\n  \
         %r = call i32 (ptr, ...) @__sinter_spirv_print(ptr @sinter.line, ptr %text)\n  ret i32 0\n}\n",
    ),
];
