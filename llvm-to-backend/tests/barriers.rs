//! Kernels with barriers, split by the host backend, against their expected results.

mod support;

use sinter_core::{CodeObject, ConstantValue, OptLevel, Remark, Rows, TranslateRequest};
use support::{address, request, run, translate};

const DECLARATIONS: &str = "
declare i64 @__acpp_sscp_get_local_id_x()
declare i64 @__acpp_sscp_get_local_id_y()
declare i64 @__acpp_sscp_get_group_id_x()
declare i64 @__acpp_sscp_get_local_size_x()
declare i64 @__acpp_sscp_get_local_size_y()
declare void @__acpp_sscp_work_group_barrier(i32, i32) convergent
declare ptr addrspace(3) @__acpp_sscp_get_dynamic_local_memory()
@tile = internal addrspace(3) global [1024 x i32] undef, align 16
";

/// Lanes of rows.
const WIDTHS: [u32; 4] = [4, 8, 16, 64];
const LEVELS: [OptLevel; 3] = [OptLevel::O0, OptLevel::O1, OptLevel::O3];

/// Ways to translate: level, knowledge of the group size, and rows, of which unoptimised code has
/// none. Each turn has all levels and widths; four turns have them with either knowledge.
fn ways(turn: usize) -> Vec<(OptLevel, bool, Rows)> {
    let by_items = LEVELS.iter().zip(turn..).map(|(level, number)| (*level, number % 2 == 1, Rows::Off));
    let kind = |number: usize| (LEVELS[1 + number / 2 % 2], number % 2 == 1);
    let by_rows =
        WIDTHS.iter().zip((turn..).map(kind)).map(|(lanes, (level, is_known))| (level, is_known, Rows::Of(*lanes)));
    by_items.chain(by_rows).collect()
}

#[test]
fn four_turns_are_all_ways() {
    let all: Vec<_> = (0..4).flat_map(ways).collect();
    for (level, is_known) in LEVELS.into_iter().flat_map(|level| [(level, false), (level, true)]) {
        let rows = WIDTHS.into_iter().map(Rows::Of).filter(|_| level != OptLevel::O0).chain([Rows::Off]);
        rows.for_each(|rows| assert!(all.contains(&(level, is_known, rows)), "{level:?} {is_known} {rows:?}"));
    }
}

/// The kernel in the ways of its turn, which its name and the size of the group decide.
fn variants(text: &str, kernel: &str, group: [u64; 3]) -> Vec<TranslateRequest> {
    let text = format!("{DECLARATIONS}{text}");
    let variant = |(opt_level, is_known, rows): (OptLevel, bool, Rows)| {
        let mut one = request(&text, kernel);
        one.config.dimensions = 3;
        one.config.opt_level = opt_level;
        one.config.group_size = is_known.then_some(group.map(|size| size as u32));
        one.config.rows = rows;
        one
    };
    let turn = kernel.len() + group.iter().product::<u64>().ilog2() as usize;
    ways(turn).into_iter().map(variant).collect()
}

/// Runs a kernel that fills `out`, in the variants of its turn, and compares.
fn check(text: &str, kernel: &str, groups: u64, group: [u64; 3], expected: impl Fn(u64, u64) -> i32) {
    check_with(text, kernel, groups, group, expected, |_| None);
}

/// Like [`check`], for a kernel that runs item by item for a reason that is given, which may depend
/// on the number of items in a group if that is known.
fn check_with(
    text: &str,
    kernel: &str,
    groups: u64,
    group: [u64; 3],
    expected: impl Fn(u64, u64) -> i32,
    reason: impl Fn(Option<u32>) -> Option<&'static str>,
) {
    let items: u64 = group.iter().product();
    for one in variants(text, kernel, group) {
        let out = vec![-1i32; (items * groups) as usize];
        let code = translate(&one);
        let known = one.config.group_size.map(|size| size.iter().product());
        check_decision(&code, one.config.rows, reason(known));
        run(&code, &[&address(&out)], [group[0] * groups, group[1], group[2]], group);
        for (index, found) in (0u64..).zip(&out) {
            let (number, item) = (index / items, index % items);
            let what = (kernel, one.config.opt_level, one.config.rows, group, number, item);
            assert_eq!(*found, expected(number, item), "{what:?}");
        }
    }
}

/// Code that was to run in rows does, unless there is a reason.
fn check_decision(code: &CodeObject, rows: Rows, reason: Option<&str>) {
    let Rows::Of(lanes) = rows else { return };
    let rows = || format!("rows of {lanes} work-items");
    let wanted = reason.map_or_else(rows, |reason| format!("work-items run one by one: {reason}"));
    let is_wanted = |remark: &Remark| matches!(remark, Remark::Decision(text) if text.starts_with(&wanted));
    assert!(code.entry.remarks.iter().any(is_wanted), "{:?}", code.entry.remarks);
}

/// Why kernels stay as they are whose items wait at different barriers, or at very many in
/// branches.
const IN_BRANCHES: &str = "a barrier in a branch, and work of others in another one";

const SIZES: [u64; 5] = [1, 7, 32, 64, 256];

const REVERSE: &str = "
define void @reverse(ptr %out) {
  %l = call i64 @__acpp_sscp_get_local_id_x()
  %g = call i64 @__acpp_sscp_get_group_id_x()
  %n = call i64 @__acpp_sscp_get_local_size_x()
  %base = mul i64 %g, %n
  %i = add i64 %base, %l
  %here = getelementptr [1024 x i32], ptr addrspace(3) @tile, i64 0, i64 %l
  %v = trunc i64 %i to i32
  store i32 %v, ptr addrspace(3) %here
  call void @__acpp_sscp_work_group_barrier(i32 2, i32 3)
  %last = sub i64 %n, 1
  %other = sub i64 %last, %l
  %there = getelementptr [1024 x i32], ptr addrspace(3) @tile, i64 0, i64 %other
  %w = load i32, ptr addrspace(3) %there
  %to = getelementptr i32, ptr %out, i64 %i
  store i32 %w, ptr %to
  ret void
}";

#[test]
fn items_see_what_others_wrote_before_the_barrier() {
    for size in SIZES {
        check(REVERSE, "reverse", 3, [size, 1, 1], |g, l| (g * size + size - 1 - l) as i32);
    }
}

/// A tree in dynamic local memory: a loop with a uniform condition, a divergent branch.
const TREE: &str = "
define void @tree(ptr %out) {
entry:
  %l = call i64 @__acpp_sscp_get_local_id_x()
  %g = call i64 @__acpp_sscp_get_group_id_x()
  %n = call i64 @__acpp_sscp_get_local_size_x()
  %local = call ptr addrspace(3) @__acpp_sscp_get_dynamic_local_memory()
  %base = mul i64 %g, %n
  %i = add i64 %base, %l
  %here = getelementptr i32, ptr addrspace(3) %local, i64 %l
  %v = trunc i64 %i to i32
  store i32 %v, ptr addrspace(3) %here
  br label %loop
loop:
  %step = phi i64 [ 1, %entry ], [ %twice, %next ]
  %more = icmp ult i64 %step, %n
  call void @__acpp_sscp_work_group_barrier(i32 2, i32 3)
  br i1 %more, label %body, label %done
body:
  %twice = shl i64 %step, 1
  %mask = sub i64 %twice, 1
  %low = and i64 %l, %mask
  %first = icmp eq i64 %low, 0
  %partner = add i64 %l, %step
  %inside = icmp ult i64 %partner, %n
  %active = and i1 %first, %inside
  br i1 %active, label %add, label %next
add:
  %pp = getelementptr i32, ptr addrspace(3) %local, i64 %partner
  %a = load i32, ptr addrspace(3) %here
  %b = load i32, ptr addrspace(3) %pp
  %c = add i32 %a, %b
  store i32 %c, ptr addrspace(3) %here
  br label %next
next:
  br label %loop
done:
  %sum = load i32, ptr addrspace(3) %local
  %to = getelementptr i32, ptr %out, i64 %i
  store i32 %sum, ptr %to
  ret void
}";

#[test]
fn a_tree_adds_up() {
    for size in SIZES {
        let sum = |g: u64| (0..size).map(|l| g * size + l).sum::<u64>() as i32;
        check(TREE, "tree", 2, [size, 1, 1], |g, _| sum(g));
    }
}

/// Items above 4 return before a barrier; a private array is live across it.
const EARLY: &str = "
define void @early(ptr %out) {
entry:
  %private = alloca [4 x i32], align 4
  %l = call i64 @__acpp_sscp_get_local_id_x()
  %g = call i64 @__acpp_sscp_get_group_id_x()
  %n = call i64 @__acpp_sscp_get_local_size_x()
  %base = mul i64 %g, %n
  %i = add i64 %base, %l
  %to = getelementptr i32, ptr %out, i64 %i
  %slot = and i64 %l, 3
  %mine = getelementptr [4 x i32], ptr %private, i64 0, i64 %slot
  %v = trunc i64 %i to i32
  store i32 %v, ptr %mine
  store i32 -7, ptr %to
  %leaves = icmp ugt i64 %l, 4
  br i1 %leaves, label %out.early, label %stay
out.early:
  ret void
stay:
  %here = getelementptr [1024 x i32], ptr addrspace(3) @tile, i64 0, i64 %l
  store i32 %v, ptr addrspace(3) %here
  call void @__acpp_sscp_work_group_barrier(i32 2, i32 3)
  %kept = load i32, ptr %mine
  %zero = load i32, ptr addrspace(3) @tile
  call void @__acpp_sscp_work_group_barrier(i32 2, i32 3)
  %sum = add i32 %kept, %zero
  store i32 %sum, ptr %to
  ret void
}";

#[test]
fn items_may_return_before_others_wait() {
    for size in SIZES {
        let value = |g: u64, l: u64| if l > 4 { -7 } else { (g * size * 2 + l) as i32 };
        check(EARLY, "early", 2, [size, 1, 1], value);
    }
}

/// A helper with a barrier, called in a loop by all items of a two-dimensional group.
const ROTATE: &str = "
define internal i32 @exchange(i32 %v, i64 %to, i64 %from) noinline convergent {
  %p = getelementptr [1024 x i32], ptr addrspace(3) @tile, i64 0, i64 %to
  store i32 %v, ptr addrspace(3) %p
  call void @__acpp_sscp_work_group_barrier(i32 2, i32 3)
  %q = getelementptr [1024 x i32], ptr addrspace(3) @tile, i64 0, i64 %from
  %r = load i32, ptr addrspace(3) %q
  call void @__acpp_sscp_work_group_barrier(i32 2, i32 3)
  ret i32 %r
}
define void @rotate(ptr %out) {
entry:
  %lx = call i64 @__acpp_sscp_get_local_id_x()
  %ly = call i64 @__acpp_sscp_get_local_id_y()
  %nx = call i64 @__acpp_sscp_get_local_size_x()
  %ny = call i64 @__acpp_sscp_get_local_size_y()
  %g = call i64 @__acpp_sscp_get_group_id_x()
  %row = mul i64 %ly, %nx
  %l = add i64 %row, %lx
  %n = mul i64 %nx, %ny
  %next = add i64 %l, 1
  %from = urem i64 %next, %n
  %start = trunc i64 %l to i32
  br label %loop
loop:
  %k = phi i32 [ 0, %entry ], [ %k1, %loop ]
  %v = phi i32 [ %start, %entry ], [ %w, %loop ]
  %w = call i32 @exchange(i32 %v, i64 %l, i64 %from)
  %k1 = add i32 %k, 1
  %more = icmp ult i32 %k1, 3
  br i1 %more, label %loop, label %done
done:
  %base = mul i64 %g, %n
  %i = add i64 %base, %l
  %to = getelementptr i32, ptr %out, i64 %i
  store i32 %w, ptr %to
  ret void
}";

#[test]
fn barriers_in_called_functions_and_loops() {
    for group in [[1, 1, 1], [7, 1, 1], [4, 8, 1], [16, 16, 1]] {
        let n = group[0] * group[1];
        check(ROTATE, "rotate", 2, group, |_, l| ((l + 3) % n) as i32);
    }
}

/// Items wait at different barriers, which the standard forbids and GPUs tolerate: each counts as
/// arrived.
const APART: &str = "
define void @apart(ptr %out) {
entry:
  %l = call i64 @__acpp_sscp_get_local_id_x()
  %n = call i64 @__acpp_sscp_get_local_size_x()
  %g = call i64 @__acpp_sscp_get_group_id_x()
  %base = mul i64 %g, %n
  %i = add i64 %base, %l
  %to = getelementptr i32, ptr %out, i64 %i
  %here = getelementptr [1024 x i32], ptr addrspace(3) @tile, i64 0, i64 %l
  %v = trunc i64 %l to i32
  store i32 %v, ptr addrspace(3) %here
  %odd = trunc i64 %l to i1
  br i1 %odd, label %a, label %b
a:
  call void @__acpp_sscp_work_group_barrier(i32 2, i32 3)
  %x = load i32, ptr addrspace(3) @tile
  %x1 = add i32 %x, 100
  br label %end
b:
  call void @__acpp_sscp_work_group_barrier(i32 2, i32 3)
  %last = sub i64 %n, 1
  %p = getelementptr [1024 x i32], ptr addrspace(3) @tile, i64 0, i64 %last
  %y = load i32, ptr addrspace(3) %p
  br label %end
end:
  %r = phi i32 [ %x1, %a ], [ %y, %b ]
  store i32 %r, ptr %to
  ret void
}";

#[test]
fn items_may_wait_at_different_barriers() {
    for size in SIZES {
        let value = |_, l| if l % 2 == 1 { 100 } else { (size - 1) as i32 };
        // In a group that is known to be so small, all take one way.
        let reason = |known: Option<u32>| known.is_none_or(|items| items > 2).then_some(IN_BRANCHES);
        check_with(APART, "apart", 2, [size, 1, 1], value, reason);
    }
}

#[test]
fn a_specialised_kernel_keeps_its_barriers() {
    let text = format!("{DECLARATIONS}{}", REVERSE.replace("(ptr %out)", "(ptr %out, i64 %unused, i64 %n2)"));
    let mut one = request(&text, "reverse");
    one.config.specialization.arguments.push((2, ConstantValue::I64(32)));
    let out = vec![0i32; 64];
    let code = translate(&one);
    run(&code, &[&address(&out), &[0; 8], &[0; 8]], [64, 1, 1], [32, 1, 1]);
    assert!((0..64).all(|i| out[i as usize] == i / 32 * 32 + 31 - i % 32), "{out:?}");
    assert_eq!(code.entry.local_memory, 4096);
}

/// A kernel whose items pass their values on in this many rounds, with two barriers each; with
/// `leaves`, an item returns at the end of a round, from number 3 on.
fn ring(rounds: usize, leaves: bool) -> String {
    let mut text = "
define void @ring(ptr %out) {
entry:
  %l = call i64 @__acpp_sscp_get_local_id_x()
  %g = call i64 @__acpp_sscp_get_group_id_x()
  %n = call i64 @__acpp_sscp_get_local_size_x()
  %base = mul i64 %g, %n
  %i = add i64 %base, %l
  %to = getelementptr i32, ptr %out, i64 %i
  %v0 = trunc i64 %l to i32
  br label %b0
"
    .to_owned();
    for round in 0..rounds {
        let next = round + 1;
        let end = match leaves {
            true => format!(
                "  store i32 %v{next}, ptr %to\n  %gone{next} = icmp eq i64 %l, {}\n  \
                 br i1 %gone{next}, label %exit{next}, label %b{next}\nexit{next}:\n  ret void\n",
                round + 3
            ),
            false => format!("  br label %b{next}\n"),
        };
        text += &format!(
            "b{round}:\n  store i32 %v{round}, ptr %to\n  call void @__acpp_sscp_work_group_barrier(i32 2, i32 3)\n  \
             %first{next} = getelementptr i32, ptr %out, i64 %base\n  %x{next} = load i32, ptr %first{next}\n  \
             call void @__acpp_sscp_work_group_barrier(i32 2, i32 3)\n  \
             %more{next} = add i32 %x{next}, %v{round}\n  %v{next} = add i32 %more{next}, 1\n{end}"
        );
    }
    text + &format!("b{rounds}:\n  store i32 %v{rounds}, ptr %to\n  ret void\n}}")
}

/// The value of item `item` after `rounds` rounds, each of which adds the values of items 0 and 1.
fn turned(item: u64, rounds: usize) -> i32 {
    let step =
        |(first, own): (i32, i32), _| (first.wrapping_mul(2).wrapping_add(1), own.wrapping_add(first).wrapping_add(1));
    (0..rounds).fold((0, item as i32), step).1
}

#[test]
fn one_loop_runs_all_states_of_a_kernel_with_many() {
    for group in [[1, 1, 1], [7, 1, 1], [64, 1, 1]] {
        check(&ring(150, false), "ring", 3, group, |_, item| turned(item, 150));
    }
}

/// Item 3 returns after the first round, item 4 after the second, and so on.
#[test]
fn items_leave_a_kernel_with_many_barriers_one_by_one() {
    for rounds in [150, 20] {
        let of = |item: u64| if item < 3 { rounds } else { (item as usize - 2).min(rounds) };
        // Items from number 3 on leave, each before a barrier of its own. Of 64 such barriers each
        // is looked at.
        let leaving = |known: Option<u32>| known.map_or(rounds, |items| rounds.min(items.saturating_sub(3) as usize));
        let reason = |known: Option<u32>| (leaving(known) > 64).then_some(IN_BRANCHES);
        for group in [[2, 1, 1], [64, 1, 1], [256, 1, 1]] {
            check_with(&ring(rounds, true), "ring", 2, group, |_, item| turned(item, of(item)), reason);
        }
    }
}

/// Calls of each collective of [`many_collectives`].
const ROUNDS: u32 = 100;

/// A block with many reductions and scans. The value after the tenth round is needed at the end.
fn many_collectives() -> String {
    let mut text = String::from(
        "declare i32 @__acpp_sscp_work_group_reduce_i32(i32, i32) convergent\n\
         declare i32 @__acpp_sscp_work_group_inclusive_scan_i32(i32, i32) convergent\n\
         define void @many(ptr %out) {\n  %l = call i64 @__acpp_sscp_get_local_id_x()\n  \
         %g = call i64 @__acpp_sscp_get_group_id_x()\n  %n = call i64 @__acpp_sscp_get_local_size_x()\n  \
         %base = mul i64 %g, %n\n  %i = add i64 %base, %l\n  %x0 = trunc i64 %i to i32\n  \
         %to = getelementptr i32, ptr %out, i64 %i\n",
    );
    for k in 0..ROUNDS {
        text += &format!(
            "  %r{k} = call i32 @__acpp_sscp_work_group_reduce_i32(i32 0, i32 %x{k})\n  %m{k} = mul i32 %x{k}, 5\n  \
             %s{k} = call i32 @__acpp_sscp_work_group_inclusive_scan_i32(i32 0, i32 %m{k})\n  \
             %a{k} = add i32 %s{k}, %m{k}\n  %x{} = xor i32 %a{k}, %r{k}\n",
            k + 1
        );
    }
    text + &format!("  %y = add i32 %x10, %x{ROUNDS}\n  store i32 %y, ptr %to\n  ret void\n}}\n")
}

/// The results of a group of [`many_collectives`] whose first item is `first`.
fn of_many_collectives(first: u32, size: u32) -> Vec<i32> {
    let mut values: Vec<u32> = (first..first + size).collect();
    let mut tenth = values.clone();
    for k in 0..ROUNDS {
        let reduced = values.iter().fold(0_u32, |sum, value| sum.wrapping_add(*value));
        let mut sum = 0_u32;
        for value in &mut values {
            let multiple = value.wrapping_mul(5);
            sum = sum.wrapping_add(multiple);
            *value = sum.wrapping_add(multiple) ^ reduced;
        }
        if k == 9 {
            tenth.clone_from(&values);
        }
    }
    values.iter().zip(tenth).map(|(last, tenth)| last.wrapping_add(tenth) as i32).collect()
}

#[test]
fn many_collectives_of_a_block_do_what_each_does() {
    let text = many_collectives();
    for size in [1, 7, 64] {
        let expected: Vec<_> = (0..3).map(|group| of_many_collectives(group * size, size)).collect();
        check(&text, "many", 3, [size.into(), 1, 1], |group, item| expected[group as usize][item as usize]);
    }
}

/// Two reductions in succession: rows that run the second one have yet to read the result of the
/// first. The group has two dimensions, and its size in x is no multiple of lanes, so that each row
/// has fewer items than lanes.
const SUCCESSION: &str = "
declare i32 @__acpp_sscp_work_group_reduce_i32(i32, i32) convergent
define void @succession(ptr %out) {
  %x = call i64 @__acpp_sscp_get_local_id_x()
  %y = call i64 @__acpp_sscp_get_local_id_y()
  %nx = call i64 @__acpp_sscp_get_local_size_x()
  %ny = call i64 @__acpp_sscp_get_local_size_y()
  %g = call i64 @__acpp_sscp_get_group_id_x()
  %above = mul i64 %y, %nx
  %l = add i64 %above, %x
  %n = mul i64 %nx, %ny
  %base = mul i64 %g, %n
  %i = add i64 %base, %l
  %to = getelementptr i32, ptr %out, i64 %i
  %v = trunc i64 %l to i32
  %sum = call i32 @__acpp_sscp_work_group_reduce_i32(i32 0, i32 %v)
  %more = add i32 %sum, 1000
  %all = call i32 @__acpp_sscp_work_group_reduce_i32(i32 0, i32 %more)
  %both = sub i32 %all, %sum
  store i32 %both, ptr %to
  ret void
}";

#[test]
fn rows_write_no_result_before_others_have_read_the_last_one() {
    for group in [[7, 3, 1], [3, 9, 1], [5, 1, 1], [18, 5, 1]] {
        let n = i32::try_from(group[0] * group[1]).unwrap();
        let sum = n * (n - 1) / 2;
        check(SUCCESSION, "succession", 2, group, |_, _| n * (sum + 1000) - sum);
    }
}

/// Rounds of [`many_kept`], with two barriers each.
const EXCHANGES: u32 = 70;
/// The item that returns early in [`many_kept`].
const FIRST_TO_RETURN: u32 = 3;

/// A loop of two rounds over straight code in which each item takes its neighbour's value many
/// times. All values that it took are needed at the end. If `parts`, one item returns half way.
fn many_kept(parts: bool) -> String {
    let mut text = String::from(
        "define void @kept(ptr %out) {\nentry:\n  %l = call i64 @__acpp_sscp_get_local_id_x()\n  \
         %g = call i64 @__acpp_sscp_get_group_id_x()\n  %n = call i64 @__acpp_sscp_get_local_size_x()\n  \
         %base = mul i64 %g, %n\n  %i = add i64 %base, %l\n  %x = trunc i64 %i to i32\n  \
         %to = getelementptr i32, ptr %out, i64 %i\n  %l1 = add i64 %l, 1\n  %next = urem i64 %l1, %n\n  \
         %here = getelementptr i32, ptr addrspace(3) @tile, i64 %l\n  \
         %there = getelementptr i32, ptr addrspace(3) @tile, i64 %next\n  br label %loop\nloop:\n  \
         %x0 = phi i32 [ %x, %entry ], [ %y, %end ]\n  %again = phi i1 [ true, %entry ], [ false, %end ]\n",
    );
    for k in 0..EXCHANGES {
        text += &format!(
            "  store i32 %x{k}, ptr addrspace(3) %here\n  call void @__acpp_sscp_work_group_barrier(i32 2, i32 3)\n  \
             %v{k} = load i32, ptr addrspace(3) %there\n  call void @__acpp_sscp_work_group_barrier(i32 2, i32 3)\n  \
             %t{k} = mul i32 %v{k}, 5\n  %x{} = add i32 %t{k}, {k}\n",
            k + 1
        );
        if parts && k == EXCHANGES / 2 {
            text += &format!(
                "  store i32 %v0, ptr %to\n  %stops = icmp eq i64 %l, {FIRST_TO_RETURN}\n  \
                 br i1 %stops, label %done, label %rest\nrest:\n"
            );
        }
    }
    text += "  br label %end\nend:\n  %y0 = add i32 0, 0\n";
    for k in 0..EXCHANGES {
        text += &format!("  %m{k} = xor i32 %y{k}, %v{k}\n  %y{} = mul i32 %m{k}, 3\n", k + 1);
    }
    text + &format!(
        "  %y = add i32 %y{EXCHANGES}, 0\n  store i32 %y, ptr %to\n  \
         br i1 %again, label %loop, label %done\ndone:\n  ret void\n}}\n"
    )
}

/// The results of a group of [`many_kept`] whose first item is `first`.
fn of_many_kept(first: u32, size: u32, parts: bool) -> Vec<i32> {
    let mut values: Vec<u32> = (first..first + size).collect();
    let (mut results, mut tile) = (vec![0; size as usize], vec![0; size as usize]);
    let mut returned = vec![false; size as usize];
    for _ in 0..2 {
        let mut taken = vec![Vec::new(); size as usize];
        for k in 0..EXCHANGES {
            let running: Vec<_> = (0..size as usize).filter(|item| !returned[*item]).collect();
            running.iter().for_each(|item| tile[*item] = values[*item]);
            for item in running {
                let value: u32 = tile[(item + 1) % size as usize];
                taken[item].push(value);
                values[item] = value.wrapping_mul(5).wrapping_add(k);
                if parts && k == EXCHANGES / 2 && item == FIRST_TO_RETURN as usize {
                    (returned[item], results[item]) = (true, taken[item][0]);
                }
            }
        }
        for item in (0..size as usize).filter(|item| !returned[*item]) {
            results[item] = taken[item].iter().fold(0, |sum: u32, value| (sum ^ value).wrapping_mul(3));
            values[item] = results[item];
        }
    }
    results.into_iter().map(|result| result as i32).collect()
}

/// The values were copied at each of the barriers.
#[test]
fn values_that_outlive_many_barriers_are_kept() {
    for (parts, size) in [(false, 1), (false, 7), (false, 64), (true, 7), (true, 64)] {
        let expected: Vec<_> = (0..3).map(|group| of_many_kept(group * size, size, parts)).collect();
        let text = many_kept(parts);
        check(&text, "kept", 3, [size.into(), 1, 1], |group, item| expected[group as usize][item as usize]);
    }
}

/// A group's own Fibonacci numbers, of which every item reads those that the others keep, too. With
/// `loops`, barriers in a loop; otherwise `ROUNDS` barriers, so that one loop runs all states.
fn numbers_of_the_group(loops: bool) -> String {
    let barrier = "  call void @__acpp_sscp_work_group_barrier(i32 2, i32 3)\n";
    let mut text = String::from(
        "define void @numbers(ptr %out) {\nentry:\n  %l = call i64 @__acpp_sscp_get_local_id_x()\n  \
         %g = call i64 @__acpp_sscp_get_group_id_x()\n  %n = call i64 @__acpp_sscp_get_local_size_x()\n  \
         %base = mul i64 %g, %n\n  %i = add i64 %base, %l\n  %to = getelementptr i32, ptr %out, i64 %i\n  \
         %own = trunc i64 %l to i32\n  %start = trunc i64 %g to i32\n",
    );
    if loops {
        text += &format!(
            "  br label %loop\nloop:\n  %a = phi i32 [ %start, %entry ], [ %b, %loop ]\n  \
             %b = phi i32 [ 1, %entry ], [ %c, %loop ]\n  %k = phi i32 [ 0, %entry ], [ %next, %loop ]\n  \
             %v = phi i32 [ %own, %entry ], [ %w, %loop ]\n{barrier}  %c = add i32 %a, %b\n  %x = xor i32 %v, %c\n\
             {barrier}  %w = add i32 %x, %k\n  %next = add i32 %k, 1\n  %more = icmp ult i32 %next, {ROUNDS}\n  \
             br i1 %more, label %loop, label %done\ndone:\n  store i32 %w, ptr %to\n  ret void\n}}\n"
        );
        return text;
    }
    text += "  %f0 = add i32 %start, 0\n  %f1 = add i32 1, 0\n  %v0 = add i32 %own, 0\n";
    for k in 0..ROUNDS {
        text += &format!(
            "{barrier}  %f{} = add i32 %f{k}, %f{}\n  %x{k} = xor i32 %v{k}, %f{}\n{barrier}  \
             %v{} = add i32 %x{k}, {k}\n",
            k + 2,
            k + 1,
            k + 2,
            k + 1
        );
    }
    text + &format!("  store i32 %v{ROUNDS}, ptr %to\n  ret void\n}}\n")
}

/// An item that read what another item of the same round keeps would be a round ahead.
#[test]
fn values_of_the_group_are_handed_over_at_barriers() {
    let expected = |group: u64, item: u64| {
        let step = |(a, b, v): (i32, i32, i32), k| (b, a.wrapping_add(b), (v ^ a.wrapping_add(b)).wrapping_add(k));
        (0..ROUNDS as i32).fold((group as i32, 1, item as i32), step).2
    };
    for (loops, size) in [(true, 1), (true, 7), (true, 64), (false, 1), (false, 7), (false, 64)] {
        check(&numbers_of_the_group(loops), "numbers", 3, [size, 1, 1], expected);
    }
}
