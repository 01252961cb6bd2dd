//! `select_source`: chooses the source that is worked on in the library, and tells what it is.

use crate::source_facts::facts;
use deskhand_session::{Change, Edit, ObjectId, Session, SourceId};
use deskhand_toolkit::about::{COMMAND_LIMIT, tool};
use deskhand_toolkit::find;
use deskhand_toolkit::{Category, Draft, PlanContext, ToolError, ToolSpec, Trust, TypedTool};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

/// `select_source`.
pub(crate) struct SelectSource;

/// What the caller sends.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Params {
    /// Id or name of a source.
    source: String,
}

impl TypedTool for SelectSource {
    type Params = Params;
    type Resolved = SourceId;

    fn spec() -> ToolSpec {
        tool(
            "select_source",
            "Select a source",
            "Makes a source the current source of the library and returns {source_id, name, duration_s, \
             sample_rate, channels, clip_count}. Places nothing on the timeline: use cmd_add_clip for that.",
            Category::Library,
            Trust::Notify,
            vec![json!({"source": "Interview"})],
        )
        .limit(COMMAND_LIMIT)
    }

    fn resolve(params: Params, session: &Session) -> Result<SourceId, ToolError> {
        find::source(session, &params.source)
    }

    fn targets(_: &SourceId) -> Vec<ObjectId> {
        Vec::new()
    }

    fn run(id: SourceId, context: &PlanContext) -> Result<Draft, ToolError> {
        let session = &context.session;
        let name = session.name_of(id.into());
        let change =
            Change::SetCurrentSource(Edit::new(session.id, session.current_source, Some(id)));
        let mut draft = if change.is_identity() {
            Draft::new(format!("{name} is the current source already"))
        } else {
            let mut draft = Draft::new(format!("Select the source {name}"));
            draft.change(change, name, "as asked");
            draft
        };
        let clips = session.clips.values().filter(|clip| clip.source == id).count();
        let source = session.sources.get(&id);
        draft.answer = source.map(|source| Value::Object(facts(id, source, session.rate, clips)));
        Ok(draft)
    }
}

#[cfg(test)]
mod tests {
    use deskhand_session::Track;
    use deskhand_toolkit::testing::{Desk, tone};
    use serde_json::json;

    #[test]
    fn it_answers_what_the_source_is_and_again_changes_nothing() {
        let mut desk = Desk::new(crate::all());
        let track = desk.track(Track::audio("Voice"));
        let clip = desk.clip(track, "Interview", 0, tone(440.0, -12.0, 1.5));
        let (source, name) = (desk.session.clips[&clip].source, "Interview.wav");
        let draft = desk.plan("select_source", json!({"source": name}));
        let expected = json!({
            "source_id": source, "name": name, "duration_s": 1.5, "sample_rate": 48_000,
            "channels": 1, "clip_count": 1,
        });
        assert_eq!(draft.answer, Some(expected.clone()));
        assert_eq!(draft.changes.len(), 1);
        desk.apply(&draft);
        assert_eq!(desk.session.current_source, Some(source));
        let again = desk.plan("select_source", json!({"source": source}));
        assert_eq!((again.changes.len(), again.answer), (0, Some(expected)));
    }
}
