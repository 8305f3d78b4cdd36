//! The forms of code that a device loads: SPIR-V, alone or with compiled pipelines.
//!
//! In: a code object. Out: its SPIR-V, and the pipelines beside it that this device's driver made.
//! *Invariant:* data reaches the driver only if its header names this device and this version of
//! its driver; any other data is ignored, and pipelines are compiled from the SPIR-V.
#![forbid(unsafe_code)]

use crate::chosen::PipelineId;
use ash::vk;
use sinter_core::{CodeFormat, CodeObject, SpirvTarget};
use sinter_driver::DeviceInfo;
use sinter_driver_common::Assembler;
use std::{fmt::Write as _, sync::Arc};

/// Size of the header of the data, which is all that some drivers export.
pub(crate) const HEADER: usize = 16 + vk::UUID_SIZE;

/// The forms of one device's code.
pub(crate) struct Forms {
    pub(crate) assembler: Assembler,
    pub(crate) target: SpirvTarget,
    id: PipelineId,
}

impl Forms {
    pub(crate) fn new(info: &DeviceInfo, id: PipelineId, target: &SpirvTarget) -> Self {
        let DeviceInfo { name, driver_version, vendor, .. } = info;
        let mut name = format!("vulkan {driver_version} {vendor} {name} ");
        // Writing to a string cannot fail.
        id.uuid.iter().for_each(|byte| _ = write!(name, "{byte:02x}"));
        let assembler = Assembler { name, source: CodeFormat::Spirv, machine: CodeFormat::VulkanPipelines };
        Forms { assembler, target: target.clone(), id }
    }

    /// The SPIR-V of a code object.
    pub(crate) fn spirv<'a>(&self, code: &'a CodeObject) -> Option<&'a Arc<[u8]>> {
        self.assembler.source_of(code)
    }

    /// The pipelines of a code object, if this driver made them.
    pub(crate) fn pipelines<'a>(&self, code: &'a CodeObject) -> Option<&'a [u8]> {
        let is_ours = code.format == CodeFormat::VulkanPipelines && self.are_ours(&code.bytes);
        is_ours.then_some(&*code.bytes)
    }

    /// True for data of pipelines that this driver made.
    pub(crate) fn are_ours(&self, data: &[u8]) -> bool {
        is_for(data, self.id)
    }
}

/// True for data of pipelines whose header names a device and its driver, as the little-endian
/// VkPipelineCacheHeaderVersionOne does.
fn is_for(data: &[u8], id: PipelineId) -> bool {
    let word = |at: usize| data.get(at..at + 4).map(|b| u32::from_le_bytes([b[0], b[1], b[2], b[3]]));
    let version = vk::PipelineCacheHeaderVersion::ONE.as_raw().cast_unsigned();
    data.len() > HEADER
        && word(0).is_some_and(|size| (HEADER..=data.len()).contains(&(size as usize)))
        && [word(4), word(8), word(12)] == [Some(version), Some(id.vendor), Some(id.device)]
        && data.get(16..HEADER) == Some(&id.uuid[..])
}

#[cfg(test)]
mod tests {
    use super::*;

    const ID: PipelineId = PipelineId { vendor: 0x10de, device: 7, uuid: [3; 16] };

    fn data(id: PipelineId) -> Vec<u8> {
        let words = [HEADER as u32, 1, id.vendor, id.device].map(u32::to_le_bytes);
        [words.as_flattened(), &id.uuid, b"code"].concat()
    }

    #[test]
    fn only_data_of_this_driver_is_used() {
        assert!(is_for(&data(ID), ID));
        for other in
            [PipelineId { vendor: 0x1002, ..ID }, PipelineId { device: 8, ..ID }, PipelineId { uuid: [4; 16], ..ID }]
        {
            assert!(!is_for(&data(other), ID), "{other:?}");
        }
    }

    #[test]
    fn damaged_data_is_not_used() {
        let whole = data(ID);
        for length in 0..=HEADER {
            assert!(!is_for(&whole[..length], ID), "{length} bytes");
        }
        for byte in 0..HEADER {
            let mut damaged = whole.clone();
            damaged[byte] ^= 0x80;
            assert!(!is_for(&damaged, ID), "byte {byte}");
        }
    }

    #[test]
    fn a_driver_and_its_version_are_part_of_the_name() {
        let target = SpirvTarget::full(sinter_core::SpirvEnvironment::Vulkan);
        let name = |id| Forms::new(&info(), id, &target).assembler.name;
        assert_ne!(name(ID), name(PipelineId { uuid: [4; 16], ..ID }));
        assert!(name(ID).ends_with(&"03".repeat(16)), "{}", name(ID));
    }

    fn info() -> DeviceInfo {
        DeviceInfo {
            name: "a device".to_owned(),
            vendor: "a vendor".to_owned(),
            vendor_id: ID.vendor,
            driver: "vulkan",
            driver_version: "1".to_owned(),
            kind: sinter_driver::DeviceKind::Gpu,
            compute_units: 1,
            max_work_group_size: 1,
            max_work_item_sizes: [1; 3],
            global_memory: 1,
            local_memory: 1,
            max_allocation: 1,
            clock_mhz: 0,
            cache_line: 0,
            sub_group_sizes: vec![32],
            features: sinter_driver::DeviceFeatures(0),
        }
    }
}
