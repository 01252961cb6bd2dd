//! `tool_analyze_all` with words: the transcription is another crate's tool, which is handed in.

use super::{AnalyzeAll, in_turn, steps};
use deskhand_session::{ClipId, ObjectId};
use deskhand_toolkit::{
    Draft, Phase, PlanContext, PlanTask, Prepared, Request, Tool, ToolError, ToolSpec, TypedTool,
};
use serde_json::json;
use std::sync::Arc;

/// `tool_analyze_all` that also has what is said written down, where somebody speaks or sings.
pub(in crate::analysis) fn with_words(transcribe: Arc<dyn Tool>) -> Arc<dyn Tool> {
    Arc::new(WithWords { all: AnalyzeAll::tool(), transcribe })
}

struct WithWords {
    all: Arc<dyn Tool>,
    transcribe: Arc<dyn Tool>,
}

impl Tool for WithWords {
    fn spec(&self) -> &ToolSpec {
        self.all.spec()
    }

    fn prepare(&self, request: &Request<'_>) -> Result<Prepared, ToolError> {
        let prepared = self.all.prepare(request)?;
        let clips = prepared.targets.iter().filter_map(|target| match target {
            ObjectId::Clip(id) => Some(*id),
            _ => None,
        });
        let (clips, transcribe) = (clips.collect(), Arc::clone(&self.transcribe));
        Ok(Prepared { task: Box::new(WordsTask { clips, transcribe }), ..prepared })
    }
}

struct WordsTask {
    clips: Vec<ClipId>,
    transcribe: Arc<dyn Tool>,
}

impl PlanTask for WordsTask {
    fn run(self: Box<Self>, context: &PlanContext) -> Result<Draft, ToolError> {
        let mut steps = steps();
        // Behind the classification, which says where there is a voice.
        steps.insert(1, (self.transcribe, json!({})));
        let draft = in_turn(&self.clips, &steps, context)?;
        draft.check(&context.session, Phase::Run)?;
        Ok(draft)
    }
}
