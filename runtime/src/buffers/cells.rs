//! For each part of a buffer: where its newest bytes are, and which commands use them.
//!
//! In: the boxes that a command accesses, and its place. Out: the events that it has to wait for,
//! and the moves that bring the newest bytes to the place; later the command's own event.
//! *Invariant:* the cells are disjoint and together the whole buffer. A cell has one state: it is
//! split where a box covers a part of it, and cells that a write covers become one.
//!
//! A write waits for everything that used the cell before, wherever that was, so that the events of
//! a cell are all that the buffer's memory has to wait for.
#![forbid(unsafe_code)]

use super::{
    bounds::Bounds,
    event::{self, Event, Events, Waits},
};
use std::mem;

/// A memory that may hold a copy of a buffer: the index of a device, or the host.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Place(pub(crate) u32);

impl Place {
    /// Memory of the process.
    pub(crate) const HOST: Place = Place(u32::MAX);
}

/// Number of cells from which neighbours with the same state are joined at the earliest.
const MANY: usize = 16;

/// Number of readers from which complete ones are forgotten, which keep their queues alive.
const MANY_READERS: usize = 8;

/// A place that has the newest bytes, from an event on.
#[derive(Clone)]
struct Home {
    place: Place,
    ready: Option<Event>,
}

impl Home {
    /// True if the command failed that was to bring the bytes here.
    fn is_lost(&self) -> bool {
        self.ready.as_ref().is_some_and(|event| event.failure().is_some())
    }
}

#[derive(Clone)]
struct Cell {
    bounds: Bounds,
    /// Empty while the bytes are undefined.
    homes: Vec<Home>,
    readers: Events,
}

/// A transfer of a box between two copies of a buffer.
#[derive(Clone)]
pub(super) struct Move {
    /// Index of the buffer among those of the command.
    pub(super) buffer: usize,
    pub(super) bounds: Bounds,
    pub(super) from: Place,
    pub(super) to: Place,
    /// Event after which the source has the bytes.
    pub(super) after: Option<Event>,
}

/// Use of a box by a command.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Use {
    pub(crate) reads: bool,
    pub(crate) writes: bool,
}

/// Use of a box, and where.
#[derive(Debug, Clone, Copy)]
pub(super) struct Access {
    pub(super) access: Use,
    pub(super) place: Place,
}

/// A box of a buffer; `None` is all of it.
pub(super) type Part<'a> = Option<&'a Bounds>;

/// The state of a whole buffer.
pub(super) struct Cells {
    whole: Bounds,
    all: Vec<Cell>,
    /// Number of cells from which neighbours are joined: twice as many as were left the last time.
    limit: usize,
}

fn is_same(one: &Option<Event>, other: &Option<Event>) -> bool {
    match (one, other) {
        (None, None) => true,
        (Some(one), Some(other)) => std::sync::Arc::ptr_eq(&one.queue, &other.queue) && one.ticket == other.ticket,
        _ => false,
    }
}

impl Cell {
    fn home(&self, place: Place) -> Option<&Home> {
        self.homes.iter().find(|home| home.place == place)
    }

    /// Place to copy the newest bytes from: memory of the host if they are there already.
    fn source(&self) -> Option<&Home> {
        self.home(Place::HOST).or_else(|| self.homes.first())
    }

    fn has_state_of(&self, other: &Cell) -> bool {
        let homes = |cell: &Cell| cell.homes.len();
        let alike = |one: &Home| other.home(one.place).is_some_and(|known| is_same(&one.ready, &known.ready));
        let reads = |one: &Event| {
            let same = |known: &Event| std::sync::Arc::ptr_eq(&one.queue, &known.queue) && one.ticket == known.ticket;
            other.readers.iter().any(same)
        };
        homes(self) == homes(other)
            && self.readers.len() == other.readers.len()
            && self.homes.iter().all(alike)
            && self.readers.iter().all(reads)
    }

    /// Forgets places that did not get the bytes, if another one has them.
    fn forget_lost(&mut self) {
        if self.homes.len() > 1 && !self.homes.iter().all(Home::is_lost) {
            self.homes.retain(|home| !home.is_lost());
        }
    }

    /// Adds to `waits` and `moves` what reading needs. A write follows the events already.
    fn plan_read(&self, buffer: usize, Access { access, place }: Access, waits: &mut Waits, moves: &mut Vec<Move>) {
        if let Some(home) = self.home(place) {
            home.ready.iter().filter(|_| !access.writes).for_each(|event| waits.follow(event));
            home.ready.iter().for_each(|event| waits.need(event));
        } else if let Some(source) = self.source() {
            source.ready.iter().for_each(|event| waits.need(event));
            let is_planned =
                |known: &Move| known.buffer == buffer && known.to == place && known.bounds.contains(&self.bounds);
            if !moves.iter().any(is_planned) {
                let (bounds, from, after) = (self.bounds, source.place, source.ready.clone());
                moves.push(Move { buffer, bounds, from, to: place, after });
            }
        }
    }

    /// Records that only `place` has the bytes, from `event` on.
    fn set_home(&mut self, place: Place, event: &Event) {
        self.homes.truncate(1);
        if let [Home { place: only, ready: Some(ready) }] = &mut self.homes[..] {
            *only = place;
            ready.clone_from(event);
        } else {
            self.homes.clear();
            self.homes.push(Home { place, ready: Some(event.clone()) });
        }
    }

    fn add_reader(&mut self, event: &Event) {
        if self.readers.len() >= MANY_READERS {
            self.readers.retain(|known| !known.is_complete());
        }
        event::add(&mut self.readers, event);
    }
}

impl Cells {
    /// A buffer whose bytes are at `home`, or undefined.
    pub(super) fn new(whole: Bounds, home: Option<Place>) -> Self {
        let homes = home.map(|place| Home { place, ready: None }).into_iter().collect();
        Cells { whole, all: vec![Cell { bounds: whole, homes, readers: Events::new() }], limit: MANY }
    }

    /// Splits cells so that each lies inside or outside of `bounds`.
    fn split(&mut self, bounds: &Bounds) {
        if self.all.iter().any(|cell| cell.bounds == *bounds) {
            return;
        }
        for index in 0..self.all.len() {
            let cell = &self.all[index];
            let Some(common) = cell.bounds.common(bounds).filter(|common| *common != cell.bounds) else { continue };
            let parts = cell.bounds.without(&common);
            let rest: Vec<_> = parts.into_iter().map(|bounds| Cell { bounds, ..cell.clone() }).collect();
            self.all[index].bounds = common;
            self.all.extend(rest);
        }
    }

    /// The cells of a part.
    fn of(&mut self, part: Part<'_>) -> impl Iterator<Item = &mut Cell> {
        if let Some(bounds) = part {
            self.split(bounds);
        }
        self.all.iter_mut().filter(move |cell| part.is_none_or(|bounds| bounds.contains(&cell.bounds)))
    }

    /// Adds to `waits` and `moves` what an access to the buffer of this index needs. Does not
    /// change the state, but for the division into cells.
    pub(super) fn plan(
        &mut self,
        buffer: usize,
        part: Part<'_>,
        access: Access,
        waits: &mut Waits,
        moves: &mut Vec<Move>,
    ) {
        for cell in self.of(part) {
            cell.forget_lost();
            if access.access.writes {
                cell.homes.iter().filter_map(|home| home.ready.as_ref()).for_each(|event| waits.follow(event));
                cell.readers.iter().for_each(|event| waits.follow(event));
            }
            if access.access.reads {
                cell.plan_read(buffer, access, waits, moves);
            }
        }
    }

    /// Records a transfer that was planned.
    pub(super) fn moved(&mut self, bounds: &Bounds, to: Place, event: Option<&Event>) {
        for cell in self.of(Some(bounds)) {
            event.iter().for_each(|event| cell.add_reader(event));
            match cell.homes.iter_mut().find(|home| home.place == to) {
                Some(home) => home.ready = event.cloned(),
                None => cell.homes.push(Home { place: to, ready: event.cloned() }),
            }
        }
    }

    /// Records an access that was planned. Another access of the same command may have changed the
    /// division into cells since.
    pub(super) fn used(&mut self, part: Part<'_>, Access { access, place }: Access, event: &Event) {
        if access.writes {
            self.write(part, place, event);
        } else {
            self.read(part, event);
        }
    }

    /// Adds an event that later writes wait for.
    pub(super) fn read(&mut self, part: Part<'_>, event: &Event) {
        for cell in self.of(part) {
            cell.add_reader(event);
        }
    }

    /// Joins cells, if there are many, when all accesses of a command are recorded.
    pub(super) fn settle(&mut self) {
        if self.all.len() >= self.limit {
            self.join();
        }
    }

    fn write(&mut self, part: Part<'_>, place: Place, event: &Event) {
        let mut inside = self.of(part);
        if let (Some(cell), None) = (inside.next(), inside.next()) {
            cell.readers.clear();
            cell.set_home(place, event);
            return;
        }
        drop(inside);
        let bounds = *part.unwrap_or(&self.whole);
        self.all.retain(|cell| !bounds.contains(&cell.bounds));
        let homes = vec![Home { place, ready: Some(event.clone()) }];
        self.all.push(Cell { bounds, homes, readers: Events::new() });
    }

    /// Joins neighbours with the same state, and forgets what is complete.
    fn join(&mut self) {
        self.forget_completed();
        let mut joined: Vec<Cell> = Vec::with_capacity(self.all.len());
        for cell in mem::take(&mut self.all) {
            let partner = |known: &mut Cell| {
                known
                    .bounds
                    .joined(&cell.bounds)
                    .filter(|_| known.has_state_of(&cell))
                    .map(|union| known.bounds = union)
            };
            if joined.iter_mut().find_map(partner).is_none() {
                joined.push(cell);
            }
        }
        self.all = joined;
        self.limit = MANY.max(2 * self.all.len());
    }

    /// Drops events that are complete.
    pub(super) fn forget_completed(&mut self) {
        for cell in &mut self.all {
            cell.readers.retain(|event| !event.is_complete());
            for home in &mut cell.homes {
                home.ready = home.ready.take().filter(|event| !event.is_complete() || event.failure().is_some());
            }
        }
    }

    /// All events of the buffer.
    pub(super) fn events(&self) -> Events {
        let mut all = Events::new();
        for cell in &self.all {
            let homes = cell.homes.iter().filter_map(|home| home.ready.as_ref());
            homes.chain(&cell.readers).for_each(|event| event::add(&mut all, event));
        }
        all
    }

    /// True if any byte was ever defined.
    pub(super) fn has_content(&self) -> bool {
        self.all.iter().any(|cell| !cell.homes.is_empty())
    }
}

#[cfg(test)]
mod tests {
    use super::{super::gate::Gate, *};
    use std::sync::Arc;

    const READ: Use = Use { reads: true, writes: false };
    const WRITE: Use = Use { reads: true, writes: true };
    const DISCARD: Use = Use { reads: false, writes: true };
    const A: Place = Place(0);
    const B: Place = Place(1);

    fn event() -> Event {
        Event::of_gate(&Arc::new(Gate::default()))
    }

    fn part(low: usize, high: usize) -> Bounds {
        Bounds { low: [low, 0, 0], high: [high, 1, 1] }
    }

    fn plan(cells: &mut Cells, bounds: Bounds, access: Use, place: Place) -> (Events, Vec<Move>) {
        let (mut waits, mut moves) = (Waits::default(), Vec::new());
        cells.plan(0, Some(&bounds), Access { access, place }, &mut waits, &mut moves);
        (waits.events, moves)
    }

    fn is(waits: &[Event], expected: &[&Event]) -> bool {
        let has = |event: &&Event| waits.iter().any(|known| Arc::ptr_eq(&known.queue, &event.queue));
        waits.len() == expected.len() && expected.iter().all(has)
    }

    #[test]
    fn readers_run_side_by_side_and_a_writer_waits_for_all() {
        let mut cells = Cells::new(part(0, 100), Some(Place::HOST));
        let (writer, one, other) = (event(), event(), event());
        let whole = part(0, 100);
        let (waits, moves) = plan(&mut cells, whole, WRITE, A);
        assert!(waits.is_empty() && moves.len() == 1 && moves[0].from == Place::HOST);
        cells.used(Some(&whole), Access { access: WRITE, place: A }, &writer);
        for reader in [&one, &other] {
            let (waits, moves) = plan(&mut cells, whole, READ, A);
            assert!(is(&waits, &[&writer]) && moves.is_empty());
            cells.used(Some(&whole), Access { access: READ, place: A }, reader);
        }
        assert!(is(&plan(&mut cells, whole, DISCARD, A).0, &[&writer, &one, &other]));
    }

    #[test]
    fn disjoint_parts_do_not_wait_and_overlapping_ones_do() {
        let mut cells = Cells::new(part(0, 100), None);
        let (one, other) = (event(), event());
        plan(&mut cells, part(0, 50), WRITE, A);
        cells.used(Some(&part(0, 50)), Access { access: WRITE, place: A }, &one);
        assert!(is(&plan(&mut cells, part(50, 100), WRITE, A).0, &[]));
        cells.used(Some(&part(50, 100)), Access { access: WRITE, place: A }, &other);
        assert!(is(&plan(&mut cells, part(40, 60), READ, A).0, &[&one, &other]));
        assert!(is(&plan(&mut cells, part(10, 20), READ, A).0, &[&one]));
        assert_eq!(cells.all.len(), 6);
        let last = event();
        plan(&mut cells, part(0, 100), DISCARD, B);
        cells.used(Some(&part(0, 100)), Access { access: DISCARD, place: B }, &last);
        assert_eq!(cells.all.len(), 1);
    }

    #[test]
    fn only_what_is_not_there_is_moved() {
        let mut cells = Cells::new(part(0, 100), Some(Place::HOST));
        let (there, writer) = (event(), event());
        assert_eq!(plan(&mut cells, part(0, 60), READ, A).1.len(), 1);
        cells.moved(&part(0, 60), A, Some(&there));
        let (waits, moves) = plan(&mut cells, part(0, 100), READ, A);
        assert!(is(&waits, &[&there]) && moves.len() == 1 && moves[0].bounds == part(60, 100));
        assert!(plan(&mut cells, part(0, 100), DISCARD, A).1.is_empty());
        cells.used(Some(&part(0, 60)), Access { access: WRITE, place: A }, &writer);
        let (_, moves) = plan(&mut cells, part(0, 100), READ, Place::HOST);
        assert!(moves.len() == 1 && moves[0].from == A && moves[0].bounds == part(0, 60));
        assert!(is(&[moves[0].after.clone().expect("event")], &[&writer]));
    }

    #[test]
    fn an_access_to_all_is_one_to_the_box_of_all() {
        let events = [event(), event(), event()];
        let run = |all: Part<'_>| {
            let mut cells = Cells::new(part(0, 100), Some(Place::HOST));
            plan(&mut cells, part(20, 30), READ, A);
            cells.used(Some(&part(20, 30)), Access { access: READ, place: A }, &events[0]);
            let mut found = Vec::new();
            for (access, event) in [(READ, &events[1]), (WRITE, &events[2]), (READ, &events[1])] {
                let (mut waits, mut moves) = (Waits::default(), Vec::new());
                cells.plan(0, all, Access { access, place: A }, &mut waits, &mut moves);
                cells.used(all, Access { access, place: A }, event);
                found.push((waits.events.len(), moves.len(), cells.all.len()));
            }
            found
        };
        assert_eq!(run(None), [(0, 3, 3), (2, 3, 1), (1, 0, 1)]);
        assert_eq!(run(None), run(Some(&part(0, 100))));
    }

    #[test]
    fn many_parts_with_one_state_become_one() {
        let mut cells = Cells::new(part(0, 64), Some(A));
        for low in 0..64 {
            plan(&mut cells, part(low, low + 1), READ, A);
        }
        let gate = Arc::new(Gate::default());
        gate.open();
        plan(&mut cells, part(0, 64), READ, A);
        cells.used(Some(&part(0, 64)), Access { access: READ, place: A }, &Event::of_gate(&gate));
        cells.settle();
        assert_eq!(cells.all.len(), 1);
        assert!(cells.has_content() && cells.events().is_empty());
    }
}
