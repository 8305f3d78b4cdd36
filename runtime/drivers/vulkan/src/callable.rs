//! A kernel that can be launched.
//!
//! In: a module and what its launches need. Out: pipelines for the group sizes and sizes of local
//! memory that are launched, data of their cache, and submissions that run them. *Invariant:* a
//! pipeline is made once for each of these, and lives as long as the kernel; a launch beyond the
//! limits of a dispatch is several dispatches of one submission.

use crate::{failure::called, kept::Kept, logical::Logical, status::Status, stream::Stream};
use ash::vk;
use sinter_core::{
    EntryInfo,
    spirv::push_constants::{GROUP_SIZE, LIMIT, LOCAL_WORDS, Layout, layout, local_words},
};
use sinter_driver::Keep;
use sinter_driver_common::{Failure, Geometry, lock};
use std::{
    collections::BTreeMap,
    ffi::CString,
    slice,
    sync::{Arc, Mutex},
    time::{Duration, Instant},
};

/// Group size and words of local memory.
type Variant = [u32; 4];

/// The parts of an entry's record that a launch needs.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Needs {
    pub(crate) argument_size: u32,
    /// Words of local memory, unless a launch sets them.
    pub(crate) fixed_words: Option<u32>,
    /// The sub-group size that the kernel requires.
    pub(crate) sub_group: Option<u32>,
}

impl Needs {
    /// Those of an entry that requires no sub-group size.
    pub(crate) fn of(entry: &EntryInfo) -> Self {
        let fixed_words = (!entry.takes_local_memory).then(|| local_words(entry, 0));
        Needs { argument_size: entry.argument_size, fixed_words, sub_group: None }
    }
}

/// A kernel.
pub(crate) struct Callable {
    logical: Arc<Logical>,
    pub(crate) module: vk::ShaderModule,
    layout: vk::PipelineLayout,
    name: CString,
    constants: Layout,
    pub(crate) needs: Needs,
    /// Pipelines that were stored, or are to be.
    kept: Option<Kept>,
    pub(crate) status: Arc<Status>,
    pipelines: Mutex<BTreeMap<Variant, vk::Pipeline>>,
}

fn create_module(logical: &Logical, code: &[u8]) -> Result<vk::ShaderModule, Failure> {
    let words: Vec<u32> = code.chunks_exact(4).map(|b| u32::from_le_bytes([b[0], b[1], b[2], b[3]])).collect();
    let info = vk::ShaderModuleCreateInfo::default().code(&words);
    // SAFETY: the code was checked to be whole.
    called("vkCreateShaderModule", unsafe { logical.device.create_shader_module(&info, None) })
}

fn create_layout(logical: &Logical, constants: &Layout) -> Result<vk::PipelineLayout, Failure> {
    let range = [vk::PushConstantRange::default().stage_flags(vk::ShaderStageFlags::COMPUTE).size(constants.size)];
    let info = vk::PipelineLayoutCreateInfo::default().push_constant_ranges(&range);
    // SAFETY: the range is within what every device has.
    called("vkCreatePipelineLayout", unsafe { logical.device.create_pipeline_layout(&info, None) })
}

impl Callable {
    /// Creates a module with one entry point, which has this name.
    pub(crate) fn create(
        logical: &Arc<Logical>,
        needs: Needs,
        code: &[u8],
        name: CString,
        status: Arc<Status>,
        kept: Option<Kept>,
    ) -> Result<Self, Failure> {
        let constants = layout(needs.argument_size);
        let mut callable = Callable {
            logical: Arc::clone(logical),
            module: create_module(logical, code)?,
            layout: vk::PipelineLayout::null(),
            name,
            constants,
            needs,
            kept,
            status,
            pipelines: Mutex::default(),
        };
        callable.layout = create_layout(logical, &constants)?;
        Ok(callable)
    }

    /// Stores the pipelines that launches compile from now on.
    pub(crate) fn keep_with(&self, make: &dyn Fn() -> Keep) {
        if let Some(kept) = &self.kept {
            kept.keep_with(make());
        }
    }

    /// Words of local memory in a launch with so many bytes.
    fn words(&self, local_memory: u32) -> u32 {
        self.needs.fixed_words.unwrap_or_else(|| local_memory.div_ceil(4).max(1))
    }

    /// The pipeline of a variant that was launched, for the program.
    pub(crate) fn any_pipeline(&self) -> vk::Pipeline {
        lock(&self.pipelines).values().next().copied().unwrap_or_default()
    }

    fn pipeline(&self, variant: Variant) -> Result<vk::Pipeline, Failure> {
        let mut pipelines = lock(&self.pipelines);
        if let Some(pipeline) = pipelines.get(&variant) {
            return Ok(*pipeline);
        }
        let (pipeline, compiled) = self.compile(variant)?;
        pipelines.insert(variant, pipeline);
        drop(pipelines);
        if let (Some(kept), Some(time)) = (&self.kept, compiled) {
            kept.store(time);
        }
        Ok(pipeline)
    }

    /// A pipeline, and the time in the driver's compiler unless it was among those that were kept.
    fn compile(&self, variant: Variant) -> Result<(vk::Pipeline, Option<Duration>), Failure> {
        let ids = GROUP_SIZE.into_iter().chain([LOCAL_WORDS]);
        let place =
            |(index, id): (u32, u32)| vk::SpecializationMapEntry { constant_id: id, offset: index * 4, size: 4 };
        let (entries, data): (Vec<_>, _) =
            ((0..).zip(ids).map(place).collect(), variant.map(u32::to_ne_bytes).concat());
        let constants = vk::SpecializationInfo::default().map_entries(&entries).data(&data);
        let mut size = vk::PipelineShaderStageRequiredSubgroupSizeCreateInfo::default();
        let mut stage = vk::PipelineShaderStageCreateInfo::default()
            .stage(vk::ShaderStageFlags::COMPUTE)
            .module(self.module)
            .name(&self.name)
            .specialization_info(&constants);
        if let Some(sub_group) = self.needs.sub_group {
            size = size.required_subgroup_size(sub_group);
            if variant[0].is_multiple_of(sub_group) {
                stage = stage.flags(vk::PipelineShaderStageCreateFlags::REQUIRE_FULL_SUBGROUPS);
            }
            stage = stage.push_next(&mut size);
        }
        let mut feedback = vk::PipelineCreationFeedback::default();
        let mut wanted = vk::PipelineCreationFeedbackCreateInfo::default().pipeline_creation_feedback(&mut feedback);
        let info = [vk::ComputePipelineCreateInfo::default().stage(stage).layout(self.layout).push_next(&mut wanted)];
        let cache = self.kept.as_ref().map(|kept| kept.cache).unwrap_or_default();
        let start = Instant::now();
        // SAFETY: module, layout and cache are alive; the specialization has the constants of the
        // agreement.
        let made = unsafe { self.logical.device.create_compute_pipelines(cache, &info, None) };
        let made = called("vkCreateComputePipelines", made.map_err(|(_, error)| error))?;
        let was_kept = feedback.flags.contains(vk::PipelineCreationFeedbackFlags::APPLICATION_PIPELINE_CACHE_HIT);
        // A driver need not say how long it took.
        let is_valid = feedback.flags.contains(vk::PipelineCreationFeedbackFlags::VALID);
        let time = if is_valid { Duration::from_nanos(feedback.duration) } else { start.elapsed() };
        tracing::debug!(kernel = ?self.name, ?variant, was_kept, ?time, flags = ?feedback.flags, "pipeline");
        Ok((made[0], (!was_kept).then_some(time)))
    }

    /// The push constants, but for the first group, of a launch whose arguments are themselves in
    /// the constants, or are at an address.
    fn constants(&self, arguments: &[u8], address: u64, grid: [u32; 3]) -> [u8; LIMIT as usize] {
        let mut bytes = [0; LIMIT as usize];
        if self.constants.takes_buffer {
            bytes[..8].copy_from_slice(&address.to_ne_bytes());
        } else {
            bytes[..arguments.len()].copy_from_slice(arguments);
        }
        let status = self.constants.status as usize;
        bytes[status..status + 8].copy_from_slice(&self.status.address().to_ne_bytes());
        put(&mut bytes, self.constants.groups, grid);
        bytes
    }

    /// Launches the kernel with a buffer of arguments, which is copied.
    ///
    /// # Safety
    /// The geometry was checked, and the buffer has the layout of the entry.
    pub(crate) unsafe fn launch(
        &self,
        stream: &Stream,
        geometry: &Geometry,
        arguments: *const u8,
    ) -> Result<(), Failure> {
        let Geometry { grid, group: [x, y, z], local_memory } = *geometry;
        let pipeline = self.pipeline([x, y, z, self.words(local_memory)])?;
        // SAFETY: upheld by the caller.
        let arguments = unsafe { slice::from_raw_parts(arguments, self.needs.argument_size as usize) };
        let most = self.logical.chosen.dispatch;
        let turn = self.status.turn();
        let passed = if self.constants.takes_buffer { arguments } else { &[] };
        stream.launch(passed, |device, commands, address| {
            let mut bytes = self.constants(arguments, address, grid);
            // SAFETY: the command buffer is being recorded, and the pipeline lives until the stream
            // has passed the launch.
            unsafe { device.cmd_bind_pipeline(commands, vk::PipelineBindPoint::COMPUTE, pipeline) };
            for (first, count) in pieces(grid, most) {
                put(&mut bytes, self.constants.first_group, first);
                let used = &bytes[..self.constants.size as usize];
                // SAFETY: as above; the counts are within the limits of the device.
                unsafe {
                    device.cmd_push_constants(commands, self.layout, vk::ShaderStageFlags::COMPUTE, 0, used);
                    device.cmd_dispatch(commands, count[0], count[1], count[2]);
                }
            }
        })?;
        if let Some(turn) = turn {
            stream.timeline.wait_for(stream.flush()?, u64::MAX)?;
            self.status.print(&turn);
        }
        Ok(())
    }
}

/// Writes three words.
fn put(bytes: &mut [u8], offset: u32, words: [u32; 3]) {
    let offset = offset as usize;
    bytes[offset..offset + 12].copy_from_slice(words.map(u32::to_ne_bytes).as_flattened());
}

/// Starts and lengths of the parts of a range.
fn parts(length: u32, most: u32) -> impl Iterator<Item = (u32, u32)> + Clone {
    (0..length).step_by(most.max(1) as usize).map(move |start| (start, most.max(1).min(length - start)))
}

/// The dispatches of a launch: first group and number of groups.
fn pieces(grid: [u32; 3], most: [u32; 3]) -> impl Iterator<Item = ([u32; 3], [u32; 3])> {
    let [x, y, z] = [0, 1, 2].map(|dimension| parts(grid[dimension], most[dimension]));
    z.flat_map(move |z| {
        let x = x.clone();
        y.clone().flat_map(move |y| x.clone().map(move |x| ([x.0, y.0, z.0], [x.1, y.1, z.1])))
    })
}

impl Drop for Callable {
    fn drop(&mut self) {
        if !self.logical.is_usable() {
            return;
        }
        let (device, pipelines) = (&self.logical.device, std::mem::take(&mut *lock(&self.pipelines)));
        // SAFETY: no stream runs the code any more; null handles are ignored.
        unsafe {
            pipelines.into_values().for_each(|pipeline| device.destroy_pipeline(pipeline, None));
            device.destroy_pipeline_layout(self.layout, None);
            device.destroy_shader_module(self.module, None);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_launch_is_one_dispatch_if_it_fits() {
        let found: Vec<_> = pieces([7, 1, 65_535], [65_535; 3]).collect();
        assert_eq!(found, [([0; 3], [7, 1, 65_535])]);
    }

    #[test]
    fn dispatches_cover_the_grid_once() {
        let mut groups = vec![0; 5 * 7 * 4];
        for (first, count) in pieces([5, 7, 4], [2, 3, 4]) {
            assert!(count[0] <= 2 && count[1] <= 3 && count[2] <= 4);
            for z in first[2]..first[2] + count[2] {
                for y in first[1]..first[1] + count[1] {
                    (first[0]..first[0] + count[0]).for_each(|x| groups[((z * 7 + y) * 5 + x) as usize] += 1);
                }
            }
        }
        assert!(groups.iter().all(|count| *count == 1), "{groups:?}");
    }
}
