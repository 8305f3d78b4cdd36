//! The host CPU as a target.

use super::{
    facts::TargetFacts,
    kernel_features::{KernelFeature, Support},
};
use crate::key::KeyFields;
use serde::{Deserialize, Serialize};

/// A CPU and the instruction set to generate code for.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct HostTarget {
    /// LLVM triple, for example `x86_64-unknown-linux-gnu`.
    pub triple: String,
    /// LLVM's name of the CPU, for example `znver4` or `x86-64-v3`.
    pub cpu: String,
    /// LLVM feature string, for example `+avx2,+fma,-avx512f`.
    pub features: String,
    /// True if the code has line tables.
    pub line_tables: bool,
}

impl HostTarget {
    /// The sizes that sub-groups can have.
    pub const SUB_GROUPS: [u32; 6] = [1, 4, 8, 16, 32, 64];
}

impl TargetFacts for HostTarget {
    fn family(&self) -> &'static str {
        "host"
    }

    fn name(&self) -> String {
        self.cpu.clone()
    }

    fn line_tables(&self) -> bool {
        self.line_tables
    }

    fn set_line_tables(&mut self, line_tables: bool) {
        self.line_tables = line_tables;
    }

    /// Kernels run in vectors, in which sub-groups lie; x86 has no atomic operation on
    /// floating-point numbers.
    fn support(&self, feature: KernelFeature) -> Support {
        let has_half = || self.features.split(',').any(|word| word == "+avx512fp16");
        match feature {
            KernelFeature::Fp16 if !has_half() => Support::Computed,
            _ if feature.is_float_atomic() => Support::Computed,
            _ => Support::Native,
        }
    }

    fn sub_group_size(&self) -> Option<u32> {
        Some(1)
    }

    fn makes_sub_groups_of(&self, size: u32) -> bool {
        HostTarget::SUB_GROUPS.contains(&size)
    }

    fn runs_in_process(&self) -> bool {
        true
    }

    fn key_fields(&self, fields: &mut KeyFields) {
        let HostTarget { triple, cpu, features, line_tables } = self;
        fields.add_text("triple", triple);
        fields.add_text("cpu", cpu);
        fields.add_text("features", features);
        fields.add_text("line-tables", &line_tables.to_string());
    }
}
