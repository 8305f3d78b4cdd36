//! Records the flags that are present on the command line.
//!
//! *Invariant:* a flag without effect is rejected, not ignored.

use clap::{ArgMatches, Args, Command, parser::ValueSource};
use sinter_tool_common::{KernelFlags, ToolError};

/// Flags of families whose values a request contains. It contains those of [`KernelFlags`] as well.
const REQUEST_FLAGS: [&str; 7] = ["target", "library", "line_tables", "env", "device", "spirv_version", "features"];
/// Flags that affect a list.
const LIST_FLAGS: [&str; 8] =
    ["input", "replay", "json", "lists", "list_kernels", "list_missing", "print_steps", "with"];
/// The flag of families that selects the output form.
const EMIT: &str = "emit";

/// Flags on the command line.
#[derive(Debug, Default)]
pub(crate) struct Given {
    ids: Vec<String>,
    /// Value of `--emit`, if present.
    pub(crate) emit: Option<String>,
}

impl Given {
    pub(crate) fn new(matches: &ArgMatches, command: &Command) -> Self {
        let given = |id: &str| matches.value_source(id) == Some(ValueSource::CommandLine);
        let ids = command.get_arguments().map(|argument| argument.get_id().as_str());
        let emit = given(EMIT).then(|| matches.get_raw(EMIT)).flatten().and_then(|mut values| values.next());
        Given {
            emit: emit.map(|value| value.to_string_lossy().into_owned()),
            ids: ids
                .filter(|id| matches.try_contains_id(id).unwrap_or_default() && given(id))
                .map(str::to_owned)
                .collect(),
        }
    }

    /// Rejects flags that contradict a request, which is translated unchanged.
    pub(crate) fn check_unchanged(&self, request: &str) -> Result<(), ToolError> {
        let kernel = KernelFlags::augment_args(Command::new(""));
        let of_kernel = |id: &str| kernel.get_arguments().any(|argument| argument.get_id().as_str() == id);
        let reason = format!("{request} is a request, which is translated unchanged");
        self.refuse(&reason, |id| REQUEST_FLAGS.contains(&id) || of_kernel(id))
    }

    /// Rejects flags without effect on a list.
    pub(crate) fn check_list(&self, list: &str) -> Result<(), ToolError> {
        self.refuse(&format!("{list} translates nothing"), |id| !LIST_FLAGS.contains(&id))
    }

    fn refuse(&self, reason: &str, useless: impl Fn(&str) -> bool) -> Result<(), ToolError> {
        let flags = self.ids.iter().filter(|id| useless(id)).map(|id| format!("--{}", id.replace('_', "-")));
        match flags.collect::<Vec<_>>().as_slice() {
            [] => Ok(()),
            flags => Err(ToolError::usage(format!("{reason}; leave out {}", flags.join(", ")))),
        }
    }
}
