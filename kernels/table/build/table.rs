//! Reads the table of device functions.
//!
//! In: the text of `builtins.txt`. Out: its lines, and the functions that they stand for. *Invariant:* a line that
//! means nothing fails with its number.

use std::fmt;

/// Columns that every line has.
const FIXED: usize = 9;
const ATTRIBUTES: [&str; 6] = ["pure", "convergent", "noreturn", "exact", "vendor", "opencl"];
const SYCL: [&str; 5] = ["=", "scalar", "test", "native::", "half_precision::"];
const PROVIDERS: [&str; 3] = ["library", "backend", "libc"];
const TYPES: [&str; 18] = [
    "void",
    "bool",
    "i8",
    "i16",
    "i32",
    "i64",
    "u8",
    "u16",
    "u32",
    "u64",
    "f16",
    "f32",
    "f64",
    "f80",
    "operation",
    "order",
    "scope",
    "space",
];
const PREFIX: &str = "__acpp_sscp_";
const OF_TYPE: &str = "_{T}";

/// A line that means nothing.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct BadLine {
    /// Counted from 1.
    pub(crate) number: usize,
    pub(crate) reason: String,
}

impl fmt::Display for BadLine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "builtins.txt, line {}: {}", self.number, self.reason)
    }
}

/// The whole table.
#[derive(Debug)]
pub(crate) struct Table {
    /// In the order of their columns.
    pub(crate) targets: Vec<String>,
    /// The lines.
    pub(crate) families: Vec<Family>,
}

/// A line: functions that differ in a word of their name and a type.
#[derive(Debug)]
pub(crate) struct Family {
    pub(crate) group: String,
    pub(crate) name: String,
    pub(crate) types: Vec<String>,
    pub(crate) result: String,
    pub(crate) parameters: Vec<String>,
    pub(crate) attributes: Vec<String>,
    pub(crate) c: Vec<String>,
    pub(crate) llvm: String,
    pub(crate) sycl: Vec<String>,
    pub(crate) bound: Option<Bound>,
    /// Empty for what is no builtin.
    pub(crate) providers: Vec<String>,
}

/// The accuracy of a function, and where it is measured.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Bound {
    /// Units in the last place, `None` where the standard leaves them open.
    pub(crate) ulps: Option<String>,
    pub(crate) interval: [String; 2],
}

/// One builtin.
#[derive(Debug)]
pub(crate) struct Builtin {
    pub(crate) name: String,
    pub(crate) result: String,
    pub(crate) parameters: Vec<String>,
}

impl Table {
    pub(crate) fn parse(text: &str) -> Result<Table, BadLine> {
        let mut table = Table { targets: Vec::new(), families: Vec::new() };
        for (index, line) in text.lines().enumerate().filter(|(_, line)| !line.is_empty() && !line.starts_with('#')) {
            table.read(line).map_err(|reason| BadLine { number: index + 1, reason })?;
        }
        Ok(table)
    }

    /// The first line names the columns.
    fn read(&mut self, line: &str) -> Result<(), String> {
        let cells: Vec<&str> = line.split('|').map(str::trim).collect();
        if self.targets.is_empty() {
            self.targets = cells.iter().skip(FIXED).map(|&name| name.to_owned()).collect();
            return if self.targets.is_empty() { Err("there is no target".to_owned()) } else { Ok(()) };
        }
        let whole = FIXED + self.targets.len();
        if cells.len() != whole && cells.len() != FIXED {
            return Err(format!("{} columns instead of {whole}, or {FIXED} for what is no builtin", cells.len()));
        }
        self.families.push(Family::read(&cells)?);
        Ok(())
    }
}

impl Family {
    fn read(cells: &[&str]) -> Result<Family, String> {
        let words = |cell: &str| cell.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
        let (result, parameters) = signature(cells[3])?;
        let family = Family {
            group: cells[0].to_owned(),
            name: cells[1].to_owned(),
            types: words(cells[2]),
            result,
            parameters,
            attributes: words(cells[4]),
            c: words(cells[5]),
            llvm: cells[6].to_owned(),
            sycl: words(cells[7]),
            bound: Bound::read(cells[8])?,
            providers: cells[FIXED..].iter().map(|&cell| cell.to_owned()).collect(),
        };
        family.check()?;
        Ok(family)
    }

    fn check(&self) -> Result<(), String> {
        known(&self.attributes, &ATTRIBUTES, "attribute")?;
        known(&self.sycl, &SYCL, "word of the column sycl")?;
        let is_provider = |cell: &&String| PROVIDERS.contains(&cell.as_str()) || cell.starts_with("refused:");
        if let Some(cell) = self.providers.iter().find(|cell| !is_provider(cell)) {
            return Err(format!("`{cell}` is not library, backend, libc or `refused: <reason>`"));
        }
        if self.name.contains("{T}") == self.types.is_empty() {
            return Err("a name has {T} exactly if there are types".to_owned());
        }
        let is_plain = self.c.is_empty() && self.llvm.is_empty() && self.sycl.is_empty();
        if !is_plain && !self.name.ends_with(OF_TYPE) {
            return Err("a function of C, LLVM or SYCL has a name that ends in _{T}".to_owned());
        }
        let mut used = self.parameters.iter().chain([&self.result]);
        used.find(|word| !is_type(&word.replace('T', "f32"))).map_or(Ok(()), |word| Err(format!("`{word}` is no type")))
    }

    /// The names of its functions without `_{T}`, if they are functions of a type.
    pub(crate) fn functions(&self) -> Vec<String> {
        self.name.strip_suffix(OF_TYPE).map(alternatives).unwrap_or_default()
    }

    /// The builtins.
    pub(crate) fn builtins(&self) -> Vec<Builtin> {
        if self.providers.is_empty() {
            return Vec::new();
        }
        let types = if self.types.is_empty() { vec![String::new()] } else { self.types.clone() };
        let names = alternatives(&self.name);
        names.iter().flat_map(|name| types.iter().map(move |ty| self.builtin(name, ty))).collect()
    }

    fn builtin(&self, name: &str, ty: &str) -> Builtin {
        let prefix = if name.starts_with("__") { "" } else { PREFIX };
        let with_type = |word: &String| word.replace('T', ty);
        Builtin {
            name: format!("{prefix}{}", name.replace("{T}", ty)),
            result: with_type(&self.result),
            parameters: self.parameters.iter().map(with_type).collect(),
        }
    }

    pub(crate) fn is(&self, attribute: &str) -> bool {
        self.attributes.iter().any(|word| word == attribute)
    }
}

impl Bound {
    /// Of `4 in -1..1`, or of nothing.
    fn read(cell: &str) -> Result<Option<Bound>, String> {
        if cell.is_empty() {
            return Ok(None);
        }
        let bad = || format!("`{cell}` is no bound: `<number or any> in <low>..<high>`");
        let (ulps, interval) = cell.split_once(" in ").ok_or_else(bad)?;
        let (low, high) = interval.split_once("..").ok_or_else(bad)?;
        if [low, high].into_iter().chain((ulps != "any").then_some(ulps)).any(|word| word.parse::<f64>().is_err()) {
            return Err(bad());
        }
        let ulps = (ulps != "any").then(|| ulps.to_owned());
        Ok(Some(Bound { ulps, interval: [low.to_owned(), high.to_owned()] }))
    }
}

fn known(words: &[String], list: &[&str], what: &str) -> Result<(), String> {
    match words.iter().find(|word| !list.contains(&word.as_str())) {
        Some(word) => Err(format!("`{word}` is no {what}; there are {list:?}")),
        None => Ok(()),
    }
}

/// `a_{b,c}_{d,e}` as all names that it stands for. `{T}` stays.
fn alternatives(name: &str) -> Vec<String> {
    let list = name.match_indices('{').find(|&(at, _)| !name[at..].starts_with("{T}")).map(|(at, _)| at);
    let Some((start, end)) = list.and_then(|start| Some((start, start + name[start..].find('}')?))) else {
        return vec![name.to_owned()];
    };
    let with_word = |word: &str| alternatives(&format!("{}{word}{}", &name[..start], &name[end + 1..]));
    name[start + 1..end].split(',').flat_map(with_word).collect()
}

/// `R(A, B)` in parts.
fn signature(cell: &str) -> Result<(String, Vec<String>), String> {
    let parts = cell.strip_suffix(')').and_then(|cell| cell.split_once('('));
    let (result, parameters) = parts.ok_or_else(|| format!("`{cell}` is no signature"))?;
    let parameters = parameters.split(',').map(|word| word.trim().to_owned()).filter(|word| !word.is_empty());
    Ok((result.to_owned(), parameters.collect()))
}

fn is_type(word: &str) -> bool {
    ["char*", "local*"].contains(&word) || TYPES.contains(&word.trim_end_matches('*'))
}
