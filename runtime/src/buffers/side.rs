//! The part of a device that buffers use: memory, and a queue for transfers.
//!
//! *Invariant:* it knows the driver's device only, so that the runtime's list of devices can hold
//! one for each.
#![forbid(unsafe_code)]

use super::pool::Pool;
use crate::error::RuntimeError;
use sinter_driver::{Device, Queue};
use std::sync::{
    Arc, Mutex, PoisonError,
    atomic::{AtomicBool, Ordering},
};

/// Memory of buffers of one device.
#[derive(Default)]
pub(crate) struct DeviceSide {
    pub(super) pool: Pool,
    pub(super) keeps_copies: AtomicBool,
    service: Mutex<Option<Arc<dyn Queue>>>,
}

impl DeviceSide {
    /// Gives buffers a copy of their own on this device, also if it can use the host's.
    pub(crate) fn keep_copies(&self) {
        self.keeps_copies.store(true, Ordering::Relaxed);
    }

    /// The queue for transfers from the device to the host; made by the first one.
    pub(crate) fn service(&self, device: &dyn Device) -> Result<Arc<dyn Queue>, RuntimeError> {
        let mut service = self.service.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(queue) = &*service {
            return Ok(Arc::clone(queue));
        }
        let queue = device.create_queue()?;
        Ok(Arc::clone(service.insert(queue)))
    }
}
