//! Adds the values of local accessors to the configuration of a kernel.
//!
//! In: the kernel's parameters as its container describes them, and the command line. Out: values
//! of local accessors as arguments of the configuration, and a note about values that a launch
//! would compile in and that the command line lacks.
//! *Invariant:* a value is given once.

use sinter_core::{KernelConfig, Parameter, names::readable};
use sinter_tool_common::{LocalAccessor, ToolError};

/// Assigns values to the parameters of local accessors.
pub(crate) fn apply(
    parameters: &[Parameter],
    given: &[LocalAccessor],
    config: &mut KernelConfig,
) -> Result<(), ToolError> {
    if given.is_empty() {
        return Ok(());
    }
    let accessors = accessors(parameters);
    check(&accessors, given, config)?;
    let mut end = 0;
    for (indices, accessor) in accessors.iter().zip(given) {
        let no_room = || ToolError::usage("--local: the accessors have more than 4294967295 bytes");
        let (values, behind) = accessor.place(end).ok_or_else(no_room)?;
        config.specialization.arguments.extend(indices.iter().copied().zip(values));
        end = behind;
    }
    config.specialization.arguments.sort_by_key(|(index, _)| *index);
    Ok(())
}

/// Parameter indices of each accessor. An accessor starts with its offset, whose type is smaller
/// than that of a size.
fn accessors(parameters: &[Parameter]) -> Vec<Vec<u32>> {
    let mut accessors: Vec<Vec<u32>> = Vec::new();
    for (index, parameter) in (0..).zip(parameters).filter(|(_, parameter)| parameter.is_of_local_accessor()) {
        match accessors.last_mut().filter(|_| parameter.byte_size != OFFSET) {
            Some(last) => last.push(index),
            None => accessors.push(vec![index]),
        }
    }
    accessors
}

/// Size in bytes of the offset parameter.
const OFFSET: u32 = 4;

/// Rejects sizes that do not match the kernel's accessors.
fn check(accessors: &[Vec<u32>], given: &[LocalAccessor], config: &KernelConfig) -> Result<(), ToolError> {
    let has: Vec<_> = accessors.iter().map(|indices| indices.len() - 1).collect();
    if has != given.iter().map(LocalAccessor::dimensions).collect::<Vec<_>>() {
        return Err(ToolError::rejected(format!("--local: kernel `{}` {}", config.entry, known(&has))));
    }
    let twice =
        config.specialization.arguments.iter().find(|(index, _)| accessors.iter().flatten().any(|of| of == index));
    twice.map_or(Ok(()), |(index, _)| {
        Err(ToolError::usage(format!("--arg {index} and --local give the same parameter")))
    })
}

fn known(has: &[usize]) -> String {
    match has {
        [] => "has no local accessor; where the input is IR, which does not say what is one, pass --arg".to_owned(),
        [one] => format!("has one local accessor, of {one} dimensions"),
        has => {
            let list = has.iter().map(usize::to_string).collect::<Vec<_>>().join(", ");
            format!("has {} local accessors; in their order they have these dimensions: {list}", has.len())
        }
    }
}

/// A note about values that a launch would compile into the kernel and the command line lacks.
/// `None` if all are given.
pub(crate) fn note(parameters: &[Parameter], config: &KernelConfig) -> Option<String> {
    let is_open = |index: u32| config.specialization.arguments.iter().all(|(given, _)| *given != index);
    let open: Vec<_> =
        (0..).zip(parameters).filter(|(index, parameter)| parameter.is_specialized() && is_open(*index)).collect();
    let list = open.iter().map(|(index, _)| index.to_string()).collect::<Vec<_>>().join(", ");
    let local = open.iter().filter(|(_, parameter)| parameter.is_of_local_accessor()).count();
    let flags = match (local, open.len()) {
        (_, 0) => return None,
        (0, _) => "--arg",
        (local, all) if local == all => "--local",
        _ => "--local and --arg",
    };
    Some(format!(
        "a launch compiles values into kernel `{}` that the command line does not give: parameters {list}; the code \
         is for any value, and longer than that of a launch; pass {flags}",
        readable(&config.entry)
    ))
}
