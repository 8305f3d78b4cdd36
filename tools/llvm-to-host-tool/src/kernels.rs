//! The kernels of an input.

use sinter_core::container::Container;
use sinter_tool_common::{Input, InputKind, ToolError};
use sinter_translate::{assemble, kernels};

/// The names of all kernels of an input, in its order.
pub(crate) fn names(input: &Input) -> Result<Vec<String>, ToolError> {
    let reject = |error: &dyn std::fmt::Display| ToolError::rejected(format!("{}: {error}", input.name));
    match &input.kind {
        InputKind::Ir => assemble(&input.bytes).and_then(|bitcode| kernels(&bitcode)).map_err(|e| reject(&e)),
        InputKind::Bitcode => kernels(&input.bytes).map_err(|e| reject(&e)),
        InputKind::Request(request) => Ok(vec![request.config.entry.clone()]),
        InputKind::Containers(_) => {
            let mut names = Vec::new();
            for bytes in input.containers() {
                let container = Container::parse(bytes).map_err(|e| reject(&e))?;
                names.extend(container.kernels().iter().map(|kernel| kernel.symbol.to_owned()));
            }
            Ok(names)
        }
    }
}

/// The names as lines, or as a JSON array.
pub(crate) fn list(input: &Input, json: bool) -> Result<String, ToolError> {
    let names = names(input)?;
    if !json {
        return Ok(names.iter().map(|name| format!("{name}\n")).collect());
    }
    let quoted: Vec<String> = names.iter().map(|name| json_string(name)).collect();
    Ok(format!("[{}]\n", quoted.join(",")))
}

fn json_string(text: &str) -> String {
    let mut quoted = String::from("\"");
    for c in text.chars() {
        match c {
            '"' | '\\' => quoted.extend(['\\', c]),
            c if c.is_control() => quoted.push_str(&format!("\\u{:04x}", u32::from(c))),
            c => quoted.push(c),
        }
    }
    quoted + "\""
}

#[cfg(test)]
mod tests {
    #[test]
    fn json_strings_are_escaped() {
        assert_eq!(super::json_string("a\"\\\n"), "\"a\\\"\\\\\\u000a\"");
    }
}
