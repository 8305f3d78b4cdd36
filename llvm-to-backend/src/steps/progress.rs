//! Finds out if a work-item may wait for another one.
//!
//! In: a kernel in SSA form with the functions that it still calls. Out: true if how often a loop
//! runs may depend on what other work-items write meanwhile: on an atomic operation of the whole
//! system, as those of C and C++ are, or on a volatile load. *Invariant:* false is certain. A
//! device on which work-items make no progress of their own runs such a kernel for ever, where the
//! one that is waited for stands still.
//!
//! A loop that repeats a compare-and-exchange with the value that the last one found waits for
//! nobody: if it fails, another work-item has gone on. Operations of a smaller scope are those of
//! the headers, which know what they wait for.

use crate::passes::cycles::cyclic;
use sinter_llvm::{
    blocks::Block,
    ir::{Opcode, Shape, Value},
    operation::IntegerPredicate,
};
use std::collections::HashSet;

/// True if the kernel, or a function in `defined`, may wait.
pub(super) fn may_wait(defined: &[Value<'_>]) -> bool {
    let readers = readers(defined);
    let body = |function: &Value<'_>| Body { readers: &readers, cyclic: cyclic(*function) }.waits(*function);
    readers.iter().any(body)
}

/// The functions that read what others write, or call such a function.
fn readers<'s>(defined: &[Value<'s>]) -> HashSet<Value<'s>> {
    let reads = |function: &Value<'s>| function.instructions().into_iter().any(is_shared_read);
    let mut readers: HashSet<_> = defined.iter().copied().filter(reads).collect();
    let mut pending: Vec<_> = readers.iter().copied().collect();
    while let Some(reader) = pending.pop() {
        let calls = reader.users().into_iter().filter(|user| user.is_instruction());
        pending.extend(calls.map(Value::function).filter(|caller| readers.insert(*caller)));
    }
    readers
}

/// True for an instruction whose result depends on what other work-items write meanwhile.
fn is_shared_read(instruction: Value<'_>) -> bool {
    match instruction.opcode() {
        Opcode::LLVMLoad if instruction.is_volatile() => true,
        Opcode::LLVMLoad | Opcode::LLVMAtomicRMW | Opcode::LLVMAtomicCmpXchg => {
            instruction.is_atomic() && instruction.sync_scope().is_empty()
        }
        _ => false,
    }
}

/// A function that reads what others write.
struct Body<'a, 's> {
    readers: &'a HashSet<Value<'s>>,
    cyclic: HashSet<Block<'s>>,
}

impl<'s> Body<'_, 's> {
    /// True if a branch in a loop depends on such a read in a loop, or if the function may call
    /// itself.
    fn waits(&self, function: Value<'s>) -> bool {
        self.calls_itself(function) || (self.reads_again() && self.has_dependent_branch())
    }

    /// True if there is such a read in a loop.
    fn reads_again(&self) -> bool {
        let reads = |value: Value<'s>| is_shared_read(value) || self.is_call_of_reader(value);
        self.cyclic.iter().any(|block| block.instructions().into_iter().any(reads))
    }

    fn is_call_of_reader(&self, value: Value<'s>) -> bool {
        value.is_call() && value.callee().is_some_and(|callee| self.readers.contains(&callee))
    }

    fn has_dependent_branch(&self) -> bool {
        let choices = self.cyclic.iter().filter(|block| block.successors().len() > 1);
        let branches = choices.filter_map(|block| block.terminator()).filter(|branch| !tries_again(*branch));
        let mut pending: Vec<_> = branches.collect();
        let mut seen = HashSet::new();
        while let Some(value) = pending.pop() {
            if !value.is_instruction() || !seen.insert(value) {
                continue;
            }
            if self.cyclic.contains(&value.block()) && self.depends_on_others(value) {
                return true;
            }
            pending.extend(value.operands());
        }
        false
    }

    fn depends_on_others(&self, value: Value<'s>) -> bool {
        match value.opcode() {
            _ if is_shared_read(value) => true,
            // It may be a value that was read and stored in private memory.
            Opcode::LLVMLoad => is_private(value),
            _ => self.is_call_of_reader(value),
        }
    }

    fn calls_itself(&self, function: Value<'s>) -> bool {
        let (mut open, mut seen) = (vec![function], HashSet::new());
        while let Some(caller) = open.pop() {
            let callees = caller.instructions().into_iter().filter(|call| call.is_call()).filter_map(Value::callee);
            for callee in callees.filter(|callee| self.readers.contains(callee)) {
                if callee == function {
                    return true;
                }
                if seen.insert(callee) {
                    open.push(callee);
                }
            }
        }
        false
    }
}

/// True for a load from an `alloca`.
fn is_private(load: Value<'_>) -> bool {
    let mut pointer = load.operands().first().copied();
    while let Some(value) = pointer.filter(|value| value.is_instruction()) {
        match value.opcode() {
            Opcode::LLVMAlloca => return true,
            Opcode::LLVMGetElementPtr | Opcode::LLVMAddrSpaceCast | Opcode::LLVMFreeze => {
                pointer = value.operands().first().copied();
            }
            // It may lead anywhere.
            _ => return true,
        }
    }
    false
}

/// True for the branch of a loop that ends once an exchange has succeeded, and else tries it again
/// with the value that it found.
fn tries_again(branch: Value<'_>) -> bool {
    let exchanges = branch.block().instructions().into_iter().filter(|one| one.opcode() == Opcode::LLVMAtomicCmpXchg);
    let condition = branch.operands()[0];
    exchanges.filter(|exchange| repeats(*exchange)).any(|exchange| is_success(condition, exchange))
}

/// True if the value only says if the exchange has succeeded.
fn is_success(value: Value<'_>, exchange: Value<'_>) -> bool {
    if !value.is_instruction() {
        return false;
    }
    match (value.opcode(), value.operands().as_slice()) {
        (Opcode::LLVMExtractValue, _) => is_part(value, exchange) && value.ty().shape() == Shape::Integer(1),
        (Opcode::LLVMXor, [of, with]) => !with.is_instruction() && is_success(*of, exchange),
        (Opcode::LLVMICmp, [found, expected]) => {
            let pair = [without_casts(*found), without_casts(*expected)];
            let is_equality =
                matches!(value.integer_predicate(), IntegerPredicate::LLVMIntEQ | IntegerPredicate::LLVMIntNE);
            let of_exchange = without_casts(exchange.operands()[1]);
            is_equality && pair.iter().any(|one| is_part(*one, exchange)) && pair.contains(&of_exchange)
        }
        _ => false,
    }
}

/// True if a loop of one block tries the exchange again with the value that it found.
fn repeats(exchange: Value<'_>) -> bool {
    let block = exchange.block();
    let expected = exchange.operands().get(1).copied().map(without_casts);
    let Some(phi) = expected.filter(|value| value.is_instruction() && value.opcode() == Opcode::LLVMPHI) else {
        return false;
    };
    let found = |(from, value): (Block<'_>, Value<'_>)| from == block && is_part(without_casts(value), exchange);
    phi.block() == block && phi.incoming().into_iter().any(found)
}

/// True for the value that an exchange found, or for its success.
fn is_part(value: Value<'_>, exchange: Value<'_>) -> bool {
    value.is_instruction() && value.opcode() == Opcode::LLVMExtractValue && value.operands().first() == Some(&exchange)
}

fn without_casts(value: Value<'_>) -> Value<'_> {
    let is_cast = |value: Value<'_>| {
        value.is_instruction()
            && matches!(value.opcode(), Opcode::LLVMBitCast | Opcode::LLVMIntToPtr | Opcode::LLVMPtrToInt)
    };
    let mut value = value;
    while let Some(operand) = value.operands().first().copied().filter(|_| is_cast(value)) {
        value = operand;
    }
    value
}

#[cfg(test)]
mod tests {
    use super::may_wait;
    use sinter_llvm::Session;

    /// The answer for a kernel with this body, whose parameters are `%lock`, `%data` and `%n`.
    fn waits(body: &str) -> bool {
        let session = Session::new().expect("a session");
        let text = format!(
            "define void @k(ptr %lock, ptr %data, i32 %n) {{\n{body}\n}}
define i1 @take(ptr %lock) noinline {{\n  %old = atomicrmw xchg ptr %lock, i32 1 acquire
  %free = icmp eq i32 %old, 0\n  ret i1 %free\n}}"
        );
        let module = session.parse(text.as_bytes()).expect("a module");
        may_wait(&module.functions())
    }

    #[test]
    fn a_loop_that_asks_for_a_lock_waits() {
        for ask in [
            "%old = atomicrmw xchg ptr %lock, i32 1 acquire\n  %again = icmp ne i32 %old, 0",
            "%pair = cmpxchg ptr %lock, i32 0, i32 1 acquire monotonic\n  %ok = extractvalue { i32, i1 } %pair, 1
  %again = xor i1 %ok, true",
            "%old = load atomic i32, ptr %lock acquire, align 4\n  %again = icmp ne i32 %old, %n",
            "%old = load volatile i32, ptr %lock\n  %again = icmp ne i32 %old, %n",
            "%ok = call i1 @take(ptr %lock)\n  %again = xor i1 %ok, true",
        ] {
            let text = format!(
                "  br label %loop\nloop:\n  {ask}\n  br i1 %again, label %loop, label %done\ndone:\n  ret void"
            );
            assert!(waits(&text), "{ask}");
        }
    }

    #[test]
    fn operations_that_decide_no_loop_do_not_wait() {
        assert!(!waits("  %old = atomicrmw add ptr %lock, i32 1 seq_cst\n  ret void"));
        let counted = "  br label %loop
loop:
  %i = phi i32 [ 0, %0 ], [ %next, %loop ]
  %old = atomicrmw add ptr %lock, i32 1 monotonic
  store i32 %old, ptr %data
  %next = add i32 %i, 1
  %again = icmp ne i32 %next, %n
  br i1 %again, label %loop, label %done
done:
  ret void";
        assert!(!waits(counted));
        // Read once, whatever private memory decides afterwards.
        let once = "  %place = alloca [8 x i32]
  %old = load atomic i32, ptr %lock monotonic, align 4
  store i32 %old, ptr %place
  br label %loop\nloop:
  %i = phi i32 [ 0, %0 ], [ %next, %loop ]
  %next = add i32 %i, 1
  %at = getelementptr i32, ptr %place, i32 %i
  %found = load i32, ptr %at
  %again = icmp ne i32 %found, %n\n  br i1 %again, label %loop, label %done\ndone:\n  ret void";
        assert!(!waits(once));
        // Of a group or a device: the headers know what they wait for.
        let scoped = "  br label %loop\nloop:
  %old = load atomic i32, ptr %lock syncscope(\"device\") acquire, align 4
  %again = icmp ne i32 %old, 0\n  br i1 %again, label %loop, label %done\ndone:\n  ret void";
        assert!(!waits(scoped));
    }

    #[test]
    fn an_exchange_is_tried_again_with_what_it_found() {
        let text = |next: &str| {
            format!(
                "  %first = load i32, ptr %lock\n  br label %loop\nloop:
  %old = phi i32 [ %first, %0 ], [ {next}, %loop ]
  %new = add i32 %old, 1
  %pair = cmpxchg ptr %lock, i32 %old, i32 %new monotonic monotonic
  %found = extractvalue {{ i32, i1 }} %pair, 0
  %ok = extractvalue {{ i32, i1 }} %pair, 1
  br i1 %ok, label %done, label %loop\ndone:\n  ret void"
            )
        };
        assert!(!waits(&text("%found")));
        assert!(waits(&text("0")));
        // It may wait for a value.
        assert!(waits(&text("%found").replace("br i1 %ok", "%free = icmp eq i32 %found, 0\n  br i1 %free")));
        let compared = "%same = icmp eq i32 %found, %old\n  br i1 %same";
        assert!(!waits(&text("%found").replace("br i1 %ok", compared)));
    }

    #[test]
    fn what_an_exchange_found_may_be_waited_for() {
        let text = |end: &str| {
            format!(
                "  br label %round\nround:\n  %i = phi i32 [ 0, %0 ], [ %next, %behind ]
  %first = load atomic i32, ptr %lock monotonic, align 4\n  br label %loop\nloop:
  %old = phi i32 [ %first, %round ], [ %found, %loop ]
  %pair = cmpxchg ptr %lock, i32 %old, i32 1 monotonic monotonic
  %found = extractvalue {{ i32, i1 }} %pair, 0
  %ok = extractvalue {{ i32, i1 }} %pair, 1
  br i1 %ok, label %behind, label %loop\nbehind:\n  %next = add i32 %i, 1
  %done = icmp eq i32 {end}\n  br i1 %done, label %all, label %round\nall:\n  ret void"
            )
        };
        assert!(!waits(&text("%next, %n")));
        assert!(waits(&text("%found, 0")));
    }
}
