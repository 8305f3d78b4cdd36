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
//! | `command` | what may have requirements |
//! | `plan` | the locks, waits and transfers that precede a command |
//! | `submit` | a command with its requirements, on a lane of its queue |
//! | `late` | commands that wait for the program on a thread |
//! | `access` | use by the host: host accessors, write-back |
//! | `gate`, `event` | events of the graph |
//! | `pool`, `side` | memory that is used again, for each device |

mod access;
mod bounds;
mod cells;
mod command;
mod event;
pub(crate) mod gate;
mod late;
mod plan;
mod pool;
mod record;
pub(crate) mod side;
mod submit;
mod transfer;

pub use access::HostAccess;
pub(crate) use cells::Use;
pub(crate) use command::{Command, Owner};
pub(crate) use plan::Requirement;
pub use record::{Buffer, HostData};
pub(crate) use submit::Submission;
pub use transfer::Brick;
