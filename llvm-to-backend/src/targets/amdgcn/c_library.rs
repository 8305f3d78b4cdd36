//! Functions of the C library with definitions of their own on AMD GPUs.
//!
//! *Invariant:* they call nothing: AMD's driver has no device-side system calls.

use crate::targets::gpu::dialect::Other;

/// A failed assertion ends the kernel without a message, because there is no `printf`.
pub(super) const OTHERS: [Other; 1] = [(
    "__assert_fail",
    "void (ptr, ptr, i32, ptr)",
    "define void @__assert_fail(ptr %text, ptr %file, i32 %line, ptr %function) alwaysinline noreturn nounwind cold {\n  \
     call void @llvm.trap()\n  unreachable\n}\n",
)];
