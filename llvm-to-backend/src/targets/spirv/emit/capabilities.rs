//! Collects the capabilities and extensions of a module.
//!
//! In: the instructions of the module. Out: capabilities and extensions that it declares, or an
//! error with the first place that uses a feature that the device lacks. *Invariant:* declarations
//! follow from the instructions used, never from the features of the device.
//!
//! Capabilities are those of the grammar of SPIR-V ("Capability", 3.31). If an instruction needs
//! one of several, one that is already declared suffices; otherwise the first of the list that is
//! not for graphics is declared.

use crate::{context::Context, failure::Outcome};
use rspirv::{
    dr::{Instruction, Operand},
    spirv::{Capability, Op},
};
use sinter_core::{SpirvEnvironment, SpirvFeature, SpirvTarget};
use std::collections::BTreeMap;

/// Requirements of a capability.
struct Row {
    capability: Capability,
    feature: Option<SpirvFeature>,
    /// The extension that defines the capability, and the SPIR-V version, times ten, that includes
    /// it without an extension; 0 for none.
    extension: &'static str,
    included: u32,
    /// The construct that needs it, for error messages.
    what: &'static str,
}

const fn row(
    capability: Capability,
    feature: SpirvFeature,
    extension: &'static str,
    included: u32,
    what: &'static str,
) -> Row {
    Row { capability, feature: Some(feature), extension, included, what }
}

/// Capabilities that not every compute device has.
const ROWS: [Row; 22] = [
    row(Capability::Float16, SpirvFeature::Fp16, "", 10, "half precision"),
    row(Capability::Float64, SpirvFeature::Fp64, "", 10, "double precision"),
    row(Capability::GenericPointer, SpirvFeature::Generic, "", 10, "a pointer that may lead to any memory"),
    row(Capability::Int64Atomics, SpirvFeature::Int64Atomics, "", 10, "an atomic operation on 64 bits"),
    row(
        Capability::AtomicFloat32AddEXT,
        SpirvFeature::AtomicAddF32,
        "SPV_EXT_shader_atomic_float_add",
        0,
        "an atomic addition of `float`",
    ),
    row(
        Capability::AtomicFloat64AddEXT,
        SpirvFeature::AtomicAddF64,
        "SPV_EXT_shader_atomic_float_add",
        0,
        "an atomic addition of `double`",
    ),
    row(
        Capability::AtomicFloat32MinMaxEXT,
        SpirvFeature::AtomicMinMaxF32,
        "SPV_EXT_shader_atomic_float_min_max",
        0,
        "an atomic minimum or maximum of `float`",
    ),
    row(
        Capability::AtomicFloat64MinMaxEXT,
        SpirvFeature::AtomicMinMaxF64,
        "SPV_EXT_shader_atomic_float_min_max",
        0,
        "an atomic minimum or maximum of `double`",
    ),
    row(Capability::SubgroupDispatch, SpirvFeature::SubGroups, "", 11, "a sub-group"),
    row(Capability::GroupNonUniform, SpirvFeature::SubGroupVote, "", 13, "a sub-group"),
    row(Capability::GroupNonUniformVote, SpirvFeature::SubGroupVote, "", 13, "a vote of a sub-group"),
    row(
        Capability::GroupNonUniformArithmetic,
        SpirvFeature::SubGroupArithmetic,
        "",
        13,
        "a reduction or scan over a sub-group",
    ),
    row(Capability::GroupNonUniformBallot, SpirvFeature::SubGroupVote, "", 13, "a ballot of a sub-group"),
    row(Capability::GroupNonUniformShuffle, SpirvFeature::SubGroupShuffle, "", 13, "a value of another item"),
    row(
        Capability::GroupNonUniformShuffleRelative,
        SpirvFeature::SubGroupShuffleRelative,
        "",
        13,
        "a value of an item before or behind",
    ),
    row(
        Capability::GroupUniformArithmeticKHR,
        SpirvFeature::UniformGroupArithmetic,
        "SPV_KHR_uniform_group_instructions",
        0,
        "a reduction or scan over a group",
    ),
    row(
        Capability::DenormFlushToZero,
        SpirvFeature::FloatControls,
        "SPV_KHR_float_controls",
        14,
        "subnormal numbers that are zero",
    ),
    row(Capability::DenormPreserve, SpirvFeature::Subnormals, "SPV_KHR_float_controls", 14, "subnormal numbers"),
    row(
        Capability::RoundingModeRTE,
        SpirvFeature::RoundToNearest,
        "SPV_KHR_float_controls",
        14,
        "rounding to the nearest number",
    ),
    row(Capability::ExpectAssumeKHR, SpirvFeature::ExpectAssume, "SPV_KHR_expect_assume", 0, "an assumption"),
    row(Capability::BitInstructions, SpirvFeature::BitInstructions, "SPV_KHR_bit_instructions", 0, "reversed bits"),
    row(Capability::ShaderClockKHR, SpirvFeature::ShaderClock, "SPV_KHR_shader_clock", 0, "a clock"),
];

/// Capabilities of shaders that every device has that is used: those without a row.
const SHADERS: [Capability; 12] = [
    Capability::Shader,
    Capability::Int8,
    Capability::Int16,
    Capability::Int64,
    Capability::StorageBuffer8BitAccess,
    Capability::StorageBuffer16BitAccess,
    Capability::PhysicalStorageBufferAddresses,
    Capability::VulkanMemoryModel,
    Capability::VulkanMemoryModelDeviceScope,
    // These follow from sub-groups, and from control over floating-point numbers.
    Capability::GroupNonUniform,
    Capability::GroupNonUniformBallot,
    Capability::SignedZeroInfNanPreserve,
];

/// Capability of shaders, which compute devices need not have. It also brings the rules of
/// structured control flow.
const GRAPHICS: Capability = Capability::Shader;

/// Remedy for capabilities that the optimiser may make unnecessary.
const OPTIMISE: &str =
    "translate with optimisation, which finds out where most pointers lead, or choose another device";

/// Capabilities, each with the source location of its first use, if it has one.
#[derive(Debug, Default)]
pub(super) struct Needs {
    capabilities: BTreeMap<Capability, Option<String>>,
    /// Source location of the instruction that is being emitted.
    pub(super) place: Option<String>,
}

impl Needs {
    pub(super) fn add(&mut self, capability: Capability) {
        let place = self.capabilities.entry(capability).or_default();
        if place.is_none() {
            place.clone_from(&self.place);
        }
    }

    pub(super) fn of_instruction(&mut self, instruction: &Instruction) {
        let own = instruction.class.capabilities;
        // These depend on the type, so the emitter declares their capability.
        if !matches!(instruction.class.opcode, Op::AtomicFAddEXT | Op::AtomicFMinEXT | Op::AtomicFMaxEXT) {
            self.one_of(own);
        }
        for operand in &instruction.operands {
            match operand {
                Operand::Capability(_) | Operand::LiteralString(_) | Operand::IdRef(_) => {}
                operand => self.one_of(&operand.required_capabilities()),
            }
        }
    }

    /// Declares one of several, preferring compute capabilities: those of graphics come first in
    /// many lists.
    fn one_of(&mut self, several: &[Capability]) {
        if several.iter().any(|capability| self.capabilities.contains_key(capability)) {
            return;
        }
        let known = several.iter().find(|capability| ROWS.iter().any(|row| row.capability == **capability));
        let plain = several.iter().find(|capability| **capability != GRAPHICS);
        if let Some(chosen) = known.or(plain).or(several.first()) {
            self.add(*chosen);
        }
    }

    pub(super) fn capabilities(&self) -> impl Iterator<Item = Capability> + use<> {
        self.capabilities.keys().copied().collect::<Vec<_>>().into_iter()
    }

    pub(super) fn extensions(&self, version: u32) -> Vec<&'static str> {
        let rows = ROWS.iter().filter(|row| self.capabilities.contains_key(&row.capability));
        let needed = rows.filter(|row| !row.extension.is_empty() && (row.included == 0 || row.included > version));
        let mut names: Vec<_> = needed.map(|row| row.extension).collect();
        names.sort_unstable();
        names.dedup();
        names
    }

    /// True if a capability was declared.
    pub(super) fn has(&self, capability: Capability) -> bool {
        self.capabilities.contains_key(&capability)
    }

    /// Refuses capabilities of kernels, which shaders lack.
    fn check_shader(&self, cx: &Context<'_, '_>) -> Outcome<()> {
        let is_known = |capability: &Capability| {
            let in_rows = ROWS.iter().any(|row| row.capability == *capability);
            in_rows && *capability != Capability::SubgroupDispatch || SHADERS.contains(capability)
        };
        match self.capabilities.iter().find(|(capability, _)| !is_known(capability)) {
            Some((capability, place)) => {
                let what = format!("an instruction of the capability {capability:?}");
                Err(cx.unsupported(what, place.clone(), "Vulkan has none of it; use OpenCL or Level Zero").into())
            }
            None => Ok(()),
        }
    }

    /// Refuses capabilities that the device lacks.
    pub(super) fn check(&self, cx: &Context<'_, '_>, target: &SpirvTarget) -> Outcome<()> {
        if target.environment == SpirvEnvironment::Vulkan {
            self.check_shader(cx)?;
        }
        for row in ROWS.iter() {
            let (Some(place), Some(feature)) = (self.capabilities.get(&row.capability), row.feature) else { continue };
            let feature = match row.capability {
                Capability::GroupNonUniform | Capability::GroupNonUniformBallot
                    if target.environment == SpirvEnvironment::Vulkan =>
                {
                    SpirvFeature::SubGroups
                }
                _ => feature,
            };
            if !target.has(feature) {
                let (name, capability) = (feature.name(), row.capability);
                let remedy = match capability {
                    Capability::GenericPointer if !cx.optimise() => OPTIMISE,
                    _ => "choose another device",
                };
                let hint = format!("the device lacks `{name}` (capability {capability:?}); {remedy}");
                return Err(cx.unsupported(row.what, place.clone(), &hint).into());
            }
            if row.extension.is_empty() && row.included > target.version {
                let hint =
                    format!("it needs SPIR-V 1.{}, and the target says 1.{}", row.included % 10, target.version % 10);
                return Err(cx.unsupported(row.what, place.clone(), &hint).into());
            }
        }
        Ok(())
    }
}
