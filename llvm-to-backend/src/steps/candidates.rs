//! Finds the parameters that code for one value may gain by.
//!
//! In: a kernel in SSA form. Out: its integer parameters that decide how often a loop runs, which
//! case of a switch or of a uniform branch is taken, by which number is divided, or how far
//! elements lie apart, with weights. *Invariant:* a kernel that calls a mathematical library has
//! none, because LLVM computes such functions of constants itself, and not always with the same
//! last bit. So code for a value has the results of code for all.
//!
//! A comparison of an index with the size of a range is not among them: it stays, whatever the
//! size.

use crate::passes::{cycles::cyclic, rounding::is_of_library};
use sinter_core::Candidate;
use sinter_llvm::{
    blocks::Block,
    ir::{Opcode, Shape, Value, ValueKind},
};
use std::collections::HashSet;

/// Weights of what a parameter decides.
const LOOP: u32 = 16;
const SWITCH: u32 = 16;
const DIVISOR: u32 = 8;
const BRANCH: u32 = 8;
const CHOICE: u32 = 4;
const STRIDE: u32 = Candidate::LEAST;
/// Limit for the depth of an expression, and for the values that depend on a parameter.
const DEPTH: u32 = 16;
const WAY: usize = 4096;

/// The candidates of a kernel, the weightiest first. `defined` are all functions with a body.
pub(super) fn candidates<'s>(kernel: Value<'s>, defined: &[Value<'s>]) -> Vec<Candidate> {
    let instructions = defined.iter().flat_map(|function| function.instructions());
    if instructions.filter(|instruction| instruction.is_call()).any(is_of_library) {
        return Vec::new();
    }
    let body = Body { kernel, cyclic: cyclic(kernel) };
    let candidate = |(parameter, value): (u32, Value<'s>)| {
        let weight = if is_literal_type(value) { body.weight(value) } else { 0 };
        (weight >= Candidate::LEAST).then_some(Candidate { parameter, weight })
    };
    let mut found: Vec<_> = (0..).zip(kernel.parameters()).filter_map(candidate).collect();
    found.sort_by_key(|candidate| std::cmp::Reverse(candidate.weight));
    found.truncate(Candidate::MOST);
    found
}

/// True for a type that an argument of a launch can have as a literal.
fn is_literal_type(value: Value<'_>) -> bool {
    matches!(value.ty().shape(), Shape::Integer(8 | 16 | 32 | 64))
}

struct Body<'s> {
    kernel: Value<'s>,
    cyclic: HashSet<Block<'s>>,
}

impl<'s> Body<'s> {
    /// The sum of what the values that depend on a parameter decide.
    fn weight(&self, parameter: Value<'s>) -> u32 {
        let (mut seen, mut open, mut weight) = (HashSet::new(), vec![parameter], 0);
        while let Some(value) = open.pop() {
            let users = value.users().into_iter().filter(|user| user.is_instruction());
            for user in users.filter(|user| user.function() == self.kernel) {
                if !seen.insert((value, user)) || seen.len() > WAY {
                    continue;
                }
                weight += self.decided(value, user);
                if passes_on(user) {
                    open.push(user);
                }
            }
        }
        weight
    }

    /// The weight of the use of a value by an instruction.
    fn decided(&self, value: Value<'s>, user: Value<'s>) -> u32 {
        let operands = user.operands();
        let is_fixed = |value: &Value<'s>| self.is_fixed(*value, DEPTH);
        match user.opcode() {
            Opcode::LLVMBr if is_fixed(&value) => BRANCH,
            Opcode::LLVMBr if self.leaves_cycle(user) && self.counts(value) => LOOP,
            Opcode::LLVMBr if self.is_uniform(value, DEPTH) => BRANCH,
            Opcode::LLVMSwitch if self.is_uniform(value, DEPTH) => SWITCH,
            Opcode::LLVMSelect if operands[0] == value && self.is_uniform(value, DEPTH) => CHOICE,
            Opcode::LLVMUDiv | Opcode::LLVMSDiv | Opcode::LLVMURem | Opcode::LLVMSRem
                if operands[1] == value && is_fixed(&value) && !is_fixed(&operands[0]) =>
            {
                DIVISOR
            }
            Opcode::LLVMMul if is_fixed(&value) && !operands.iter().all(is_fixed) => STRIDE,
            _ => 0,
        }
    }

    /// True if a value is made of parameters and literals alone.
    fn is_fixed(&self, value: Value<'s>, depth: u32) -> bool {
        self.is_made(value, depth, |_, _| false)
    }

    /// The same, and of counters of loops: known for each round where parameters are literals and
    /// loops are unrolled.
    fn is_uniform(&self, value: Value<'s>, depth: u32) -> bool {
        self.is_made(value, depth, |phi, depth| self.is_loop_counter(phi, depth))
    }

    /// True if a value is made of parameters, literals and such phis.
    fn is_made(&self, value: Value<'s>, depth: u32, is_phi: impl Copy + Fn(Value<'s>, u32) -> bool) -> bool {
        if value.is_parameter() || value.kind() == ValueKind::LLVMConstantIntValueKind {
            return true;
        }
        if depth == 0 || !value.is_instruction() || !passes_on(value) {
            return false;
        }
        match value.opcode() {
            Opcode::LLVMPHI => is_phi(value, depth - 1),
            _ => arguments(value).into_iter().all(|operand| self.is_made(operand, depth - 1, is_phi)),
        }
    }

    /// True for a value that changes by a fixed step in each round of a loop, from a fixed
    /// beginning.
    fn is_loop_counter(&self, phi: Value<'s>, depth: u32) -> bool {
        let is_step = |value: Value<'s>| {
            let is_sum = value.is_instruction() && matches!(value.opcode(), Opcode::LLVMAdd | Opcode::LLVMSub);
            is_sum && {
                let (changing, steps): (Vec<_>, Vec<_>) = value.operands().into_iter().partition(|side| *side == phi);
                changing.len() == 1 && steps.into_iter().all(|step| self.is_fixed(step, depth))
            }
        };
        let (steps, begins): (Vec<_>, Vec<_>) = phi.incoming().into_iter().partition(|(_, value)| is_step(*value));
        let is_loop = self.cyclic.contains(&phi.block()) && !steps.is_empty();
        is_loop && begins.into_iter().all(|(_, begin)| self.is_fixed(begin, depth))
    }

    /// True for a branch in a cycle with a way out of all cycles, or into another one.
    fn leaves_cycle(&self, branch: Value<'s>) -> bool {
        let successors = branch.block().successors();
        let is_exit = |next: &Block<'s>| !self.cyclic.contains(next) || !self.leads(*next, branch.block());
        self.cyclic.contains(&branch.block()) && successors.iter().any(is_exit)
    }

    /// True if a block can be reached from another one.
    fn leads(&self, from: Block<'s>, to: Block<'s>) -> bool {
        let (mut seen, mut open) = (HashSet::new(), vec![from]);
        while let Some(block) = open.pop() {
            if block == to {
                return true;
            }
            if seen.insert(block) {
                open.extend(block.successors());
            }
        }
        false
    }

    /// True for a comparison of a loop's counter, which begins with a fixed value, with another
    /// one. The counter may change by any step, and in several places.
    fn counts(&self, comparison: Value<'s>) -> bool {
        comparison.is_instruction()
            && comparison.opcode() == Opcode::LLVMICmp
            && comparison.operands().into_iter().all(|side| self.is_fixed(side, DEPTH) || self.is_counter(side))
    }

    /// True for a value that a loop changes by a fixed step, from a fixed beginning.
    fn is_counter(&self, value: Value<'s>) -> bool {
        let mut value = value;
        for _ in 0..DEPTH {
            if !value.is_instruction() {
                return false;
            }
            if value.opcode() == Opcode::LLVMPHI {
                let begins = |(_, value): (Block<'s>, Value<'s>)| self.is_fixed(value, DEPTH);
                return self.cyclic.contains(&value.block()) && value.incoming().into_iter().any(begins);
            }
            let mut changing = arguments(value).into_iter().filter(|operand| !self.is_fixed(*operand, DEPTH));
            match (passes_on(value), changing.next(), changing.next()) {
                (true, Some(one), None) => value = one,
                _ => return false,
            }
        }
        false
    }
}

/// The operands that a value is made of.
fn arguments<'s>(value: Value<'s>) -> Vec<Value<'s>> {
    if value.is_call() { value.arguments() } else { value.operands() }
}

/// True for an operation on integers.
fn passes_on(value: Value<'_>) -> bool {
    let is_integer = |value: Value<'_>| matches!(value.ty().shape(), Shape::Integer(_));
    match value.opcode() {
        Opcode::LLVMAdd
        | Opcode::LLVMSub
        | Opcode::LLVMMul
        | Opcode::LLVMUDiv
        | Opcode::LLVMSDiv
        | Opcode::LLVMURem
        | Opcode::LLVMSRem
        | Opcode::LLVMShl
        | Opcode::LLVMLShr
        | Opcode::LLVMAShr
        | Opcode::LLVMAnd
        | Opcode::LLVMOr
        | Opcode::LLVMXor
        | Opcode::LLVMTrunc
        | Opcode::LLVMZExt
        | Opcode::LLVMSExt
        | Opcode::LLVMFreeze => true,
        Opcode::LLVMICmp => value.operands().into_iter().all(is_integer),
        Opcode::LLVMSelect | Opcode::LLVMPHI => is_integer(value),
        Opcode::LLVMCall => is_integer(value) && value.callee().is_some_and(|callee| is_arithmetic(&callee.name())),
        _ => false,
    }
}

/// True for an intrinsic that computes an integer of integers.
fn is_arithmetic(name: &str) -> bool {
    let name = name.strip_prefix("llvm.").and_then(|name| name.split('.').next());
    name.is_some_and(|name| ["abs", "smax", "smin", "umax", "umin", "usub", "uadd"].contains(&name))
}

#[cfg(test)]
mod tests {
    use super::candidates;
    use sinter_llvm::Session;

    /// Parameters and weights of a kernel with this body, whose parameters are `%data`, `%n`, `%m`
    /// and a bound `%size` of the index `%i`.
    fn found(body: &str) -> Vec<(u32, u32)> {
        let session = Session::new().expect("a session");
        let text = format!(
            "declare i32 @index()\ndeclare double @sin(double)\ndeclare double @llvm.sqrt.f64(double)
define void @k(ptr %data, i32 %n, i32 %m, i32 %size) {{\n  %i = call i32 @index()\n{body}\n}}"
        );
        let module = session.parse(text.as_bytes()).expect("a module");
        let functions = module.functions();
        let kernel = functions.iter().copied().find(|function| function.name() == "k").expect("the kernel");
        candidates(kernel, &[kernel]).into_iter().map(|candidate| (candidate.parameter, candidate.weight)).collect()
    }

    /// A loop that begins with `start` and ends at `end`.
    fn counted(start: &str, end: &str, work: &str) -> String {
        format!(
            "  br label %loop\nloop:\n  %k = phi i32 [ {start}, %0 ], [ %next, %loop ]\n{work}
  %next = add i32 %k, 1\n  %more = icmp slt i32 %next, {end}\n  br i1 %more, label %loop, label %done
done:\n  ret void"
        )
    }

    #[test]
    fn bounds_of_loops_count_unless_they_begin_anywhere() {
        assert_eq!(found(&counted("0", "%n", "")), [(1, super::LOOP)]);
        assert_eq!(found(&counted("%m", "100", "")), [(2, super::LOOP)]);
        assert_eq!(found(&counted("%i", "%size", "")), []);
    }

    #[test]
    fn the_size_of_a_range_is_no_candidate() {
        let guard = "  %in = icmp ult i32 %i, %size\n  br i1 %in, label %a, label %b
a:\n  store i32 %i, ptr %data\n  br label %b\nb:\n  ret void";
        assert_eq!(found(guard), []);
    }

    #[test]
    fn switches_branches_divisors_and_strides_count() {
        let switch = "  switch i32 %n, label %b [ i32 1, label %a ]\na:\n  store i32 %i, ptr %data\n  br label %b
b:\n  ret void";
        assert_eq!(found(switch), [(1, super::SWITCH)]);
        let rest = "  %a = urem i32 %i, %n\n  %b = mul i32 %a, %m\n  %p = getelementptr i32, ptr %data, i32 %b
  store i32 0, ptr %p\n  ret void";
        assert_eq!(found(rest), [(1, super::DIVISOR), (2, super::STRIDE)]);
        let branch = "  %c = icmp eq i32 %m, 3\n  br i1 %c, label %a, label %b
a:\n  store i32 %i, ptr %data\n  br label %b\nb:\n  ret void";
        assert_eq!(found(branch), [(2, super::BRANCH)]);
    }

    #[test]
    fn a_value_that_is_chosen_by_the_round_of_a_loop_decides_a_switch() {
        let switch = |condition: &str| {
            format!(
                "  br label %loop\nloop:\n  %k = phi i32 [ 0, %0 ], [ %next, %end ]\n  %odd = and i32 {condition}, 1
  %c = icmp eq i32 %odd, 0\n  %v = select i1 %c, i32 %n, i32 %m\n  switch i32 %v, label %end [ i32 1, label %a ]
a:\n  store i32 %i, ptr %data\n  br label %end\nend:\n  %next = add i32 %k, 1
  %more = icmp slt i32 %next, 16\n  br i1 %more, label %loop, label %done\ndone:\n  ret void"
            )
        };
        assert_eq!(found(&switch("%k")), [(1, super::SWITCH), (2, super::SWITCH)]);
        assert_eq!(found(&switch("%i")), [], "each work-item chooses for itself");
    }

    #[test]
    fn a_kernel_that_calls_a_mathematical_library_has_none() {
        let call = |function: &str| {
            let work = format!("  %f = sitofp i32 %k to double\n  %s = call double @{function}(double %f)");
            found(&counted("0", "%n", &format!("{work}\n  store double %s, ptr %data")))
        };
        assert_eq!(call("sin"), []);
        assert_eq!(call("llvm.sqrt.f64"), [(1, super::LOOP)]);
    }
}
