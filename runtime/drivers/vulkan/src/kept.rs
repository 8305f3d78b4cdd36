//! Keeps the pipelines of a kernel with its SPIR-V.
//!
//! In: a code object, with pipelines of this driver beside it or not, and a function that stores
//! code. Out: the cache that pipelines are made with, stored again when a launch has compiled one.
//! *Invariant:* a driver that exports no more than a header has nothing stored.

use crate::{
    forms::{Forms, HEADER},
    logical::Logical,
};
use ash::vk;
use sinter_core::{CodeFormat, CodeObject};
use sinter_driver::Keep;
use std::{
    sync::{Arc, OnceLock},
    time::Duration,
};

/// Largest data that is stored: each group size and each amount of local memory has a pipeline.
const MOST: usize = 8 << 20;

/// The pipelines of one kernel.
pub(crate) struct Kept {
    logical: Arc<Logical>,
    /// Null if the driver created none; pipelines are compiled without it.
    pub(crate) cache: vk::PipelineCache,
    forms: Arc<Forms>,
    /// The SPIR-V.
    code: CodeObject,
    keep: OnceLock<Keep>,
}

impl Kept {
    /// Takes the pipelines of a code object, if this driver made them.
    pub(crate) fn of(logical: &Arc<Logical>, forms: &Arc<Forms>, code: &CodeObject) -> Self {
        let data = forms.pipelines(code).unwrap_or_default();
        let info = vk::PipelineCacheCreateInfo::default().initial_data(data);
        // SAFETY: the data is empty, or has the header of this device and driver.
        let made = unsafe { logical.device.create_pipeline_cache(&info, None) };
        let bytes = Arc::clone(forms.spirv(code).unwrap_or(&code.bytes));
        let (entry, level) = (code.entry.clone(), code.level);
        let code = CodeObject { format: CodeFormat::Spirv, bytes, entry, assembly: None, level };
        let (logical, forms, keep) = (Arc::clone(logical), Arc::clone(forms), OnceLock::new());
        Kept { logical, cache: made.unwrap_or_default(), forms, code, keep }
    }

    /// Stores what is compiled from now on.
    pub(crate) fn keep_with(&self, keep: Keep) {
        let _ = self.keep.set(keep);
    }

    /// Stores the pipelines, to which one was added that took the driver so long.
    pub(crate) fn store(&self, time: Duration) {
        let Some(keep) = self.keep.get() else { return };
        (keep.spent)(time);
        let data = self.data();
        if data.len() > HEADER
            && data.len() <= MOST
            && self.forms.are_ours(&data)
            && let Ok(code) = self.forms.assembler.assemble(&self.code, |_| Ok(data.into()))
        {
            (keep.store)(&code);
        }
    }

    fn data(&self) -> Vec<u8> {
        if self.cache == vk::PipelineCache::null() {
            return Vec::new();
        }
        // SAFETY: the cache is alive.
        unsafe { self.logical.device.get_pipeline_cache_data(self.cache) }.unwrap_or_default()
    }
}

impl Drop for Kept {
    fn drop(&mut self) {
        if self.logical.is_usable() {
            // SAFETY: no pipeline is made with it any more; null is ignored.
            unsafe { self.logical.device.destroy_pipeline_cache(self.cache, None) };
        }
    }
}
