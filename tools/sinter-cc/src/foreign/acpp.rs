//! Flags of acpp, the driver of AdaptiveCpp.
//!
//! Out: rows. *Invariant:* the table has every flag that `doc/using-acpp.md` of AdaptiveCpp
//! documents. Flags of older releases, `--hipsycl-` and `--opensycl-`, are renamed to `--acpp-`
//! before the lookup.

use super::flag::{
    AT_RUN_TIME,
    Does::{Always, Becomes, Drop, Refuse, Set},
    Flag, PARALLEL_STL,
    Shape::{Alone, Joined},
};
use crate::flags::Flags;

const OTHER_FLOWS: &str = "there is one way to compile, for all devices";
const OWN_TOOLS: &str = "sinter-cc finds its compiler, and needs no toolkit of a vendor";
const PCUDA: &str = "sources in CUDA are compiled without it: `.cu`, `-x cuda`, or under the name nvcc";

pub(super) const TABLE: &[Flag] = &[
    Flag("--acpp-targets=", Joined, Drop(AT_RUN_TIME)),
    Flag("--acpp-platform=", Joined, Drop(AT_RUN_TIME)),
    Flag("--acpp-gpu-arch=", Joined, Drop(AT_RUN_TIME)),
    Flag("--acpp-platform-info", Alone, Drop("`sinter-info` lists the devices")),
    Flag("--acpp-clang=", Joined, Drop(OWN_TOOLS)),
    Flag("--acpp-clang-include-path=", Joined, Drop(OWN_TOOLS)),
    Flag("--acpp-nvcxx=", Joined, Drop(OWN_TOOLS)),
    Flag("--acpp-cpu-cxx=", Joined, Drop(OWN_TOOLS)),
    Flag("--acpp-cuda-path=", Joined, Drop(OWN_TOOLS)),
    Flag("--acpp-rocm-path=", Joined, Drop(OWN_TOOLS)),
    Flag("--acpp-config-file-dir=", Joined, Drop(OWN_TOOLS)),
    Flag("--acpp-sequential-link-line=", Joined, Drop(OTHER_FLOWS)),
    Flag("--acpp-sequential-cxx-flags=", Joined, Drop(OTHER_FLOWS)),
    Flag("--acpp-omp-link-line=", Joined, Drop(OTHER_FLOWS)),
    Flag("--acpp-omp-cxx-flags=", Joined, Drop(OTHER_FLOWS)),
    Flag("--acpp-rocm-link-line=", Joined, Drop(OTHER_FLOWS)),
    Flag("--acpp-rocm-cxx-flags=", Joined, Drop(OTHER_FLOWS)),
    Flag("--acpp-cuda-link-line=", Joined, Drop(OTHER_FLOWS)),
    Flag("--acpp-cuda-cxx-flags=", Joined, Drop(OTHER_FLOWS)),
    Flag("--acpp-explicit-multipass", Alone, Drop(OTHER_FLOWS)),
    Flag("--acpp-use-accelerated-cpu", Alone, Always),
    Flag("--acpp-dryrun", Alone, Set(|flags| flags.dry_run = true, "`--sinter-dry-run`")),
    Flag("--acpp-save-temps", Alone, Becomes(&["-save-temps=obj"])),
    Flag("--acpp-version", Alone, Becomes(&["--version"])),
    Flag(
        "--acpp-export-all",
        Alone,
        Drop("functions marked `SYCL_EXTERNAL` can be called from other files; a link names those that are missing"),
    ),
    Flag("--acpp-stdpar", Alone, PARALLEL_STL),
    Flag("--acpp-stdpar-system-usm", Alone, Set(Flags::leave_allocations, "`--stdpar-interpose-alloc=never`")),
    Flag("--acpp-stdpar-unconditional-offload", Alone, Drop("all algorithms run as kernels that can")),
    Flag("--acpp-stdpar-prefetch-mode=", Joined, Drop("the runtime says itself what is copied ahead")),
    Flag("--acpp-pcuda", Alone, Refuse(PCUDA)),
    Flag("--acpp-pcuda-chevron-launch", Alone, Refuse(PCUDA)),
];
