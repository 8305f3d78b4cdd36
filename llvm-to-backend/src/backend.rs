//! What distinguishes one target from another.
//!
//! *Invariant:* a backend says how; the table in `steps/mod.rs` alone says when. A backend imports no other backend.

use crate::{
    context::Context,
    device_library::DeviceLibrary,
    device_module::{Bound, Checked, DeviceModule, Flavored, Optimised},
    failure::{GenerationFailure, Outcome},
};
use sinter_core::{CodeObject, Target};
use sinter_llvm::{Emit, Machine, Module, ir::Value};

/// The address space of local memory in every image (docs/abi.md).
pub(crate) const LOCAL_SPACE: u32 = 3;

/// A form of generated code that tools ask for.
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

/// The largest work-group that code for a target runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct GroupLimits {
    /// Work-items in all.
    pub(crate) items: u32,
    /// Work-items along the third dimension.
    pub(crate) depth: u32,
}

/// A target: its facts, and how it takes part in the steps.
pub(crate) trait Backend: Sync {
    /// How far inlining and unrolling may let a kernel grow, in instructions of all its functions, weighed as
    /// `sinter_llvm::Module::weight` does. Below its limit a kernel is inlined and unrolled as LLVM's cost models and the source
    /// say; calls and loops that would exceed it stay. The limits aim at a translation within a second for kernels of 5,000
    /// instructions as stage 1 leaves them, the vendor's assembler included; `docs/benchmarks.md`, "Awkward kernels", lists what
    /// takes longer.
    const GROWTH: u64;

    /// The families of LLVM's intrinsics that belong to the target's instruction sets: `x86` of `llvm.x86.*`. Device code has none.
    const INTRINSICS: &'static [&'static str];

    /// Data layout, CPU and features: the machine to compile for.
    fn machine(&self, optimise: bool) -> Outcome<Machine>;

    /// The same with the target's limit.
    fn layout(&self, optimise: bool) -> Outcome<Machine> {
        Ok(self.machine(optimise)?.with_limit(Self::GROWTH))
    }

    /// The largest work-group that any device of the target runs; `None` where the backend forms the groups itself. The limit of
    /// one device is its driver's to check.
    fn group_limits(&self) -> Option<GroupLimits>;

    /// The remedy where a kernel requires sub-groups of a size that the target does not have.
    fn other_sub_groups(&self, target: &Target) -> String {
        format!("those of {target} have {}", target.sub_group_size().unwrap_or_default())
    }

    /// Keeps what the target needs as it stands from passes that do not know the target. Runs before any of them.
    fn protect<S>(&self, _: &DeviceModule<'_, S>) {}

    /// The answer to a `__acpp_sscp_jit_reflect_*` query; `None` where the target does not know it.
    fn reflect(&self, query: &str) -> Option<u64>;

    /// Whether the target runs exactly the items of a range, so that a kernel needs no bounds check.
    fn ragged_groups(&self) -> bool;

    /// Sets triple, layout and attributes.
    fn flavor<S>(&self, cx: &Context<'_, '_>, m: &DeviceModule<'_, S>);

    /// Replaces what the target has no instruction for by calls of functions that the libraries define.
    fn call_libraries(&self, _: &Context<'_, '_>, _: &DeviceModule<'_, Flavored>) -> Outcome<()> {
        Ok(())
    }

    /// The definitions of the device builtins, then those of what the builtins and the kernel call besides.
    fn libraries<'r>(&self, cx: &Context<'_, 'r>) -> Vec<DeviceLibrary<'r>>;

    /// Answers what linked libraries ask about the target.
    fn answer_libraries<S>(&self, _: &Context<'_, '_>, _: &DeviceModule<'_, S>) -> Outcome<()> {
        Ok(())
    }

    /// Whether the backend itself, the C library or the code generator defines this function.
    fn provides(&self, name: &str) -> bool;

    /// Refuses what the target cannot run.
    fn check(&self, cx: &Context<'_, '_>, m: &DeviceModule<'_, Bound>) -> Outcome<()>;

    /// Gives the kernel the form in which the driver starts it.
    fn entry<'s>(&self, cx: &Context<'s, '_>, m: DeviceModule<'s, Checked>) -> Outcome<DeviceModule<'s, Checked>>;

    /// Runs the optimiser with the target's cost model.
    fn optimise<'s>(&self, cx: &Context<'s, '_>, m: DeviceModule<'s, Checked>) -> Outcome<DeviceModule<'s, Optimised>>;

    /// Generates machine code.
    fn lower(&self, cx: &Context<'_, '_>, m: DeviceModule<'_, Optimised>) -> Outcome<CodeObject>;

    /// The same in a form for tools, from a module with one visible function.
    fn generate(&self, cx: &Context<'_, '_>, module: Module<'_>, format: Format) -> Result<Vec<u8>, GenerationFailure>;

    /// Why the target has no [`Format::Object`]; `None` where it has.
    fn no_objects(&self) -> Option<&'static str> {
        None
    }
}

/// `file:line` of the first instruction among the users of `value`.
pub(crate) fn first_use(value: Value<'_>) -> Option<String> {
    value.users().into_iter().filter(|user| user.is_instruction()).find_map(Value::location)
}
