//! Leaves the wait for a parallel algorithm to what comes next.
//!
//! In: the host module of a unit, behind the inliner. The headers of the algorithms call
//! [`SETTLES`] where a kernel was started and must be complete. Out: the same, where such a call
//! stands in front of the first instruction that could tell whether the kernel is complete, or is
//! gone if the next launch comes first: kernels of a thread run in their order. *Invariant:* memory
//! that a kernel may use is touched, and code that is not known is reached, only behind the wait.
//!
//! Passed over are instructions that touch no memory but constants and variables whose address
//! nobody has, the functions of [`QUIET`], which leave the memory of the program alone or wait, and
//! functions of the unit that are changed so that they themselves do (`carriers`).

mod carriers;
mod plan;

use crate::error::Stage1Error;
use carriers::{QUIET, may_change};
use plan::{Block, Event, Place};
use sinter_llvm::{
    inkwell::{
        basic_block::BasicBlock,
        module::Module,
        values::{FunctionValue, InstructionOpcode, InstructionValue},
    },
    stage1::{
        call::{Call, calls},
        flow, name, surgery,
    },
};
use std::collections::{HashMap, HashSet};

/// `sinter::stdpar::quiet::settle()` of `stdpar/detail/launch.hpp`.
const SETTLES: &str = "_ZN6sinter6stdpar5quiet6settleEv";

/// Moves the waits of a module. True if it has any.
pub(crate) fn leave_to_next(module: &Module<'_>) -> Result<bool, Stage1Error> {
    let Some(settle) = module.get_function(SETTLES) else { return Ok(false) };
    let known = Known { settle, carriers: carriers::find(module, settle) };
    let mut has_changed = false;
    for function in module.get_functions().filter(|function| may_change(*function)) {
        if calls(function).into_iter().any(|call| known.starts(&call)) {
            in_function(module, function, &known)?;
            has_changed = true;
        }
    }
    Ok(has_changed)
}

/// Functions that are known not to wait.
struct Known<'ctx> {
    settle: FunctionValue<'ctx>,
    carriers: HashSet<FunctionValue<'ctx>>,
}

impl<'ctx> Known<'ctx> {
    /// True for a call behind which a kernel may run that the caller has to wait for.
    fn starts(&self, call: &Call<'ctx>) -> bool {
        self.is_wait(call) || call.function().is_some_and(|callee| self.carriers.contains(&callee))
    }

    /// An invoke stays where it is, in front of what it may reach.
    fn is_wait(&self, call: &Call<'ctx>) -> bool {
        call.function() == Some(self.settle) && !flow::is_invoke(call.instruction)
    }

    /// The invokes of a function behind which a kernel may run.
    fn starting_invokes(&self, function: FunctionValue<'ctx>) -> Vec<InstructionValue<'ctx>> {
        let starting = calls(function).into_iter().filter(|call| self.starts(call));
        starting.map(|call| call.instruction).filter(|call| flow::is_invoke(*call)).collect()
    }

    fn event(&self, instruction: InstructionValue<'ctx>, call: Option<&Call<'ctx>>, in_carrier: bool) -> Option<Event> {
        let is_quiet = |call: &&Call<'ctx>| {
            call.function().is_some_and(|callee| callee != self.settle && name(callee).starts_with(QUIET))
        };
        let leaves = in_carrier && instruction.get_opcode() == InstructionOpcode::Return;
        if call.is_some_and(|call| self.starts(call)) {
            Some(Event::Starts)
        } else if leaves || call.filter(is_quiet).is_some() || flow::is_private(instruction) {
            None
        } else {
            Some(Event::Observes)
        }
    }
}

fn in_function<'ctx>(
    module: &Module<'ctx>,
    function: FunctionValue<'ctx>,
    known: &Known<'ctx>,
) -> Result<(), Stage1Error> {
    // A wait behind an invoke stands in a block of its own.
    let invokes = known.starting_invokes(function);
    invokes.iter().for_each(|invoke| flow::split_normal_edge(*invoke));
    let called: HashMap<_, _> = calls(function).into_iter().map(|call| (call.instruction, call)).collect();
    let in_carrier = known.carriers.contains(&function);
    let event = |instruction| known.event(instruction, called.get(&instruction), in_carrier);
    let blocks: Vec<_> = function.get_basic_block_iter().collect();
    let numbers: HashMap<_, _> = blocks.iter().enumerate().map(|(number, block)| (*block, number)).collect();
    let events: Vec<Vec<_>> =
        blocks.iter().map(|block| block.get_instructions().filter_map(|i| Some((i, event(i)?))).collect()).collect();
    // Exceptions leave such a call when all kernels are complete: that way none runs.
    let ways = |block: BasicBlock<'ctx>| {
        let starts = block.get_terminator().is_some_and(|end| invokes.contains(&end));
        if starts { 1 } else { usize::MAX }
    };
    let successors = |block| {
        flow::successors(block).iter().take(ways(block)).filter_map(|next| numbers.get(next).copied()).collect()
    };
    let described = blocks.iter().zip(&events).map(|(block, events)| Block {
        events: events.iter().map(|(_, event)| *event).collect(),
        successors: successors(*block),
    });
    let builder = module.get_context().create_builder();
    for place in plan::places(&described.collect::<Vec<_>>(), in_carrier) {
        let next = match place {
            Place::Before(block, event) => Some(events[block][event].0),
            Place::AtEnd(block) => blocks.get(block).copied().and_then(BasicBlock::get_terminator),
        };
        if let Some(next) = next {
            builder.position_before(&next);
            builder.build_call(known.settle, &[], "")?;
        }
    }
    called.values().filter(|call| known.is_wait(call)).for_each(|wait| surgery::erase_call(wait.instruction));
    Ok(())
}

#[cfg(test)]
mod tests {
    use crate::testing::with_waits_left;

    const START: &str = "  call void @_ZN6sinter6stdpar5quiet3runEPv(ptr nocapture %block)
  call void @_ZN6sinter6stdpar5quiet6settleEv()\n";
    const WAIT: &str = "call void @_ZN6sinter6stdpar5quiet6settleEv()";
    const DECLARATIONS: &str = "declare void @_ZN6sinter6stdpar5quiet3runEPv(ptr nocapture)
declare void @_ZN6sinter6stdpar5quiet6settleEv() nounwind
declare void @other()\ndeclare double @llvm.sqrt.f64(double)
declare ptr @malloc(i64) nounwind allockind(\"alloc,uninitialized\") allocsize(0) \"alloc-family\"=\"malloc\"
declare ptr @realloc(ptr, i64) nounwind allockind(\"realloc\") allocsize(1) \"alloc-family\"=\"malloc\"
declare void @free(ptr) nounwind allockind(\"free\") \"alloc-family\"=\"malloc\"
declare ptr @_Znwm(i64) nounwind allockind(\"alloc,uninitialized\") allocsize(0) \"alloc-family\"=\"_Znwm\"
declare void @llvm.lifetime.end.p0(i64, ptr)
@constant = constant i32 1\n@variable = global i32 1\n";

    /// The body of a function with `body` after the transformation, a line for each instruction.
    fn left(body: &str) -> Vec<String> {
        let text = format!(
            "{DECLARATIONS}define i32 @f(ptr %p, i1 %c) {{\n  %block = alloca [2 x i64]\n  %own = alloca i32\n  \
             %known = alloca i32\n  store ptr %known, ptr %p\n{body}\n}}"
        );
        let text = with_waits_left(&text);
        let lines = text.lines().skip_while(|line| !line.contains("store ptr %known")).skip(1);
        lines.take_while(|line| *line != "}").map(|line| line.trim().to_owned()).collect()
    }

    /// True if the line that begins with `start` is behind a wait at once, in a function with the
    /// statement between a launch and another one.
    fn waits_before(start: &str) -> bool {
        let lines = left(&format!("{START}  {start}\n{START}  ret i32 0"));
        let place = lines.iter().position(|line| line.starts_with(start)).expect(start);
        let before = lines[place - 1] == WAIT;
        assert_eq!(lines.iter().filter(|line| *line == WAIT).count(), 1 + usize::from(before), "{lines:?}");
        assert_eq!(lines[lines.len() - 2..], [WAIT, "ret i32 0"], "{lines:?}");
        before
    }

    #[test]
    fn the_next_launch_takes_over_the_wait() {
        let lines = left(&format!("{START}{START}{START}  ret i32 0"));
        assert_eq!(lines.iter().filter(|line| *line == WAIT).count(), 1, "{lines:?}");
        assert_eq!(lines[3..], [WAIT, "ret i32 0"], "{lines:?}");
    }

    #[test]
    fn what_no_kernel_can_know_is_passed_over() {
        for private in [
            "store i32 1, ptr %own",
            "%x = load i32, ptr %own",
            "%x = load i32, ptr @constant",
            "store i64 1, ptr %block",
            "%x = add i32 1, 2",
            "%x = call double @llvm.sqrt.f64(double 2.000000e+00)",
            "call void @llvm.lifetime.end.p0(i64 4, ptr %own)",
            "%x = call ptr @malloc(i64 8)",
        ] {
            assert!(!waits_before(private), "{private}");
        }
    }

    #[test]
    fn what_a_kernel_may_know_is_not() {
        for observer in [
            "store i32 1, ptr %known",
            "%x = load i32, ptr %p",
            "%x = load i32, ptr @variable",
            "%x = load volatile i32, ptr %own",
            "%x = load atomic i32, ptr %own seq_cst, align 4",
            "store atomic i32 1, ptr %own seq_cst, align 4",
            "%x = atomicrmw add ptr %own, i32 1 seq_cst",
            "fence seq_cst",
            "call void @other()",
            "call void @free(ptr %p)",
            "%x = call ptr @realloc(ptr %p, i64 8)",
            "%x = call ptr @_Znwm(i64 8)",
            "call void asm sideeffect \"nop\", \"\"()",
            "call void @llvm.lifetime.end.p0(i64 4, ptr %known)",
        ] {
            assert!(waits_before(observer), "{observer}");
        }
    }

    #[test]
    fn a_loop_of_launches_waits_behind_it() {
        let lines = left(&format!(
            "  br label %loop\nloop:\n  %i = phi i32 [ 0, %0 ], [ %n, %loop ]\n  store i32 %i, ptr %own\n{START}  \
             %n = add i32 %i, 1\n  %more = icmp ult i32 %n, 9\n  br i1 %more, label %loop, label %end\nend:\n  ret i32 0"
        ));
        assert_eq!(lines[lines.len() - 2..], [WAIT, "ret i32 0"], "{lines:?}");
        assert_eq!(lines.iter().filter(|line| *line == WAIT).count(), 1, "{lines:?}");
    }

    #[test]
    fn a_loop_without_launches_does_not_wait() {
        let lines = left(&format!(
            "{START}  br label %loop\nloop:\n  %i = phi i32 [ 0, %0 ], [ %n, %loop ]\n  store i32 %i, ptr %p\n  \
             %n = add i32 %i, 1\n  %more = icmp ult i32 %n, 9\n  br i1 %more, label %loop, label %end\nend:\n  ret i32 0"
        ));
        assert_eq!(lines[1..3], [WAIT, "br label %loop"], "{lines:?}");
        assert_eq!(lines.iter().filter(|line| *line == WAIT).count(), 1, "{lines:?}");
    }

    /// The waits of a function that a static one calls, and those of that.
    fn waits_with(callee: &str, call: &str) -> (usize, usize) {
        let text = format!(
            "{DECLARATIONS}define void @f() {{\n  %block = alloca i64\n{START}{call}{START}  ret void\n}}\n\
             define internal void @g(ptr %p) {{\n  %block = alloca i64\n  %known = alloca i64\n{callee}{START}  ret void\n}}"
        );
        let text = with_waits_left(&text);
        let (caller, callee) = text.split_once("define internal").expect("two functions");
        (caller.matches(&format!("  {WAIT}")).count(), callee.matches(&format!("  {WAIT}")).count())
    }

    #[test]
    fn a_function_that_only_this_unit_calls_leaves_the_wait_to_its_caller() {
        let call = "  call void @g(ptr null)\n";
        assert_eq!(waits_with("", call), (1, 0));
        assert_eq!(waits_with("  store i64 1, ptr %p\n", call), (1, 1));
        // The variable that others know ends with the function.
        assert_eq!(waits_with("  store ptr %known, ptr %p\n", call), (2, 1));
        // Others may call it.
        assert_eq!(waits_with("", "  store ptr @g, ptr @variable\n  call void @g(ptr null)\n"), (2, 1));
        assert_eq!(waits_with("", "  call void @g(ptr @g)\n"), (2, 1));
    }

    /// The lines of a function that calls such a function where an exception may leave it.
    fn left_with_invoke(callee: &str, behind: &str) -> Vec<String> {
        let text = format!(
            "{DECLARATIONS}declare i32 @__gxx_personality_v0(...)\n\
             define internal void @g(ptr %p) {{\n  %block = alloca i64\n{callee}{START}  ret void\n}}\n\
             define void @f(ptr %p, i1 %c) personality ptr @__gxx_personality_v0 {{\n  %block = alloca i64\n{START}  \
             invoke void @g(ptr %p) to label %next unwind label %pad\nnext:\n{behind}\npad:\n  \
             %e = landingpad {{ ptr, i32 }} cleanup\n  call void @other()\n  resume {{ ptr, i32 }} %e\n}}"
        );
        let text = with_waits_left(&text);
        text.lines().skip_while(|line| !line.contains("@f(")).map(|line| line.trim().to_owned()).collect()
    }

    #[test]
    fn exceptions_leave_a_function_when_all_kernels_are_complete() {
        let lines = left_with_invoke("  store i64 1, ptr %p\n", &format!("{START}  ret void"));
        let waits: Vec<_> = lines.iter().enumerate().filter(|(_, line)| *line == WAIT).map(|(at, _)| at).collect();
        assert_eq!(waits.len(), 1, "{lines:?}");
        assert_eq!(lines[waits[0] + 1], "ret void", "{lines:?}");
    }

    #[test]
    fn the_wait_for_a_call_that_may_throw_stands_behind_it() {
        let lines =
            left_with_invoke("", "  store i64 1, ptr %p\n  br i1 %c, label %next, label %end\nend:\n  ret void");
        let wait = lines.iter().position(|line| line == WAIT).expect("a wait");
        assert!(lines[..wait].iter().any(|line| line.starts_with("invoke")), "{lines:?}");
        assert_eq!(lines.iter().filter(|line| *line == WAIT).count(), 1, "{lines:?}");
        // It is in front of the loop, in which each turn would wait.
        assert!(lines[wait + 1].starts_with("br label %next"), "{lines:?}");
    }

    #[test]
    fn a_function_that_is_not_optimised_is_left_alone() {
        let text = format!(
            "{DECLARATIONS}define void @f() noinline optnone {{\n  %block = alloca i64\n{START}{START}  ret void\n}}"
        );
        assert_eq!(with_waits_left(&text).matches(WAIT).count(), 2);
    }
}
