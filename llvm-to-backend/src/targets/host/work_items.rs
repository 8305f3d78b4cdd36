//! Runs a kernel for every work-item of a range of work-groups.
//!
//! In: a kernel for one work-item that queries its index. Out: the entry of
//! `sinter_core::host_abi`. It loads the parameters once, walks the groups `first..last` and the
//! work-items of each, x innermost, and calls the former kernel, now `<kernel>.item`, which is
//! inlined into the loops unless it has very many pieces. A kernel with barriers is split into
//! pieces first. *Invariant:* a work-item runs exactly once, and only if its index is below the
//! global size in every dimension.

use super::{
    builtins::{BARRIER, DIMENSIONS, INDEX_QUERIES, LOCAL_ID, RESULTS, UPDATE_PREFIX, index_query},
    by_value::changes,
    local_memory, loops, parallel,
    vector::{self, LIVE_LANES},
    waits,
};
use crate::{
    cfg::{Kind, Variation, read::read_as},
    context::Context,
    device_module::{Checked, DeviceModule},
    failure::{Failure, Outcome},
    targets::split::{Piece, Shared, Split, split},
};
use sinter_core::{
    HostTarget,
    host_abi::{GLOBAL_SIZE_OFFSET, GROUP_COUNT_OFFSET, GROUP_SIZE_OFFSET, ITEM_MEMORY_OFFSET, LOCAL_MEMORY_OFFSET},
};
use sinter_llvm::ir::{Opcode, Type, Value};
use std::{collections::HashSet, fmt::Write};

/// Alignment of the memory that rows share: that of a row's widest register.
const GROUP_ALIGNMENT: u32 = 64;
/// Removes debug information except line tables and the functions of their lines.
/// Descriptions of variables would be scattered where the kernel is split.
const LINE_TABLES_ONLY: &str = "strip-nonlinetable-debuginfo";

/// A kernel parameter as the entry passes it on.
struct Parameter<'s> {
    ty: Type<'s>,
    /// For a structure passed by value: its type, and true if a work-item modifies its copy.
    by_value: Option<(Type<'s>, bool)>,
    alignment: u32,
    offset: Option<u32>,
}

/// The kernel with its additional parameters.
struct Item<'s> {
    function: Value<'s>,
    /// The parameters that may differ between the work-items of a group: of the local ID, and the
    /// number of lanes.
    own: Vec<Value<'s>>,
    local_memory: Value<'s>,
    /// The memory that the rows of a group share, one after the other.
    group: Vec<GroupMemory<'s>>,
    /// Present if the kernel has barriers.
    piece: Option<Piece<'s>>,
}

/// Memory that the rows of a group share: a variable of the loops.
#[derive(Clone, Copy)]
struct GroupMemory<'s> {
    /// As the kernel knows it.
    variable: Value<'s>,
    /// The item function's pointer to it.
    parameter: Value<'s>,
    bytes: u64,
}

pub(super) fn entry<'s>(
    cx: &Context<'s, '_>,
    target: &HostTarget,
    mut m: DeviceModule<'s, Checked>,
) -> Outcome<DeviceModule<'s, Checked>> {
    let waits = waits::waits(m.kernel);
    if m.module.has_debug_info() {
        m.module.run_passes(LINE_TABLES_ONLY, None)?;
    }
    let name = m.kernel.name();
    let calls = vector::vectorise(cx, &mut m, waits.takes_locks())?;
    if !target.line_tables {
        m.module.strip_debug();
    }
    m.facts.remarks.extend(waits.remarks(calls.lanes > 1, cx.config().sub_group_size.is_some()));
    inline_updates(&m);
    let row = loops::Row { lanes: calls.lanes, lines: calls.lines, full: calls.full };
    let parameters = parameters(cx, &m);
    let item = make_item(cx, &m, &format!("{name}.item"), &parameters);
    let results = results(&m);
    for memory in &item.group {
        local_memory::replace(cx, item.function, memory.variable, memory.parameter, 0)?;
    }
    m.facts.local_memory = local_memory::place(cx, &m, item.function, item.local_memory)?;
    let split = match item.piece {
        Some(piece) => Some(cut(cx, &item, piece, &results)?),
        None => None,
    };
    if split.as_ref().is_some_and(Split::is_shared) {
        item.function.remove_attribute("alwaysinline");
        item.function.add_attribute("noinline", 0);
    }
    m.facts.item_memory = split.as_ref().map_or(Ok(0), |split| narrow(cx, per_item(split, row)))?;
    let sizes: Vec<_> = item.group.iter().map(|memory| memory.bytes).collect();
    let text = entry_text(cx, &name, &m, &parameters, split.as_ref(), (row, calls.linear), &sizes);
    link_entry(cx, &m, &name, &text)?;
    let group =
        m.module.named_metadata(loops::GROUP_METADATA).ok_or_else(|| Failure::internal("the access group is lost"))?;
    let ordered: Vec<_> = item.group.iter().map(|memory| memory.parameter).collect();
    parallel::mark(item.function, group, &ordered);
    item.function.make_internal();
    m.kernel = m.module.function(&name).ok_or_else(|| Failure::internal("the entry is lost"))?;
    Ok(m)
}

/// Lets the library's updates of memory become part of the kernel, whose lanes are known now.
fn inline_updates(m: &DeviceModule<'_, Checked>) {
    for update in m.module.functions().into_iter().filter(|function| function.name().starts_with(UPDATE_PREFIX)) {
        update.remove_attribute("noinline");
        update.add_attribute("alwaysinline", 0);
    }
}

/// The loads of a collective's result, which all work-items of the group read behind one barrier.
fn results<'s>(m: &DeviceModule<'s, Checked>) -> HashSet<Value<'s>> {
    let users = RESULTS.into_iter().filter_map(|name| m.module.global(name)).flat_map(Value::users);
    users.filter(|user| user.is_instruction() && user.opcode() == Opcode::LLVMLoad).collect()
}

/// Cuts the item function at its barriers. `results` are loads of what all work-items of the group
/// have alike.
fn cut<'s>(cx: &Context<'s, '_>, item: &Item<'s>, piece: Piece<'s>, results: &HashSet<Value<'s>>) -> Outcome<Split> {
    let differs = |parameter| parameter == piece.item || item.own.contains(&parameter);
    let source = |parameter| if differs(parameter) { Variation::Divergent } else { Variation::Uniform };
    let is_barrier = |value: Value<'s>| value.callee().is_some_and(|callee| callee.name() == BARRIER);
    let given = |value: Value<'s>| match value.opcode() {
        Opcode::LLVMCall if is_barrier(value) => Some(Kind::Barrier),
        Opcode::LLVMLoad if results.contains(&value) => Some(Kind::Pure),
        _ => None,
    };
    split(cx, item.function, piece, read_as(item.function, source, &given))
}

/// Bytes that each work-item keeps, if the work-items of a row keep theirs together.
fn per_item(split: &Split, row: loops::Row) -> u64 {
    if row.full { split.item_memory.div_ceil(row.lanes.into()) } else { split.item_memory }
}

fn narrow(cx: &Context<'_, '_>, bytes: u64) -> Outcome<u32> {
    let what = || cx.unsupported("4 GiB of private memory per work-item", None, "use a buffer in global memory");
    u32::try_from(bytes).map_err(|_| what().into())
}

fn parameters<'s>(cx: &Context<'s, '_>, m: &DeviceModule<'s, Checked>) -> Vec<Parameter<'s>> {
    let describe = |(index, value): (u32, Value<'s>)| Parameter {
        ty: value.ty(),
        by_value: m.kernel.by_value_type(index).map(|ty| (ty, changes(value))),
        alignment: match m.kernel.by_value_type(index) {
            Some(_) => m.kernel.parameter_alignment(index).unwrap_or(1),
            None => value.ty().alignment(cx.machine),
        },
        offset: m.facts.arguments.iter().find(|argument| argument.parameter == index).map(|argument| argument.offset),
    };
    (0u32..).zip(m.kernel.parameters()).map(describe).collect()
}

/// Turns the kernel into a function. Its parameters are those of the kernel, the index, a second
/// copy of each parameter that it modifies, local memory, and, if it has barriers, the piece to
/// run.
fn make_item<'s>(
    cx: &Context<'s, '_>,
    m: &DeviceModule<'s, Checked>,
    name: &str,
    parameters: &[Parameter<'s>],
) -> Item<'s> {
    let changed: Vec<_> = changed(parameters).collect();
    let indices = INDEX_QUERIES.len() * DIMENSIONS.len();
    let variables = local_memory::group_memory(m);
    let has_barriers = m.module.function(BARRIER).is_some_and(Value::is_used);
    let pointer = cx.session.pointer();
    let mut extra = vec![cx.session.integer(64); indices];
    extra.extend(changed.iter().map(|_| pointer));
    extra.push(pointer);
    extra.push(cx.session.integer(64));
    extra.extend(variables.iter().map(|_| pointer));
    if has_barriers {
        extra.extend([cx.session.integer(32), cx.session.integer(64), cx.session.integer(64)]);
        extra.extend([pointer; 3]);
    }
    let result = if has_barriers { cx.session.integer(32) } else { m.kernel.return_type() };
    let function = m.kernel.with_more_parameters(name, &extra, result);
    let values = function.parameters();
    let (own, more) = values.split_at(parameters.len());
    let (index, more) = more.split_at(indices);
    let (sources, more) = more.split_at(changed.len());
    answer_queries(m, index);
    let (local_memory, lanes, more) = (more[0], more[1], &more[2..]);
    answer(m, LIVE_LANES, lanes);
    let (pointers, more) = more.split_at(variables.len());
    let shared = |(variable, parameter): (Value<'s>, &Value<'s>)| GroupMemory {
        variable,
        parameter: *parameter,
        bytes: variable.value_type().alloc_size(cx.machine),
    };
    let group = variables.into_iter().zip(pointers).map(shared).collect();
    for ((position, parameter), source) in changed.iter().zip(sources) {
        copy_for_item(cx, function, own[*position], parameter, *source);
    }
    function.make_external();
    function.remove_attribute("noinline");
    function.add_attribute("alwaysinline", 0);
    let piece = |more: &[Value<'s>]| match *more {
        [state, item, count, memory, before, after] => {
            Some(Piece { state, item, count, memory, shared: Some(Shared { before, after }) })
        }
        _ => None,
    };
    let mut own = index[LOCAL_ID * DIMENSIONS.len()..][..DIMENSIONS.len()].to_vec();
    own.push(lanes);
    Item { function, own, local_memory, group, piece: piece(more) }
}

/// The structures passed by value that a work-item modifies, with their positions.
fn changed<'p, 's>(parameters: &'p [Parameter<'s>]) -> impl Iterator<Item = (usize, &'p Parameter<'s>)> {
    parameters.iter().enumerate().filter(|(_, p)| p.by_value.is_some_and(|(_, changes)| changes))
}

/// Replaces the index queries by the parameters for them.
fn answer_queries(m: &DeviceModule<'_, Checked>, index: &[Value<'_>]) {
    for (query, dimension) in (0..INDEX_QUERIES.len()).flat_map(|q| (0..DIMENSIONS.len()).map(move |d| (q, d))) {
        answer(m, &index_query(query, dimension), index[query * DIMENSIONS.len() + dimension]);
    }
}

/// Replaces the calls of a query.
fn answer(m: &DeviceModule<'_, Checked>, query: &str, answer: Value<'_>) {
    let Some(function) = m.module.function(query) else { return };
    for call in function.users() {
        let sized = call.insert_before(|insert| insert.resize(answer, call.ty()));
        call.replace_uses(sized);
        call.erase();
    }
}

/// Gives each work-item its own copy of a structure that it modifies.
fn copy_for_item<'s>(
    cx: &Context<'s, '_>,
    item: Value<'s>,
    own: Value<'s>,
    parameter: &Parameter<'s>,
    source: Value<'s>,
) {
    let (Some((ty, _)), Some(first)) = (parameter.by_value, item.instructions().first().copied()) else { return };
    let copy = first.insert_before(|insert| insert.private_copy(ty, parameter.alignment, source, cx.machine));
    own.replace_uses(copy);
}

/// Links the entry into the module under the kernel's name.
fn link_entry<'s>(cx: &Context<'s, '_>, m: &DeviceModule<'s, Checked>, name: &str, text: &str) -> Outcome<()> {
    let entry =
        cx.session.parse(text.as_bytes()).map_err(|error| Failure::internal(format!("work-item loops: {error}")))?;
    entry.copy_target(&m.module);
    let function = entry.function(name).ok_or_else(|| Failure::internal("the entry has another name"))?;
    m.module.declare_like(name, function);
    m.module.link_needed(entry)?;
    let host = m.module.function(name).ok_or_else(|| Failure::internal("the entry was not linked"))?;
    let item = m.module.function(&format!("{name}.item")).ok_or_else(|| Failure::internal("the item is lost"))?;
    item.target_attributes().iter().for_each(|(key, value)| host.add_text_attribute(key, value));
    // Source lines of the body belong to the function that it is inlined into.
    item.move_debug_info(host);
    Ok(())
}

/// A size of the loops: a literal, or a value of the launch.
fn size_operand(group_size: Option<[u32; 3]>, dimension: usize) -> String {
    group_size.map_or_else(|| format!("%local_size.{}", DIMENSIONS[dimension]), |size| size[dimension].to_string())
}

fn entry_text(
    cx: &Context<'_, '_>,
    name: &str,
    m: &DeviceModule<'_, Checked>,
    parameters: &[Parameter<'_>],
    split: Option<&Split>,
    (row, linear): (loops::Row, bool),
    group_memory: &[u64],
) -> String {
    let group_size = cx.config().group_size;
    let sizes: [String; 3] = std::array::from_fn(|d| size_operand(group_size, d));
    let (item_types, item_values) = item_arguments(parameters, &sizes, row, group_memory.len());
    let align = m.facts.argument_align;
    let dimensions = usize::from(cx.config().dimensions.clamp(1, 3));
    let loads = parameter_loads(parameters) + &launch_loads(group_size.is_some(), dimensions);
    let extents = match group_size.filter(|_| linear) {
        Some(size) => extents(&[vector::items(size).to_string(), String::new(), String::new()], true, 1),
        None => extents(&sizes, group_size.is_some(), dimensions),
    };
    let (item, name) = (quoted(&format!("{name}.item")), quoted(name));
    let (result, piece) = if split.is_some() { ("i32", ", i32, i64, i64, ptr, ptr, ptr") } else { ("void", "") };
    let shared = group_memory
        .iter()
        .zip(0..)
        .map(|(bytes, number)| format!("  %group_memory.{number} = alloca [{bytes} x i8], align {GROUP_ALIGNMENT}\n"));
    let variables = shared.collect::<String>() + &split.map(loops::variables).unwrap_or_default();
    let call = loops::ItemCall { item: &item, arguments: &item_values, row };
    let (groups, metadata) = loops::groups(call, &extents, split);
    format!(
        r#"
declare {result} @{item}({item_types}{piece})

define void @{name}(ptr noalias nocapture readonly align {align} %arguments, ptr noalias nocapture readonly align 8 dereferenceable(88) %launch, i64 %first, i64 %last) nounwind uwtable {{
entry:
{variables}{loads}  %any = icmp ult i64 %first, %last
  br i1 %any, label %start, label %done
start:
  %x.first = urem i64 %first, %num_groups.x
  %rows = udiv i64 %first, %num_groups.x
  %y.first = urem i64 %rows, %num_groups.y
  %z.first = udiv i64 %rows, %num_groups.y
  br label %group
{groups}done:
  ret void
}}

declare i64 @llvm.umin.i64(i64, i64)
declare i32 @llvm.umin.i32(i32, i32)
declare i32 @llvm.umax.i32(i32, i32)
declare void @llvm.assume(i1)
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
{metadata}"#
    )
}

/// Types and values of the arguments for the item function; `$` stands for the prefix of the loops
/// around the call.
fn item_arguments(
    parameters: &[Parameter<'_>],
    sizes: &[String; 3],
    row: loops::Row,
    group_memory: usize,
) -> (String, String) {
    let mut arguments: Vec<(String, String)> = Vec::new();
    for (index, parameter) in parameters.iter().enumerate() {
        let value = if parameter.offset.is_some() { format!("%parameter.{index}") } else { "poison".to_owned() };
        arguments.push((parameter.ty.text(), value));
    }
    for query in INDEX_QUERIES {
        for (dimension, size) in DIMENSIONS.iter().zip(sizes) {
            let value = match query {
                "local_size" => size.clone(),
                "local_id" => format!("%$local_id.{dimension}"),
                _ => format!("%{query}.{dimension}"),
            };
            arguments.push(("i64".to_owned(), value));
        }
    }
    let pointer = |name: String| ("ptr".to_owned(), name);
    arguments.extend(changed(parameters).map(|(index, _)| pointer(format!("%parameter.{index}"))));
    arguments.push(pointer("%local_memory".to_owned()));
    arguments.push(("i64".to_owned(), if row.full { row.lanes.to_string() } else { "%$lanes".to_owned() }));
    arguments.extend((0..group_memory).map(|number| pointer(format!("%group_memory.{number}"))));
    let types: Vec<_> = arguments.iter().map(|(ty, _)| ty.as_str()).collect();
    let values: Vec<_> = arguments.iter().map(|(ty, value)| format!("{ty} {value}")).collect();
    (types.join(", "), values.join(", "))
}

/// Loads each live parameter once. The buffer does not change while the entry runs.
fn parameter_loads(parameters: &[Parameter<'_>]) -> String {
    let mut text = String::new();
    for (index, parameter) in parameters.iter().enumerate() {
        let Some(offset) = parameter.offset else { continue };
        let address =
            if parameter.by_value.is_some() { format!("parameter.{index}") } else { format!("address.{index}") };
        let _ = writeln!(text, "  %{address} = getelementptr inbounds i8, ptr %arguments, i64 {offset}");
        if parameter.by_value.is_none() {
            let (ty, align) = (parameter.ty.text(), parameter.alignment);
            let _ = writeln!(
                text,
                "  %parameter.{index} = load {ty}, ptr %{address}, align {align}, !invariant.load !{{}}"
            );
        }
    }
    text
}

/// Loads the sizes that the loops need. Dimensions beyond those of the launch have one work-item
/// and one group.
fn launch_loads(group_size_known: bool, dimensions: usize) -> String {
    let mut text = String::new();
    let mut load = |name: &str, offset: u64| {
        for dimension in &DIMENSIONS[dimensions..] {
            let _ = writeln!(text, "  %{name}.{dimension} = add i64 0, 1");
        }
        for (dimension, step) in DIMENSIONS[..dimensions].iter().zip(0u64..) {
            let offset = offset + step * 8;
            let _ =
                writeln!(text, "  %{name}.{dimension}.address = getelementptr inbounds i8, ptr %launch, i64 {offset}");
            let _ = writeln!(
                text,
                "  %{name}.{dimension} = load i64, ptr %{name}.{dimension}.address, align 8, !invariant.load !{{}}"
            );
        }
    };
    load("num_groups", GROUP_COUNT_OFFSET);
    if !group_size_known {
        load("local_size", GROUP_SIZE_OFFSET);
        load("global_size", GLOBAL_SIZE_OFFSET);
    }
    for (name, offset) in [("local_memory", LOCAL_MEMORY_OFFSET), ("item_memory", ITEM_MEMORY_OFFSET)] {
        let _ = writeln!(
            text,
            "  %{name}.address = getelementptr inbounds i8, ptr %launch, i64 {offset}\n  \
             %{name} = load ptr, ptr %{name}.address, align 8, !invariant.load !{{}}"
        );
    }
    text
}

/// Number of work-items of a group: all of them if `exact`, possibly fewer in the last group of a
/// range.
fn extents(sizes: &[String; 3], exact: bool, dimensions: usize) -> String {
    let mut text = String::new();
    for dimension in &DIMENSIONS[dimensions..] {
        let _ = writeln!(text, "  %extent.{dimension} = add i64 0, 1");
    }
    for (dimension, size) in DIMENSIONS[..dimensions].iter().zip(sizes) {
        // A group that exists has work-items, which saves the loops a test.
        let some = format!(
            "  %some.{dimension} = icmp ne i64 %extent.{dimension}, 0\n  call void @llvm.assume(i1 %some.{dimension})"
        );
        let _ = if exact {
            writeln!(text, "  %extent.{dimension} = add i64 0, {size}")
        } else {
            writeln!(
                text,
                "  %begin.{dimension} = mul nuw i64 %group_id.{dimension}, {size}\n  \
                   %left.{dimension} = sub nuw i64 %global_size.{dimension}, %begin.{dimension}\n  \
                   %extent.{dimension} = call i64 @llvm.umin.i64(i64 %left.{dimension}, i64 {size})\n{some}"
            )
        };
    }
    text
}

/// A name in IR syntax.
pub(super) fn quoted(name: &str) -> String {
    let mut text = String::from("\"");
    for byte in name.bytes() {
        match byte {
            // The loop templates replace `$` by a prefix and use `!` for metadata.
            b'"' | b'\\' | b'$' | b'!' | 0..=31 | 127.. => {
                let _ = write!(text, "\\{byte:02X}");
            }
            _ => text.push(char::from(byte)),
        }
    }
    text + "\""
}

#[cfg(test)]
mod tests {
    #[test]
    fn quotes_what_the_parser_would_misread() {
        assert_eq!(super::quoted("_Z1kv"), "\"_Z1kv\"");
        assert_eq!(super::quoted("3$_0"), "\"3\\24_0\"");
        assert_eq!(super::quoted("a\"b\\é"), "\"a\\22b\\5C\\C3\\A9\"");
    }
}
