//! What front ends hear.

use crate::approval_settings::{Asking, ToolRule};
use crate::desk::{Notice, Play, TurnEnd, Window};
use crate::hearing::Hearing;
use crate::instance::InstanceState;
use crate::result::ToolResult;
use deskhand_dsp::Frames;
use deskhand_session::{
    Author, Change, Plan, PlanId, PlanState, Provisional, Receipt, RevisionId, Said, SourceId,
};
use serde::{Deserialize, Serialize};

/// The id of a submission, chosen by the front end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct CallId(pub u64);

/// News from the bridge, the same for every front end.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Event {
    /// Counts up by one; a gap means that events were missed. 0 is outside the count.
    pub number: u64,
    /// The author.
    pub author: Author,
    /// The submission it belongs to, on the connection that made it.
    pub call: Option<CallId>,
    /// What happened.
    pub news: News,
}

/// What happened.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "news", rename_all = "snake_case")]
pub enum News {
    /// A call is being worked on.
    Planning {
        /// The tool.
        tool: String,
    },
    /// How far it is.
    Progress {
        /// 0 to 1.
        fraction: f64,
        /// The current object.
        what: String,
    },
    /// The findings of a call since the last message, to be drawn at once. They are removed when the call
    /// is answered: then the session has them, or nothing has.
    Provisional {
        /// The new findings.
        found: Vec<Provisional>,
    },
    /// A submission is answered: exactly one for each.
    Done {
        /// The result.
        result: Box<ToolResult>,
    },
    /// A plan waits for a decision.
    Review {
        /// The plan.
        plan: Box<Plan>,
    },
    /// A plan has another state: decided, applied, undone.
    Decided {
        /// The plan.
        plan: PlanId,
        /// Its state now.
        state: PlanState,
        /// The words of a rejection, or what conflicts.
        reason: Option<String>,
        /// What applying did.
        receipt: Option<Receipt>,
        /// The plan that replaces it: a part of it, or the plan of a permitted call.
        follows: Option<PlanId>,
        /// When, ms since 1970; `None` if there is no new decision.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        time_ms: Option<i64>,
    },
    /// The session is at another revision, durably.
    Moved {
        /// Where it was.
        from: RevisionId,
        /// Where it is.
        to: RevisionId,
        /// What the step is called.
        label: String,
        /// What to apply to a mirror at `from`.
        changes: Vec<Change>,
        /// While a host's transport moves: the timeline frame at which every instance takes it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        at: Option<Frames>,
    },
    /// The audio of a source is conformed, or could not be.
    Media {
        /// The source.
        source: SourceId,
        /// Why not.
        failed: Option<String>,
    },
    /// The session cannot be stored any more and takes no more changes.
    ReadOnly {
        /// Why, and the way out.
        reason: String,
    },
    /// Something was said in the conversation, by the person or by the model.
    Said {
        /// The message.
        said: Said,
    },
    /// A piece of the model's current message; the whole comes as [`News::Said`].
    Saying {
        /// The text that continues the previous one.
        text: String,
    },
    /// The person waits for an answer to the last message.
    TurnAsked {
        /// The provider that should answer; the default if absent.
        provider: Option<String>,
        /// Whether the person stays to decide.
        attended: bool,
    },
    /// The person asked the model to stop.
    StopTurn,
    /// The model has finished its turn.
    TurnEnded {
        /// How.
        end: TurnEnd,
    },
    /// A window shows something else, or is new.
    Window {
        /// The window.
        window: Window,
    },
    /// A window was closed.
    WindowClosed {
        /// Its id.
        window_id: String,
    },
    /// A notice or a question for the person.
    Notice {
        /// What.
        notice: Notice,
    },
    /// A query was answered, or its notice was put away.
    NoticeAnswered {
        /// The notice.
        notice_id: String,
        /// The person's words; `None` if it was closed.
        answer: Option<String>,
    },
    /// A command for players. Front ends without a player ignore it.
    Play {
        /// What.
        play: Play,
    },
    /// An instance of the plugin came or left, or its host's transport started or stopped.
    Instances {
        /// All that are there.
        instances: Vec<InstanceState>,
    },
    /// Hosts play a plan, or another side of it, or no plan any more. Instances follow it.
    Hearing {
        /// What is heard; `None` is the session alone.
        hearing: Option<Box<Hearing>>,
        /// While a host's transport moves: the timeline frame at which every instance takes it.
        at: Option<Frames>,
    },
    /// Nothing may be sent off this machine from now on, or may again.
    LocalOnly {
        /// Whether.
        on: bool,
    },
    /// Other plans of a model wait from now on, or the rules for tools are others.
    Policy {
        /// Which wait.
        asking: Asking,
        /// Every rule that holds, by tool.
        rules: Vec<ToolRule>,
    },
    /// Events were left out for a front end that lagged: it reads the session again.
    Lagged,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mirror::Snapshot;
    use deskhand_session::StoredPlan;
    use serde_json::json;

    #[test]
    fn what_an_older_hub_says_is_read() {
        let moved = json!({"number": 3, "author": "user", "call": null, "news": {
            "news": "moved", "from": 1, "to": 2, "label": "Mute", "changes": []}});
        let event: Event = serde_json::from_value(moved.clone()).unwrap();
        assert!(matches!(event.news, News::Moved { at: None, .. }));
        assert_eq!(serde_json::to_value(&event).unwrap(), moved, "and a hub of today says it so");
        let session = deskhand_session::Session::new(
            deskhand_session::SessionId::new(1),
            deskhand_dsp::SampleRate(48_000),
        );
        let snapshot = json!({"session": session, "head": 2, "plans": {}, "read_only": null,
            "folder": "s", "is_turn_running": false, "is_attended": true});
        let snapshot: Snapshot = serde_json::from_value(snapshot).unwrap();
        assert!(snapshot.instances.is_empty() && !snapshot.local_only);
        let plan = json!({"format": "deskhand.plan/1", "id": "plan_000000000001", "digest": "",
            "tool": "tool_fades", "params": {}, "session": "session_000000000001",
            "base_revision": 0, "summary": "", "changes": []});
        let stored = json!({"plan": plan, "state": "waiting", "author": "agent", "reason": null,
            "receipt": null, "time_ms": 0});
        let stored: StoredPlan = serde_json::from_value(stored).unwrap();
        assert_eq!(stored.follows, None);
    }
}
