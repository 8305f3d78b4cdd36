//! Numbers the commands of a queue that defers some of them.
//!
//! In: pairs of a ticket that the program has and the ticket of the driver's queue that its command
//! got. Out: the driver's ticket for a ticket of the program. *Invariant:* both numbers grow, so a
//! run of commands with consecutive numbers is one segment; a ticket that was handed out before the
//! queue deferred anything is the driver's own.
#![forbid(unsafe_code)]

use sinter_driver::{PROFILED_TICKETS, Ticket};
use std::collections::VecDeque;

/// First ticket of a command that was submitted after the queue began to defer: more than a driver
/// ever hands out, so that both kinds can be told apart.
pub(super) const FIRST: u64 = 1 << 48;

struct Segment {
    first: u64,
    inner: u64,
    count: u64,
}

/// The driver's tickets of the commands that were handed to it.
#[derive(Default)]
pub(super) struct Tickets {
    segments: VecDeque<Segment>,
}

impl Tickets {
    /// Adds the ticket after the last one. A command without a ticket of its own has that of the
    /// previous one.
    pub(super) fn push(&mut self, ticket: u64, Ticket(inner): Ticket) {
        if let Some(last) = self.segments.back_mut()
            && last.inner + last.count == inner
        {
            last.count += 1;
            return;
        }
        if self.segments.len() as u64 == PROFILED_TICKETS {
            self.segments.pop_front();
        }
        self.segments.push_back(Segment { first: ticket, inner, count: 1 });
    }

    /// The driver's ticket; `None` if the command is still deferred. For commands older than all
    /// segments it is that of a later one.
    pub(super) fn get(&self, Ticket(ticket): Ticket) -> Option<Ticket> {
        if ticket < FIRST {
            return Some(Ticket(ticket));
        }
        let after = self.segments.partition_point(|segment| segment.first <= ticket);
        let segment = self.segments.get(after.saturating_sub(1))?;
        let place = ticket.saturating_sub(segment.first);
        (place < segment.count).then_some(Ticket(segment.inner + place))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn consecutive_numbers_are_one_segment() {
        let mut tickets = Tickets::default();
        for place in 0..100 {
            tickets.push(FIRST + place, Ticket(7 + place));
        }
        tickets.push(FIRST + 100, Ticket(106));
        assert_eq!(tickets.segments.len(), 2);
        assert_eq!(tickets.get(Ticket(FIRST + 99)), Some(Ticket(106)));
        assert_eq!(tickets.get(Ticket(FIRST + 100)), Some(Ticket(106)));
        assert_eq!(tickets.get(Ticket(FIRST + 101)), None);
        assert_eq!(tickets.get(Ticket(5)), Some(Ticket(5)));
    }

    #[test]
    fn forgotten_tickets_have_a_later_one() {
        let mut tickets = Tickets::default();
        for place in 0..=PROFILED_TICKETS {
            tickets.push(FIRST + place, Ticket(2 * place));
        }
        assert_eq!(tickets.get(Ticket(FIRST)), Some(Ticket(2)));
        assert_eq!(tickets.get(Ticket(FIRST + 1)), Some(Ticket(2)));
    }
}
