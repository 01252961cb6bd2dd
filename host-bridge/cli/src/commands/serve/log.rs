//! The log of a hub: connections, requests, decisions and steps of the session.

use deskhand_bridge::{Authority, Sight};
use deskhand_protocol::desk::{Notice, TurnEnd, TurnReason};
use deskhand_protocol::{Asking, Event, News};
use deskhand_session::{Author, PlanState, Receipt};

/// Counts the connections.
#[derive(Debug, Default)]
pub(super) struct Log {
    here: usize,
}

impl Log {
    /// The lines for a person; most events are for front ends only.
    pub(super) fn lines(&mut self, sight: &Sight) -> Vec<String> {
        match sight {
            // It comes and goes with the hub.
            Sight::Came(Authority::Conversation) | Sight::Left(Authority::Conversation) => {
                Vec::new()
            }
            Sight::Came(authority) => {
                self.here += 1;
                vec![format!("{} joined; {} connected", visitor(*authority), self.here)]
            }
            Sight::Left(authority) => {
                self.here = self.here.saturating_sub(1);
                vec![format!("{} left; {} connected", visitor(*authority), self.here)]
            }
            Sight::Told(event) => news(event).into_iter().collect(),
        }
    }
}

fn visitor(authority: Authority) -> &'static str {
    match authority {
        Authority::Person => "a person",
        Authority::Agent => "an agent",
        Authority::Conversation => "the conversation",
        Authority::Observer => "an observer",
    }
}

/// The author of an event.
pub(crate) fn who(author: Author) -> &'static str {
    match author {
        Author::User => "person",
        Author::Agent => "agent",
        Author::Host => "host",
        Author::Capture => "capture",
    }
}

fn policy(who: &str, asking: Asking, rules: usize) -> String {
    let asked = match asking {
        Asking::Always => "every plan waits for a decision",
        Asking::BiggerChanges => "bigger changes wait for a decision",
    };
    format!("{who}: {asked}; {rules} rules for tools")
}

fn news(event: &Event) -> Option<String> {
    let who = who(event.author);
    Some(match &event.news {
        News::Planning { tool } => format!("{who}: {tool}"),
        News::Review { plan } => format!("{who}: a plan waits: {}", plan.summary),
        News::Decided { state, reason, receipt, .. } => {
            format!("{who}: the plan {}", became(*state, reason.as_deref(), receipt.as_ref()))
        }
        News::Moved { from, to, label, .. } if to < from => {
            format!("{who}: revision {to}, undone: {label}")
        }
        News::Moved { to, label, .. } => format!("{who}: revision {to}: {label}"),
        News::Media { failed: Some(why), .. } => format!("a source was not conformed: {why}"),
        News::ReadOnly { reason } => format!("read-only: {reason}"),
        News::TurnAsked { provider, .. } => {
            format!("{who}: asks {}", provider.as_deref().unwrap_or("the default provider"))
        }
        News::StopTurn => format!("{who}: stops the turn"),
        News::TurnEnded { end } => ended(end),
        News::Notice { notice: Notice { message, .. } } => format!("{who}: says {message}"),
        News::Instances { instances } => format!("{} plugin instances here", instances.len()),
        News::Hearing { hearing: Some(_), .. } => format!("{who}: hears a plan in the host"),
        News::Hearing { hearing: None, .. } => "no plan is heard in the host".to_owned(),
        News::LocalOnly { on: true } => format!("{who}: local only from now on"),
        News::LocalOnly { on: false } => format!("{who}: not local only any more"),
        News::Policy { asking, rules } => policy(who, *asking, rules.len()),
        News::Progress { .. }
        | News::Provisional { .. }
        | News::Done { .. }
        | News::Media { failed: None, .. }
        | News::Said { .. }
        | News::Saying { .. }
        | News::Window { .. }
        | News::WindowClosed { .. }
        | News::NoticeAnswered { .. }
        | News::Play { .. }
        | News::Lagged => return None,
    })
}

/// What became of a plan: its state, or how a host played it next.
fn became(state: PlanState, reason: Option<&str>, receipt: Option<&Receipt>) -> String {
    match receipt.and_then(Receipt::plays_as_promised) {
        Some(true) => "plays as promised".into(),
        Some(false) => "does not play as promised".into(),
        None => {
            let because = reason.map(|why| format!(": {why}")).unwrap_or_default();
            format!("is {}{because}", state_word(state))
        }
    }
}

fn ended(end: &TurnEnd) -> String {
    let tokens = end.input_tokens + end.output_tokens;
    let what = match end.reason {
        TurnReason::Finished => "answered".to_owned(),
        TurnReason::Stopped => "was stopped".to_owned(),
        TurnReason::Budget | TurnReason::Refused | TurnReason::Failed => {
            format!("ended: {}", end.message)
        }
    };
    format!("agent: {what} ({} replies, {tokens} tokens)", end.turns)
}

/// A state as people read it.
pub(crate) fn state_word(state: PlanState) -> &'static str {
    match state {
        PlanState::Waiting => "waiting",
        PlanState::Applying => "applying",
        PlanState::Applied => "applied",
        PlanState::RolledBack => "rolled back",
        PlanState::Rejected => "rejected",
        PlanState::Undone => "undone",
        PlanState::Conflict => "conflict",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use deskhand_session::RevisionId;

    fn told(author: Author, news: News) -> Sight {
        Sight::Told(Box::new(Event { number: 1, author, call: None, news }))
    }

    #[test]
    fn a_log_reads_like_a_report() {
        let mut log = Log::default();
        let moved = |from, to| News::Moved {
            from: RevisionId(from),
            to: RevisionId(to),
            label: "Set Music to -3 dB".into(),
            changes: Vec::new(),
            at: None,
        };
        let sights = [
            Sight::Came(Authority::Conversation),
            Sight::Came(Authority::Person),
            Sight::Came(Authority::Agent),
            told(Author::Agent, News::Planning { tool: "cmd_set_track_gain".into() }),
            told(Author::User, moved(1, 2)),
            told(Author::User, moved(2, 1)),
            told(Author::User, News::Saying { text: "not for the log".into() }),
            Sight::Left(Authority::Agent),
        ];
        let lines: Vec<_> = sights.iter().flat_map(|sight| log.lines(sight)).collect();
        insta::assert_snapshot!(lines.join("\n"), @r"
        a person joined; 1 connected
        an agent joined; 2 connected
        agent: cmd_set_track_gain
        person: revision 2: Set Music to -3 dB
        person: revision 1, undone: Set Music to -3 dB
        an agent left; 1 connected
        ");
    }
}
