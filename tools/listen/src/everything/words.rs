//! `tool_analyze_all` with words: what writes them down and describes them is another crate's, and handed in.

use super::{AnalyzeAll, in_turn, steps};
use deskhand_session::{ClipId, ObjectId};
use deskhand_toolkit::{
    Draft, Phase, PlanContext, PlanTask, Prepared, Request, Tool, ToolError, ToolSpec, TypedTool,
};
use serde_json::json;
use std::sync::Arc;

/// `tool_analyze_all` that also has `words` work, where somebody speaks or sings.
pub(crate) fn with_words(words: Vec<Arc<dyn Tool>>) -> Arc<dyn Tool> {
    Arc::new(WithWords { all: AnalyzeAll::tool(), words })
}

struct WithWords {
    all: Arc<dyn Tool>,
    words: Vec<Arc<dyn Tool>>,
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
        let (clips, words) = (clips.collect(), self.words.clone());
        Ok(Prepared { task: Box::new(WordsTask { clips, words }), ..prepared })
    }
}

struct WordsTask {
    clips: Vec<ClipId>,
    words: Vec<Arc<dyn Tool>>,
}

impl PlanTask for WordsTask {
    fn run(self: Box<Self>, context: &PlanContext) -> Result<Draft, ToolError> {
        let mut steps = steps();
        let voiced: Vec<&str> = self.words.iter().map(|tool| tool.spec().name).collect();
        // After the classification, which says where there is a voice.
        let words = self.words.iter().map(|tool| (Arc::clone(tool), json!({})));
        steps.splice(1..1, words);
        let draft = in_turn(&self.clips, &steps, &voiced, context)?;
        draft.check(&context.session, Phase::Run)?;
        Ok(draft)
    }
}
