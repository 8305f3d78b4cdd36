//! Functions of the C library that use system calls of NVIDIA's driver.
//!
//! *Invariant:* they call nothing but these system calls.

use crate::targets::gpu::dialect::Other;

pub(super) const OTHERS: [Other; 3] = [
    (
        "__assert_fail",
        "void (ptr, ptr, i32, ptr)",
        "define void @__assert_fail(ptr %text, ptr %file, i32 %line, ptr %function) noreturn nounwind cold noinline {\n  \
         call void @__assertfail(ptr %text, ptr %file, i32 %line, ptr %function, i64 1)\n  unreachable\n}\n",
    ),
    (
        "putchar",
        "i32 (i32)",
        "@sinter.character = private constant [3 x i8] c\"%c\\00\"\n\
         define i32 @putchar(i32 %character) nounwind {\n  %list = alloca i32\n  store i32 %character, ptr %list\n  \
         %r = call i32 @vprintf(ptr @sinter.character, ptr %list)\n  %byte = and i32 %character, 255\n  ret i32 %byte\n}\n",
    ),
    (
        "puts",
        "i32 (ptr)",
        "@sinter.line = private constant [4 x i8] c\"%s\\0A\\00\"\n\
         define i32 @puts(ptr %text) nounwind {\n  %list = alloca ptr\n  store ptr %text, ptr %list\n  \
         %r = call i32 @vprintf(ptr @sinter.line, ptr %list)\n  ret i32 0\n}\n",
    ),
];
