//! Kernels that streams can launch.
//!
//! In: loaded code and its properties in the library. Out: everything that a launch needs.
//! *Invariant:* all queries happen when the kernel is loaded, so that a launch makes none; the code
//! stays loaded until no stream can run it.

use crate::{
    context::Context,
    group_size::{self, GroupSizeRules, Preferred, choose},
    launch::KernelLimits,
    metered::Metered,
    module::Module,
    resources::Resources,
    vendor::{Handle, Vendor},
};
use sinter_core::EntryInfo;
use sinter_driver::{DriverError, Keep, Kernel, NativeKind, Usage, meter::Meter};
use sinter_dylib::Failure;
use std::{
    any::Any,
    ffi::c_void,
    sync::{
        Arc,
        atomic::{AtomicU32, Ordering},
    },
};

/// A function of loaded code with its properties.
pub struct Loaded<V: Vendor> {
    /// The module that contains the function; unloaded after the last use.
    pub module: Module<V>,
    /// Native handle of the function.
    pub function: Handle<V::Function>,
    /// Largest group and local memory of a launch.
    pub limits: KernelLimits,
    /// Part of the entry's declared local memory, in bytes, that the code allocates statically,
    /// regardless of the launch.
    pub fixed_local_memory: u32,
}

/// Code that stays loaded until no stream can run it.
struct Resident<V: Vendor> {
    module: Option<Module<V>>,
    resources: Arc<Resources<V>>,
}

impl<V: Vendor> Drop for Resident<V> {
    fn drop(&mut self) {
        if let Some(module) = self.module.take() {
            self.resources.retire(module);
        }
    }
}

/// A loaded kernel of a stream device.
pub struct LoadedKernel<V: Vendor> {
    entry: EntryInfo,
    pub(crate) context: Arc<Context<V>>,
    pub(crate) function: Handle<V::Function>,
    pub(crate) limits: KernelLimits,
    /// Bytes of the argument buffer that the library reads.
    pub(crate) argument_size: usize,
    pub(crate) fixed_local_memory: u32,
    /// Number of the kernel in its context; see [`Context::number_kernel`].
    pub(crate) number: u32,
    /// Bytes of local memory that a launch may use before [`LoadedKernel::grant`] has to raise the
    /// limit.
    granted: AtomicU32,
    preferred_group: Preferred,
    /// Times the launches.
    pub(crate) metered: Option<Metered<V>>,
    code: Arc<Resident<V>>,
}

impl<V: Vendor> LoadedKernel<V> {
    /// Loads the kernel of an entry, with the usual group sizes. The context is current.
    pub fn new(
        resources: &Arc<Resources<V>>,
        entry: &EntryInfo,
        loaded: Loaded<V>,
        rules: &GroupSizeRules,
    ) -> Result<Self, DriverError> {
        let Loaded { module, function, limits, fixed_local_memory } = loaded;
        let context = Arc::clone(&resources.context);
        let kernel = LoadedKernel {
            entry: entry.clone(),
            function,
            limits,
            argument_size: V::argument_size(entry),
            fixed_local_memory,
            number: context.number_kernel(&entry.symbol),
            granted: AtomicU32::new(context.limits.local_memory),
            preferred_group: Preferred::usual(rules, limits.group),
            metered: None,
            code: Arc::new(Resident { module: Some(module), resources: Arc::clone(resources) }),
            context,
        };
        let granted = kernel.grant(entry.local_memory.min(limits.local_memory));
        granted.map_err(|failure| kernel.context.report(failure))?;
        Ok(kernel)
    }

    /// Prefers the groups that keep the most work-items resident on a multiprocessor. `groups`
    /// returns how many groups of a size fit on one.
    pub fn filling(mut self, rules: &GroupSizeRules, groups: impl Fn(u32) -> u32) -> Self {
        self.preferred_group = Preferred::new(rules, self.limits.group, groups);
        self
    }

    /// Allows launches with this much local memory, in bytes. The context is current. The library
    /// has to be called once for sizes beyond what every kernel may use.
    #[inline]
    pub(crate) fn grant(&self, local_memory: u32) -> Result<(), Failure> {
        if local_memory <= self.granted.load(Ordering::Relaxed) { Ok(()) } else { self.grant_all() }
    }

    #[cold]
    fn grant_all(&self) -> Result<(), Failure> {
        let most = self.limits.local_memory;
        // SAFETY: the function is loaded.
        unsafe { self.context.api.allow_local_memory(self.function.0, most) }?;
        self.granted.store(most, Ordering::Relaxed);
        Ok(())
    }

    /// The library's proposal, unless it is smaller than a sub-group: a proposal may have to divide
    /// the range, and some ranges are divisible by tiny groups only.
    fn proposed(&self, global: [u64; 3], ours: [u32; 3]) -> Option<[u32; 3]> {
        let items = |group: [u32; 3]| group.into_iter().map(u64::from).product::<u64>();
        let enough = items(ours).min(self.preferred_group.sub_group().into());
        self.context.ready().ok()?;
        // SAFETY: the function is loaded.
        let proposed = unsafe { self.context.api.propose_group(self.function.0, global) };
        proposed.filter(|group| (enough..=self.limits.group.into()).contains(&items(*group)))
    }
}

impl<V: Vendor> Kernel for LoadedKernel<V> {
    #[inline]
    fn entry(&self) -> &EntryInfo {
        &self.entry
    }

    fn choose_group_size(&self, global: [u64; 3]) -> Option<[u32; 3]> {
        let ours = choose(global, self.preferred_group, self.limits.group, &self.context.limits);
        self.proposed(global, ours).or(Some(ours))
    }

    fn group_sizes(&self, global: [u64; 3]) -> Vec<[u32; 3]> {
        if V::EVENTS_HAVE_TIMES {
            group_size::others(global, self.limits.group, &self.context.limits)
        } else {
            Vec::new()
        }
    }

    fn native(&self, kind: NativeKind) -> Option<*mut c_void> {
        let (api, module) = (&self.context.api, self.code.module.as_ref()?);
        match kind {
            // SAFETY: the module is loaded.
            NativeKind::Module => Some(unsafe { api.native_module(module.handle.0) }),
            // SAFETY: the function is loaded.
            NativeKind::Function => Some(unsafe { api.native_function(self.function.0) }),
            _ => self.context.native(kind),
        }
    }

    fn usage(&self) -> Usage {
        let current = self.context.enter().ok();
        // SAFETY: the function is loaded, and its context current.
        let found = current.and_then(|_current| unsafe { self.context.api.usage(self.function.0) });
        let (registers, private_memory) = found.unzip();
        Usage { registers, private_memory, work_group: Some(self.limits.group) }
    }

    fn metered(&self, meter: &Arc<Meter>) -> Option<Arc<dyn Kernel>> {
        if !V::EVENTS_HAVE_TIMES {
            return None;
        }
        let granted = AtomicU32::new(self.granted.load(Ordering::Relaxed));
        Some(Arc::new(LoadedKernel {
            entry: self.entry.clone(),
            context: Arc::clone(&self.context),
            granted,
            metered: Some(Metered::new(meter)),
            code: Arc::clone(&self.code),
            ..*self
        }))
    }

    fn note_times(&self) {
        if let (Some(metered), Ok(_current)) = (&self.metered, self.context.enter()) {
            metered.note();
        }
    }

    fn keep_with(&self, make: &dyn Fn() -> Keep) {
        // SAFETY: the function is loaded.
        unsafe { self.context.api.keep_with(self.function.0, make) };
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}
