//! The first device of a driver.

use sinter_driver::{Device, Driver};
use sinter_driver_cuda::CudaOptions;
use sinter_driver_host::HostDriver;
use std::{fmt, sync::Arc};

/// Reason for which there is no device.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Absent {
    /// The machine has no such device.
    Machine(String),
    /// No driver has this name.
    Driver(String),
}

impl fmt::Display for Absent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Absent::Machine(reason) => f.write_str(reason),
            Absent::Driver(name) => write!(f, "there is no driver `{name}`; there are host and cuda"),
        }
    }
}

/// The first device of the driver with this name in `SINTER_VISIBILITY_MASK`.
pub fn device(driver: &str) -> Result<Arc<dyn Device>, Absent> {
    match driver {
        "host" => first(&HostDriver::new(None)),
        "cuda" => first(&sinter_driver_cuda::driver(CudaOptions::default())),
        other => Err(Absent::Driver(other.to_owned())),
    }
}

fn first(driver: &dyn Driver) -> Result<Arc<dyn Device>, Absent> {
    let absence = || driver.absence().unwrap_or_else(|| format!("the driver {} found no device", driver.name()));
    let devices = driver.devices().map_err(|error| Absent::Machine(error.to_string()))?;
    devices.into_iter().next().ok_or_else(|| Absent::Machine(absence()))
}
