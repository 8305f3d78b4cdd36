//! Drivers of devices whose queues are streams.
//!
//! In: a function that finds a library's devices. Out: the driver. *Invariant:* nothing is looked
//! for before somebody asks for devices, and then once.

use crate::{
    device::{Described, Model, StreamDevice},
    fork::Generation,
};
use sinter_driver::{Device, Driver, DriverError};
use std::sync::{Arc, OnceLock};

/// The devices that were found.
#[derive(Default)]
pub struct Found<V, M> {
    /// Those that can be used.
    pub devices: Vec<Described<V, M>>,
    /// Why there is no device, or not each.
    pub left_out: Vec<String>,
}

/// The same, as devices.
struct Devices {
    devices: Vec<Arc<dyn Device>>,
    left_out: Vec<String>,
}

type Find = dyn Fn() -> Devices + Send + Sync;

/// A driver that finds its devices when it is first asked for them.
pub struct StreamDriver {
    name: &'static str,
    find: Box<Find>,
    devices: OnceLock<Devices>,
}

impl StreamDriver {
    /// A driver of this name, for the devices that `find` finds.
    pub fn new<M: Model>(name: &'static str, find: impl Fn() -> Found<M::Vendor, M> + Send + Sync + 'static) -> Self {
        StreamDriver { name, find: Box::new(move || devices(&find)), devices: OnceLock::new() }
    }

    fn devices(&self) -> &Devices {
        self.devices.get_or_init(&self.find)
    }
}

fn devices<M: Model>(find: &impl Fn() -> Found<M::Vendor, M>) -> Devices {
    // Before the library starts, so that a fork of another thread while it does is noticed.
    let generation = Generation::now();
    let Found { devices, left_out } = find();
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
