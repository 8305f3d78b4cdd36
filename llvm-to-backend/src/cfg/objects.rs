//! Which allocas must outlive a barrier.
//!
//! In: a [`Layout`], and the values to keep. Out: the allocas whose content, or whose address, is needed after a barrier.
//! *Invariant:* a value that a kept one, memory or a branch knows of an address stays true: such an alloca stays where
//! it is in all states, whatever its lifetime says.

use super::graph::{Kind, ValueId};
use super::layout::{Layout, Point};
use super::liveness::{Liveness, Query, Reach};
use std::collections::HashSet;

/// What is done with the address of one alloca.
#[derive(Debug, Default)]
struct Access {
    /// Effects that may read or write its content through an SSA value.
    uses: Vec<Point>,
    /// Memory or control flow knows the address.
    escapes: bool,
    /// A kept value knows the address.
    kept: bool,
    /// Where its content becomes undefined.
    made: Vec<u32>,
}

/// The allocas that need memory of their item, in ascending order.
pub(super) fn objects(layout: &Layout<'_>, liveness: &mut Liveness<'_, '_>, kept: &[ValueId]) -> Vec<ValueId> {
    if liveness.barriers().next().is_none() {
        return Vec::new();
    }
    let kept: HashSet<_> = kept.iter().copied().collect();
    let allocas = layout.reached_instructions().filter(|(_, i)| i.kind == Kind::Alloca).map(|(value, _)| value);
    let mut objects: Vec<_> = allocas
        .filter(|&alloca| {
            let access = Access::to(layout, alloca, &kept);
            let query = Query { made: &access.made, reach: Reach::Definition };
            let outlives = |states: Vec<u32>| states.last().is_some_and(|&state| state > 0);
            access.kept || access.escapes || outlives(liveness.states(access.uses.iter().copied(), query))
        })
        .collect();
    objects.sort_unstable();
    objects
}

impl Access {
    fn to(layout: &Layout<'_>, alloca: ValueId, kept: &HashSet<ValueId>) -> Self {
        let mut access = Self { made: vec![alloca.0], ..Self::default() };
        let mut seen = HashSet::from([alloca]);
        let mut pending = vec![alloca];
        while let Some(pointer) = pending.pop() {
            access.kept |= kept.contains(&pointer);
            for used in layout.uses(pointer) {
                if access.follow(layout, pointer, used.user, pointer == alloca) && seen.insert(used.user) {
                    pending.push(used.user);
                }
            }
        }
        access.uses.sort_unstable();
        access.made.sort_unstable();
        access
    }

    /// Notes what `user` does with `pointer`; gives whether its result points to the alloca as well.
    fn follow(&mut self, layout: &Layout<'_>, pointer: ValueId, user: ValueId, whole: bool) -> bool {
        let Some(instruction) = layout.instruction(user) else { return false };
        match &instruction.kind {
            Kind::Pure | Kind::Cheap | Kind::Phi(_) => return true,
            Kind::Effect => self.uses.extend(layout.before(user)),
            Kind::Escape(pointers) => {
                self.uses.extend(layout.before(user));
                self.escapes |= pointers.contains(&pointer);
            }
            // A branch that depends on the address must go the same way in each state.
            Kind::Terminator => self.escapes = true,
            Kind::LifetimeStart if whole => self.made.push(user.0),
            Kind::LifetimeStart | Kind::Barrier | Kind::Alloca | Kind::Unreachable => {}
        }
        false
    }
}
