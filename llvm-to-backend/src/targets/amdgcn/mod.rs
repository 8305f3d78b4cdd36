//! AMD GPUs.
//!
//! In: a kernel for one work-item. Out: a code object with one kernel, for AMD's drivers.
//! *Invariant:* the explicit kernel arguments lie where `EntryInfo` says; the code object has no
//! external references.

mod approximate;
mod atomics;
mod builtins;
mod c_library;
mod casts;
mod check;
mod dpp;
mod entry;
mod flavor;
mod intrinsics;
mod layout;
mod local_memory;
mod lower;
mod math;
mod optimise;
mod queries;
mod scopes;
mod short_pointers;

use self::math::DIALECT;
use super::gpu;
use crate::{
    backend::{Backend, Format, GroupLimits},
    context::Context,
    device_library::DeviceLibrary,
    device_module::{Bound, Checked, DeviceModule, Flavored, Optimised},
    failure::{GenerationFailure, Outcome},
};
use sinter_core::{AmdgcnTarget, CodeObject};
use sinter_kernels::slices;
use sinter_llvm::{Machine, Module};

/// The backend for one AMD GPU target.
#[derive(Debug)]
pub(crate) struct Amdgcn<'t> {
    target: &'t AmdgcnTarget,
}

impl<'t> Amdgcn<'t> {
    pub(crate) fn new(target: &'t AmdgcnTarget) -> Self {
        Amdgcn { target }
    }
}

impl Backend for Amdgcn<'_> {
    /// LLVM's register allocator is slower for these GPUs than for any other target.
    const GROWTH: u64 = 4_000;
    const INTRINSICS: &'static [&'static str] = &["amdgcn", "r600"];

    fn machine(&self, optimise: bool) -> Outcome<Machine> {
        layout::machine(self.target, optimise)
    }

    fn group_limits(&self) -> Option<GroupLimits> {
        Some(GroupLimits { items: gpu::LARGEST_GROUP, depth: gpu::LARGEST_GROUP })
    }

    fn reflect(&self, query: &str) -> Option<u64> {
        builtins::reflect(self.target, query)
    }

    fn runs_exact_ranges(&self) -> bool {
        false
    }

    fn flavor<S>(&self, cx: &Context<'_, '_>, m: &DeviceModule<'_, S>) {
        flavor::flavor(cx, self.target, m);
    }

    fn call_libraries(&self, cx: &Context<'_, '_>, m: &DeviceModule<'_, Flavored>) -> Outcome<()> {
        gpu::check::address_spaces(cx, m)?;
        approximate::allow(cx, m);
        gpu::call_libraries(cx, &DIALECT, m)
    }

    fn libraries<'r>(&self, cx: &Context<'_, 'r>) -> Vec<DeviceLibrary<'r>> {
        let given = cx.request.libraries.iter();
        let (prefix, instead) = (math::NAMING.prefix, &slices::AMDGCN_MATH);
        let given = given.map(|library| DeviceLibrary::Vendor { bytes: &library.bytes, prefix, instead });
        let own = cx.request.libraries.is_empty().then_some(DeviceLibrary::Slices(&slices::AMDGCN_MATH));
        [DeviceLibrary::Slices(&slices::AMDGCN_BUILTINS)].into_iter().chain(given).chain(own).collect()
    }

    fn answer_libraries<S>(&self, cx: &Context<'_, '_>, m: &DeviceModule<'_, S>) -> Outcome<()> {
        queries::answer(cx, self.target, m)
    }

    fn provides(&self, name: &str) -> bool {
        builtins::is_provided(name)
    }

    fn check(&self, cx: &Context<'_, '_>, m: &DeviceModule<'_, Bound>) -> Outcome<()> {
        check::check(cx, self.target, m)
    }

    fn entry<'s>(&self, cx: &Context<'s, '_>, m: DeviceModule<'s, Checked>) -> Outcome<DeviceModule<'s, Checked>> {
        let m = scopes::rename(cx, m)?;
        local_memory::place(cx, &m)?;
        entry::entry(cx, m)
    }

    fn optimise<'s>(&self, cx: &Context<'s, '_>, m: DeviceModule<'s, Checked>) -> Outcome<DeviceModule<'s, Optimised>> {
        let m = optimise::optimise(self, self.target, cx, m)?;
        check::check_again(cx, &m)?;
        Ok(m)
    }

    fn lower(&self, cx: &Context<'_, '_>, m: DeviceModule<'_, Optimised>) -> Outcome<CodeObject> {
        lower::lower(cx, self.target, m)
    }

    fn generate(&self, cx: &Context<'_, '_>, module: Module<'_>, format: Format) -> Result<Vec<u8>, GenerationFailure> {
        Ok(lower::emit(cx.session, cx.machine, self.target, module, format.into())?)
    }
}
