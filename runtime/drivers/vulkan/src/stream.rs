//! An in-order stream.
//!
//! In: launches and other commands. Out: their submission, now or by the thread of the stream.
//! *Invariant:* a launch is held back only while that thread will submit it.

use crate::{
    commands::Commands,
    exit::{self, Unfinished},
    logical::Logical,
    submitter::Submitter,
};
use ash::vk;
use sinter_driver_common::Failure;
use std::{ops::Deref, sync::Arc};

/// A stream.
pub(crate) struct Stream {
    commands: Arc<Commands>,
    submitter: Submitter,
}

impl Stream {
    pub(crate) fn create(logical: &Arc<Logical>) -> Result<Self, Failure> {
        let commands = Arc::new(Commands::create(logical)?);
        let unfinished: Arc<dyn Unfinished> = Arc::clone(&commands) as _;
        exit::watch(Arc::downgrade(&unfinished));
        Ok(Stream { submitter: Submitter::new(&commands), commands })
    }

    /// Records a launch, and submits it if the device has little to do. The launch gets the address
    /// of a copy of `arguments`.
    pub(crate) fn launch(
        &self,
        arguments: &[u8],
        record: impl FnOnce(&ash::Device, vk::CommandBuffer, u64),
    ) -> Result<(), Failure> {
        if self.commands.launch(arguments, record, || self.submitter.is_ready())? {
            self.submitter.wake();
        }
        Ok(())
    }
}

impl Deref for Stream {
    type Target = Commands;

    fn deref(&self) -> &Commands {
        &self.commands
    }
}

impl Drop for Stream {
    fn drop(&mut self) {
        if !self.logical().is_usable() {
            // In a forked child there is no thread.
            return self.submitter.forget();
        }
        self.synchronize().ok();
        self.submitter.end();
    }
}
