//! Immediate command lists as streams.
//!
//! In: commands. Out: the same in a list, in order. *Invariant:* no two threads append to one list
//! at the same time ("must not call this function from simultaneous threads with the same command
//! list handle"), and each command of a list begins after the one before it is complete, because
//! the list is in-order or because of a barrier.

use crate::platform::Platform;
use level_zero_sys::{
    Api,
    types::{
        CommandList, CommandListStruct, Context, DeviceStruct, QUEUE_ASYNCHRONOUS, QUEUE_IN_ORDER, QueueDesc, Structure,
    },
};
use sinter_driver_common::{Failure, Handle, lock};
use std::{
    array,
    collections::BTreeSet,
    ptr,
    sync::{
        Arc, Mutex, PoisonError, RwLock,
        atomic::{AtomicBool, Ordering},
    },
};

/// Number of locks that lists share. The handle of a list selects its lock, so that adopted lists
/// need no state in this driver.
const LOCKS: usize = 64;

/// Command lists of a device.
pub(crate) struct Lists {
    pub(crate) platform: Arc<Platform>,
    device: Handle<DeviceStruct>,
    /// Ordinal of the command queue group that runs kernels.
    ordinal: u32,
    locks: [Mutex<()>; LOCKS],
    /// Adopted lists of the program that are not known to be in-order.
    loose: RwLock<BTreeSet<usize>>,
    /// True once `loose` has had an entry; checked before locking it.
    any_loose: AtomicBool,
}

impl Lists {
    pub(crate) fn new(platform: &Arc<Platform>, device: Handle<DeviceStruct>, ordinal: u32) -> Self {
        Lists {
            platform: Arc::clone(platform),
            device,
            ordinal,
            locks: array::from_fn(|_| Mutex::default()),
            loose: RwLock::default(),
            any_loose: AtomicBool::new(false),
        }
    }

    #[inline]
    pub(crate) fn api(&self) -> &Api {
        &self.platform.library.api
    }

    #[inline]
    pub(crate) fn context(&self) -> Context {
        self.platform.context()
    }

    /// The lock of a list. Handles are addresses, so their lowest bits carry no information.
    #[inline]
    fn lock_of(&self, list: CommandList) -> &Mutex<()> {
        let mixed = (list.addr() as u64 >> 4).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        &self.locks[(mixed >> 58) as usize % LOCKS]
    }

    #[inline]
    fn is_loose(&self, list: CommandList) -> bool {
        self.any_loose.load(Ordering::Acquire)
            && self.loose.read().unwrap_or_else(PoisonError::into_inner).contains(&list.addr())
    }

    fn set_loose(&self, list: CommandList, loose: bool) {
        if loose {
            self.loose.write().unwrap_or_else(PoisonError::into_inner).insert(list.addr());
            self.any_loose.store(true, Ordering::Release);
        } else if self.any_loose.load(Ordering::Acquire) {
            self.loose.write().unwrap_or_else(PoisonError::into_inner).remove(&list.addr());
        }
    }

    /// Appends a command to the end of a list.
    ///
    /// # Safety
    /// The list is alive.
    #[inline]
    pub(crate) unsafe fn append(
        &self,
        list: CommandList,
        command: impl FnOnce() -> Result<(), Failure>,
    ) -> Result<(), Failure> {
        let _alone = lock(self.lock_of(list));
        if !self.platform.in_order || self.is_loose(list) {
            // SAFETY: the list is alive; there is nothing to signal or to wait for.
            unsafe { self.api().append_barrier(list, ptr::null_mut(), 0, ptr::null_mut()) }?;
        }
        command()
    }

    /// Creates a list on this device.
    pub(crate) fn create(&self) -> Result<CommandList, Failure> {
        let mut desc = QueueDesc::new();
        (desc.ordinal, desc.mode) = (self.ordinal, QUEUE_ASYNCHRONOUS);
        desc.flags = if self.platform.in_order { QUEUE_IN_ORDER } else { 0 };
        let mut list: *mut CommandListStruct = ptr::null_mut();
        // SAFETY: context and device are alive, and `list` is writable.
        unsafe { self.api().list_create(self.context(), self.device.0, &raw const desc, &raw mut list) }?;
        self.set_loose(list, false);
        Ok(list)
    }

    /// Succeeds if a list is idle. Fails with "not ready" if lists cannot be queried, so that an
    /// event is queried instead.
    pub(crate) unsafe fn query(&self, list: CommandList) -> Result<(), Failure> {
        self.wait_for(list, 0)
            .unwrap_or(Err(Failure { call: "zeCommandListHostSynchronize", code: level_zero_sys::result::NOT_READY }))
    }

    /// Waits for a list for at most `timeout` nanoseconds. `None` if lists cannot be waited for.
    pub(crate) fn wait_for(&self, list: CommandList, timeout: u64) -> Option<Result<(), Failure>> {
        // SAFETY: the caller's list is alive; the function may be called from simultaneous threads.
        if self.platform.in_order { unsafe { self.api().list_synchronize(list, timeout) } } else { None }
    }

    /// True if a list of the program's is an immediate one of this context and device. Properties
    /// that the loader cannot report are the program's responsibility.
    ///
    /// # Safety
    /// The list is alive.
    pub(crate) unsafe fn adopt(&self, list: CommandList) -> Result<bool, Failure> {
        let (mut context, mut device, mut immediate, mut flags) = (ptr::null_mut(), ptr::null_mut(), 1, 0);
        // SAFETY: the list is alive, and `context` is writable.
        let fits = unsafe { self.api().list_context(list, &raw mut context) }.transpose()?;
        if fits.is_some() && context != self.context() {
            return Ok(false);
        }
        // SAFETY: the list is alive, and `device` is writable.
        let fits = unsafe { self.api().list_device(list, &raw mut device) }.transpose()?;
        if fits.is_some() && device != self.device.0 {
            return Ok(false);
        }
        // SAFETY: the list is alive, and `immediate` is writable.
        unsafe { self.api().list_is_immediate(list, &raw mut immediate) }.transpose()?;
        // SAFETY: the list is alive, and `flags` is writable. An older driver does not support the
        // query.
        let known = unsafe { self.api().list_flags(list, &raw mut flags) };
        self.set_loose(list, !(matches!(known, Some(Ok(()))) && flags & QUEUE_IN_ORDER != 0));
        Ok(immediate != 0)
    }
}
