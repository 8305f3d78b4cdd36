//! The trait `Backend`: everything that depends on the target.
//!
//! *Invariant:* the table in `steps/mod.rs` alone has the order of the steps; a backend only
//! implements its part of them. A backend imports no other backend.

use crate::{
    context::Context,
    device_library::DeviceLibrary,
    device_module::{Bound, Checked, DeviceModule, Flavored, Optimised, Simplified},
    failure::{GenerationFailure, Outcome},
};
use sinter_core::{CodeObject, KernelConfig, Target};
use sinter_llvm::{Emit, Machine, Module, ir::Value};

/// The address space of local memory in every image (docs/abi.md).
pub(crate) const LOCAL_SPACE: u32 = 3;

/// Output format of code generation for tools.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// Assembly text.
    Assembly,
    /// A relocatable object file.
    Object,
}

impl From<Format> for Emit {
    fn from(format: Format) -> Self {
        match format {
            Format::Assembly => Emit::Assembly,
            Format::Object => Emit::Object,
        }
    }
}

/// Largest work-group that code for a target can run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct GroupLimits {
    /// Work-items in total.
    pub(crate) items: u32,
    /// Work-items in the third dimension.
    pub(crate) depth: u32,
}

/// A target: its constants and its part of the steps.
pub(crate) trait Backend: Sync {
    /// Limit up to which inlining and unrolling may let a kernel grow, in instructions of all its
    /// functions, weighted as in `sinter_llvm::Module::weight`. Below it LLVM's cost models and the
    /// source's hints decide; calls and loops that would exceed it stay. The limits aim at a
    /// translation within a second for kernels of 5,000 instructions as stage 1 leaves them, the
    /// vendor's assembler included; `docs/benchmarks.md`, "Awkward kernels", lists kernels that
    /// take longer.
    const GROWTH: u64;

    /// Instructions that inlining one collective at all its calls may create; beyond that it stays
    /// a function. The default is for targets whose functions have no work-group.
    const MOST_COPIED: usize = usize::MAX;

    /// True if such a collective is inlined once for each block, where the block's other calls jump
    /// to.
    const JOINS_COLLECTIVES: bool = false;

    /// True if an access that may not be aligned is several instructions.
    const NEEDS_ALIGNMENT: bool = true;

    /// Prefixes of the target's own LLVM intrinsics: `x86` for `llvm.x86.*`. Device code may not
    /// call these.
    const INTRINSICS: &'static [&'static str];

    /// Data layout, CPU and features of the target.
    fn machine(&self, optimise: bool) -> Outcome<Machine>;

    /// The machine with the target's growth limit.
    fn layout(&self, optimise: bool) -> Outcome<Machine> {
        Ok(self.machine(optimise)?.with_limit(Self::GROWTH))
    }

    /// Largest work-group that any device of the target runs; `None` where the backend itself forms
    /// the groups. The limit of a particular device is checked by its driver.
    fn group_limits(&self) -> Option<GroupLimits>;

    /// Advice for a kernel that requires a sub-group size that the target does not have.
    fn other_sub_groups(&self, target: &Target) -> String {
        format!("those of {target} have {}", target.sub_group_size().unwrap_or_default())
    }

    /// Protects constructs that the target needs unchanged from passes that do not know the target.
    /// Runs before any of them.
    fn protect<S>(&self, _: &DeviceModule<'_, S>) {}

    /// Another configuration for a kernel that [`Backend::entry`] does not support with this one.
    fn fallback(&self, _: &KernelConfig) -> Option<KernelConfig> {
        None
    }

    /// Answer to a `__acpp_sscp_jit_reflect_*` query; `None` where the target does not know it.
    fn reflect(&self, query: &str) -> Option<u64>;

    /// True if the target runs exact ranges, so that a kernel needs no bounds check.
    fn runs_exact_ranges(&self) -> bool;

    /// Sets triple, layout and attributes.
    fn flavor<S>(&self, cx: &Context<'_, '_>, m: &DeviceModule<'_, S>);

    /// Replaces operations without an instruction on the target by calls of library functions.
    fn call_libraries(&self, _: &Context<'_, '_>, _: &DeviceModule<'_, Flavored>) -> Outcome<()> {
        Ok(())
    }

    /// Libraries to link: first the device builtins, then the libraries that builtins and kernel
    /// call.
    fn libraries<'r>(&self, cx: &Context<'_, 'r>) -> Vec<DeviceLibrary<'r>>;

    /// Replaces queries of linked libraries about the target by their answers.
    fn answer_libraries<S>(&self, _: &Context<'_, '_>, _: &DeviceModule<'_, S>) -> Outcome<()> {
        Ok(())
    }

    /// True if the backend itself, the C library or the code generator defines this function.
    fn provides(&self, name: &str) -> bool;

    /// Passes `__constant__` variables by value where that is faster: those of
    /// `Facts::readable`, which is empty unless the config permits it.
    fn pass_constants<'s>(&self, _: &Context<'s, '_>, _: &mut DeviceModule<'s, Simplified>) {}

    /// The offset, a multiple of its alignment, at which a constant of this size is passed behind
    /// arguments that end at `end`.
    fn place_constant(&self, end: u64, _size: u64) -> u64 {
        end
    }

    /// Rejects constructs that the target cannot run.
    fn check(&self, cx: &Context<'_, '_>, m: &DeviceModule<'_, Bound>) -> Outcome<()>;

    /// Gives the kernel the signature and calling convention with which the driver launches it.
    fn entry<'s>(&self, cx: &Context<'s, '_>, m: DeviceModule<'s, Checked>) -> Outcome<DeviceModule<'s, Checked>>;

    /// Runs LLVM's optimiser with the target's cost model.
    fn optimise<'s>(&self, cx: &Context<'s, '_>, m: DeviceModule<'s, Checked>) -> Outcome<DeviceModule<'s, Optimised>>;

    /// Generates machine code.
    fn lower(&self, cx: &Context<'_, '_>, m: DeviceModule<'_, Optimised>) -> Outcome<CodeObject>;

    /// Generates assembly or an object file for tools, from a module with one visible function.
    fn generate(&self, cx: &Context<'_, '_>, module: Module<'_>, format: Format) -> Result<Vec<u8>, GenerationFailure>;

    /// Reason why the target has no [`Format::Object`]; `None` where it has.
    fn no_objects(&self) -> Option<&'static str> {
        None
    }
}

/// `file:line` of the first instruction among the users of `value`.
pub(crate) fn first_use(value: Value<'_>) -> Option<String> {
    value.users().into_iter().filter(|user| user.is_instruction()).find_map(Value::location)
}
