//! Tells the program of the kernels that are made ready.
//!
//! In: attempts to make code of a kernel ready, and their outcomes. Out: calls of functions of the
//! program (`observation`), and the error of a region in which there was one (`region`).
//! *Invariant:* nothing here runs for a launch whose code is loaded. Functions of the program are
//! called while no lock is held and no launch waits for the thread.

mod attempts;
pub mod compilation;
mod observation;
mod observer;
mod region;

pub(crate) use attempts::{Compilations, News};
pub use compilation::{Compilation, Outcome};
pub use observation::Observation;
pub(crate) use observer::is_telling;
pub use region::Region;
