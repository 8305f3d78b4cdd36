//! NVIDIA GPUs.
//!
//! In: a kernel for one work-item. Out: PTX with one `.entry`, for NVIDIA's driver or `ptxas`.
//! *Invariant:* the parameters of the entry lie where `EntryInfo` says; the only external
//! references are `vprintf` and `__assertfail`, which the driver defines.

mod approximate;
mod atomics;
mod builtins;
mod c_library;
mod check;
mod constants;
mod entry;
mod exchange_loops;
mod flavor;
mod initial_values;
mod intrinsics;
mod layout;
mod local_memory;
mod lower;
mod math;
mod narrow_integers;
mod null_pointers;
mod optimise;
mod print;
mod private_memory;
mod queries;
mod signed_indices;
mod trap;
mod vector_copies;
mod vector_masks;

use self::math::DIALECT;
use super::gpu;
use crate::{
    backend::{Backend, Format, GroupLimits},
    context::Context,
    device_library::DeviceLibrary,
    device_module::{Bound, Checked, DeviceModule, Flavored, Optimised, Simplified},
    failure::{GenerationFailure, Outcome},
};
use sinter_core::{CodeObject, PtxTarget};
use sinter_kernels::slices;
use sinter_llvm::{Machine, Module};

/// Maximum work-items of a work-group in the third dimension (CUDA C++ Programming Guide,
/// "Technical Specifications per Compute Capability").
const LARGEST_DEPTH: u32 = 64;

/// The backend for one NVIDIA GPU target.
#[derive(Debug)]
pub(crate) struct Ptx<'t> {
    target: &'t PtxTarget,
}

impl<'t> Ptx<'t> {
    pub(crate) fn new(target: &'t PtxTarget) -> Self {
        Ptx { target }
    }
}

impl Backend for Ptx<'_> {
    /// `ptxas` takes as much time as LLVM, and more for large basic blocks.
    const GROWTH: u64 = 4_000;
    /// The copies of some eighty reductions; a call costs a tenth of one. They are counted before
    /// the operation, an argument, is known, which leaves a tenth of each.
    const MOST_COPIED: usize = 50_000;
    const INTRINSICS: &'static [&'static str] = &["nvvm"];

    fn machine(&self, optimise: bool) -> Outcome<Machine> {
        layout::machine(self.target, optimise)
    }

    fn group_limits(&self) -> Option<GroupLimits> {
        Some(GroupLimits { items: gpu::LARGEST_GROUP, depth: LARGEST_DEPTH })
    }

    fn protect<S>(&self, m: &DeviceModule<'_, S>) {
        gpu::loops::join_latches(m);
    }

    fn reflect(&self, query: &str) -> Option<u64> {
        builtins::reflect(self.target, query)
    }

    fn runs_exact_ranges(&self) -> bool {
        false
    }

    fn flavor<S>(&self, cx: &Context<'_, '_>, m: &DeviceModule<'_, S>) {
        flavor::flavor(cx, m);
    }

    fn call_libraries(&self, cx: &Context<'_, '_>, m: &DeviceModule<'_, Flavored>) -> Outcome<()> {
        gpu::check::address_spaces(cx, m)?;
        print::lower(cx, m)?;
        gpu::call_libraries(cx, &DIALECT, m)
    }

    fn libraries<'r>(&self, cx: &Context<'_, 'r>) -> Vec<DeviceLibrary<'r>> {
        let (prefix, instead) = (math::NAMING.prefix, &slices::PTX_MATH);
        let given = cx.request.libraries.first();
        let given = given.map(|library| DeviceLibrary::Vendor { bytes: &library.bytes, prefix, instead });
        vec![DeviceLibrary::Slices(&slices::PTX_BUILTINS), given.unwrap_or(DeviceLibrary::Slices(&slices::PTX_MATH))]
    }

    fn answer_libraries<S>(&self, cx: &Context<'_, '_>, m: &DeviceModule<'_, S>) -> Outcome<()> {
        queries::answer(cx, self.target, m)
    }

    fn provides(&self, name: &str) -> bool {
        builtins::is_provided(name)
    }

    fn pass_constants<'s>(&self, cx: &Context<'s, '_>, m: &mut DeviceModule<'s, Simplified>) {
        constants::pass(cx, m);
    }

    fn place_constant(&self, end: u64, size: u64) -> u64 {
        constants::place(self.target, end, size)
    }

    fn check(&self, cx: &Context<'_, '_>, m: &DeviceModule<'_, Bound>) -> Outcome<()> {
        check::check(cx, self.target, m)
    }

    fn entry<'s>(&self, cx: &Context<'s, '_>, m: DeviceModule<'s, Checked>) -> Outcome<DeviceModule<'s, Checked>> {
        trap::report(cx, &m)?;
        entry::entry(cx, m)
    }

    fn optimise<'s>(&self, cx: &Context<'s, '_>, m: DeviceModule<'s, Checked>) -> Outcome<DeviceModule<'s, Optimised>> {
        let m = optimise::optimise(self, cx, m)?;
        intrinsics::copy_between_spaces(&m);
        check::check_again(cx, &m)?;
        let m = local_memory::place(cx, self.target, m)?;
        initial_values::lower(cx, &m)?;
        Ok(m)
    }

    fn lower(&self, cx: &Context<'_, '_>, m: DeviceModule<'_, Optimised>) -> Outcome<CodeObject> {
        lower::lower(cx, self.target, m)
    }

    fn generate(&self, cx: &Context<'_, '_>, module: Module<'_>, _: Format) -> Result<Vec<u8>, GenerationFailure> {
        Ok(lower::text(cx.session, cx.machine, self.target, module)?)
    }

    fn no_objects(&self) -> Option<&'static str> {
        Some("an NVIDIA GPU has no relocatable objects; ask for the assembly, or let ptxas make a cubin of it")
    }
}
