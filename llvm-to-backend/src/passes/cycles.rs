//! Finds the blocks that may run more than once.
//!
//! In: a function. Out: its blocks that can be reached from themselves, in cycles with several
//! entries too. *Invariant:* the time is proportional to the number of edges.

use sinter_llvm::{blocks::Block, ir::Value};
use std::collections::{HashMap, HashSet};

type Edges<'s> = HashMap<Block<'s>, Vec<Block<'s>>>;

/// The blocks of a function that can be reached from themselves.
pub(crate) fn cyclic(function: Value<'_>) -> HashSet<Block<'_>> {
    let blocks = function.blocks();
    let successors: Edges<'_> = blocks.iter().map(|block| (*block, block.successors())).collect();
    let mut predecessors = Edges::new();
    for (block, next) in successors.iter().flat_map(|(block, all)| all.iter().map(move |next| (*block, *next))) {
        predecessors.entry(next).or_default().push(block);
    }
    let mut left: HashSet<_> = blocks.iter().copied().collect();
    let components =
        postorder(&blocks, &successors).into_iter().rev().map(|block| component(block, &predecessors, &mut left));
    let repeats =
        |found: &Vec<Block<'_>>| found.len() > 1 || found.iter().any(|block| successors[block].contains(block));
    components.filter(repeats).flatten().collect()
}

/// All blocks, each after those that it leads to, but for cycles.
fn postorder<'s>(blocks: &[Block<'s>], successors: &Edges<'s>) -> Vec<Block<'s>> {
    let (mut seen, mut order) = (HashSet::new(), Vec::new());
    for root in blocks {
        let mut path = if seen.insert(*root) { vec![(*root, 0)] } else { Vec::new() };
        while let Some((block, next)) = path.last_mut() {
            match successors[block].get(*next) {
                Some(successor) => {
                    *next += 1;
                    if seen.insert(*successor) {
                        path.push((*successor, 0));
                    }
                }
                None => order.extend(path.pop().map(|(block, _)| block)),
            }
        }
    }
    order
}

/// Takes a block, and those that lead to it, out of the blocks that are left. In the reverse of
/// [`postorder`] these lead to each other.
fn component<'s>(block: Block<'s>, predecessors: &Edges<'s>, left: &mut HashSet<Block<'s>>) -> Vec<Block<'s>> {
    let mut found: Vec<_> = left.take(&block).into_iter().collect();
    let mut looked_at = 0;
    while let Some(block) = found.get(looked_at) {
        let before = predecessors.get(block).into_iter().flatten();
        let new: Vec<_> = before.filter_map(|block| left.take(block)).collect();
        found.extend(new);
        looked_at += 1;
    }
    found
}

#[cfg(test)]
mod tests {
    use super::cyclic;
    use sinter_llvm::Session;

    /// Positions of the blocks in cycles of a function with this body.
    fn found(body: &str) -> Vec<usize> {
        let session = Session::new().expect("a session");
        let text = format!("define void @f(i1 %x) {{\n{body}\n}}");
        let module = session.parse(text.as_bytes()).expect("a module");
        let function = module.functions()[0];
        let cyclic = cyclic(function);
        (0..).zip(function.blocks()).filter(|(_, block)| cyclic.contains(block)).map(|(index, _)| index).collect()
    }

    #[test]
    fn blocks_in_cycles_are_found_and_those_between_them_are_not() {
        let two = "  br label %a\na:\n  br i1 %x, label %a, label %b\nb:\n  br label %c\nc:\n  br label %d
d:\n  br i1 %x, label %c, label %e\ne:\n  ret void";
        assert_eq!(found(two), [1, 3, 4]);
        assert_eq!(found("  br i1 %x, label %a, label %b\na:\n  br label %b\nb:\n  ret void"), []);
    }

    #[test]
    fn cycles_may_have_several_entries_and_be_nested() {
        let two_entries = "  br i1 %x, label %a, label %b\na:\n  br label %b\nb:\n  br i1 %x, label %a, label %c
c:\n  ret void";
        assert_eq!(found(two_entries), [1, 2]);
        let nested = "  br label %a\na:\n  br label %b\nb:\n  br i1 %x, label %b, label %c
c:\n  br i1 %x, label %a, label %d\nd:\n  ret void";
        assert_eq!(found(nested), [1, 2, 3]);
    }
}
