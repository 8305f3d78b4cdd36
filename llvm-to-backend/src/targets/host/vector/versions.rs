//! Row versions of functions.
//!
//! In: calls of functions by lanes, with the shapes of their arguments. Out: for each, a function
//! that runs for a row of lanes, or the reason why the lanes call the original one after another.
//! *Invariant:* a version serves every call whose arguments have its shapes, or shapes that are
//! more special, and whose lanes it has: it takes a mask unless it is for all lanes.
//!
//! A version takes its mask as an integer, then, if its calls may lead to recursion, the address
//! below which the stack is too deep for more rows, then the arguments: a scalar for all lanes, the
//! base of a linear value, or vectors.

use super::{
    callees::Callees,
    cost::{self, Calls, Cost},
    plan::{Planned, plan_function},
    progress::{WAITS, waits},
    properties::called,
    recursion::{PARTS, parts_lanes},
    refusal,
    signature::{argument_types, result_type},
};
use crate::{cfg::operation::Shape, context::Context};
use sinter_core::names::readable;
use sinter_llvm::{Module, ir::Value};
use std::{
    collections::{BTreeSet, HashMap},
    rc::Rc,
};

/// Versions of one function. Calls beyond them use one that takes vectors only.
const MOST_OF_ONE: usize = 4;
/// Instructions that the originals of all versions may have together. Translating a version takes
/// as long as it takes for several copies of the original.
const MOST_INSTRUCTIONS: usize = 10_000;

/// The shapes and the mask that all calls of a version have.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Key {
    /// The shape of each argument.
    pub(super) shapes: Vec<Shape>,
    /// True if all lanes run.
    pub(super) full: bool,
}

impl Key {
    /// True if a version for this key serves calls with the key `other`.
    fn serves(&self, other: &Key) -> bool {
        let takes = |(own, other): (&Shape, &Shape)| *own == Shape::Any || own == other;
        (other.full || !self.full) && self.shapes.iter().zip(&other.shapes).all(takes)
    }
}

/// A function for a row of lanes.
#[derive(Debug, Clone)]
pub(super) struct Version<'s> {
    pub(super) function: Value<'s>,
    pub(super) of: Value<'s>,
    pub(super) key: Key,
    /// True if it takes the address below which the stack is too deep.
    pub(super) takes_floor: bool,
    pub(super) planned: Rc<Planned<'s>>,
}

/// A plan for a function with arguments of certain shapes, and its costs unless they are being
/// computed.
#[derive(Debug, Clone)]
struct Known<'s> {
    plan: Result<Rc<Planned<'s>>, String>,
    cost: Option<Cost>,
}

/// The versions of a kernel's functions.
#[derive(Debug)]
pub(super) struct Versions<'s> {
    pub(super) callees: Callees<'s>,
    lanes: u32,
    /// True if rows are wanted whatever they cost.
    asked: bool,
    known: HashMap<(Value<'s>, Vec<Shape>), Known<'s>>,
    all: Vec<Version<'s>>,
    /// The number of versions that were taken to be emitted.
    taken: usize,
    instructions: usize,
    /// Bytes of private memory of the kernel and the versions.
    memory: u64,
    /// Functions that are called lane by lane, with the reasons.
    remarks: BTreeSet<String>,
}

impl<'s> Versions<'s> {
    pub(super) fn new(cx: &Context<'s, '_>, kernel: Value<'s>, callees: Callees<'s>, lanes: u32, asked: bool) -> Self {
        Self {
            callees,
            lanes,
            asked,
            known: HashMap::new(),
            all: Vec::new(),
            taken: 0,
            instructions: 0,
            memory: refusal::private_memory(cx, kernel, lanes),
            remarks: BTreeSet::new(),
        }
    }

    /// The next version that is called and has no code yet.
    pub(super) fn next(&mut self) -> Option<Version<'s>> {
        let next = self.all.get(self.taken).cloned();
        self.taken += usize::from(next.is_some());
        next
    }

    /// Why functions are called lane by lane.
    pub(super) fn remarks(&self) -> impl Iterator<Item = String> {
        self.remarks.iter().cloned()
    }

    /// The version of `function` for calls with this key; `None` if lanes call it one after
    /// another.
    pub(super) fn version(
        &mut self,
        cx: &Context<'s, '_>,
        module: &Module<'s>,
        function: Value<'s>,
        key: Key,
    ) -> Option<Version<'s>> {
        match self.find(cx, module, function, key) {
            Ok(version) => Some(version),
            Err(reason) => {
                self.remarks
                    .insert(format!("`{}` is called for one work-item after another: {reason}", name(function)));
                None
            }
        }
    }

    fn find(
        &mut self,
        cx: &Context<'s, '_>,
        module: &Module<'s>,
        function: Value<'s>,
        key: Key,
    ) -> Result<Version<'s>, String> {
        let own = |version: &&Version<'s>| version.of == function;
        if let Some(version) = self.all.iter().filter(own).find(|version| version.key == key) {
            return Ok(version.clone());
        }
        let general = Key { shapes: vec![Shape::Any; key.shapes.len()], full: false };
        let serving = self.all.iter().filter(own).find(|version| version.key.serves(&key)).cloned();
        let is_last = self.all.iter().filter(own).count() + 1 >= MOST_OF_ONE;
        let made = match &serving {
            Some(version) if is_last => return Ok(version.clone()),
            _ => self.make(cx, module, function, if is_last { general } else { key }),
        };
        made.or_else(|reason| serving.ok_or(reason))
    }

    fn make(
        &mut self,
        cx: &Context<'s, '_>,
        module: &Module<'s>,
        function: Value<'s>,
        key: Key,
    ) -> Result<Version<'s>, String> {
        let known = self.known(cx, function, &key.shapes);
        let planned = known.plan?;
        if let Some(cost) = known.cost.filter(|cost| !self.asked && !cost.is_better_than_turns(self.lanes)) {
            return Err(cost.to_string());
        }
        let size = planned.graph.values().len();
        if self.instructions + size > MOST_INSTRUCTIONS {
            return Err(format!("row versions of functions may have {MOST_INSTRUCTIONS} instructions together"));
        }
        let memory = self.memory.saturating_add(refusal::private_memory(cx, function, self.lanes));
        if let Some(reason) = refusal::of_memory(memory, self.lanes) {
            return Err(reason);
        }
        (self.instructions, self.memory) = (self.instructions + size, memory);
        let takes_floor = self.callees.get(function).is_some_and(|callee| callee.recurses);
        let made = declare(cx, module, function, &key, self.lanes, takes_floor);
        self.all.push(Version { function: made, of: function, key, takes_floor, planned });
        Ok(self.all[self.all.len() - 1].clone())
    }

    /// The plan for `function` with arguments of these shapes, and what it costs.
    fn known(&mut self, cx: &Context<'s, '_>, function: Value<'s>, shapes: &[Shape]) -> Known<'s> {
        let key = (function, shapes.to_vec());
        if let Some(known) = self.known.get(&key) {
            return known.clone();
        }
        let plan = match self.callees.get(function).map(|callee| callee.refusal.clone()) {
            Some(None) => {
                plan_function(cx, &self.callees, function, shapes, [self.lanes, 1]).map_err(|reason| reason.text)
            }
            Some(Some(reason)) => Err(reason),
            None => Err("it is unknown".to_owned()),
        };
        let plan = plan.and_then(|planned| match self.objection(function, &planned) {
            Some(reason) => Err(reason.to_owned()),
            None => Ok(Rc::new(planned)),
        });
        self.known.insert(key.clone(), Known { plan: plan.clone(), cost: None });
        let cost = plan.as_ref().ok().map(|planned| self.cost(cx, planned, 1));
        let known = Known { plan, cost };
        self.known.insert(key, known.clone());
        known
    }

    /// A reason against rows that shows in the plan for them.
    fn objection(&self, function: Value<'s>, Planned { graph, rows, .. }: &Planned<'s>) -> Option<&'static str> {
        let is_recursive = |call: Value<'s>| self.callees.leads_back(call, function);
        match () {
            () if waits(graph, rows).is_some() => Some(WAITS),
            () if !self.asked && parts_lanes(graph, rows, is_recursive) => Some(PARTS),
            () => None,
        }
    }

    /// The costs of a plan for rows of the kernel or of a function, in this many lines.
    pub(super) fn cost(&mut self, cx: &Context<'s, '_>, planned: &Planned<'s>, lines: u32) -> Cost {
        let shapes = planned.shapes();
        let values = planned.graph.values().iter();
        let calls = values.filter_map(|value| Some((*value, self.call_cost(cx, *value, &shapes)?))).collect();
        cost::cost(cx, planned, [self.lanes, lines], &calls)
    }

    /// Cycles of a call of a function with a body, in a row and in each work-item.
    fn call_cost(
        &mut self,
        cx: &Context<'s, '_>,
        call: Value<'s>,
        shapes: &HashMap<Value<'s>, Shape>,
    ) -> Option<[u64; 2]> {
        let function = called(call)?;
        let is_plain = self.callees.get(function)?.is_plain;
        let shape = |argument| shapes.get(&argument).copied().unwrap_or(Shape::Same);
        let shapes: Vec<_> = call.arguments().into_iter().map(shape).collect();
        let once = is_plain && shapes.iter().all(|shape| *shape == Shape::Same);
        let way = match self.known(cx, function, &shapes) {
            Known { plan: Err(_), .. } => Calls::Lanes,
            Known { cost: Some(cost), .. } => Calls::Rows(cost),
            Known { cost: None, .. } => Calls::Again,
        };
        Some(cost::call_cost(way, once, self.lanes.into()))
    }
}

/// A name for remarks.
fn name(function: Value<'_>) -> String {
    readable(&function.name())
}

/// Declares the version of `function` for a key.
fn declare<'s>(
    cx: &Context<'s, '_>,
    module: &Module<'s>,
    function: Value<'s>,
    key: &Key,
    lanes: u32,
    takes_floor: bool,
) -> Value<'s> {
    let mut parameters = Vec::new();
    if !key.full {
        parameters.push(cx.session.integer(lanes));
    }
    if takes_floor {
        parameters.push(cx.session.integer(64));
    }
    for (parameter, shape) in function.parameters().into_iter().zip(&key.shapes) {
        parameters.extend(argument_types(cx, parameter.ty(), *shape, lanes));
    }
    let result = result_type(cx, function.return_type(), lanes);
    let made = module.declare(&format!("{}.row", function.name()), result, &parameters);
    function.copy_code_attributes(made);
    made
}
