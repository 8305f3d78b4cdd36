//! Functions of the C library with definitions of their own on SPIR-V devices.
//!
//! *Invariant:* they only use operations that OpenCL has instructions for.

use crate::targets::gpu::dialect::{Function, Other};

/// SPIR-V has no floating-point exceptions, the only difference of `nearbyint` and `rint`.
pub(super) const FUNCTIONS: [Function; 1] = [("nearbyint", "rint")];

/// The library of builtins defines the functions that failed assertions call.
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
