//! Chooses the number of lanes of a row.
//!
//! In: the request. Out: the number of lanes, if rows are wanted. *Invariant:* a size that the
//! kernel requires for its sub-groups, or that the user asks for, is never changed.

use super::properties::called;
use crate::{context::Context, targets::host::builtins::is_call_of_row};
use sinter_core::Rows;
use sinter_llvm::ir::Value;

/// The work-items that a call of the kernel runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::targets::host) struct Calls {
    pub(in crate::targets::host) lanes: u32,
    /// Lines of equal length that the lanes form, side by side along y.
    pub(in crate::targets::host) lines: u32,
    /// True if the work-items of a group are numbered one by one, as in one dimension.
    pub(in crate::targets::host) linear: bool,
    /// True if each row begins at a multiple of its lanes, as work-items are numbered in the group:
    /// then only the last row may have fewer.
    pub(super) aligned: bool,
    /// True if every call runs all lanes.
    pub(in crate::targets::host) full: bool,
}

impl Calls {
    /// The work-items of one row along x, or along linear IDs.
    pub(super) fn of_row(cx: &Context<'_, '_>, lanes: u32, linear: bool) -> Self {
        let (aligned, full) = (are_aligned(cx, lanes, linear), are_full(cx, lanes, linear));
        Self { lanes, lines: 1, linear, aligned, full }
    }

    /// Rows of lines of `length` lanes.
    fn of_lines(cx: &Context<'_, '_>, length: u32, lines: u32) -> Self {
        let line = Self::of_row(cx, length, false);
        Self { lanes: length * lines, lines, aligned: line.aligned && lines == 1, ..line }
    }

    pub(super) const SINGLE: Self = Self { lanes: 1, lines: 1, linear: false, aligned: true, full: true };
}

/// The lanes of the widest row.
pub(super) const MOST: u32 = 64;

/// The rows to try for a kernel, those with the fewest lanes first; none for code of one work-item.
pub(super) fn wanted(cx: &Context<'_, '_>, kernel: Value<'_>) -> Vec<Calls> {
    match cx.config().rows {
        _ if !cx.optimise() => vec![],
        Rows::Of(lanes) if has_one_line(kernel) => vec![Calls::of_row(cx, lanes, false)],
        Rows::Of(lanes) => vec![asked(cx, lanes)],
        Rows::Off => vec![],
        Rows::Auto => usual(cx).map_or(vec![], |length| of_length(cx, kernel, length)),
    }
}

/// Rows of lines of `length`, and of one line of twice as many lanes.
fn of_length(cx: &Context<'_, '_>, kernel: Value<'_>, length: u32) -> Vec<Calls> {
    if has_one_line(kernel) {
        return vec![Calls::of_row(cx, length, false)];
    }
    let mut lines = lines(cx, length);
    if kernel.instructions().len() > SMALL {
        lines.truncate(1);
        return lines.into_iter().map(|lines| Calls::of_lines(cx, length, lines)).collect();
    }
    let along_x = cx.config().group_size.map_or(1, |[x, ..]| along(x));
    let long = (along_x >= 2 * length).then(|| Calls::of_row(cx, 2 * length, false));
    lines.into_iter().map(|lines| Calls::of_lines(cx, length, lines)).chain(long).collect()
}

/// True for a kernel whose rows have one line: row versions of functions know no others, and
/// collectives of the group take the lanes of a row for consecutive work-items.
fn has_one_line(kernel: Value<'_>) -> bool {
    kernel.instructions().into_iter().any(|one| called(one).is_some() || is_call_of_row(one))
}

/// True for rows that fill the registers more often.
pub(super) fn fills_more(cx: &Context<'_, '_>, lanes: u32, times: u32) -> bool {
    widest(cx).is_some_and(|widest| lanes > widest.saturating_mul(times))
}

/// Rows of as many lanes as the user asks for: in lines where these fill them.
fn asked(cx: &Context<'_, '_>, lanes: u32) -> Calls {
    let length = cx.config().group_size.map_or(lanes, |[x, ..]| lanes.min(along(x)));
    let fits = length >= LEAST && cx.config().group_size.is_some_and(|[_, y, _]| y.is_multiple_of(lanes / length));
    if fits { Calls::of_lines(cx, length, lanes / length) } else { Calls::of_row(cx, lanes, false) }
}

/// The lanes of rows that are sub-groups: as many as the kernel requires, or as usual. A group does
/// not need sub-groups that are larger than itself. `None` if a sub-group is one work-item.
pub(in crate::targets::host) fn of_sub_groups(cx: &Context<'_, '_>) -> Option<u32> {
    let config = cx.config();
    let items = config.group_size.map_or(MOST.into(), items).min(MOST.into());
    let enough = u32::try_from(items).unwrap_or(MOST).next_power_of_two();
    let usual = Some(config.default_sub_group_size.get()).filter(|size| *size > 1 && enough > 1);
    let wanted = usual.filter(|_| config.rows != Rows::Off).map(|size| size.min(enough.max(LEAST)));
    config.sub_group_size.or(wanted).filter(|size| *size > 1)
}

/// True if rows have to be numbered through the group, so that each is a sub-group: consecutive
/// work-items in the order of linear IDs. The error is a property that the kernel has.
pub(super) fn is_linear(cx: &Context<'_, '_>, lanes: u32) -> Result<bool, String> {
    match cx.config().group_size {
        _ if cx.config().dimensions <= 1 => Ok(false),
        Some([x, y, z]) => Ok(x % lanes != 0 && (y, z) != (1, 1)),
        None => Err("work-groups of an unknown size".to_owned()),
    }
}

/// True if each row begins at a multiple of its lanes, in linear IDs.
fn are_aligned(cx: &Context<'_, '_>, lanes: u32, linear: bool) -> bool {
    let is_aligned = |[x, y, z]: [u32; 3]| x.is_multiple_of(lanes) || (y, z) == (1, 1);
    linear || cx.config().dimensions <= 1 || cx.config().group_size.is_some_and(is_aligned)
}

/// True if every row has all lanes.
fn are_full(cx: &Context<'_, '_>, lanes: u32, linear: bool) -> bool {
    let along = |size: [u32; 3]| if linear { items(size) } else { size[0].into() };
    cx.config().group_size.is_some_and(|size| along(size).is_multiple_of(lanes.into()))
}

/// The work-items of a group.
pub(in crate::targets::host) fn items(size: [u32; 3]) -> u64 {
    size.into_iter().map(u64::from).product()
}

/// As many lanes as work-items follow each other along x, at most those of [`widest`].
fn usual(cx: &Context<'_, '_>) -> Option<u32> {
    let most = widest(cx)?;
    let along_x = cx.config().group_size.map_or(most, |[x, ..]| along(x));
    Some(most.min(along_x)).filter(|lanes| *lanes >= LEAST)
}

/// The numbers of lines that rows with lines of `length` may have, fewest first: as many as fill
/// the registers, twice and four times as many. All lanes of such a row exist.
pub(super) fn lines(cx: &Context<'_, '_>, length: u32) -> Vec<u32> {
    let Some([_, y, _]) = cx.config().group_size.filter(|[x, ..]| x % length == 0) else { return vec![1] };
    let least = widest(cx).map_or(1, |widest| widest.div_ceil(length)).min(along(y));
    let most = along(y).min(MOST / length).min(least * SIDE_BY_SIDE);
    (least.ilog2()..=most.max(least).ilog2()).map(|exponent| 1 << exponent).collect()
}

/// The greatest power of two that divides a size, at most that of the widest row.
fn along(size: u32) -> u32 {
    1 << size.trailing_zeros().min(MOST.ilog2())
}

/// Lanes of a row whose 32-bit values fill the registers that the target has.
fn widest(cx: &Context<'_, '_>) -> Option<u32> {
    let has = |feature| cx.machine.has_feature(feature);
    match () {
        () if has("avx512vl") && has("avx512bw") => Some(16),
        () if has("avx2") => Some(8),
        () if has("sse4.1") => Some(4),
        () => None,
    }
}

/// Instructions of a kernel beyond which no row fills the registers more than once: the code of a
/// row grows with its lines, and with it the time to translate.
const SMALL: usize = 500;

/// Times that a row may fill the registers: what its lines share is computed once.
const SIDE_BY_SIDE: u32 = 4;

/// The lanes of the narrowest row: the smallest size of sub-groups, and the fewest that gain
/// something.
const LEAST: u32 = 4;
