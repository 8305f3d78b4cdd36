//! The facts of targets that the runtime and tools ask for.
//!
//! *Invariant:* a target answers for itself; nothing but the table in `target.rs` lists them.

use crate::key::KeyFields;

/// The facts of one kind of target.
pub(crate) trait TargetFacts {
    /// The first word of its text.
    fn family(&self) -> &'static str;

    /// The rest of its text, behind the family.
    fn name(&self) -> String;

    /// True if the code says which source line it comes from.
    fn line_tables(&self) -> bool;

    /// Asks for code that says it, or for code that does not.
    fn set_line_tables(&mut self, line_tables: bool);

    /// Work-items of a sub-group, where the target says it.
    fn sub_group_size(&self) -> Option<u32>;

    /// True if there is code whose sub-groups have so many work-items.
    fn makes_sub_groups_of(&self, size: u32) -> bool {
        self.sub_group_size() == Some(size)
    }

    /// Asks for code whose sub-groups have so many work-items. False where the target cannot be asked, or has no such code.
    fn set_sub_group_size(&mut self, _: u32) -> bool {
        false
    }

    /// True if the code runs in the program's own process, where a debugger steps through it.
    fn runs_in_process(&self) -> bool {
        false
    }

    /// The version of PTX that is written, where some is.
    fn ptx_version(&self) -> Option<String> {
        None
    }

    /// Adds all that code generation depends on, and that the family does not say. Destructures the target without `..`, so that
    /// a new field does not compile until it is here.
    fn key_fields(&self, fields: &mut KeyFields);
}
