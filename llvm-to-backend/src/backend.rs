//! What distinguishes one target from another.
//!
//! *Invariant:* a backend says how; `translate.rs` alone says when. A backend imports no other backend.

use crate::{
    context::Context,
    device_library::Library,
    device_module::{Checked, DeviceModule, Flavored, Linked, Optimised},
    failure::Outcome,
};
use sinter_core::CodeObject;
use sinter_llvm::{Machine, ir::Value};

/// The address space of local memory in every image (docs/abi.md).
pub(crate) const LOCAL_SPACE: u32 = 3;

/// What a target's code calls directly and where it comes from.
pub(crate) trait Backend: Sync {
    /// Data layout, CPU and features: the machine to compile for.
    fn layout(&self, optimise: bool) -> Outcome<Machine>;

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
    fn libraries<'r>(&self, cx: &Context<'_, 'r>) -> Vec<Library<'r>>;

    /// Answers what linked libraries ask about the target.
    fn answer_libraries<S>(&self, _: &Context<'_, '_>, _: &DeviceModule<'_, S>) -> Outcome<()> {
        Ok(())
    }

    /// Whether the backend itself, the C library or the code generator defines this function.
    fn provides(&self, name: &str) -> bool;

    /// Refuses what the target cannot run.
    fn check(&self, cx: &Context<'_, '_>, m: &DeviceModule<'_, Linked>) -> Outcome<()>;

    /// Gives the kernel the form in which the driver starts it.
    fn entry<'s>(&self, cx: &Context<'s, '_>, m: DeviceModule<'s, Checked>) -> Outcome<DeviceModule<'s, Checked>>;

    /// Runs the optimiser with the target's cost model.
    fn optimise<'s>(&self, cx: &Context<'s, '_>, m: DeviceModule<'s, Checked>) -> Outcome<DeviceModule<'s, Optimised>>;

    /// Generates machine code.
    fn lower(&self, cx: &Context<'_, '_>, m: DeviceModule<'_, Optimised>) -> Outcome<CodeObject>;
}

/// `file:line` of the first instruction among the users of `value`.
pub(crate) fn first_use(value: Value<'_>) -> Option<String> {
    value.users().into_iter().filter(|user| user.is_instruction()).find_map(Value::location)
}
