//! Gives functions parameters and results that have a form in a row.
//!
//! In: a kernel and the functions that it calls. Out: the same, but a function takes the elements
//! of vectors and the members of structures one by one and returns them in one structure, and
//! copies structures that are passed by value itself. *Invariant:* a function whose address is
//! taken, or that is called with other types than it has, keeps its parameters and its result.
//!
//! The C++ ABI of x86-64 passes small structures in vectors: one of three `float` is a vector of
//! two and a scalar.

use super::properties::called;
use crate::context::Context;
use sinter_llvm::{
    Module,
    insert::Inserter,
    ir::{Opcode, Type, Value, ValueKind},
    types::TypeView,
};

/// Parts that a parameter or a result may have.
const MOST_PARTS: usize = 32;

/// Flattens the parameters and results of the functions in `module`, except `kernel`.
pub(super) fn flatten<'s>(cx: &Context<'s, '_>, module: &Module<'s>, kernel: Value<'s>) {
    let is_defined = |function: &Value<'s>| !function.is_declaration() && *function != kernel;
    let functions: Vec<_> = module.functions().into_iter().filter(is_defined).collect();
    for function in &functions {
        function.copy_by_value_parameters(cx.machine);
    }
    let is_foreign = |call: &Value<'_>| {
        call.callee().is_some_and(|callee| callee.kind() == ValueKind::LLVMFunctionValueKind && callee.is_declaration())
    };
    let calls = module.functions().into_iter().flat_map(Value::instructions).filter(|one| one.is_call());
    calls.filter(|call| !is_foreign(call)).for_each(|call| call.remove_byval_of_arguments());
    functions.into_iter().filter(|function| is_flattened(*function)).for_each(|function| replace(cx, module, function));
}

/// True for a function that becomes another one.
fn is_flattened(function: Value<'_>) -> bool {
    let types: Vec<_> =
        function.parameters().into_iter().map(Value::ty).chain([function.return_type()]).map(parts).collect();
    let splits = |found: &Option<Vec<Part<'_>>>| {
        found.as_ref().is_some_and(|parts| parts.len() != 1 || !parts[0].path.is_empty())
    };
    let has_forms = types.iter().all(|found| found.as_ref().is_some_and(|parts| parts.len() <= MOST_PARTS));
    let is_called = |user: &Value<'_>| {
        called(*user) == Some(function) && !user.is_must_tail() && !user.arguments().contains(&function)
    };
    let keeps_frame = function.instructions().into_iter().any(Value::is_must_tail);
    has_forms
        && types.iter().any(splits)
        && !function.is_variadic()
        && !keeps_frame
        && function.users().iter().all(is_called)
}

/// A scalar in a value: the position in each structure, array or vector around it.
#[derive(Debug, Clone)]
struct Part<'s> {
    path: Vec<u32>,
    ty: Type<'s>,
}

/// The scalars that a type consists of; none of `void`. `None` for a type that does not consist of
/// scalars, or of very many.
fn parts<'s>(ty: Type<'s>) -> Option<Vec<Part<'s>>> {
    let inner = match ty.view() {
        TypeView::Void => return Some(Vec::new()),
        TypeView::Structure(members, _) => members,
        TypeView::Array(element, count) if count <= MOST_PARTS as u64 => vec![element; count as usize],
        TypeView::Vector(element, count) if count as usize <= MOST_PARTS => vec![element; count as usize],
        TypeView::Array(..) | TypeView::Vector(..) => return None,
        _ => return Some(vec![Part { path: Vec::new(), ty }]),
    };
    let mut all = Vec::new();
    for (index, member) in (0..).zip(inner) {
        let within = |part: Part<'s>| Part { path: [&[index], &*part.path].concat(), ..part };
        all.extend(parts(member)?.into_iter().map(within));
    }
    (all.len() <= MOST_PARTS).then_some(all)
}

/// Moves a function's body into one with flat parameters and a flat result, and its calls.
fn replace<'s>(cx: &Context<'s, '_>, module: &Module<'s>, function: Value<'s>) {
    let parts_of = |ty: Type<'s>| parts(ty).unwrap_or_default();
    let old = function.parameters();
    let types: Vec<_> = old.iter().flat_map(|parameter| parts_of(parameter.ty())).map(|part| part.ty).collect();
    let result = function.return_type();
    let flat = flat_result(cx, result);
    let calls: Vec<_> = function.users();
    let new = function.with_signature(module, &types, flat);
    receive(&old, function, new);
    for end in new.instructions().into_iter().filter(|end| end.opcode() == Opcode::LLVMRet && flat != result) {
        let value = end.operands()[0];
        end.insert_before(|insert| {
            let members = parts_of(result).into_iter().map(|part| taken(insert, value, &part.path));
            let whole =
                (0u32..).zip(members).fold(flat.poison(), |whole, (at, one)| insert.with_member(whole, one, at));
            insert.give(whole);
        });
        end.erase();
    }
    for call in calls {
        let made = call.insert_before(|insert| {
            let arguments = call.arguments().into_iter().flat_map(|argument| {
                parts_of(argument.ty()).into_iter().map(move |part| taken(insert, argument, &part.path))
            });
            let made = insert.call(new, &arguments.collect::<Vec<_>>());
            made.take_convention_of(new);
            made.copy_fast_math_flags(call);
            match flat == result {
                true => made,
                false => {
                    let members = (0u32..).zip(parts_of(result)).map(|(at, part)| (part, insert.member(made, at)));
                    built(insert, result, members.collect())
                }
            }
        });
        call.replace_uses(made);
        call.erase();
    }
    function.delete();
}

/// Puts the old parameters together at the start of the function.
fn receive<'s>(old: &[Value<'s>], function: Value<'s>, new: Value<'s>) {
    let Some(first) = new.instructions().first().copied() else { return };
    let mut given = (0u32..).zip(new.parameters());
    first.insert_before(|insert| {
        for (index, parameter) in (0u32..).zip(old) {
            let parts = parts(parameter.ty()).unwrap_or_default();
            let taken: Vec<_> = given.by_ref().take(parts.len()).collect();
            match (&*parts, &*taken) {
                ([part], [(at, value)]) if part.path.is_empty() => {
                    function.copy_parameter(index, new, *at);
                    parameter.replace_uses(*value);
                }
                _ => {
                    let members = parts.into_iter().zip(taken.into_iter().map(|(_, value)| value)).collect();
                    parameter.replace_uses(built(insert, parameter.ty(), members));
                }
            }
        }
    });
}

/// The result type of a function that returns parts: a scalar stays as it is.
fn flat_result<'s>(cx: &Context<'s, '_>, ty: Type<'s>) -> Type<'s> {
    match (ty.view(), parts(ty).as_deref()) {
        (TypeView::Void, _) | (_, None) => ty,
        (_, Some([only])) if only.path.is_empty() => ty,
        (_, Some(parts)) => cx.session.structure(&parts.iter().map(|part| part.ty).collect::<Vec<_>>()),
    }
}

/// A part of a value.
fn taken<'s>(insert: &Inserter<'s>, value: Value<'s>, path: &[u32]) -> Value<'s> {
    path.iter().fold(value, |value, index| match (value.ty().view(), value.ty().constant_index(u64::from(*index))) {
        (TypeView::Vector(..), Some(index)) => insert.element(value, index),
        _ => insert.member(value, *index),
    })
}

/// A value of type `ty` with these parts.
fn built<'s>(insert: &Inserter<'s>, ty: Type<'s>, parts: Vec<(Part<'s>, Value<'s>)>) -> Value<'s> {
    parts.into_iter().fold(ty.poison(), |whole, (part, value)| with(insert, whole, &part.path, value))
}

/// A value with one part replaced.
fn with<'s>(insert: &Inserter<'s>, whole: Value<'s>, path: &[u32], value: Value<'s>) -> Value<'s> {
    let Some((index, rest)) = path.split_first() else { return value };
    match (whole.ty().view(), whole.ty().constant_index(u64::from(*index))) {
        (TypeView::Vector(..), Some(index)) => insert.with_element(whole, value, index),
        _ if rest.is_empty() => insert.with_member(whole, value, *index),
        _ => {
            let inner = with(insert, insert.member(whole, *index), rest, value);
            insert.with_member(whole, inner, *index)
        }
    }
}
