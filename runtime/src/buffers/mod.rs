//! Buffers, and the graph of the commands that access them.
//!
//! In: commands with requirements, each a box of a buffer and what is done with it. Out: commands
//! on the queues of drivers, with the transfers and the dependencies that the requirements imply.
//! *Invariant:* each command is planned and recorded while the locks of all its buffers are held,
//! so that all buffers see the same order. Nothing is translated or waited for under these locks.
//!
//! | file | contents |
//! |---|---|
//! | `bounds` | boxes of bytes |
//! | `cells` | the state of the parts of a buffer: a pure function of the accesses so far |
//! | `record` | a buffer with its copies |
//! | `transfer` | how bytes move between copies |
//! | `submit` | a command with its requirements |
//! | `late` | commands that wait for the program on a thread |
//! | `access` | use by the host: host accessors, write-back |
//! | `gate`, `event` | events of the graph |
//! | `pool` | memory that is used again |

mod access;
mod bounds;
mod cells;
mod event;
mod gate;
mod late;
mod pool;
mod record;
mod submit;
mod transfer;

pub use access::HostAccess;
pub(crate) use cells::Use;
pub(crate) use gate::Gate;
pub use record::{Buffer, HostData};
pub(crate) use submit::{Command, Requirement, Submission};
pub use transfer::Brick;

use crate::{devices::DeviceEntry, error::RuntimeError};
use sinter_driver::Queue;
use std::sync::{
    Arc, Mutex, PoisonError,
    atomic::{AtomicBool, Ordering},
};

/// What buffers need of a device.
#[derive(Default)]
pub(crate) struct DeviceSide {
    pub(crate) pool: pool::Pool,
    keeps_copies: AtomicBool,
    service: Mutex<Option<Arc<dyn Queue>>>,
}

impl DeviceSide {
    /// Gives buffers a copy of their own on this device, also if it can use the host's.
    pub(crate) fn keep_copies(&self) {
        self.keeps_copies.store(true, Ordering::Relaxed);
    }

    /// The queue for transfers from the device to the host; made by the first one.
    fn service(&self, device: &DeviceEntry) -> Result<Arc<dyn Queue>, RuntimeError> {
        let mut service = self.service.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(queue) = &*service {
            return Ok(Arc::clone(queue));
        }
        let queue = device.device.create_queue()?;
        Ok(Arc::clone(service.insert(queue)))
    }
}
