//! Replaces instructions by the code of functions that are written as IR text.
//!
//! In: instructions, each with an equivalent function as text. Out: the functions' code in their
//! place. *Invariant:* equal texts are one function; `NAME` in a text is its name, which no
//! function of an earlier replacement has, and all functions that it calls are declared.

use crate::{
    context::Context,
    device_module::DeviceModule,
    failure::{Failure, Outcome},
    passes::template::link_text,
};
use sinter_llvm::ir::{Opcode, Value};
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// Inlines the calls of the functions.
const INLINE: &str = "always-inline";

/// Maximum lines of IR that inlining a function at all its calls may add. Above this, translation
/// and the device's own compiler take longer for the copies than for the rest of the kernel
/// (`docs/benchmarks.md`, "Awkward kernels").
pub(crate) const MOST_COPIED: usize = 2000;

/// A function of two integers of 128 bits, and one that is called with their halves in its place.
const WIDE: &str = "define i128 @NAME(i128 %a, i128 %b) ";
const HALVES: &str = include_str!("halves.ll");

/// Treatment of functions whose copies would be most of the kernel.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Large {
    /// They stay functions and are called.
    Called,
    /// They are inlined like all others, because the target cannot pass their operands, integers of
    /// more than 64 bits, to functions. Of two operands of 128 bits it can pass the halves.
    Inlined,
}

/// A function that replaces an instruction and takes its operands in their order.
pub(crate) struct Definition {
    /// `define {result} @NAME(...) alwaysinline nounwind {...}`, perhaps with other functions.
    pub(crate) text: String,
    /// Indices of the operands that it takes; the others are literals in the text.
    pub(crate) taken: Vec<usize>,
}

/// Replaces instructions. False if there are none.
pub(crate) fn replace<'s, S>(
    cx: &Context<'s, '_>,
    m: &DeviceModule<'s, S>,
    prefix: &str,
    large: Large,
    instructions: Vec<(Value<'s>, Definition)>,
) -> Outcome<bool> {
    let mut names = (0..).map(|number| format!("{prefix}.{number}")).filter(|name| m.module.function(name).is_none());
    let (mut functions, mut calls) = (BTreeMap::new(), Vec::new());
    for (instruction, Definition { text, taken }) in instructions {
        let name = functions.entry(text).or_insert_with(|| names.next().unwrap_or_default()).clone();
        let types: Vec<_> = chosen(instruction, &taken).into_iter().map(Value::ty).collect();
        if m.module.function(&name).is_none() {
            m.module.declare(&name, instruction.ty(), &types);
        }
        calls.push((instruction, name, taken));
    }
    if calls.is_empty() {
        return Ok(false);
    }
    let uses = calls.iter().fold(HashMap::new(), |mut uses: HashMap<&str, usize>, (_, name, _)| {
        *uses.entry(name).or_default() += 1;
        uses
    });
    let text: String = functions
        .iter()
        .map(|(text, name)| placed(text, uses.get(name.as_str()).copied().unwrap_or(0), large).replace("NAME", name))
        .collect();
    link_text(cx, m, &with_declarations(text))?.into_iter().for_each(Value::make_internal);
    for (instruction, name, taken) in calls {
        let function = m.module.function(&name).filter(|function| !function.is_declaration());
        let function = function.ok_or_else(|| Failure::internal(format!("{name} was not linked")))?;
        // Operands that an earlier iteration replaced are read again.
        let operands = chosen(instruction, &taken);
        instruction.replace_uses(instruction.insert_before(|insert| insert.call(function, &operands)));
        instruction.erase();
    }
    m.module.run_passes(INLINE, Some(cx.machine))?;
    Ok(true)
}

/// IR of a function that is called `uses` times, marked for inlining or not.
fn placed(text: &str, uses: usize, large: Large) -> String {
    match large {
        _ if !stays(text, uses) => text.to_owned(),
        Large::Called => text.replacen("alwaysinline", "noinline", 1),
        Large::Inlined if text.starts_with(WIDE) => text.replacen("@NAME(", "@NAME.whole(", 1) + HALVES,
        Large::Inlined => text.to_owned(),
    }
}

/// True if this many copies of a function would be most of the kernel.
pub(crate) fn stays(text: &str, uses: usize) -> bool {
    uses * text.lines().count() > MOST_COPIED
}

fn chosen<'s>(instruction: Value<'s>, taken: &[usize]) -> Vec<Value<'s>> {
    let operands = operands(instruction);
    taken.iter().filter_map(|index| operands.get(*index).copied()).collect()
}

/// Arguments of the call that replaces an instruction.
pub(crate) fn operands(instruction: Value<'_>) -> Vec<Value<'_>> {
    if instruction.opcode() == Opcode::LLVMCall { instruction.arguments() } else { instruction.operands() }
}

/// Adds declarations of functions that are called but not defined.
fn with_declarations(text: String) -> String {
    let defined: BTreeSet<&str> = text.lines().filter(|line| line.starts_with("define ")).filter_map(called).collect();
    let lines = text.lines().filter(|line| line.contains("call "));
    let declarations: BTreeSet<String> =
        lines.filter(|line| called(line).is_some_and(|name| !defined.contains(name))).filter_map(declaration).collect();
    declarations.into_iter().fold(text.clone(), |text, line| text + &line + "\n")
}

/// The name after the first `@`.
fn called(line: &str) -> Option<&str> {
    Some(line.split_once(" @")?.1.split_once('(')?.0)
}

/// The declaration of the function that a line calls, whose arguments are values and scalar
/// literals.
fn declaration(line: &str) -> Option<String> {
    let (result, call) = line.split_once("call ")?.1.split_once(" @")?;
    let (name, arguments) = call.split_once('(')?;
    let arguments = arguments.strip_suffix(')').unwrap_or(arguments);
    let types = arguments.split(", ").filter_map(|argument| argument.rsplit_once(' ')).map(|(ty, _)| ty);
    let types = types.map(|ty| ty.split_once(" align ").map_or(ty, |(ty, _)| ty));
    Some(format!("declare {result} @{name}({})", types.collect::<Vec<_>>().join(", ")))
}
