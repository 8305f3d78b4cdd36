//! Allocas that must be preserved across a barrier.
//!
//! In: a [`Layout`], and the values to keep. Out: the allocas whose content or address is live
//! across a barrier. *Invariant:* an address that a kept value, memory or a branch depends on stays
//! valid: such an alloca stays at its address in all states, whatever its lifetime markers say.

use super::graph::{Kind, ValueId};
use super::layout::{Layout, Point};
use super::liveness::{Liveness, Query, Reach};
use std::collections::HashSet;

/// Accesses to one alloca through its address.
#[derive(Debug, Default)]
struct Access {
    /// Effects that may read or write its content through an SSA value.
    uses: Vec<Point>,
    /// The address escapes to memory or control flow.
    escapes: bool,
    /// A kept value depends on the address.
    kept: bool,
    /// Points where its content becomes undefined.
    made: Vec<u32>,
}

/// The allocas that need memory per work-item, in ascending order.
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

    /// Records the use of `pointer` by `user`. Returns true if the result of `user` points to the
    /// alloca too.
    fn follow(&mut self, layout: &Layout<'_>, pointer: ValueId, user: ValueId, whole: bool) -> bool {
        let Some(instruction) = layout.instruction(user) else { return false };
        match &instruction.kind {
            Kind::Pure | Kind::Cheap | Kind::Phi(_) => return true,
            Kind::Effect => self.uses.extend(layout.before(user)),
            Kind::Escape(pointers) => {
                self.uses.extend(layout.before(user));
                self.escapes |= pointers.contains(&pointer);
            }
            // A branch that depends on the address must take the same edge in each state.
            Kind::Terminator => self.escapes = true,
            Kind::LifetimeStart if whole => self.made.push(user.0),
            Kind::LifetimeStart | Kind::Barrier | Kind::Alloca | Kind::Unreachable => {}
        }
        false
    }
}
