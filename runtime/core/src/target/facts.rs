//! Facts about targets that the runtime and tools query.
//!
//! *Invariant:* a target answers for itself; the only list of targets is the table in `target.rs`.

use super::kernel_features::{KernelFeature, Support};
use crate::key::KeyFields;

/// Facts about one kind of target.
pub(crate) trait TargetFacts {
    /// First word of the target string.
    fn family(&self) -> &'static str;

    /// Rest of the target string after the family.
    fn name(&self) -> String;

    /// True if the code has line tables.
    fn line_tables(&self) -> bool;

    /// Enables or disables line tables.
    fn set_line_tables(&mut self, line_tables: bool);

    /// How kernels have a feature.
    fn support(&self, feature: KernelFeature) -> Support;

    /// Sub-group size in work-items, if the target determines it.
    fn sub_group_size(&self) -> Option<u32>;

    /// True if code with this sub-group size can be generated.
    fn makes_sub_groups_of(&self, size: u32) -> bool {
        self.sub_group_size() == Some(size)
    }

    /// Requests a sub-group size. Returns false if the target has no choice, or no such code.
    fn set_sub_group_size(&mut self, _: u32) -> bool {
        false
    }

    /// True if the code runs in the program's own process, where a debugger steps through it.
    fn runs_in_process(&self) -> bool {
        false
    }

    /// True if arguments lie in memory from which instructions take operands, so that constants are
    /// better passed by value.
    fn has_constant_arguments(&self) -> bool {
        false
    }

    /// Version of the emitted PTX; `None` for other targets.
    fn ptx_version(&self) -> Option<String> {
        None
    }

    /// Adds everything that code generation depends on, except for the family. Destructures the
    /// target without `..`, so that a new field does not compile until it is added here.
    fn key_fields(&self, fields: &mut KeyFields);
}
