//! The host CPU.
//!
//! In: a kernel for one work-item. Out: a relocatable ELF object whose entry runs a range of
//! work-groups (`sinter_core::host_abi`). *Invariant:* the only external references are functions
//! of libc and libm.

mod builtins;
mod by_value;
mod check;
mod divisions;
mod flavor;
mod fuse;
mod layout;
mod local_memory;
mod loops;
mod lower;
mod native;
mod optimise;
mod parallel;
mod quick;
mod roots;
mod trap;
mod vector;
mod waits;
mod work_items;

pub use self::native::{check_target, native_target};

use crate::{
    backend::{Backend, Format, GroupLimits},
    context::Context,
    device_library::DeviceLibrary,
    device_module::{Bound, Checked, DeviceModule, Optimised},
    failure::{GenerationFailure, Outcome},
};
use sinter_core::{CodeObject, HostTarget, KernelConfig, SubGroupSize};
use sinter_kernels::slices;
use sinter_llvm::{Machine, Module};

/// The backend for a host CPU target.
#[derive(Debug)]
pub(crate) struct Host<'t> {
    target: &'t HostTarget,
}

impl<'t> Host<'t> {
    pub(crate) fn new(target: &'t HostTarget) -> Self {
        Host { target }
    }
}

impl Backend for Host<'_> {
    /// Splitting at barriers and vectorising multiply the code of a kernel, but the code generator
    /// is the fastest of all targets.
    const GROWTH: u64 = 8_000;
    /// Some hundred reductions, each with a barrier at which the kernel is split.
    const MOST_COPIED: usize = 8_000;
    const JOINS_COLLECTIVES: bool = true;
    const NEEDS_ALIGNMENT: bool = false;
    const INTRINSICS: &'static [&'static str] = &["x86", "aarch64", "arm", "ppc", "riscv"];

    fn machine(&self, optimise: bool) -> Outcome<Machine> {
        layout::machine(self.target, optimise)
    }

    fn group_limits(&self) -> Option<GroupLimits> {
        None
    }

    /// Sub-groups of one work-item, for a kernel that cannot run in rows and requires no size.
    fn fallback(&self, config: &KernelConfig) -> Option<KernelConfig> {
        let has_choice = config.sub_group_size.is_none() && config.default_sub_group_size != SubGroupSize::ONE;
        has_choice.then(|| KernelConfig { default_sub_group_size: SubGroupSize::ONE, ..config.clone() })
    }

    fn reflect(&self, query: &str) -> Option<u64> {
        builtins::reflect(query)
    }

    fn runs_exact_ranges(&self) -> bool {
        true
    }

    fn flavor<S>(&self, cx: &Context<'_, '_>, m: &DeviceModule<'_, S>) {
        flavor::flavor(cx, self.target, m);
    }

    fn libraries<'r>(&self, cx: &Context<'_, 'r>) -> Vec<DeviceLibrary<'r>> {
        let rows = vector::of_sub_groups(cx).and_then(slices::host_rows).map(DeviceLibrary::Slices);
        rows.into_iter().chain([DeviceLibrary::Whole(sinter_kernels::HOST_BUILTINS)]).collect()
    }

    fn provides(&self, name: &str) -> bool {
        builtins::is_answered(name) || builtins::is_of_library(name)
    }

    fn check(&self, cx: &Context<'_, '_>, m: &DeviceModule<'_, Bound>) -> Outcome<()> {
        check::check(cx, m)
    }

    fn entry<'s>(&self, cx: &Context<'s, '_>, m: DeviceModule<'s, Checked>) -> Outcome<DeviceModule<'s, Checked>> {
        trap::report(cx, &m)?;
        work_items::entry(cx, self.target, m)
    }

    fn optimise<'s>(&self, cx: &Context<'s, '_>, m: DeviceModule<'s, Checked>) -> Outcome<DeviceModule<'s, Optimised>> {
        optimise::optimise(cx, m)
    }

    fn lower(&self, cx: &Context<'_, '_>, m: DeviceModule<'_, Optimised>) -> Outcome<CodeObject> {
        lower::lower(cx, m)
    }

    fn generate(&self, cx: &Context<'_, '_>, module: Module<'_>, format: Format) -> Result<Vec<u8>, GenerationFailure> {
        lower::code(cx, self.target, &module, format)
    }
}
