//! Runs a kernel for every work-item of a range of work-groups.
//!
//! In: a kernel for one item that asks for its index. Out: the entry of `sinter_core::host_abi`: it loads the
//! parameters once, walks the groups `first..last` and the items of each, x innermost, and calls the former kernel,
//! now `<kernel>.item`, which is always merged into the loop. *Invariant:* an item is run exactly once and only if
//! its index is below the global size in every dimension.
//!
//! The loops around the innermost one are not unrolled: that triples the code of a vectorised body and with it the time
//! to translate, and rows are long.
//!
//! The loops are written as IR text, which is how a reader knows them best; parsing takes well below a millisecond.

use super::{
    builtins::{DIMENSIONS, INDEX_QUERIES, index_query},
    parallel,
};
use crate::{
    context::Context,
    device_module::{Checked, DeviceModule},
    failure::{Failure, Outcome},
};
use sinter_core::host_abi::{GLOBAL_SIZE_OFFSET, GROUP_COUNT_OFFSET, GROUP_SIZE_OFFSET};
use sinter_llvm::ir::{Opcode, Type, Value};
use std::fmt::Write;

/// Named metadata that carries the access group from the text to the body.
const GROUP_METADATA: &str = "sinter.access.group";

/// A kernel parameter as the entry passes it on.
struct Parameter<'s> {
    value: Value<'s>,
    /// For a structure passed by value: its type, and whether an item changes its copy.
    by_value: Option<(Type<'s>, bool)>,
    alignment: u32,
    offset: Option<u32>,
}

pub(super) fn entry<'s>(cx: &Context<'s, '_>, mut m: DeviceModule<'s, Checked>) -> Outcome<DeviceModule<'s, Checked>> {
    let name = m.kernel.name();
    let parameters = parameters(cx, &m);
    let item_name = format!("{name}.item");
    let text = entry_text(cx, &name, &item_name, &m, &parameters);
    let item = make_item(cx, &m, &item_name, &parameters);
    link_entry(cx, &m, &name, &text)?;
    let group = m.module.named_metadata(GROUP_METADATA).ok_or_else(|| Failure::internal("the access group is lost"))?;
    parallel::mark(item, group);
    item.make_internal();
    m.kernel = m.module.function(&name).ok_or_else(|| Failure::internal("the entry is lost"))?;
    Ok(m)
}

fn parameters<'s>(cx: &Context<'s, '_>, m: &DeviceModule<'s, Checked>) -> Vec<Parameter<'s>> {
    let describe = |(index, value): (u32, Value<'s>)| Parameter {
        value,
        by_value: m.kernel.by_value_type(index).map(|ty| (ty, changes(value))),
        alignment: match m.kernel.by_value_type(index) {
            Some(_) => m.kernel.parameter_alignment(index).unwrap_or(1),
            None => value.ty().alignment(cx.machine),
        },
        offset: m.facts.arguments.iter().find(|argument| argument.parameter == index).map(|argument| argument.offset),
    };
    (0u32..).zip(m.kernel.parameters()).map(describe).collect()
}

/// Whether memory behind `pointer` may be written, or its address kept.
fn changes(pointer: Value<'_>) -> bool {
    let mut queue = vec![pointer];
    while let Some(value) = queue.pop() {
        for user in value.users() {
            match user.opcode() {
                Opcode::LLVMLoad => {}
                Opcode::LLVMGetElementPtr => queue.push(user),
                _ => return true,
            }
        }
    }
    false
}

/// Turns the kernel into a function of its parameters, its index, and the parameters that it changes once more.
fn make_item<'s>(
    cx: &Context<'s, '_>,
    m: &DeviceModule<'s, Checked>,
    name: &str,
    parameters: &[Parameter<'s>],
) -> Value<'s> {
    let changed: Vec<_> =
        parameters.iter().enumerate().filter(|(_, p)| p.by_value.is_some_and(|(_, changes)| changes)).collect();
    let indices = INDEX_QUERIES.len() * DIMENSIONS.len();
    let mut extra = vec![cx.session.integer(64); indices];
    extra.extend(changed.iter().map(|(_, parameter)| parameter.value.ty()));
    let item = m.kernel.with_more_parameters(name, &extra);
    let values = item.parameters();
    let (own, more) = values.split_at(parameters.len());
    let (index, sources) = more.split_at(indices);
    answer_queries(m, index);
    for ((position, parameter), source) in changed.iter().zip(sources) {
        copy_for_item(cx, item, own[*position], parameter, *source);
    }
    item.make_external();
    item.remove_attribute("noinline");
    item.add_attribute("alwaysinline", 0);
    item
}

/// Replaces the index queries by the parameters that hold the answers.
fn answer_queries(m: &DeviceModule<'_, Checked>, index: &[Value<'_>]) {
    for (query, dimension) in (0..INDEX_QUERIES.len()).flat_map(|q| (0..DIMENSIONS.len()).map(move |d| (q, d))) {
        let Some(function) = m.module.function(&index_query(query, dimension)) else { continue };
        let answer = index[query * DIMENSIONS.len() + dimension];
        for call in function.users() {
            let sized = call.insert_before(|insert| insert.resize(answer, call.ty()));
            call.replace_uses(sized);
            call.erase();
        }
    }
}

/// Gives each item its own copy of a structure that it changes.
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

/// Adds the entry to the module under the kernel's name.
fn link_entry<'s>(cx: &Context<'s, '_>, m: &DeviceModule<'s, Checked>, name: &str, text: &str) -> Outcome<()> {
    let entry =
        cx.session.parse(text.as_bytes()).map_err(|error| Failure::internal(format!("work-item loops: {error}")))?;
    entry.copy_target(&m.module);
    let function = entry.function(name).ok_or_else(|| Failure::internal("the entry has another name"))?;
    m.module.declare_like(name, function);
    m.module.link_needed(entry)?;
    let host = m.module.function(name).ok_or_else(|| Failure::internal("the entry was not linked"))?;
    let cpu = m.module.function(&format!("{name}.item")).map(|item| item.target_attributes()).unwrap_or_default();
    cpu.iter().for_each(|(key, value)| host.add_text_attribute(key, value));
    Ok(())
}

/// Where the loops get a size from: a literal, or the launch.
fn size_operand(group_size: Option<[u32; 3]>, dimension: usize) -> String {
    group_size.map_or_else(|| format!("%local_size.{}", DIMENSIONS[dimension]), |size| size[dimension].to_string())
}

fn entry_text(
    cx: &Context<'_, '_>,
    name: &str,
    item: &str,
    m: &DeviceModule<'_, Checked>,
    parameters: &[Parameter<'_>],
) -> String {
    let group_size = cx.config().group_size;
    let sizes: [String; 3] = std::array::from_fn(|d| size_operand(group_size, d));
    let (item_types, item_values) = item_arguments(parameters, &sizes);
    let align = m.facts.argument_align;
    let dimensions = usize::from(cx.config().dimensions.clamp(1, 3));
    let loads = parameter_loads(parameters);
    let launch = launch_loads(group_size.is_some(), dimensions);
    let extents = extents(&sizes, group_size.is_some(), dimensions);
    let (name, item) = (quoted(name), quoted(item));
    format!(
        r#"
declare void @{item}({item_types})

define void @{name}(ptr noalias nocapture readonly align {align} %arguments, ptr noalias nocapture readonly align 8 dereferenceable(88) %launch, i64 %first, i64 %last) nounwind {{
entry:
{loads}{launch}  %any = icmp ult i64 %first, %last
  br i1 %any, label %start, label %done
start:
  %x.first = urem i64 %first, %num_groups.x
  %rows = udiv i64 %first, %num_groups.x
  %y.first = urem i64 %rows, %num_groups.y
  %z.first = udiv i64 %rows, %num_groups.y
  br label %group
group:
  %number = phi i64 [ %first, %start ], [ %number.next, %group.end ]
  %group_id.x = phi i64 [ %x.first, %start ], [ %group_id.x.next, %group.end ]
  %group_id.y = phi i64 [ %y.first, %start ], [ %group_id.y.next, %group.end ]
  %group_id.z = phi i64 [ %z.first, %start ], [ %group_id.z.next, %group.end ]
{extents}  br label %z
z:
  %local_id.z = phi i64 [ 0, %group ], [ %z.next, %z.end ]
  br label %y
y:
  %local_id.y = phi i64 [ 0, %z ], [ %y.next, %y.end ]
  br label %x
x:
  %local_id.x = phi i64 [ 0, %y ], [ %x.next, %x ]
  call void @{item}({item_values})
  %x.next = add nuw nsw i64 %local_id.x, 1
  %x.more = icmp ult i64 %x.next, %extent.x
  br i1 %x.more, label %x, label %y.end, !llvm.loop !0
y.end:
  %y.next = add nuw nsw i64 %local_id.y, 1
  %y.more = icmp ult i64 %y.next, %extent.y
  br i1 %y.more, label %y, label %z.end, !llvm.loop !4
z.end:
  %z.next = add nuw nsw i64 %local_id.z, 1
  %z.more = icmp ult i64 %z.next, %extent.z
  br i1 %z.more, label %z, label %group.end, !llvm.loop !5
group.end:
  %number.next = add nuw i64 %number, 1
  %x.carried = add nuw i64 %group_id.x, 1
  %x.carry = icmp eq i64 %x.carried, %num_groups.x
  %group_id.x.next = select i1 %x.carry, i64 0, i64 %x.carried
  %x.carry.bit = zext i1 %x.carry to i64
  %y.carried = add nuw i64 %group_id.y, %x.carry.bit
  %y.carry = icmp eq i64 %y.carried, %num_groups.y
  %group_id.y.next = select i1 %y.carry, i64 0, i64 %y.carried
  %y.carry.bit = zext i1 %y.carry to i64
  %group_id.z.next = add nuw i64 %group_id.z, %y.carry.bit
  %more = icmp ult i64 %number.next, %last
  br i1 %more, label %group, label %done, !llvm.loop !6
done:
  ret void
}}

declare i64 @llvm.umin.i64(i64, i64)
declare void @llvm.assume(i1)
!{GROUP_METADATA} = !{{!2}}
!0 = distinct !{{!0, !1, !3}}
!1 = !{{!"llvm.loop.parallel_accesses", !2}}
!2 = distinct !{{}}
!3 = !{{!"llvm.loop.mustprogress"}}
!4 = distinct !{{!4, !3, !8}}
!5 = distinct !{{!5, !3, !8}}
!6 = distinct !{{!6, !3, !8}}
!7 = !{{}}
!8 = !{{!"llvm.loop.unroll.disable"}}
"#
    )
}

/// Types and values of the call to the item function.
fn item_arguments(parameters: &[Parameter<'_>], sizes: &[String; 3]) -> (String, String) {
    let mut arguments: Vec<(String, String)> = Vec::new();
    for (index, parameter) in parameters.iter().enumerate() {
        let value = if parameter.offset.is_some() { format!("%parameter.{index}") } else { "poison".to_owned() };
        arguments.push((parameter.value.ty().text(), value));
    }
    for query in INDEX_QUERIES {
        for (dimension, size) in DIMENSIONS.iter().zip(sizes) {
            let value = if query == "local_size" { size.clone() } else { format!("%{query}.{dimension}") };
            arguments.push(("i64".to_owned(), value));
        }
    }
    let changed = parameters.iter().enumerate().filter(|(_, p)| p.by_value.is_some_and(|(_, changes)| changes));
    arguments.extend(changed.map(|(index, _)| ("ptr".to_owned(), format!("%parameter.{index}"))));
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
            let (ty, align) = (parameter.value.ty().text(), parameter.alignment);
            let _ =
                writeln!(text, "  %parameter.{index} = load {ty}, ptr %{address}, align {align}, !invariant.load !7");
        }
    }
    text
}

/// Loads the sizes that the loops need. Dimensions beyond those of the launch have one item and one group.
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
                "  %{name}.{dimension} = load i64, ptr %{name}.{dimension}.address, align 8, !invariant.load !7"
            );
        }
    };
    load("num_groups", GROUP_COUNT_OFFSET);
    if !group_size_known {
        load("local_size", GROUP_SIZE_OFFSET);
        load("global_size", GLOBAL_SIZE_OFFSET);
    }
    text
}

/// How many items of a group exist: all where the size is a constant, fewer in the last group of a range.
fn extents(sizes: &[String; 3], exact: bool, dimensions: usize) -> String {
    let mut text = String::new();
    for dimension in &DIMENSIONS[dimensions..] {
        let _ = writeln!(text, "  %extent.{dimension} = add i64 0, 1");
    }
    for (dimension, size) in DIMENSIONS[..dimensions].iter().zip(sizes) {
        // A group that exists has items, which saves the loops a test.
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

/// A name as IR text spells it.
pub(super) fn quoted(name: &str) -> String {
    let mut text = String::from("\"");
    for byte in name.bytes() {
        match byte {
            b'"' | b'\\' | 0..=31 | 127.. => {
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
        assert_eq!(super::quoted("a\"b\\é"), "\"a\\22b\\5C\\C3\\A9\"");
    }
}
