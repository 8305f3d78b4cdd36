//! Reads the table of builtins and writes what is made of it.
//!
//! In: `builtins/table/builtins.txt`. Out: C++ declarations, which every source of a library is compiled with, and the
//! Rust constants of `sinter_kernels::table`. *Invariant:* a line that means nothing fails with its number.

use std::fmt::{self, Write};

/// Columns in front of those of the targets.
const FIXED: usize = 5;
const ATTRIBUTES: [&str; 3] = ["pure", "convergent", "noreturn"];
const PROVIDERS: [(&str, &str); 3] = [("library", "Library"), ("backend", "Backend"), ("libc", "LibC")];
const PREFIX: &str = "__acpp_sscp_";

/// A line that means nothing.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct BadLine {
    /// Counted from 1.
    pub number: usize,
    /// What is wrong with it.
    pub reason: String,
}

impl fmt::Display for BadLine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "builtins.txt, line {}: {}", self.number, self.reason)
    }
}

/// The whole table.
#[derive(Debug)]
pub(crate) struct Table {
    /// The targets, in the order of their columns.
    pub targets: Vec<String>,
    /// Its lines.
    pub families: Vec<Family>,
}

/// A line: functions that differ in a word of their name and a type.
#[derive(Debug)]
pub(crate) struct Family {
    group: String,
    name: String,
    types: Vec<String>,
    result: String,
    parameters: Vec<String>,
    attributes: Vec<String>,
    providers: Vec<String>,
}

/// One function.
#[derive(Debug)]
pub(crate) struct Function<'t> {
    family: usize,
    /// Its name.
    pub name: String,
    result: String,
    parameters: Vec<String>,
    from: &'t Family,
}

impl Table {
    /// Reads the table.
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
        if cells.len() != FIXED + self.targets.len() {
            return Err(format!("{} columns instead of {}", cells.len(), FIXED + self.targets.len()));
        }
        self.families.push(Family::read(&cells)?);
        Ok(())
    }

    /// Every function, in the order of the table.
    pub(crate) fn functions(&self) -> impl Iterator<Item = Function<'_>> {
        self.families.iter().enumerate().flat_map(|(index, family)| family.functions(index))
    }

    /// C++ declarations of all functions.
    pub(crate) fn declarations(&self) -> String {
        let body: String = self.functions().map(|function| function.declaration()).collect();
        format!("// Made of builtins/table/builtins.txt.\n#pragma once\n#include \"types.hpp\"\n\n{body}")
    }

    /// The constants of `sinter_kernels::table`.
    pub(crate) fn constants(&self) -> String {
        let families: String = self.families.iter().map(Family::constant).collect();
        let functions: String = self.functions().map(|function| function.constant()).collect();
        format!(
            "/// The targets, in the order of their columns.\npub const TARGETS: &[&str] = &{:?};\n\
             /// The lines of the table.\npub static FAMILIES: &[Family] = &[{families}];\n\
             /// Every function, in the order of the table.\npub static BUILTINS: &[Builtin] = &[{functions}];\n",
            self.targets
        )
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
            providers: cells[FIXED..].iter().map(|&cell| cell.to_owned()).collect(),
        };
        family.check()?;
        Ok(family)
    }

    fn check(&self) -> Result<(), String> {
        if let Some(word) = self.attributes.iter().find(|word| !ATTRIBUTES.contains(&word.as_str())) {
            return Err(format!("`{word}` is no attribute; there are {ATTRIBUTES:?}"));
        }
        if let Some(cell) = self.providers.iter().find(|cell| provider(cell).is_none()) {
            return Err(format!("`{cell}` is not library, backend, libc or `refused: <reason>`"));
        }
        if self.name.contains("{T}") == self.types.is_empty() {
            return Err("a name has {T} exactly if there are types".to_owned());
        }
        let mut used = self.parameters.iter().chain([&self.result]);
        used.find(|word| cpp_type(&word.replace('T', "f32")).is_none())
            .map_or(Ok(()), |word| Err(format!("`{word}` is no type")))
    }

    fn functions(&self, index: usize) -> impl Iterator<Item = Function<'_>> {
        alternatives(&self.name).into_iter().flat_map(move |name| {
            let types = if self.types.is_empty() { vec![String::new()] } else { self.types.clone() };
            types.into_iter().map(move |ty| self.function(index, &name, &ty))
        })
    }

    fn function(&self, family: usize, name: &str, ty: &str) -> Function<'_> {
        let prefix = if name.starts_with("__") { "" } else { PREFIX };
        let with_type = |word: &String| word.replace('T', ty);
        Function {
            family,
            name: format!("{prefix}{}", name.replace("{T}", ty)),
            result: with_type(&self.result),
            parameters: self.parameters.iter().map(with_type).collect(),
            from: self,
        }
    }

    fn is(&self, attribute: &str) -> bool {
        self.attributes.iter().any(|word| word == attribute)
    }

    fn constant(&self) -> String {
        let providers: String =
            self.providers.iter().filter_map(|cell| provider(cell)).map(|word| word + ", ").collect();
        format!(
            "Family {{ group: {:?}, name: {:?}, types: &{:?}, result: {:?}, parameters: &{:?}, is_pure: {}, \
             is_convergent: {}, returns: {}, providers: &[{providers}] }},\n",
            self.group,
            self.name,
            self.types,
            self.result,
            self.parameters,
            self.is("pure"),
            self.is("convergent"),
            !self.is("noreturn"),
        )
    }
}

impl Function<'_> {
    fn declaration(&self) -> String {
        let parameters: Vec<&str> = self.parameters.iter().filter_map(|word| cpp_type(word)).collect();
        let result = cpp_type(&self.result).unwrap_or_default();
        let convergent = if self.from.is("convergent") { "__attribute__((convergent)) " } else { "" };
        let noreturn = if self.from.is("noreturn") { "[[noreturn]] " } else { "" };
        let mut line = String::new();
        // Writing to a string does not fail.
        let _ = writeln!(line, "extern \"C\" {noreturn}{convergent}{result} {}({});", self.name, parameters.join(", "));
        line
    }

    fn constant(&self) -> String {
        format!(
            "Builtin {{ name: {:?}, result: {:?}, parameters: &{:?}, family: &FAMILIES[{}] }},\n",
            self.name, self.result, self.parameters, self.family
        )
    }
}

/// `a_{b,c}_{d,e}` as all its spellings. `{T}` stays.
fn alternatives(name: &str) -> Vec<String> {
    let list = name.match_indices('{').find(|&(at, _)| !name[at..].starts_with("{T}")).map(|(at, _)| at);
    let Some((start, end)) = list.and_then(|start| Some((start, start + name[start..].find('}')?))) else {
        return vec![name.to_owned()];
    };
    let spelled = |word: &str| alternatives(&format!("{}{word}{}", &name[..start], &name[end + 1..]));
    name[start + 1..end].split(',').flat_map(spelled).collect()
}

/// `R(A, B)` in parts.
fn signature(cell: &str) -> Result<(String, Vec<String>), String> {
    let parts = cell.strip_suffix(')').and_then(|cell| cell.split_once('('));
    let (result, parameters) = parts.ok_or_else(|| format!("`{cell}` is no signature"))?;
    let parameters = parameters.split(',').map(|word| word.trim().to_owned()).filter(|word| !word.is_empty());
    Ok((result.to_owned(), parameters.collect()))
}

fn provider(cell: &str) -> Option<String> {
    if let Some(reason) = cell.strip_prefix("refused:") {
        return Some(format!("Provider::Refused({:?})", reason.trim()));
    }
    let (_, name) = PROVIDERS.into_iter().find(|(word, _)| *word == cell)?;
    Some(format!("Provider::{name}"))
}

/// A type as C++ spells it.
fn cpp_type(word: &str) -> Option<&str> {
    const PLAIN: [&str; 17] = [
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
        "operation",
        "order",
        "scope",
        "space",
    ];
    match word {
        "char*" => Some("const char *"),
        "local*" => Some("__attribute__((address_space(3))) void *"),
        _ => PLAIN.contains(&word.trim_end_matches('*')).then_some(word),
    }
}
