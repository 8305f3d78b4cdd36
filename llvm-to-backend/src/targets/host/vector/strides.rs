//! Loads every second, third, fourth or eighth element for the lanes of a row.
//!
//! In: a load whose addresses differ by a few elements from lane to lane, and which all lanes run.
//! Out: vector loads of all elements from that of the first lane to that of the last, and shuffles.
//! *Invariant:* no byte is read that lies in front of the first lane's element or behind the last
//! lane's. Each byte in between has one that a lane reads within 64 bytes, so that it is in memory.

use super::emit::{Broken, Emitter};
use sinter_llvm::ir::{Type, Value};

impl<'s> Emitter<'s, '_> {
    /// The elements of the lanes, if all of them run the load, else what `some` makes.
    pub(super) fn load_strided(
        &mut self,
        load: Value<'s>,
        address: Value<'s>,
        elements: u32,
        some: impl FnOnce(&mut Self) -> Result<Value<'s>, Broken>,
    ) -> Result<Value<'s>, Broken> {
        if self.is_whole() {
            return Ok(self.every(load, address, elements));
        }
        let ty = load.ty().vector(self.lanes);
        let whole = |emitter: &mut Self| vec![emitter.every(load, address, elements)];
        let made = self.all_or(&[ty], whole, |emitter| Ok(vec![some(emitter)?]))?;
        made.first().copied().ok_or(Broken("a load without a result"))
    }

    fn every(&self, load: Value<'s>, address: Value<'s>, elements: u32) -> Value<'s> {
        let last = (elements - 1) * (self.lanes - 1);
        let starts = (0..elements).map(|part| (part * self.lanes).min(last));
        let mut made = self.elements_from(load, address, 0);
        let mut known = self.lanes;
        for start in starts.skip(1) {
            let more = self.elements_from(load, address, start);
            let position = |lane: u32| match lane * elements {
                at if at < self.lanes && known == self.lanes => at,
                at if at < known => lane,
                at if at < start + self.lanes => self.lanes + at - start,
                _ => 0,
            };
            let positions: Vec<_> = (0..self.lanes).map(position).collect();
            made = self.build(|insert| insert.shuffle(made, more, &positions));
            known = start + self.lanes;
        }
        made
    }

    /// A vector of neighbours, from number `start` behind the address on.
    fn elements_from(&self, load: Value<'s>, address: Value<'s>, start: u32) -> Value<'s> {
        let ty: Type<'s> = load.ty();
        let size = ty.alloc_size(self.cx.machine);
        // The first element has the load's own alignment, others that of an element.
        let alignment = if start == 0 { load.alignment() } else { load.alignment().min(size as u32) };
        let first = self.cx.session.literal(start.into());
        let loaded = self.build(|insert| {
            let from = insert.addresses(ty, address, &[first]);
            insert.load_aligned(ty.vector(self.lanes), from, alignment, false)
        });
        loaded.copy_alias_facts(load);
        loaded
    }
}
