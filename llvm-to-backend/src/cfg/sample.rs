//! Parses a small textual format into a [`Cfg`], for tests, and the facts about its instructions.
//!
//! The first line names the parameters, each other line a block:
//! `join: p = phi left:x right:-; store q x -> next`. A terminator is `branch COND -> A B`,
//! `jump -> A`, `return` or `unreachable`. An instruction is named by its [`Kind`] or by an
//! [`Operation`](super::operation::Operation), with what is known about wrapping and with its width
//! if that is not 64: `add.s:32 i 1`. *Invariant:* every name is unique.

use super::graph::{Block, BlockId, Cfg, Instruction, Kind, ValueId, Variation};
use std::collections::HashMap;

/// A [`Cfg`] and the names of its values and blocks.
#[derive(Debug)]
pub(super) struct Sample {
    pub(super) cfg: Cfg,
    /// The text of each instruction.
    pub(super) texts: Vec<String>,
    values: HashMap<String, ValueId>,
    blocks: HashMap<String, BlockId>,
}

impl Sample {
    /// Panics on a syntax error.
    pub(super) fn new(text: &str) -> Self {
        let mut lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
        let parameters: Vec<_> = lines.next().unwrap().split(',').map(|p| p.trim().split_once(' ').unwrap()).collect();
        let blocks: Vec<(&str, &str)> = lines.map(|line| line.split_once(": ").unwrap()).collect();
        let cfg = Cfg { parameters: vec![], blocks: vec![] };
        let mut sample = Self { cfg, texts: vec![], values: [].into(), blocks: [].into() };
        let mut names: Vec<&str> = parameters.iter().map(|(_, name)| *name).collect();
        for (label, body) in &blocks {
            sample.blocks.insert((*label).to_owned(), BlockId(sample.blocks.len() as u32));
            let body = body.split_once("->").map_or(*body, |(body, _)| body);
            let parts = || body.split(';').map(|one| one.split_once(" = ").unwrap_or(("", one)));
            names.extend(parts().map(|(name, _)| name.trim()));
            sample.texts.extend(parts().map(|(_, text)| text.trim().to_owned()));
        }
        sample.values = names.iter().zip(0..).map(|(name, id)| ((*name).to_owned(), ValueId(id))).collect();
        let source = |kind: &str| if kind == "uniform" { Variation::Uniform } else { Variation::Divergent };
        sample.cfg.parameters = parameters.iter().map(|(kind, _)| source(kind)).collect();
        sample.cfg.blocks = blocks.iter().map(|(_, body)| sample.parse_block(body)).collect();
        sample
    }

    fn parse_block(&self, body: &str) -> Block {
        let (body, successors) = body.split_once("->").unwrap_or((body, ""));
        let instructions = body.split(';').map(|one| one.split_once(" = ").map_or(one, |(_, right)| right));
        Block {
            instructions: instructions.map(|one| self.parse_instruction(one.trim())).collect(),
            successors: successors.split_whitespace().map(|label| self.blocks[label]).collect(),
        }
    }

    fn parse_instruction(&self, text: &str) -> Instruction {
        let mut words = text.split_whitespace();
        let kind = words.next().unwrap();
        if kind == "phi" {
            let incoming = words.map(|word| word.split_once(':').unwrap());
            let incoming = incoming.map(|(from, value)| (self.blocks[from], self.values.get(value).copied()));
            return Instruction { kind: Kind::Phi(incoming.collect()), operands: vec![] };
        }
        let named = |word: &&str| !word.starts_with(|first: char| first == '-' || first.is_ascii_digit());
        let names = words.map(|word| word.split_once('*').map_or(word, |(name, _)| name)).filter(named);
        let operands: Vec<_> = names.map(|name| self.value(name)).collect();
        let kind = match kind.split(['.', ':']).next().unwrap() {
            "add" | "sub" | "mul" | "shl" | "and" | "xor" | "div" | "rem" | "sext" | "zext" | "trunc" | "address"
            | "select" => Kind::Cheap,
            "lane" | "load" => Kind::Effect,
            "pure" => Kind::Pure,
            "cheap" => Kind::Cheap,
            "effect" => Kind::Effect,
            "store" => Kind::Escape(vec![operands[1]]),
            "barrier" => Kind::Barrier,
            "alloca" => Kind::Alloca,
            "start" => Kind::LifetimeStart,
            "branch" | "jump" | "return" => Kind::Terminator,
            "unreachable" => Kind::Unreachable,
            other => panic!("no instruction is called {other}"),
        };
        Instruction { kind, operands }
    }

    pub(super) fn value(&self, name: &str) -> ValueId {
        *self.values.get(name).unwrap_or_else(|| panic!("no value is called {name}"))
    }

    pub(super) fn block(&self, label: &str) -> BlockId {
        self.blocks[label]
    }

    /// The names of `values`, separated by spaces.
    pub(super) fn names(&self, values: &[ValueId]) -> String {
        let name = |value: &ValueId| self.values.iter().find(|(_, id)| *id == value).map(|(name, _)| name.as_str());
        values.iter().map(|value| name(value).unwrap()).collect::<Vec<_>>().join(" ")
    }
}
