//! Everything that a model reads before the conversation: it is made from the list of tools.

use crate::desk::Desk;
use crate::model::{Model, Wire};
use deskhand_agent::talk::{PROMPT_BYTES, Prompt};
use deskhand_protocol::{Read, ToolInfo};
use std::fmt::Write;

#[test]
fn the_prompt_and_its_tools_stay_small_and_as_they_are() {
    let mut desk = Desk::new(&Model::scripted(Wire::Anthropic, Vec::new()), &[]);
    let tools: Vec<ToolInfo> = serde_json::from_value(desk.read(Read::Tools)).unwrap();
    let prompt = Prompt::of(&tools);
    assert!(prompt.bytes() <= PROMPT_BYTES, "{} bytes", prompt.bytes());
    let mut told = format!("{}\n", prompt.system);
    for tool in &prompt.tools {
        write!(told, "\n== {}\n{}\n{}\n", tool.name, tool.description, tool.input_schema).unwrap();
    }
    insta::assert_snapshot!("prompt", told);
}
