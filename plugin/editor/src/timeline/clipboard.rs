//! Clips that were copied or cut, and where they are pasted. The system's clipboard holds their names: a paste of other
//! words is somebody else's.

use super::calls::{seconds, selected};
use super::range::Ranged;
use crate::action::{Action, Actions, Gesture, call};
use crate::timeline::view::{Clipboard, TimelineView};
use deskhand_dsp::Frames;
use deskhand_session::{Clip, ClipId, Session, TrackId, TrackKind};
use egui::text_selection::LabelSelectionState;
use egui::{Event, Ui};
use serde_json::json;

impl Clipboard {
    /// Whether a clip goes from its place when it is pasted.
    pub(super) fn cuts(&self, id: ClipId) -> bool {
        self.is_cut && self.range.is_none() && self.clips.contains(&id)
    }

    /// Those that are still there.
    fn there(&self, session: &Session) -> Vec<ClipId> {
        self.clips.iter().copied().filter(|id| session.clips.contains_key(id)).collect()
    }

    pub(super) fn has_any(&self, session: &Session) -> bool {
        !self.there(session).is_empty()
    }
}

/// Takes copy, cut and paste of this frame.
pub(super) fn take(
    ui: &Ui,
    session: &Session,
    view: &mut TimelineView,
    playhead: Frames,
    out: &mut Actions,
) {
    // If text is marked somewhere, the shortcut is for the text.
    let marked = ui.ctx().with_plugin(|labels: &mut LabelSelectionState| labels.has_selection());
    let ranged = Ranged::chosen(session).filter(|ranged| !ranged.clips.is_empty());
    let has_any = (ranged.is_some() || !selected(session).is_empty()) && marked != Some(true);
    let is_ours = |event: &Event| match event {
        Event::Copy | Event::Cut => has_any,
        Event::Paste(words) => *words == view.clipboard.words,
        _ => false,
    };
    let asked: Vec<Event> = ui.input_mut(|input| {
        let asked = input.events.iter().filter(|event| is_ours(event)).cloned().collect();
        input.events.retain(|event| !is_ours(event));
        asked
    });
    for event in asked {
        match event {
            Event::Paste(_) => {
                out.extend(paste(session, view, playhead, chosen_track(session)));
            }
            event => match ranged.clone() {
                Some(ranged) => hold_time(ui, session, view, ranged, event == Event::Cut),
                None => hold(ui, session, view, selected(session), event == Event::Cut),
            },
        }
    }
}

/// Remembers clips, and gives their names to the system's clipboard.
pub(super) fn hold(
    ui: &Ui,
    session: &Session,
    view: &mut TimelineView,
    clips: Vec<ClipId>,
    is_cut: bool,
) {
    let names: Vec<String> = clips.iter().map(|id| session.name_of((*id).into())).collect();
    let words = names.join(", ");
    ui.ctx().copy_text(words.clone());
    view.clipboard = Clipboard { clips, range: None, is_cut, words };
}

/// Remembers the parts of clips in the selected time.
pub(super) fn hold_time(
    ui: &Ui,
    session: &Session,
    view: &mut TimelineView,
    ranged: Ranged,
    is_cut: bool,
) {
    hold(ui, session, view, ranged.clips, is_cut);
    view.clipboard.range = Some(ranged.range);
}

fn chosen_track(session: &Session) -> Option<TrackId> {
    match session.selection.tracks[..] {
        [track] => Some(track),
        _ => None,
    }
}

/// Pastes the clipboard at a time, its first clip there. If it all comes from one track, it goes to
/// `track`.
pub(super) fn paste(
    session: &Session,
    view: &mut TimelineView,
    at: Frames,
    track: Option<TrackId>,
) -> Option<Action> {
    let clips = view.clipboard.there(session);
    let first = session.clips.get(clips.first()?)?.track;
    let is_home = |id: &ClipId| session.clips.get(id).is_some_and(|clip| clip.track == first);
    let is_audio =
        |id: &TrackId| session.tracks.get(id).is_some_and(|track| track.kind == TrackKind::Audio);
    let goes = |id: &TrackId| *id != first && is_audio(id) && clips.iter().all(is_home);
    let track = track.filter(goes);
    let cuts = std::mem::take(&mut view.clipboard.is_cut);
    let at = if cuts { at } else { free(session, &view.clipboard, &clips, at, track) };
    let mut params = json!({"targets": clips, "at_s": seconds(session, at), "crossfade": true});
    if let Some(range) = view.clipboard.range {
        params["start_s"] = json!(seconds(session, range.start));
        params["end_s"] = json!(seconds(session, range.end));
    }
    if let Some(track) = track {
        params["track"] = json!(track);
    }
    // Cut clips are moved once; later pastes are copies. A cut stretch is not where it was then.
    if cuts {
        if view.clipboard.range.is_some() {
            view.clipboard = Clipboard::default();
        }
        return Some(call(Gesture::MoveClip, params));
    }
    params["select"] = json!(true);
    Some(call(Gesture::DuplicateClip, params))
}

/// Where copies go: after any clip that they would cover exactly, where they would be invisible and twice
/// as loud.
fn free(
    session: &Session,
    held: &Clipboard,
    clips: &[ClipId],
    at: Frames,
    track: Option<TrackId>,
) -> Frames {
    if let Some(range) = held.range {
        return if at == range.start && track.is_none() { range.end } else { at };
    }
    let copied: Vec<&Clip> = clips.iter().filter_map(|id| session.clips.get(id)).collect();
    let first = copied.iter().map(|clip| clip.position).min().unwrap_or(at);
    let end = copied.iter().map(|clip| clip.end()).max().unwrap_or(at);
    let lies_on = |at: Frames, copy: &Clip| {
        let (on, position) = (track.unwrap_or(copy.track), copy.position + (at - first));
        session.clips.values().any(|other| {
            (other.track, other.position) == (on, position)
                && (other.source, other.start) == (copy.source, copy.start)
        })
    };
    let mut at = at;
    while end > first && copied.iter().any(|copy| lies_on(at, copy)) {
        at += end - first;
    }
    at
}

#[cfg(test)]
mod tests {
    use crate::desk_tests::{Desk, call, desk, session};
    use crate::testing::prelude::*;
    use deskhand_session::Clip;
    use egui::Event;

    const CLIP: ClipId = ClipId::new(1);

    /// The first clip is selected, and then copied or cut.
    fn held(event: Event) -> Desk {
        let mut model = open_model();
        model.live.position = Frames(240_000);
        session(&mut model).selection.clips = vec![CLIP];
        let mut desk = desk(model);
        desk.event(event);
        desk.run_steps(2);
        assert_eq!(desk.state().actions, [], "nothing is asked of the session yet");
        desk
    }

    fn paste(desk: &mut Desk, words: &str) {
        desk.event(Event::Paste(words.into()));
        desk.run_steps(2);
    }

    #[test]
    fn a_copied_clip_is_pasted_at_the_playhead_and_on_another_track_that_is_chosen() {
        let mut desk = held(Event::Copy);
        paste(&mut desk, "words of another program");
        assert_eq!(desk.state().actions, []);
        paste(&mut desk, "Vocal take");
        let wanted = json!({"targets": [CLIP], "at_s": 5.0, "crossfade": true, "select": true});
        assert_eq!(call(&desk), (Gesture::DuplicateClip, wanted));
        desk.state_mut().actions.clear();
        let other = TrackId::new(2);
        session(&mut desk.state_mut().model).selection.tracks = vec![other];
        paste(&mut desk, "Vocal take");
        assert_eq!(call(&desk).1["track"], json!(other));
    }

    #[test]
    fn a_copy_never_lies_exactly_on_what_it_is_a_copy_of() {
        let mut desk = held(Event::Copy);
        let model = &mut desk.state_mut().model;
        model.live.position = Frames(0);
        // A copy follows directly by now.
        let clip = session(model).clips[&CLIP].clone();
        let copy = Clip { position: clip.end(), ..clip };
        session(model).clips.insert(ClipId::new(11), copy);
        paste(&mut desk, "Vocal take");
        assert_eq!(call(&desk).1["at_s"], json!(20.0));
    }

    #[test]
    fn a_cut_clip_is_moved_once_and_copied_after_that() {
        let mut desk = held(Event::Cut);
        assert!(desk.state().model.desk.timeline.clipboard.cuts(CLIP));
        paste(&mut desk, "Vocal take");
        let wanted = json!({"targets": [CLIP], "at_s": 5.0, "crossfade": true});
        assert_eq!(call(&desk), (Gesture::MoveClip, wanted));
        desk.state_mut().actions.clear();
        assert!(!desk.state().model.desk.timeline.clipboard.cuts(CLIP));
        paste(&mut desk, "Vocal take");
        assert_eq!(call(&desk).0, Gesture::DuplicateClip);
    }

    #[test]
    fn the_keys_belong_to_a_text_field_that_has_the_keyboard() {
        let mut model = open_model();
        session(&mut model).selection.clips = vec![CLIP];
        model.wants_composer = true;
        let mut desk = desk(model);
        desk.event(Event::Cut);
        desk.run_steps(2);
        assert!(!desk.state().model.desk.timeline.clipboard.cuts(CLIP));
    }

    #[test]
    fn the_menu_pastes_where_it_was_asked_for() {
        let mut desk = held(Event::Copy);
        let guitar = "Clip Guitar take at 0:00.000";
        let at = desk.get_by_label(guitar).rect().center();
        desk.hover_at(at);
        desk.run_steps(1);
        desk.get_by_label(guitar).click_secondary();
        desk.run_steps(3);
        desk.state_mut().actions.clear();
        desk.get_by_label_contains("Paste here").click();
        desk.run_steps(3);
        let (gesture, params) = call(&desk);
        assert_eq!((gesture, &params["track"]), (Gesture::DuplicateClip, &json!(TrackId::new(2))));
        // In the middle of a clip of 10 s.
        let at = params["at_s"].as_f64().unwrap();
        assert!((at - 5.0).abs() < 0.05, "{at}");
    }
}
