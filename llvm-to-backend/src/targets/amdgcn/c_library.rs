//! The functions of the C library that are made in another way than on other GPUs.
//!
//! *Invariant:* AMD's library takes pointers to private memory only, so what writes through a pointer is not called there.

use crate::targets::gpu::dialect::{Function, Other};

pub(super) const FUNCTIONS: [Function; 1] = [("frexp", "ttp", FREXP)];

const FREXP: &str = "\
  %s = call { {t}, i32 } @llvm.frexp.{s}.i32({t} %a)
  %m = extractvalue { {t}, i32 } %s, 0
  %e = extractvalue { {t}, i32 } %s, 1
  store i32 %e, ptr %b
  ret {t} %m";

/// A failed assertion ends the kernel; there is nothing that could print its text.
pub(super) const OTHERS: [Other; 1] = [(
    "__assert_fail",
    "void (ptr, ptr, i32, ptr)",
    "define void @__assert_fail(ptr %text, ptr %file, i32 %line, ptr %function) alwaysinline noreturn nounwind cold {\n  \
     call void @llvm.trap()\n  unreachable\n}\n",
)];
