//! Answers to the reads of front ends. They go to the asker only.

use crate::bridge::Bridge;
use crate::builtin_calls::specs;
use crate::errors::no_plan;
use crate::ids::Asker;
use crate::programs::program_of;
use deskhand_protocol::peaks::PeakColumns;
use deskhand_protocol::{Read, Snapshot, ToolInfo, ToolResult};
use deskhand_session::tool_error::ToolError;
use deskhand_toolkit::{Registry, ToolSpec};
use serde::Serialize;
use serde_json::{Value, json};

impl Bridge {
    /// Answers a read.
    pub(crate) fn read(&mut self, asker: Asker, what: &Read) {
        if let Read::Peaks { source, level, first, count } = *what {
            let range = first..first.saturating_add(count.into());
            let known = self.commits.session.sources.get(&source);
            let read = self.files.waveforms.read(asker, known, level, range, &self.files.cache);
            return match read {
                Ok(work) => self.carry_out([work]),
                Err(error) => self.answer_waveform(asker, Err(error)),
            };
        }
        let result = match self.reading(what) {
            Ok(answer) => ToolResult { answer: Some(answer), ..self.ok("read") },
            Err(error) => ToolResult::failed(error, self.commits.history.head()),
        };
        self.reply(asker, result);
    }

    /// Passes on what a worker read of a waveform.
    pub(crate) fn answer_waveform(
        &mut self,
        asker: Asker,
        outcome: Result<Option<PeakColumns>, ToolError>,
    ) {
        let result = match outcome {
            Ok(columns) => {
                let answer = columns.and_then(|columns| serde_json::to_value(columns).ok());
                ToolResult { answer, ..self.ok("read") }
            }
            Err(error) => ToolResult::failed(error, self.commits.history.head()),
        };
        self.reply(asker, result);
    }

    fn reading(&self, what: &Read) -> Result<Value, ToolError> {
        match what {
            Read::Snapshot => Ok(to_json(&self.snapshot())),
            Read::Tools => Ok(to_json(&self.tool_infos())),
            Read::Plan { plan } => match self.plans.get(*plan) {
                Some(stored) => Ok(to_json(stored)),
                None => Err(no_plan(*plan)),
            },
            Read::Plans => Ok(to_json(&self.plans.all())),
            Read::History => {
                let revisions: Vec<_> = self.commits.history.iter().collect();
                let undo: Vec<_> = self.commits.history.standing().map(|step| step.id).collect();
                let redo: Vec<_> = self.commits.history.undone().collect();
                let head = self.commits.history.head();
                Ok(json!({"head": head, "revisions": revisions, "undo": undo, "redo": redo}))
            }
            Read::Conversation => Ok(to_json(&self.conversation.said())),
            // A worker reads it.
            Read::Peaks { .. } => Ok(Value::Null),
        }
    }

    fn snapshot(&self) -> Snapshot {
        let plans = self.plans.all().iter().map(|stored| (stored.plan.id, stored.state));
        Snapshot {
            session: (*self.commits.session).clone(),
            head: self.commits.history.head(),
            plans: plans.collect(),
            read_only: self.commits.read_only.as_ref().map(ToString::to_string),
            folder: self.files.folder.display().to_string(),
            is_attended: self.is_attended(),
            is_turn_running: self.conversation.is_turn_running(),
            instances: self.hosts.states(),
            hearing: self.player.now(),
            local_only: self.permissions.is_local_only(),
            asking: self.permissions.policy.asking(),
            rules: self.permissions.policy.in_force(),
            conforming: self.jobs.conforming().collect(),
            windows: self.windows.all().cloned().collect(),
            running: self.jobs.let_run(),
        }
    }

    /// Every tool, by name.
    #[must_use]
    pub fn tool_infos(&self) -> Vec<ToolInfo> {
        tool_infos(&self.registry)
    }
}

/// Every tool in the form for front ends, by name: those of `registry`, and the bridge's own.
#[must_use]
pub fn tool_infos(registry: &Registry) -> Vec<ToolInfo> {
    let with_program = |spec: &ToolSpec| ToolInfo {
        program: program_of(registry, spec).map(ToString::to_string),
        ..tool_info(spec)
    };
    specs(registry).into_iter().map(with_program).collect()
}

/// A tool of this program as front ends know it.
#[must_use]
pub fn tool_info(spec: &ToolSpec) -> ToolInfo {
    ToolInfo {
        name: spec.name.into(),
        title: spec.title.into(),
        description: spec.description.clone(),
        category: spec.category,
        trust: spec.trust,
        input_schema: spec.input_schema.clone(),
        output_schema: spec.output_schema.clone(),
        examples: spec.examples.clone(),
        says: spec.says.clone(),
        effects: spec.effects.clone(),
        is_core: spec.is_core,
        offers: spec.offers.clone(),
        program: None,
    }
}

/// Plain data with string keys: it can be written.
fn to_json(value: &impl Serialize) -> Value {
    serde_json::to_value(value).unwrap_or_default()
}
