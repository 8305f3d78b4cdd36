//! Notices loops that the driver ended.
//!
//! In: a structured graph. Out: a count of the loops that were entered and not left, and at the end
//! of the function a report if there are any. *Invariant:* the count changes where a loop is left
//! and behind it, so that it is 0 between loops unless the driver ended one.
//!
//! Lavapipe (22.3.6, `lp_exec_endloop` in `gallivm/lp_bld_ir_common.c`) gives all loops of a shader
//! together 65,535 rounds. Afterwards each loop goes on behind its end when it has done one round.
//! The count is kept as values that leave loops are ([`super::exits`]).

use super::{
    super::{Emitter, assembly::id},
    state::Rounds,
    structure::{End, Graph, Merge},
};
use crate::failure::Outcome;
use rspirv::spirv::{Op, Word};
use sinter_core::SpirvFeature;
use std::collections::HashSet;

/// The message of such a loop.
const ENDED: &str = "the driver ended a loop early: Mesa's lavapipe 22.3.6 lets the loops of a work-item do 65,535 rounds \
    in all, 25.0.7 any number; install that, use another device, or give each work-item less to do";

fn merges(graph: &Graph) -> HashSet<usize> {
    let merge = |merge: &Merge| match merge {
        Merge::Loop(merge, _) => Some(*merge),
        Merge::Selection(_) => None,
    };
    graph.merges.values().filter_map(merge).collect()
}

impl Emitter<'_, '_> {
    /// Declares an array for the count, if the driver may end a loop of this function.
    pub(super) fn array_of_rounds(&mut self, graph: &Graph) -> Option<Word> {
        if self.target.has(SpirvFeature::DivergentFences) || merges(graph).is_empty() {
            return None;
        }
        let word = self.integer(32);
        Some(self.leaving_array(word))
    }

    /// Sets the count to 0.
    pub(super) fn start_rounds(&mut self, graph: &Graph, array: Option<Word>) -> Outcome<()> {
        let Some(array) = array else { return Ok(()) };
        let (index, word, zero) = (self.unknown_index()?, self.integer(32), self.integer_constant(32, 0));
        let place = self.place_in(array, word, index);
        self.out.act(Op::Store, vec![id(place), id(zero)]);
        self.body.rounds = Some(Rounds { merges: merges(graph), place });
        Ok(())
    }

    /// Counts behind a loop, and where one is left.
    pub(super) fn count_rounds(&mut self, graph: &Graph, node: usize, condition: Option<Word>) {
        let Some(Rounds { merges, place }) = &self.body.rounds else { return };
        let (place, is_behind) = (*place, merges.contains(&node));
        let (yes, no) = match graph.ends[node] {
            End::Leave => return,
            End::Go(next) => (merges.contains(&next), merges.contains(&next)),
            End::Choose(yes, no) => (merges.contains(&yes), merges.contains(&no)),
        };
        let (word, one, zero) = (self.integer(32), self.integer_constant(32, 1), self.integer_constant(32, 0));
        if is_behind {
            self.change(place, Op::IAdd, one);
        }
        let left = match condition {
            _ if yes && no => one,
            Some(condition) if yes || no => {
                let (yes, no) = if yes { (one, zero) } else { (zero, one) };
                self.out.value(Op::Select, word, [condition, yes, no].map(id).to_vec())
            }
            _ => return,
        };
        self.change(place, Op::ISub, left);
    }

    fn change(&mut self, place: Word, operation: Op, by: Word) {
        let word = self.integer(32);
        let old = self.out.value(Op::Load, word, vec![id(place)]);
        let new = self.out.value(operation, word, vec![id(old), id(by)]);
        self.out.act(Op::Store, vec![id(place), id(new)]);
    }

    /// Reports at the end of a function that the driver ended a loop.
    pub(super) fn report_rounds(&mut self) -> Outcome<()> {
        let Some(Rounds { place, .. }) = &self.body.rounds else { return Ok(()) };
        let (place, word, boolean) = (*place, self.integer(32), self.boolean());
        let (count, zero) = (self.out.value(Op::Load, word, vec![id(place)]), self.integer_constant(32, 0));
        let ended = self.out.value(Op::INotEqual, boolean, vec![id(count), id(zero)]);
        let end = self.begin_branch(ended);
        self.report(ENDED)?;
        self.end_branch(end);
        Ok(())
    }
}
