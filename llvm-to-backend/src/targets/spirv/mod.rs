//! Devices that accept SPIR-V.
//!
//! In: a kernel for one work-item. Out: a SPIR-V module with one kernel, for the drivers of OpenCL
//! and Level Zero. *Invariant:* the parameters of the kernel are those of `EntryInfo`, in that
//! order, followed by the dynamic local memory if it is used; the module imports nothing but
//! OpenCL's extended instructions.
//!
//! LLVM 19 is built without a SPIR-V target on most systems, and its optimiser needs none: it runs
//! with the cost model of a GPU whose address spaces have the same numbers. The result is legalised
//! (`legal`) and emitted by Sinter's own emitter (`emit`).

mod argument_block;
mod arrivals;
mod builtins;
mod c_library;
mod check;
mod emit;
mod entry;
mod flavor;
mod friendly;
mod layout;
mod legal;
mod limits;
mod local_memory;
mod lower;
mod math;
mod optimise;
mod print;
mod queries;
mod ranges;
mod short_floats;
mod trap;

pub use self::friendly::{FriendlyError, friendly};
pub use self::legal::standalone::legalised;

use self::math::DIALECT;
use super::gpu;
use crate::{
    backend::{Backend, Format, GroupLimits},
    context::Context,
    device_library::DeviceLibrary,
    device_module::{Bound, Checked, DeviceModule, Flavored, Optimised},
    failure::{GenerationFailure, Outcome},
};
use sinter_core::{CodeObject, SpirvEnvironment, SpirvTarget, Target};
use sinter_kernels::slices;
use sinter_llvm::{Machine, Module};

/// The backend for one SPIR-V target.
#[derive(Debug)]
pub(crate) struct Spirv<'t> {
    target: &'t SpirvTarget,
}

impl<'t> Spirv<'t> {
    pub(crate) fn new(target: &'t SpirvTarget) -> Self {
        Spirv { target }
    }

    /// True if the device has no functions that are as accurate as OpenCL's.
    fn lacks_functions(&self) -> bool {
        self.target.environment == SpirvEnvironment::Vulkan
    }
}

impl Backend for Spirv<'_> {
    /// The device's driver compiles the module again.
    const GROWTH: u64 = 4_000;
    const INTRINSICS: &'static [&'static str] = &["spv"];

    fn machine(&self, optimise: bool) -> Outcome<Machine> {
        layout::machine(optimise)
    }

    fn group_limits(&self) -> Option<GroupLimits> {
        Some(GroupLimits { items: gpu::LARGEST_GROUP, depth: gpu::LARGEST_GROUP })
    }

    fn other_sub_groups(&self, _: &Target) -> String {
        "the device cannot be asked for a size (feature `sub-group-size`); choose another device".to_owned()
    }

    fn protect<S>(&self, m: &DeviceModule<'_, S>) {
        print::protect(m);
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
        gpu::call_libraries(cx, &DIALECT, m)?;
        print::protect(m);
        Ok(())
    }

    fn libraries<'r>(&self, _: &Context<'_, 'r>) -> Vec<DeviceLibrary<'r>> {
        let own = DeviceLibrary::Slices(&slices::SPIRV_BUILTINS);
        let functions = self.lacks_functions().then_some(DeviceLibrary::Slices(&slices::VULKAN_MATH));
        [own].into_iter().chain(functions).collect()
    }

    fn answer_libraries<S>(&self, cx: &Context<'_, '_>, m: &DeviceModule<'_, S>) -> Outcome<()> {
        print::protect(m);
        ranges::state(cx, m);
        queries::answer(cx, self.target, m)
    }

    fn provides(&self, name: &str) -> bool {
        let is_linked = self.lacks_functions() && slices::VULKAN_MATH.slice(name).is_some();
        builtins::is_provided(name) && !is_linked
    }

    fn check(&self, cx: &Context<'_, '_>, m: &DeviceModule<'_, Bound>) -> Outcome<()> {
        check::check(cx, m)
    }

    fn entry<'s>(&self, cx: &Context<'s, '_>, m: DeviceModule<'s, Checked>) -> Outcome<DeviceModule<'s, Checked>> {
        trap::report(cx, &m);
        let m = local_memory::place(cx, m)?;
        let m = entry::entry(cx, m)?;
        arrivals::count(cx, m)
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
        Ok(lower::code(cx, self.target, module, format)?)
    }
}
