//! Rows of several lines.
//!
//! In: values of the lines of a row, side by side along y. Out: vectors over the lanes of all
//! lines, and code that runs once for each line. *Invariant:* lane `l` is number `l % length` of
//! line `l / length`. Lines exist only in rows whose lanes all exist.

use super::{
    emit::{Broken, Emitter},
    form::Form,
};
use sinter_llvm::ir::Value;

impl<'s> Emitter<'s, '_> {
    /// The lanes of a line.
    pub(super) fn length(&self) -> u32 {
        self.lanes / self.lines
    }

    /// Runs `make` for each line, in which operands have that line's values.
    pub(super) fn each_line(
        &mut self,
        mut make: impl FnMut(&mut Self) -> Result<Form<'s>, Broken>,
    ) -> Result<Form<'s>, Broken> {
        let mut made = Vec::new();
        for line in 0..self.lines as usize {
            self.line = Some(line);
            made.push(make(self));
        }
        self.line = None;
        Ok(Form::Lines(made.into_iter().collect::<Result<_, _>>()?))
    }

    /// The vector over all lanes, of one vector for each line.
    pub(super) fn joined(&self, mut parts: Vec<Value<'s>>) -> Value<'s> {
        let mut lanes = self.length();
        while let [first, _, ..] = *parts {
            let positions: Vec<_> = (0..2 * lanes).collect();
            let join = |pair: &[Value<'s>]| self.build(|insert| insert.shuffle(pair[0], pair[1], &positions));
            debug_assert!(first.ty() == parts[1].ty());
            parts = parts.chunks_exact(2).map(join).collect();
            lanes *= 2;
        }
        parts[0]
    }

    /// The lanes of a line, of a vector over all lanes.
    pub(super) fn part(&self, wide: Value<'s>, line: usize) -> Value<'s> {
        if self.lines == 1 {
            return wide;
        }
        let first = self.length() * line as u32;
        let positions: Vec<_> = (first..first + self.length()).collect();
        self.build(|insert| insert.shuffle(wide, wide.ty().poison(), &positions))
    }

    /// The current mask in each line; `None` where all lanes run.
    pub(super) fn masks(&self) -> Vec<Option<Value<'s>>> {
        let parts = (0..self.lines as usize).map(|line| (!self.is_whole()).then(|| self.part(self.mask, line)));
        parts.collect()
    }

    /// True if all lanes certainly run the current block.
    pub(super) fn is_whole(&self) -> bool {
        self.mask == self.all_lanes()
    }

    /// True where some lane of the row, or of the current line, runs the block; `None` if one
    /// certainly does.
    pub(super) fn some_lane(&self) -> Option<Value<'s>> {
        match self.line {
            None => (!self.populated).then(|| self.any(self.mask)),
            Some(_) if self.is_whole() => None,
            Some(line) => Some(self.any(self.part(self.mask, line))),
        }
    }

    /// The condition under which each part of a form takes a new value for the lanes in `mask`.
    pub(super) fn conditions(&self, form: &Form<'s>, mask: Value<'s>) -> Vec<Value<'s>> {
        match form {
            Form::Scalar(_) | Form::Linear { .. } => vec![self.any(mask)],
            Form::Wide(_) => vec![mask],
            Form::Members(members) => vec![mask; members.len()],
            Form::Lines(lines) => (0..lines.len()).map(|line| self.any(self.part(mask, line))).collect(),
        }
    }
}
