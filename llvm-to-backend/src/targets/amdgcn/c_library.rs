//! The functions of the C library that are made in another way than on other GPUs.
//!
//! *Invariant:* they call nothing: there is no driver that could do something for them.

use crate::targets::gpu::dialect::Other;

/// A failed assertion ends the kernel; there is nothing that could print its text.
pub(super) const OTHERS: [Other; 1] = [(
    "__assert_fail",
    "void (ptr, ptr, i32, ptr)",
    "define void @__assert_fail(ptr %text, ptr %file, i32 %line, ptr %function) alwaysinline noreturn nounwind cold {\n  \
     call void @llvm.trap()\n  unreachable\n}\n",
)];
