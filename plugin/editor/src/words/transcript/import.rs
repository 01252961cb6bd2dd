//! The button that imports a transcript: for the shown source, for the only one, or for one chosen from a
//! list.

use crate::action::{Action, Actions};
use crate::file_call::FileCall;
use crate::kit::menu;
use crate::scene::Scene;
use deskhand_dsp::Frames;
use deskhand_session::{Session, SourceId, TrackId};
use egui::{Response, ScrollArea};
use std::collections::BTreeMap;

/// The label of the button.
pub(super) const NAME: &str = "Import a transcript…";

/// Makes a button import; `only` is the source that is shown alone.
pub(super) fn hang(button: &Response, scene: Scene<'_>, only: Option<SourceId>, out: &mut Actions) {
    let sources = &scene.session.sources;
    let single = sources.keys().next().copied().filter(|_| sources.len() == 1);
    let import = |source| Action::File(FileCall::ImportTranscript(Some(source)));
    if let Some(source) = only.or(single) {
        out.extend(button.clicked().then(|| import(source)));
        return;
    }
    menu::of(button).show(|ui| {
        menu::title(ui, "Of which recording?");
        ScrollArea::vertical().max_height(280.0).show(ui, |ui| {
            for id in in_order(scene.session) {
                if menu::entry(ui, scene.session.name_of(id.into())) {
                    out.push(import(id));
                }
            }
        });
    });
}

/// The sources: first the one chosen in the library, then in timeline order from the first track, then by
/// name those that no clip plays.
pub(super) fn in_order(session: &Session) -> Vec<SourceId> {
    let tracks: BTreeMap<TrackId, usize> = session.track_order.iter().copied().zip(0..).collect();
    let mut first: BTreeMap<SourceId, (usize, Frames)> = BTreeMap::new();
    for clip in session.clips.values() {
        let Some(track) = tracks.get(&clip.track) else { continue };
        let place = (*track, clip.position);
        let known = first.entry(clip.source).or_insert(place);
        *known = place.min(*known);
    }
    let mut all: Vec<SourceId> = session.sources.keys().copied().collect();
    all.sort_by_cached_key(|id| {
        let place = first.get(id).copied();
        let name = session.name_of((*id).into()).to_lowercase();
        (session.current_source != Some(*id), place.is_none(), place, name)
    });
    all
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::live::SoundOutput;
    use crate::testing::{UserInput as _, session};
    use crate::ui_tests::{Desk, harness, with_plan};
    use egui::Key;
    use egui_kittest::Harness;
    use egui_kittest::kittest::Queryable as _;

    #[test]
    fn keys_do_not_go_through_the_list_of_recordings_to_the_plan_behind_it() {
        let mut model = with_plan();
        model.live.output = SoundOutput::Device { name: "Speakers".into() };
        model.desk.words.is_open = true;
        let mut bench = harness(model);
        let press = |bench: &mut Harness<'_, Desk>| {
            for key in [Key::Num1, Key::Num2, Key::L, Key::Home, Key::Questionmark] {
                bench.press(key);
            }
            std::mem::take(&mut bench.state_mut().actions)
        };
        bench.click_on(NAME);
        assert_eq!(press(&mut bench), []);
        assert!(bench.query_by_label("Of which recording?").is_some(), "it is open still");
        bench.press(Key::Escape);
        assert!(press(&mut bench).len() > 2, "closed, the keys are for the plan again");
    }

    #[test]
    fn sources_stand_as_they_lie_in_the_timeline_and_the_chosen_one_first() {
        let mut session = session();
        let ids = [1, 2, 3, 4].map(SourceId::new);
        for (id, name) in [(ids[2], "Zither"), (ids[3], "accordion")] {
            let source = session.sources[&ids[0]].clone();
            let source = deskhand_session::Source { name: name.into(), ..source };
            session.sources.insert(id, source);
        }
        session.track_order.reverse();
        assert_eq!(in_order(&session), [ids[1], ids[0], ids[3], ids[2]]);
        session.current_source = Some(ids[2]);
        assert_eq!(in_order(&session), [ids[2], ids[1], ids[0], ids[3]]);
    }
}
