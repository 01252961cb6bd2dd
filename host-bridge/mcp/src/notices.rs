//! Telling clients what changed: over the connection of an older client, or the subscription of a newer.

use crate::desk::Desk;
use crate::words::Words;
use deskhand_protocol::{Event, News};
use deskhand_session::handle::Handle;
use parking_lot::Mutex;
use rmcp::model::ResourceUpdatedNotificationParam;
use rmcp::service::{Peer, RoleServer, SubscriptionSink};
use std::collections::BTreeSet;
use std::sync::Arc;
use tokio::sync::broadcast::Receiver;
use tokio::sync::broadcast::error::RecvError;

/// The resources an older client wants to hear of.
pub(crate) type Watched = Arc<Mutex<BTreeSet<String>>>;

/// Where a client hears of changes.
pub(crate) enum Sink {
    Peer(Peer<RoleServer>, Watched),
    Subscription(SubscriptionSink),
}

/// The client is gone.
struct Gone;

impl Sink {
    async fn lists_changed(&self) -> Result<(), Gone> {
        match self {
            Self::Peer(peer, _) => {
                peer.notify_tool_list_changed().await.map_err(|_| Gone)?;
                peer.notify_resource_list_changed().await.map_err(|_| Gone)
            }
            Self::Subscription(sink) => {
                // What it did not ask for is refused by the sink itself.
                drop(sink.notify_tool_list_changed().await);
                drop(sink.notify_resource_list_changed().await);
                Ok(())
            }
        }
    }

    async fn resources_changed(&self) -> Result<(), Gone> {
        match self {
            Self::Peer(peer, _) => peer.notify_resource_list_changed().await.map_err(|_| Gone),
            Self::Subscription(sink) => {
                drop(sink.notify_resource_list_changed().await);
                Ok(())
            }
        }
    }

    async fn updated(&self, uri: String) -> Result<(), Gone> {
        match self {
            Self::Peer(peer, _) => {
                let note = ResourceUpdatedNotificationParam::new(uri);
                peer.notify_resource_updated(note).await.map_err(|_| Gone)
            }
            Self::Subscription(sink) => {
                drop(sink.notify_resource_updated(uri).await);
                Ok(())
            }
        }
    }

    fn watched(&self) -> Vec<String> {
        match self {
            Self::Peer(_, watched) => watched.lock().iter().cloned().collect(),
            Self::Subscription(sink) => {
                sink.accepted().resource_subscriptions.clone().unwrap_or_default()
            }
        }
    }
}

/// Tells `sink` of changes until its client is gone.
pub(crate) async fn tell(desk: Arc<Desk>, sink: Sink) {
    let mut switches = desk.switches();
    let mut heard = desk.seat().map(|line| line.hear());
    loop {
        let told = tokio::select! {
            switched = switches.changed() => {
                if switched.is_err() {
                    return;
                }
                heard = desk.seat().map(|line| line.hear());
                sink.lists_changed().await
            }
            event = next(heard.as_mut()) => match event {
                Some(event) => pass_on(&sink, &event).await,
                None => all_changed(&sink).await,
            },
        };
        if told.is_err() {
            return;
        }
    }
}

/// The next event; `None` if some were missed.
async fn next(heard: Option<&mut Receiver<Arc<Event>>>) -> Option<Arc<Event>> {
    let Some(heard) = heard else {
        return std::future::pending().await;
    };
    match heard.recv().await {
        Ok(event) => Some(event),
        Err(RecvError::Lagged(_)) => None,
        Err(RecvError::Closed) => std::future::pending().await,
    }
}

async fn pass_on(sink: &Sink, event: &Event) -> Result<(), Gone> {
    for uri in sink.watched() {
        if touches(&event.news, &uri) {
            sink.updated(uri).await?;
        }
    }
    match event.news {
        News::Moved { .. } | News::Review { .. } => sink.resources_changed().await,
        _ => Ok(()),
    }
}

async fn all_changed(sink: &Sink) -> Result<(), Gone> {
    for uri in sink.watched() {
        sink.updated(uri).await?;
    }
    sink.resources_changed().await
}

/// Whether what `uri` names is another after the news.
fn touches(news: &News, uri: &str) -> bool {
    if Words::of(uri).is_some() {
        return matches!(news, News::Moved { .. } | News::Lagged);
    }
    let Ok(handle) = uri.parse::<Handle>() else {
        // Events: every one that is remembered.
        return !matches!(
            news,
            News::Progress { .. }
                | News::Provisional { .. }
                | News::Saying { .. }
                | News::Done { .. }
        );
    };
    match (news, handle) {
        (News::Lagged, _) => true,
        (News::Review { plan }, Handle::Plan(id)) => plan.id == id,
        (News::Decided { plan, .. }, Handle::Plan(id)) => *plan == id,
        (_, Handle::Plan(_) | Handle::Tool(_) | Handle::File(_)) => false,
        (News::Media { source, .. }, Handle::Source(id)) => *source == id,
        (News::Review { .. } | News::Decided { .. }, Handle::Session) => true,
        (News::Moved { .. }, _) => true,
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::plan;
    use deskhand_session::RevisionId;

    #[test]
    fn news_touch_what_they_are_about() {
        let review = News::Review { plan: Box::new(plan(4, "it")) };
        let (from, to) = (RevisionId(1), RevisionId(2));
        let moved = News::Moved { from, to, label: String::new(), changes: vec![], at: None };
        let saying = News::Saying { text: String::new() };
        let events = "deskhand://events";
        let (this, other) =
            ("deskhand://plans/plan_000000000004", "deskhand://plans/plan_000000000005");
        for (news, uri, is_touched) in [
            (&review, this, true),
            (&review, other, false),
            (&review, "deskhand://session", true),
            (&review, events, true),
            (&moved, "deskhand://tracks/track_000000000001", true),
            (&moved, "deskhand://history", true),
            (&moved, "deskhand://codes", true),
            (&moved, "deskhand://transcripts/src_000000000001/text", true),
            (&review, "deskhand://assembly", false),
            (&moved, "deskhand://tools/tool_fades", false),
            (&moved, this, false),
            (&saying, events, false),
            (&saying, "deskhand://session", false),
            (&News::Lagged, other, true),
        ] {
            assert_eq!(touches(news, uri), is_touched, "{news:?} {uri}");
        }
    }
}
