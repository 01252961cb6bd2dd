//! The selected time: actions on the parts of clips in it, on the selected tracks and on those of their
//! groups.

use super::calls::{seconds, selected};
use crate::action::{Action, Gesture, call};
use deskhand_dsp::Frames;
use deskhand_session::{ClipId, Session, TimeRange, TrackId};
use serde_json::{Value, json};
use std::collections::BTreeSet;

/// Under this name it is said why nothing can be done with it.
const ABOUT: &str = "selected time";

/// The selected time, and the clips that it touches.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Ranged {
    pub(super) range: TimeRange,
    pub(super) clips: Vec<ClipId>,
}

impl Ranged {
    /// The selected time; `None` if clips are selected.
    pub(super) fn chosen(session: &Session) -> Option<Self> {
        let range = session.selection.range.filter(|_| selected(session).is_empty())?;
        let together = |track: &TrackId| match session.group_of(*track) {
            Some((_, group)) => group.tracks.clone(),
            None => vec![*track],
        };
        let tracks: BTreeSet<TrackId> =
            session.selection.tracks.iter().flat_map(together).collect();
        let lies = session.clips.iter().filter(|(_, clip)| {
            let is_in = clip.position < range.end && range.start < clip.end();
            is_in && tracks.contains(&clip.track)
        });
        Some(Self { range, clips: lies.map(|(id, _)| *id).collect() })
    }

    /// Removes its content, and leaves the gap.
    pub(super) fn delete(&self, session: &Session) -> Action {
        self.ask(session, Gesture::RemoveClip, json!({}))
    }

    /// Copies its content to the time right after it.
    pub(super) fn duplicate(&self, session: &Session) -> Action {
        let behind = seconds(session, self.range.end);
        self.ask(session, Gesture::DuplicateClip, json!({"at_s": behind, "select": true}))
    }

    /// Splits what reaches over its edges.
    pub(super) fn split(&self, session: &Session) -> Action {
        let edges = [self.range.start, self.range.end];
        let over = |id: &ClipId| {
            let clip = session.clips.get(id);
            let is_inside = |at: Frames| clip.is_some_and(|it| it.position < at && at < it.end());
            edges.into_iter().any(is_inside)
        };
        let targets: Vec<ClipId> = self.clips.iter().copied().filter(over).collect();
        if targets.is_empty() {
            return say("No clip reaches over an edge of the selected time to be split there");
        }
        let [at, also] = edges.map(|at| seconds(session, at));
        call(Gesture::SplitClip, json!({"targets": targets, "at_s": at, "also_at_s": also}))
    }

    fn ask(&self, session: &Session, gesture: Gesture, mut params: Value) -> Action {
        if self.clips.is_empty() {
            return say("Nothing lies in the selected time. Select it on tracks with clips there");
        }
        params["targets"] = json!(self.clips);
        params["start_s"] = json!(seconds(session, self.range.start));
        params["end_s"] = json!(seconds(session, self.range.end));
        call(gesture, params)
    }
}

fn say(words: &str) -> Action {
    Action::Inform { about: ABOUT, words: words.into() }
}

#[cfg(test)]
mod tests {
    use crate::desk_tests::{Desk, call, desk, session};
    use crate::testing::prelude::*;
    use deskhand_session::{Group, GroupId, TimeRange};
    use egui::Event;

    const CLIP: ClipId = ClipId::new(1);

    /// Two seconds of the first track are selected, from this one on.
    fn ranged(start: i64) -> Desk {
        let mut model = open_model();
        let selection = &mut session(&mut model).selection;
        let [start, end] = [start, start + 2].map(|at| Frames(at * 48_000));
        (selection.clips, selection.tracks) = (Vec::new(), vec![TrackId::new(1)]);
        selection.range = Some(TimeRange { start, end });
        desk(model)
    }

    fn pressed(modifiers: Modifiers, key: Key) -> (Gesture, serde_json::Value) {
        let mut desk = ranged(3);
        desk.press_with(modifiers, key);
        call(&desk)
    }

    #[test]
    fn the_keys_of_clips_are_those_of_the_selected_time_too() {
        let stretch = json!({"targets": [CLIP], "start_s": 3.0, "end_s": 5.0});
        assert_eq!(pressed(Modifiers::NONE, Key::Delete), (Gesture::RemoveClip, stretch));
        let time = json!({"targets": [TrackId::new(1)], "start_s": 3.0, "end_s": 5.0});
        let mut desk = ranged(3);
        desk.press_with(Modifiers::SHIFT, Key::Delete);
        let [unselects, Action::Call { gesture: Gesture::DeleteTime, params }] =
            &desk.state().actions[..]
        else {
            panic!("{:?}", desk.state().actions);
        };
        assert_eq!(*params, time);
        let track = json!({"targets": [TrackId::new(1)]});
        assert_eq!(*unselects, Action::Call { gesture: Gesture::Select, params: track });
        let edges = json!({"targets": [CLIP], "at_s": 3.0, "also_at_s": 5.0});
        assert_eq!(pressed(Modifiers::NONE, Key::S), (Gesture::SplitClip, edges));
        let behind = json!({
            "targets": [CLIP], "start_s": 3.0, "end_s": 5.0, "at_s": 5.0, "select": true,
        });
        assert_eq!(pressed(Modifiers::COMMAND, Key::D), (Gesture::DuplicateClip, behind));
    }

    #[test]
    fn the_selected_time_is_copied_and_cut() {
        for (event, tool) in
            [(Event::Copy, Gesture::DuplicateClip), (Event::Cut, Gesture::MoveClip)]
        {
            let mut desk = ranged(3);
            desk.state_mut().model.live.position = Frames(20 * 48_000);
            desk.event(event);
            desk.run_steps(2);
            assert_eq!(desk.state().actions, [], "nothing is asked of the session yet");
            desk.event(Event::Paste("Vocal take".into()));
            desk.run_steps(2);
            let (asked, params) = call(&desk);
            assert_eq!(asked, tool);
            let times = ["start_s", "end_s", "at_s"].map(|name| params[name].as_f64().unwrap());
            assert_eq!((times, &params["targets"]), ([3.0, 5.0, 20.0], &json!([CLIP])));
        }
    }

    #[test]
    fn a_group_is_cut_as_one_and_time_without_clips_says_so() {
        let mut grouped = ranged(3);
        let group = Group { name: "Band".into(), tracks: [1, 2].map(TrackId::new).into() };
        session(&mut grouped.state_mut().model).groups.insert(GroupId::new(1), group);
        grouped.press(Key::Delete);
        assert_eq!(call(&grouped).1["targets"], json!([1, 2].map(ClipId::new)));
        for (key, words) in [(Key::Delete, "Nothing lies in"), (Key::S, "No clip reaches over")] {
            let mut empty = ranged(600);
            empty.press(key);
            let is_call = |action: &Action| matches!(action, Action::Call { .. });
            assert!(!empty.state().actions.iter().any(is_call));
            let mut said = empty.query_all_by_label_contains(words);
            assert!(said.next().is_some(), "{key:?}");
        }
    }
}
