//! Finds the functions that calls of a kernel lead to.
//!
//! In: a kernel. Out: for each function with a body that it reaches by calls: the properties that
//! decide how lanes may call it. *Invariant:* a function is plain only if lanes that call it with
//! the same arguments may have it run once for all of them.

use super::{
    super::builtins,
    progress::{WAITS, reads_what_changes},
    properties::{called, is_dropped},
    refusal,
};
use crate::context::Context;
use sinter_llvm::ir::{Opcode, Value};
use std::collections::{HashMap, HashSet};

/// Calls that only access the memory that their arguments point to.
const COPIES: [&str; 3] = ["llvm.memcpy.", "llvm.memmove.", "llvm.memset."];

/// A function that calls of the kernel lead to.
#[derive(Debug, Clone)]
pub(super) struct Callee {
    /// True if its effects and its result depend on its arguments and on memory alone, and to run
    /// it twice is to run it once: no atomic or volatile access, no output.
    pub(super) is_plain: bool,
    /// True if its calls lead to itself.
    pub(super) is_recursive: bool,
    /// True if its calls lead to a function that is recursive, such as itself.
    pub(super) recurses: bool,
    /// The reason why it has no row versions.
    pub(super) refusal: Option<String>,
}

/// The functions that calls of a kernel lead to.
#[derive(Debug, Default)]
pub(super) struct Callees<'s> {
    all: HashMap<Value<'s>, Callee>,
    /// In the order in which calls lead to them.
    order: Vec<Value<'s>>,
    /// The functions that the calls of each lead to.
    leads_to: HashMap<Value<'s>, HashSet<Value<'s>>>,
}

impl<'s> Callees<'s> {
    /// The functions that `kernel` reaches by calls. Those with a name in `avoided` have no row
    /// versions of `lanes` lanes, nor those that the emitter has no form for.
    pub(super) fn of(cx: &Context<'s, '_>, kernel: Value<'s>, lanes: u32, avoided: &HashMap<String, String>) -> Self {
        let calls = calls(kernel);
        let order: Vec<_> = reached(&calls, kernel).into_iter().filter(|function| *function != kernel).collect();
        let leads_to: HashMap<_, HashSet<_>> =
            order.iter().map(|function| (*function, reached(&calls, *function).into_iter().collect())).collect();
        let is_recursive = |function: &Value<'s>| leads_to[function].contains(function);
        let lasting: HashSet<_> = order.iter().copied().filter(|function| !is_plain_itself(*function)).collect();
        let callee = |function: &Value<'s>| Callee {
            is_plain: !lasting.contains(function) && leads_to[function].is_disjoint(&lasting),
            is_recursive: is_recursive(function),
            recurses: is_recursive(function) || leads_to[function].iter().any(is_recursive),
            refusal: avoided
                .get(&function.name())
                .cloned()
                .or_else(|| refusal(cx, *function, lanes, is_recursive(function))),
        };
        let all = order.iter().map(|function| (*function, callee(function))).collect();
        Self { all, order, leads_to }
    }

    /// The functions that may have row versions.
    pub(super) fn by_rows(&self) -> impl Iterator<Item = Value<'s>> {
        self.order.iter().copied().filter(|function| self.all[function].refusal.is_none())
    }

    /// The function that a call calls.
    pub(super) fn of_call(&self, call: Value<'s>) -> Option<&Callee> {
        self.all.get(&called(call)?)
    }

    /// True for a call in `function` that leads back to it.
    pub(super) fn leads_back(&self, call: Value<'s>, function: Value<'s>) -> bool {
        let leads = |callee| callee == function || self.leads_to[&callee].contains(&function);
        called(call).is_some_and(leads)
    }

    /// The properties of a function; `None` for one that the kernel does not reach.
    pub(super) fn get(&self, function: Value<'s>) -> Option<&Callee> {
        self.all.get(&function)
    }
}

/// The functions that each function calls, once each.
fn calls(kernel: Value<'_>) -> HashMap<Value<'_>, Vec<Value<'_>>> {
    let (mut calls, mut pending) = (HashMap::new(), vec![kernel]);
    while let Some(function) = pending.pop() {
        if calls.contains_key(&function) {
            continue;
        }
        let mut seen = HashSet::new();
        let found = function.instructions().into_iter().filter_map(called).filter(|callee| seen.insert(*callee));
        let found: Vec<_> = found.collect();
        pending.extend(&found);
        calls.insert(function, found);
    }
    calls
}

/// The functions that calls of `function` lead to.
fn reached<'s>(calls: &HashMap<Value<'s>, Vec<Value<'s>>>, function: Value<'s>) -> Vec<Value<'s>> {
    let (mut seen, mut found) = (HashSet::new(), Vec::new());
    let mut pending: Vec<_> = calls[&function].iter().rev().copied().collect();
    while let Some(function) = pending.pop() {
        if seen.insert(function) {
            found.push(function);
            pending.extend(calls[&function].iter().rev());
        }
    }
    found
}

/// True if the function is plain, provided that those are that it calls.
fn is_plain_itself(function: Value<'_>) -> bool {
    function.instructions().into_iter().all(|instruction| match instruction.opcode() {
        Opcode::LLVMLoad | Opcode::LLVMStore => !instruction.is_volatile() && !instruction.is_atomic(),
        Opcode::LLVMCall => called(instruction).is_some() || is_plain_call(instruction),
        Opcode::LLVMInvoke | Opcode::LLVMCallBr | Opcode::LLVMVAArg => false,
        _ => !instruction.is_atomic(),
    })
}

/// True for a call of a function of its arguments, or of one that only copies.
fn is_plain_call(call: Value<'_>) -> bool {
    let name = call.callee().map(Value::name).unwrap_or_default();
    let is_literal_zero = |value: Value<'_>| value.integer() == Some(0);
    let copies = COPIES.iter().any(|prefix| name.starts_with(prefix));
    match call.callee() {
        Some(callee) if callee.is_intrinsic() => {
            is_dropped(&name)
                || call.is_function_of_operands()
                || copies && call.arguments().last().copied().is_some_and(is_literal_zero)
        }
        Some(callee) => callee.is_declaration() && builtins::is_mathematical(&name),
        None => false,
    }
}

fn refusal<'s>(cx: &Context<'s, '_>, function: Value<'s>, lanes: u32, is_recursive: bool) -> Option<String> {
    let types = function.parameters().into_iter().map(Value::ty).chain([function.return_type()]);
    let unknown = types.into_iter().find(|ty| !refusal::is_known(*ty));
    let by_value = (0u32..).zip(function.parameters()).any(|(index, _)| function.by_value_type(index).is_some());
    match () {
        () if function.is_variadic() => Some("a variable number of arguments".to_owned()),
        () if by_value => Some("a structure passed by value".to_owned()),
        () if is_recursive && function.instructions().into_iter().any(reads_what_changes) => Some(WAITS.to_owned()),
        () if function.instructions().into_iter().any(Value::is_must_tail) => Some("a `musttail` call".to_owned()),
        () => match unknown {
            Some(ty) => Some(refusal::of_type(ty)),
            None => refusal::after(cx, function, lanes).map(|reason| reason.text),
        },
    }
}
