//! Drivers whose devices run queues as streams.
//!
//! In: a function that detects a library's devices. Out: the driver. *Invariant:* detection runs at
//! the first request for devices, and only once. Threads that the library starts then take no
//! signals of the program.

use crate::{
    device::{Described, Model, StreamDevice},
    fork::Generation,
};
use sinter_driver::{Device, Driver, DriverError};
use sinter_signals::while_starting_threads;
use std::sync::{Arc, OnceLock};

/// Result of detection.
#[derive(Default)]
pub struct Found<V, M> {
    /// Usable devices.
    pub devices: Vec<Described<V, M>>,
    /// One reason for each device that was left out, or for the lack of any.
    pub left_out: Vec<String>,
}

/// The result of detection, as devices of the driver interface.
struct Devices {
    devices: Vec<Arc<dyn Device>>,
    left_out: Vec<String>,
}

type Find = dyn Fn() -> Devices + Send + Sync;

/// A driver that detects its devices at the first request for them.
pub struct StreamDriver {
    name: &'static str,
    find: Box<Find>,
    devices: OnceLock<Devices>,
}

impl StreamDriver {
    /// A driver whose devices `find` detects.
    pub fn new<M: Model>(name: &'static str, find: impl Fn() -> Found<M::Vendor, M> + Send + Sync + 'static) -> Self {
        StreamDriver { name, find: Box::new(move || devices(&find)), devices: OnceLock::new() }
    }

    fn devices(&self) -> &Devices {
        self.devices.get_or_init(&self.find)
    }
}

fn devices<M: Model>(find: &impl Fn() -> Found<M::Vendor, M>) -> Devices {
    // Taken before the library starts, so that a fork on another thread in the meantime is noticed.
    let generation = Generation::now();
    let Found { devices, left_out } = while_starting_threads(find);
    for reason in &left_out {
        tracing::debug!("left out: {reason}");
    }
    let device = |described| Arc::new(StreamDevice::<M>::new(described, generation)) as Arc<dyn Device>;
    Devices { devices: devices.into_iter().map(device).collect(), left_out }
}

impl Driver for StreamDriver {
    fn name(&self) -> &'static str {
        self.name
    }

    fn devices(&self) -> Result<Vec<Arc<dyn Device>>, DriverError> {
        Ok(self.devices().devices.clone())
    }

    fn absence(&self) -> Option<String> {
        let Devices { devices, left_out } = self.devices();
        devices.is_empty().then(|| left_out.join("; "))
    }
}
