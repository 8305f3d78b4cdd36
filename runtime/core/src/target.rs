//! Targets of code generation.
//!
//! *Invariant:* a target is a plain value that holds everything code generation depends on, and is
//! hashed whole.

pub mod amdgcn;
pub(crate) mod facts;
mod host;
mod kernel_features;
mod ptx;
pub mod spirv;

pub use self::{
    amdgcn::AmdgcnTarget,
    host::HostTarget,
    kernel_features::{KernelFeature, Support},
    ptx::PtxTarget,
    spirv::SpirvTarget,
};

use self::facts::TargetFacts;
use crate::key::KeyFields;
use serde::{Deserialize, Serialize};
use std::fmt;

/// One row for each kind of target: its variant, and the value that implements [`TargetFacts`].
macro_rules! targets {
    ($($(#[$doc:meta])* $kind:ident($target:ty),)*) => {
        /// A target of code generation.
        #[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
        #[non_exhaustive]
        pub enum Target {
            $($(#[$doc])* $kind($target),)*
        }

        impl Target {
            fn facts(&self) -> &dyn TargetFacts {
                match self {
                    $(Target::$kind(target) => target,)*
                }
            }

            fn facts_mut(&mut self) -> &mut dyn TargetFacts {
                match self {
                    $(Target::$kind(target) => target,)*
                }
            }
        }
    };
}

targets! {
    /// A CPU, for code in the process of the runtime.
    Host(HostTarget),
    /// An NVIDIA GPU, through PTX.
    Ptx(PtxTarget),
    /// An AMD GPU, through AMD code objects.
    Amdgcn(AmdgcnTarget),
    /// A device that accepts SPIR-V.
    Spirv(SpirvTarget),
}

impl Target {
    /// First word of the target string, also part of the tool's name: `llvm-to-<family>-tool`.
    pub fn family(&self) -> &'static str {
        self.facts().family()
    }

    /// Rest of the target string after the family; the family's tool takes it as `--target`.
    pub fn name(&self) -> String {
        self.facts().name()
    }

    /// True if the code has line tables.
    pub fn line_tables(&self) -> bool {
        self.facts().line_tables()
    }

    /// The same target with line tables enabled or disabled.
    pub fn with_line_tables(mut self, line_tables: bool) -> Self {
        self.facts_mut().set_line_tables(line_tables);
        self
    }

    /// True if the code runs in the program's own process, where a debugger steps through it.
    pub fn runs_in_process(&self) -> bool {
        self.facts().runs_in_process()
    }

    /// True if arguments lie in memory from which instructions take operands, so that constants are
    /// better passed by value.
    pub fn has_constant_arguments(&self) -> bool {
        self.facts().has_constant_arguments()
    }

    /// Sub-group size in work-items, if the target determines it.
    pub fn sub_group_size(&self) -> Option<u32> {
        self.facts().sub_group_size()
    }

    /// True if code with this sub-group size can be generated. For SPIR-V, only the driver knows
    /// the sizes of a device.
    pub fn makes_sub_groups_of(&self, size: u32) -> bool {
        self.facts().makes_sub_groups_of(size)
    }

    /// The same device with this sub-group size; `None` if it cannot be requested.
    pub fn with_sub_groups_of(&self, size: u32) -> Option<Self> {
        let mut other = self.clone();
        other.facts_mut().set_sub_group_size(size).then_some(other)
    }

    /// The work-group size, if the device runs such groups as rows of work-items along x. Then
    /// sub-groups follow the linear order of the work-items; a SPIR-V device is free to form them
    /// of work-items along x alone, with smaller ones where that size is not a multiple of theirs.
    pub fn flat_group(&self, group: Option<[u32; 3]>, sub_group: Option<u32>) -> Option<[u32; 3]> {
        let (Target::Spirv(_), Some([x, y, z]), Some(sub_group)) = (self, group, sub_group) else { return None };
        let items = x.checked_mul(y).and_then(|items| items.checked_mul(z))?;
        let is_linear = items == x || x.is_multiple_of(sub_group);
        (items != 0 && !is_linear).then_some([x, y, z])
    }

    /// Version of the emitted PTX; `None` for other targets.
    pub fn ptx_version(&self) -> Option<String> {
        self.facts().ptx_version()
    }

    /// How kernels have a feature.
    pub fn support(&self, feature: KernelFeature) -> Support {
        self.facts().support(feature)
    }

    /// Adds the fields of a key that describe the target.
    pub(crate) fn key_fields(&self, fields: &mut KeyFields) {
        fields.add_text("target", self.family());
        self.facts().key_fields(fields);
    }
}

impl fmt::Display for Target {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.family(), self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{SpirvEnvironment, key::KeyFields};

    fn targets() -> [Target; 4] {
        let [triple, cpu, features] = ["x86_64-unknown-linux-gnu", "znver4", "+avx2"].map(String::from);
        [
            Target::Host(HostTarget { triple, cpu, features, line_tables: false }),
            Target::Ptx(PtxTarget { sm: 90, isa: 85, line_tables: false }),
            Target::Amdgcn("gfx1030".parse().expect("a target")),
            Target::Spirv(SpirvTarget::full(SpirvEnvironment::OpenCl)),
        ]
    }

    fn key(target: &Target) -> KeyFields {
        let mut fields = KeyFields::new();
        target.key_fields(&mut fields);
        fields
    }

    #[test]
    fn a_target_is_called_by_its_family_and_its_name() {
        let texts = targets().map(|target| target.to_string());
        assert_eq!(texts, ["host:znver4", "ptx:sm_90", "amdgpu:gfx1030", "spirv:opencl:1.4"]);
    }

    #[test]
    fn lines_are_part_of_the_key_of_every_target() {
        for target in targets() {
            let with = target.clone().with_line_tables(true);
            assert!(with.line_tables() && !target.line_tables(), "{target}");
            assert_ne!(key(&with), key(&target), "{target}");
            assert_eq!(with.with_line_tables(false), target);
        }
    }

    #[test]
    fn features_are_native_computed_or_missing() {
        let [host, ptx, amdgcn, spirv] = targets();
        for target in [&host, &ptx, &amdgcn, &spirv] {
            assert_eq!(target.support(KernelFeature::Fp64), Support::Native, "{target}");
        }
        assert_eq!(host.support(KernelFeature::Fp16), Support::Computed);
        assert_eq!(ptx.support(KernelFeature::AtomicAddF64), Support::Native);
        assert_eq!(ptx.support(KernelFeature::AtomicMinMaxF32), Support::Computed);
        assert_eq!(amdgcn.support(KernelFeature::AtomicAddF32), Support::Computed);
        let of = |text: &str, feature| Target::Spirv(text.parse().expect("a target")).support(feature);
        let all = KernelFeature::all().map(|feature| of("vulkan:1.5:-all", feature));
        let (computed, missing): (Vec<_>, Vec<_>) = all.partition(|support| *support == Support::Computed);
        assert_eq!((computed.len(), missing.len()), (3, 11));
        assert_eq!(of("vulkan:1.5:-all:+fp64", KernelFeature::AtomicAddF64), Support::Missing);
        for feature in [KernelFeature::LocalInt64Atomics, KernelFeature::LargePrivateMemory] {
            assert_eq!(of("opencl:1.4:-all:+int64-atomics", feature), Support::Native, "{feature}");
            assert_eq!(of("vulkan:1.5:-all:+int64-atomics", feature), Support::Missing, "{feature}");
        }
        assert_eq!(of("vulkan:1.5:-all:+fp64:+int64-atomics", KernelFeature::AtomicAddF64), Support::Computed);
    }

    #[test]
    fn features_have_the_names_of_those_of_spirv() {
        for feature in KernelFeature::all() {
            let target = Target::Spirv(format!("vulkan:1.5:-all:+{feature}").parse().expect("a target"));
            assert_eq!(target.support(feature), Support::Native, "{feature}");
        }
    }

    #[test]
    fn only_processors_with_waves_of_both_sizes_have_others() {
        let other = |text: &str, size| {
            let target = Target::Amdgcn(text.parse().expect("a target"));
            target.with_sub_groups_of(size).map(|other| other.name())
        };
        assert_eq!(other("gfx1030", 64).as_deref(), Some("gfx1030:wavefrontsize64+"));
        assert_eq!(other("gfx90a", 32), None);
        assert_eq!(other("gfx1030", 16), None);
        let [host, ptx, _, spirv] = targets();
        assert_eq!([host, ptx, spirv].map(|target| target.with_sub_groups_of(32)), [None, None, None]);
    }
}
