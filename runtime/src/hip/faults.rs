//! Devices that a command has made unusable.
//!
//! In: errors of commands. Out: the code that every later call for the device returns, until the
//! program resets the device. *Invariant:* the first fault of a device counts.

use super::error::Code;
use std::{
    collections::BTreeMap,
    sync::{
        Mutex, MutexGuard, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
};

static FAULTS: Mutex<BTreeMap<u32, Code>> = Mutex::new(BTreeMap::new());
/// False while no device has a fault, so that calls need not lock.
static ANY: AtomicBool = AtomicBool::new(false);

fn faults() -> MutexGuard<'static, BTreeMap<u32, Code>> {
    FAULTS.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The code for the number that CUDA's or HIP's driver gives a fault.
pub(crate) fn code(number: u32) -> Code {
    match number {
        700 => Code::IllegalAddress,
        710 => Code::Assert,
        _ => Code::LaunchFailure,
    }
}

pub(crate) fn record(device: u32, code: Code) {
    faults().entry(device).or_insert(code);
    ANY.store(true, Ordering::Release);
}

/// The fault of a device.
pub(crate) fn of(device: u32) -> Option<Code> {
    if ANY.load(Ordering::Acquire) { faults().get(&device).copied() } else { None }
}

pub(crate) fn forget(device: u32) {
    faults().remove(&device);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_fault_stays_until_it_is_forgotten() {
        let device = u32::MAX;
        assert_eq!(of(device), None);
        record(device, code(710));
        record(device, code(700));
        assert_eq!((of(device), of(device - 1)), (Some(Code::Assert), None));
        forget(device);
        assert_eq!(of(device), None);
        assert_eq!(code(715), Code::LaunchFailure);
    }
}
