//! Builds the loops over work-groups, states and work-items, as IR text.
//!
//! In: the launch's shape, a call of the item function, and the kernel's split. Out: the body of
//! the entry. A kernel without barriers is one loop nest in the loop over groups. One with barriers
//! has a nest for each state and follows its work-items from one to the next; a kernel with very
//! many states has one nest for all of them. *Invariant:* each nest runs each work-item that is in
//! its state once.
//!
//! Loops are easiest to read as text, and parsing them takes well below a millisecond. The loops
//! around the innermost one are not unrolled: that triples the code of a vectorised body and with
//! it the time to translate, and rows are long.

use crate::targets::split::{RETURNED, Split};
use std::fmt::Write;

/// Named metadata that carries the access group from the IR text to the body.
pub(super) const GROUP_METADATA: &str = "sinter.access.group";
/// The first metadata number that is free for loops.
const FIRST_LOOP: usize = 4;

/// The work-items that one call runs: a row along x, or several of them side by side along y.
#[derive(Debug, Clone, Copy)]
pub(super) struct Row {
    /// Work-items of a full row: a power of two.
    pub(super) lanes: u32,
    /// Lines of equal length along x that they form: a power of two.
    pub(super) lines: u32,
    /// True if every row is full.
    pub(super) full: bool,
}

/// A call of the item function, in IR text.
pub(super) struct ItemCall<'a> {
    /// The function's name, quoted for IR.
    pub(super) item: &'a str,
    /// Type and value of each argument, except those that [`Split`] adds. `$` stands for the nest's
    /// prefix.
    pub(super) arguments: &'a str,
    /// The work-items that it runs.
    pub(super) row: Row,
}

/// Emits nests and the metadata of their loops.
struct Writer<'a> {
    call: ItemCall<'a>,
    text: String,
    metadata: String,
    loops: usize,
}

/// The loop over the work-groups `first..last`, with `extents` at its start; then the metadata that
/// it refers to.
pub(super) fn groups(call: ItemCall<'_>, extents: &str, split: Option<&Split>) -> (String, String) {
    let mut writer = Writer { call, text: String::new(), metadata: common_metadata(), loops: 0 };
    writer.add(GROUP_HEAD);
    writer.add(extents);
    match split {
        None => {
            writer.add_rows();
            writer.add("  br label %s0.start\n");
            writer.plain();
        }
        Some(split) => writer.states(split),
    }
    let group = writer.new_loop(false);
    writer.add(&GROUP_END.replace("!LOOP", &group));
    (writer.text, writer.metadata)
}

/// The variables of the loops: the lowest and the highest state of the work-items of a group, and
/// the places of values that the group has once.
pub(super) fn variables(split: &Split) -> String {
    let states = "  %low = alloca i32, align 4\n  %high = alloca i32, align 4\n";
    let bytes = split.shared_memory;
    let shared =
        || format!("  %before = alloca [{bytes} x i8], align 64\n  %after = alloca [{bytes} x i8], align 64\n");
    format!(
        "{}{}",
        if split.states_at.is_some() { states } else { "" },
        if bytes > 0 { shared() } else { String::new() }
    )
}

/// Hands the values that a group has once from one state to the next.
fn hand_over(split: &Split) -> String {
    match split.shared_memory {
        0 => String::new(),
        bytes => format!("  call void @llvm.memcpy.p0.p0.i64(ptr %before, ptr %after, i64 {bytes}, i1 false)\n"),
    }
}

/// The access group, and the properties of loops.
fn common_metadata() -> String {
    format!(
        "!{GROUP_METADATA} = !{{!0}}\n!0 = distinct !{{}}\n!1 = !{{!\"llvm.loop.parallel_accesses\", !0}}\n\
         !2 = !{{!\"llvm.loop.mustprogress\"}}\n!3 = !{{!\"llvm.loop.unroll.disable\"}}\n"
    )
}

const GROUP_HEAD: &str = "\
group:
  %number = phi i64 [ %first, %start ], [ %number.next, %group.end ]
  %group_id.x = phi i64 [ %x.first, %start ], [ %group_id.x.next, %group.end ]
  %group_id.y = phi i64 [ %y.first, %start ], [ %group_id.y.next, %group.end ]
  %group_id.z = phi i64 [ %z.first, %start ], [ %group_id.z.next, %group.end ]
";

const GROUP_END: &str = "\
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
  br i1 %more, label %group, label %done, !LOOP
";

/// A nest around `BODY`, which falls out of its last block. `$` is the prefix of its names.
const NEST: &str = "\
$start:
BEFORE  br label %$z
$z:
  %$local_id.z = phi i64 [ 0, %$start ], [ %$z.next, %$z.end ]
  br label %$y
$y:
  %$local_id.y = phi i64 [ 0, %$z ], [ %$y.next, %$y.end ]
ROW  XENTER
$x:
  %$local_id.x = phi i64 [ 0, %$y ], [ %$x.next, %$x.end ]
BODY  br label %$x.end
$x.end:
  %$x.next = add nuw nsw i64 %$local_id.x, STEP
  %$x.more = icmp ult i64 %$x.next, XLIMIT
  br i1 %$x.more, label %$x, label %XEXIT, !XLOOP
TAIL$y.end:
  %$y.next = add nuw nsw i64 %$local_id.y, LINES
  %$y.more = icmp ult i64 %$y.next, %extent.y
  br i1 %$y.more, label %$y, label %$z.end, !YLOOP
$z.end:
  %$z.next = add nuw nsw i64 %$local_id.z, 1
  %$z.more = icmp ult i64 %$z.next, %extent.z
  br i1 %$z.more, label %$z, label %$done, !ZLOOP
$done:
";

/// Linear index of a row of work-items in its group, x fastest-varying.
const ROW: &str = "  %$above = mul nuw nsw i64 %$local_id.z, %plane
  %$line = lshr i64 %$local_id.y, DOWN
  %$before = mul nuw nsw i64 %$line, %rows.x
  %$row = add nuw nsw i64 %$above, %$before
";
const ITEM: &str = "  %$column = lshr i64 %$local_id.x, SHIFT\n  %$item = add nuw nsw i64 %$row, %$column\nLANES";

/// The lanes of a row, if the last one along x may have fewer.
const LANES: &str = "  %$left = sub nuw nsw i64 %extent.x, %$local_id.x
  %$lanes = call i64 @llvm.umin.i64(i64 %$left, i64 STEP)
";

/// Runs the full rows along x, and then the rest.
const FULL_ROWS: &str = "  br i1 %any.full, label %$x, label %$rest\n";
const REST: &str = "\
$rest:
  br i1 %any.rest, label %$tail, label %$y.end
$tail:
CALL  br label %$y.end
";

/// Updates the lowest and the highest state of the group. Unsigned subtraction of 1 excludes
/// work-items that have returned from the lowest.
const NOTE: &str = "  store i32 %$next, ptr %$at, align 4, !llvm.access.group !0
  %$next.less = sub i32 %$next, 1
  %$low = load i32, ptr %low, align 4
  %$low.new = call i32 @llvm.umin.i32(i32 %$low, i32 %$next.less)
  store i32 %$low.new, ptr %low, align 4
  %$high = load i32, ptr %high, align 4
  %$high.new = call i32 @llvm.umax.i32(i32 %$high, i32 %$next)
  store i32 %$high.new, ptr %high, align 4
";
const FORGET: &str = "  store i32 -1, ptr %low, align 4\n  store i32 0, ptr %high, align 4\n";

/// Chooses the next nest of the group: none if all work-items have returned, that of the common
/// state if all others are in one, or the nest that runs each work-item in its own state.
const CHOOSE_NEST: &str = "  %$lowest = load i32, ptr %low, align 4
  %$highest = load i32, ptr %high, align 4
  %$only = add i32 %$lowest, 1
  %$agree = icmp eq i32 %$only, %$highest
  %$common = select i1 %$agree, i32 %$highest, i32 -1
  %$over = icmp eq i32 %$highest, 0
  %$goal = select i1 %$over, i32 0, i32 %$common
";

impl Row {
    /// Work-items along x.
    fn length(self) -> u32 {
        self.lanes / self.lines
    }
}

impl Writer<'_> {
    fn add(&mut self, text: &str) {
        self.text.push_str(text);
    }

    /// The full rows along x, and the work-items behind them.
    fn add_rows(&mut self) {
        let Row { lanes, full, .. } = self.call.row;
        if !full {
            self.add(&format!(
                "  %full.x = and i64 %extent.x, -{lanes}\n  %rest.x = and i64 %extent.x, {}\n  \
                 %any.full = icmp ne i64 %full.x, 0\n  %any.rest = icmp ne i64 %rest.x, 0\n",
                lanes - 1
            ));
        }
    }

    /// Metadata reference of a loop. The work-items of an innermost loop may run in any order.
    fn new_loop(&mut self, innermost: bool) -> String {
        let number = FIRST_LOOP + self.loops;
        self.loops += 1;
        let properties = if innermost { "!1, !2" } else { "!2, !3" };
        let _ = writeln!(self.metadata, "!{number} = distinct !{{!{number}, {properties}}}");
        format!("!llvm.loop !{number}")
    }

    fn nest(&mut self, prefix: &str, before: &str, row: &str, body: &str) {
        let enter = "br label %$x\n";
        let nest = NEST.replace("XENTER\n", enter).replace("XLIMIT", "%extent.x").replace("XEXIT", "$y.end");
        self.finish_nest(&nest.replace("TAIL", ""), prefix, [before, row, body]);
    }

    /// A nest whose last call along x runs the rest of a row.
    fn nest_with_rest(&mut self, prefix: &str, call: &str) {
        let nest = NEST.replace("  XENTER\n", FULL_ROWS).replace("XLIMIT", "%full.x").replace("XEXIT", "$rest");
        let rest = call.replace("%$local_id.x", "%full.x").replace("%$lanes", "%rest.x");
        let full = call.replace("%$lanes", &self.call.row.lanes.to_string());
        self.finish_nest(&nest.replace("TAIL", &REST.replace("CALL", &rest)), prefix, ["", "", &full]);
    }

    fn finish_nest(&mut self, nest: &str, prefix: &str, [before, row, body]: [&str; 3]) {
        let Row { lines, full, .. } = self.call.row;
        let length = self.call.row.length();
        let mut text = nest.replace("BEFORE", before).replace("ROW", row).replace("BODY", body);
        text = text.replace("LANES", if full { "" } else { LANES });
        text = text.replace("SHIFT", &length.trailing_zeros().to_string());
        text = text.replace("DOWN", &lines.trailing_zeros().to_string()).replace("LINES", &lines.to_string());
        text = text.replace("STEP", &length.to_string()).replace('$', prefix);
        for (name, innermost) in [("!XLOOP", true), ("!YLOOP", false), ("!ZLOOP", false)] {
            text = text.replace(name, &self.new_loop(innermost));
        }
        self.add(&text);
    }

    /// The nest of a kernel without barriers.
    fn plain(&mut self) {
        let call = format!("  call void @{}({})\n", self.call.item, self.call.arguments);
        if self.call.row.full {
            self.nest("s0.", "", "", &call);
        } else {
            self.nest_with_rest("s0.", &call);
        }
        self.add("  br label %group.end\n");
    }

    /// A call that runs one piece of one work-item.
    fn piece(&self, split: &Split, state: &str) -> String {
        let ItemCall { item, arguments, .. } = &self.call;
        let shared = if split.shared_memory > 0 { "ptr %before, ptr %after" } else { "ptr null, ptr null" };
        format!(
            "  %$next = call i32 @{item}({arguments}, i32 {state}, i64 %$item, i64 %count, ptr %item_memory, {shared})\n"
        )
    }

    fn states(&mut self, split: &Split) {
        let (length, lines) = (self.call.row.length(), self.call.row.lines);
        self.add(&format!(
            "  %rounded.x = add nuw nsw i64 %extent.x, {}\n  %rows.x = lshr i64 %rounded.x, {}\n  \
             %rows.y = lshr i64 %extent.y, {}\n  %plane = mul nuw nsw i64 %rows.x, %rows.y\n  \
             %count = mul nuw nsw i64 %plane, %extent.z\n",
            length - 1,
            length.trailing_zeros(),
            lines.trailing_zeros()
        ));
        match split.states_at {
            None if split.is_shared() => self.shared(split),
            None => self.uniform_states(split),
            Some(offset) => self.divergent_states(split, offset),
        }
    }

    /// The nests of a kernel in which all work-items of a group always have the same state.
    fn uniform_states(&mut self, split: &Split) {
        self.add("  br label %s0.start\n");
        for (state, next) in split.next.iter().enumerate() {
            let (prefix, body) = (format!("s{state}."), self.piece(split, &state.to_string()));
            let before = if state > 0 { hand_over(split) } else { String::new() };
            self.nest(&prefix, &before, ROW, &format!("{ITEM}{body}"));
            let mut goals = next.iter().filter(|goal| **goal != RETURNED);
            match (next.len(), goals.next()) {
                (1, Some(goal)) => self.add(&format!("  br label %s{goal}.start\n")),
                (_, None) => self.add("  br label %group.end\n"),
                (_, Some(_)) => {
                    let cases = cases(next.iter().copied());
                    self.add(&format!("  switch i32 %{prefix}next, label %group.end [{cases} ]\n"));
                }
            }
        }
    }

    /// One nest for all states, if all work-items of a group have the same state at a time.
    fn shared(&mut self, split: &Split) {
        self.add("  br label %shared\nshared:\n  br label %all.start\n");
        let state = "  %$state = phi i32 [ 0, %shared ], [ %$next, %$done ]\n";
        let before = format!("{state}{}", hand_over(split));
        self.nest("all.", &before, ROW, &format!("{ITEM}{}", self.piece(split, "%$state")));
        self.add(&format!(
            "  %all.over = icmp eq i32 %all.next, {RETURNED}\n  br i1 %all.over, label %group.end, label %all.start\n"
        ));
    }

    /// The nests of a kernel in which work-items may return early or wait at different barriers. A
    /// single nest for all states runs each work-item in its own.
    fn divergent_states(&mut self, split: &Split, states_at: u64) {
        self.add(&format!(
            "  %states.offset = mul nuw nsw i64 %count, {states_at}\n  \
             %states = getelementptr inbounds i8, ptr %item_memory, i64 %states.offset\n  br label %s0.start\n"
        ));
        let states = if split.is_shared() { 1 } else { split.next.len() };
        let all = cases(0..states as u32);
        for state in 0..states {
            let number = state.to_string();
            let condition = (state > 0).then(|| format!("icmp eq i32 %$state, {number}"));
            self.tracked(split, &format!("s{state}."), (&number, condition), &all);
        }
        self.tracked(split, "own.", ("%$state", Some("icmp ne i32 %$state, 0".to_owned())), &all);
    }

    /// A nest that runs the work-items whose state meets the condition, and the switch to the next
    /// nest.
    fn tracked(&mut self, split: &Split, prefix: &str, (state, condition): (&str, Option<String>), all: &str) {
        let mut body = format!("{ITEM}  %$at = getelementptr inbounds i32, ptr %states, i64 %$item\n");
        if let Some(condition) = condition {
            let _ = write!(
                body,
                "  %$state = load i32, ptr %$at, align 4, !llvm.access.group !0\n  %$here = {condition}\n  \
                 br i1 %$here, label %$run, label %$x.end\n$run:\n"
            );
        }
        body.push_str(&self.piece(split, state));
        body.push_str(NOTE);
        self.nest(prefix, FORGET, ROW, &body);
        self.add(&CHOOSE_NEST.replace('$', prefix));
        self.add(&format!("  switch i32 %{prefix}goal, label %own.start [{all} ]\n"));
    }
}

/// Cases of a switch over states.
fn cases(states: impl Iterator<Item = u32>) -> String {
    states.fold(String::new(), |mut text, state| {
        let _ = match state {
            RETURNED => write!(text, " i32 {RETURNED}, label %group.end"),
            state => write!(text, " i32 {state}, label %s{state}.start"),
        };
        text
    })
}
