//! Every setting of the runtime, in one table.
//!
//! In: the process's environment. Out: typed values, the source of each, and warnings. `table`
//! lists the settings; parser, `sinter-info` and documentation are generated from it.

mod environment;
mod parse;
mod read;
mod table;
mod tunables;
pub mod visibility;

pub use environment::Environment;
pub use parse::{age, size};
pub use read::{Loaded, Origin, Setting, TunableWarning, read};
pub use table::{Row, TABLE};
pub use tunables::{CacheMode, DebugLevel, ReportTarget, StdparDevice, StdparOptions, Tunables};
