//! NVIDIA GPUs as targets.

use super::{
    facts::TargetFacts,
    kernel_features::{KernelFeature, Support},
};
use crate::key::KeyFields;
use serde::{Deserialize, Serialize};

/// An NVIDIA GPU, whose driver accepts PTX.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct PtxTarget {
    /// Compute capability times ten: 90 for 9.0.
    pub sm: u32,
    /// PTX ISA version times ten: 85 for 8.5.
    pub isa: u32,
    /// True if the code has line tables.
    pub line_tables: bool,
}

/// Compute capabilities with the first PTX version for each (PTX ISA, "Release Notes"). The last is
/// the newest that LLVM 19 supports; newer GPUs run its PTX.
const PTX_FOR_SM: [(u32, u32); 8] = [(70, 60), (72, 61), (75, 63), (80, 70), (86, 71), (87, 74), (89, 78), (90, 78)];
/// Newest PTX version that LLVM 19 emits.
const NEWEST_PTX: u32 = 85;

impl PtxTarget {
    /// The newest code that a GPU of compute capability `sm` runs with a driver that accepts PTX up
    /// to version `isa`, both times ten. `None` if there is none: the GPU is older than Volta, or
    /// the driver older than the GPU.
    pub fn for_device(sm: u32, isa: u32) -> Option<Self> {
        let isa = isa.min(NEWEST_PTX);
        let usable = PTX_FOR_SM.iter().rev().find(|(known, needs)| *known <= sm && *needs <= isa);
        usable.map(|(sm, _)| PtxTarget { sm: *sm, isa, line_tables: false })
    }
}

impl TargetFacts for PtxTarget {
    fn family(&self) -> &'static str {
        "ptx"
    }

    fn name(&self) -> String {
        format!("sm_{}", self.sm)
    }

    fn line_tables(&self) -> bool {
        self.line_tables
    }

    fn has_constant_arguments(&self) -> bool {
        true
    }

    fn set_line_tables(&mut self, line_tables: bool) {
        self.line_tables = line_tables;
    }

    /// PTX has no atomic minimum or maximum of floating-point numbers.
    fn support(&self, feature: KernelFeature) -> Support {
        match feature {
            KernelFeature::AtomicMinMaxF32 | KernelFeature::AtomicMinMaxF64 => Support::Computed,
            _ => Support::Native,
        }
    }

    fn sub_group_size(&self) -> Option<u32> {
        Some(32)
    }

    fn ptx_version(&self) -> Option<String> {
        Some(format!("{}.{}", self.isa / 10, self.isa % 10))
    }

    fn key_fields(&self, fields: &mut KeyFields) {
        let PtxTarget { sm, isa, line_tables } = self;
        fields.add_text("sm", &sm.to_string());
        fields.add_text("isa", &isa.to_string());
        fields.add_text("line-tables", &line_tables.to_string());
    }
}

#[cfg(test)]
mod tests {
    use super::PtxTarget;

    #[test]
    fn ptx_is_what_gpu_driver_and_llvm_share() {
        let chosen = |sm, isa| PtxTarget::for_device(sm, isa).map(|target| (target.sm, target.isa));
        assert_eq!(chosen(90, 90), Some((90, 85)));
        assert_eq!(chosen(120, 90), Some((90, 85)));
        assert_eq!(chosen(90, 71), Some((86, 71)));
        assert_eq!(chosen(87, 71), Some((86, 71)));
        assert_eq!(chosen(80, 80), Some((80, 80)));
        assert_eq!(chosen(61, 80), None);
        assert_eq!(chosen(70, 50), None);
    }
}
