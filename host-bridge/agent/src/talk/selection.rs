//! What was selected as the person said something: "this" means that, whatever is selected later.

use deskhand_protocol::clean::clean_json;
use deskhand_session::{ObjectId, Selection, Session};
use serde_json::{Value, json};

/// Objects that are told by name; more are only counted.
const NAMED: usize = 40;

/// The selected time, and the selected clips or if there are none the selected tracks; none where nothing is selected.
pub(super) fn told(session: &Session) -> Option<Value> {
    let Selection { tracks, clips, range } = &session.selection;
    let clips = clips.iter().filter(|id| session.clips.contains_key(id));
    let mut objects: Vec<ObjectId> = clips.map(|id| (*id).into()).collect();
    if objects.is_empty() {
        let tracks = tracks.iter().filter(|id| session.tracks.contains_key(id));
        objects.extend(tracks.map(|id| ObjectId::from(*id)));
    }
    if objects.is_empty() && range.is_none() {
        return None;
    }
    let named = |id: &ObjectId| json!({"id": id, "name": session.name_of(*id)});
    let seconds = |at: deskhand_dsp::Frames| at.seconds(session.rate).0;
    let mut told = json!({
        "targets": objects.iter().take(NAMED).map(named).collect::<Vec<_>>(),
        "time": range.map(|it| json!({"start_s": seconds(it.start), "end_s": seconds(it.end)})),
    });
    if objects.len() > NAMED {
        told["more"] = json!(objects.len() - NAMED);
    }
    Some(clean_json(json!({"selected_as_the_person_asked": told})))
}

#[cfg(test)]
mod tests {
    use super::*;
    use deskhand_dsp::{Frames, SampleRate};
    use deskhand_session::{SessionId, TimeRange, Track, TrackId};

    #[test]
    fn what_is_selected_is_told_by_name_and_nothing_where_nothing_is() {
        let mut session = Session::new(SessionId::new(1), SampleRate(48_000));
        session.tracks.insert(TrackId::new(1), Track::audio("Ho\u{202e}st"));
        assert_eq!(told(&session), None);
        session.selection.tracks = vec![TrackId::new(1), TrackId::new(9)];
        session.selection.range = Some(TimeRange { start: Frames(48_000), end: Frames(72_000) });
        let now = json!({"selected_as_the_person_asked": {
            "targets": [{"id": TrackId::new(1), "name": "Host"}],
            "time": {"start_s": 1.0, "end_s": 1.5},
        }});
        assert_eq!(told(&session), Some(now));
    }
}
