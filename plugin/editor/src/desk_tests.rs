//! Timeline, mixer and library used as a person uses them: each edit is one call.

use crate::live::{InputChannels, Levels, Motion, SoundOutput};
use crate::testing::prelude::*;
use crate::ui_tests::drawn;
use crate::waves::{Column, Waves};
use deskhand_dsp::SampleRate;
use deskhand_protocol::desk::Play;
use deskhand_session::*;
use egui::accesskit::Toggled;
use egui::{Rect, vec2};
use serde_json::Value;

/// The same everywhere.
struct Flat;

impl Waves for Flat {
    fn columns(&self, _: SourceId, _: Frames, _: f64, count: usize) -> Option<Vec<Column>> {
        Some(vec![Column { peak: 0.5, rms: 0.2 }; count])
    }
}

pub(crate) type Desk = Harness<'static, crate::ui_tests::Desk>;

pub(crate) fn desk(model: Model) -> Desk {
    drawn(model, vec2(1440.0, 900.0), &Flat)
}

pub(crate) fn session(model: &mut Model) -> &mut Session {
    &mut model.mirror.as_mut().unwrap().snapshot.session
}

fn model_with_player() -> Model {
    let mut model = open_model();
    model.live.output = SoundOutput::Device { name: "Speakers".into() };
    model
}

const VOCAL: &str = "Clip Vocal take at 0:00.000";
const GUITAR: &str = "Clip Guitar take at 0:00.000";

fn rect(desk: &Desk, label: &str) -> Rect {
    desk.get_by_label(label).rect()
}

/// The only call since the start.
pub(crate) fn call(desk: &Desk) -> (Gesture, Value) {
    let calls: Vec<_> = desk
        .state()
        .actions
        .iter()
        .filter_map(|action| match action {
            Action::Call { gesture, params } => Some((*gesture, params.clone())),
            _ => None,
        })
        .collect();
    assert_eq!(calls.len(), 1, "{:?}", desk.state().actions);
    calls[0].clone()
}

#[test]
fn a_dragged_clip_lands_on_the_frame_of_a_marker_in_one_call() {
    let mut model = open_model();
    let marker = Marker {
        name: "Verse".into(),
        position: Frames(100_003),
        length: Frames::ZERO,
        code: None,
    };
    session(&mut model).markers.insert(MarkerId::new(1), marker);
    let mut desk = desk(model);
    let clip = rect(&desk, VOCAL);
    let per_frame = clip.width() / 480_000.0;
    let by = 100_003.0 * per_frame + 4.0;
    desk.drag(clip.center(), clip.center() + vec2(by, 0.0));
    let (gesture, params) = call(&desk);
    assert_eq!(gesture, Gesture::MoveClip);
    assert_eq!(params["targets"], json!([ClipId::new(1)]));
    let frames = params["by_s"].as_f64().unwrap() * 48_000.0;
    assert_eq!(frames.round() as i64, 100_003);
}

#[test]
fn a_clip_is_dragged_to_another_track() {
    let mut desk = desk(open_model());
    let clip = rect(&desk, VOCAL);
    desk.drag(clip.center(), clip.center() + vec2(0.0, 76.0));
    let (gesture, params) = call(&desk);
    assert_eq!(gesture, Gesture::MoveClip);
    assert_eq!(
        params,
        json!({"targets": [ClipId::new(1)], "crossfade": true, "track": TrackId::new(2)})
    );
}

#[test]
fn escape_takes_a_drag_back() {
    let mut desk = desk(open_model());
    let clip = rect(&desk, VOCAL);
    let to = clip.center() + vec2(120.0, 0.0);
    desk.hold(clip.center(), to);
    desk.press(Key::Escape);
    desk.drop_at(to);
    desk.run_steps(2);
    assert_eq!(desk.state().actions, []);
}

#[test]
fn an_edge_trims_and_a_handle_fades() {
    let mut trims = desk(open_model());
    let clip = rect(&trims, VOCAL);
    let edge = clip.right_center() - vec2(1.0, 0.0);
    trims.drag(edge, edge - vec2(100.0, 0.0));
    let (gesture, params) = call(&trims);
    assert_eq!(gesture, Gesture::TrimClip);
    let end = params["end_s"].as_f64().unwrap();
    assert!((8.5..9.0).contains(&end), "{params}");
    let mut fades = desk(open_model());
    let handle = clip.left_top() + vec2(5.0, 7.0);
    fades.drag(handle, handle + vec2(82.0, 0.0));
    let (gesture, params) = call(&fades);
    assert_eq!(gesture, Gesture::FadeClip);
    let length = params["fade_in_ms"].as_f64().unwrap();
    assert!((1000.0..1100.0).contains(&length), "{params}");
    assert!(params.get("fade_out_ms").is_none());
}

#[test]
fn clips_are_selected_by_click_shift_and_rubber_band() {
    let mut clicks = desk(open_model());
    let (vocal, guitar) = (rect(&clicks, VOCAL), rect(&clicks, GUITAR));
    clicks.click_at(vocal.center());
    let wanted = json!({"targets": [TrackId::new(1), ClipId::new(1)]});
    assert_eq!(call(&clicks), (Gesture::Select, wanted));
    let mut bands = desk(open_model());
    let from = guitar.right_bottom() + vec2(-20.0, 40.0);
    bands.drag(from, vocal.center());
    let (gesture, params) = call(&bands);
    assert_eq!(gesture, Gesture::Select);
    assert_eq!(params["targets"].as_array().unwrap().len(), 4, "{params}");
}

#[test]
fn a_trim_that_ripples_closes_and_opens_in_one_call() {
    for (by, ends) in [(-100.0, 6.5..7.5), (60.0, 8.2..9.5)] {
        let mut model = open_model();
        model.desk.timeline.ripples = true;
        // More of the source follows the end of the clip.
        session(&mut model).clips.get_mut(&ClipId::new(1)).unwrap().length = Frames(384_000);
        let mut desk = desk(model);
        let clip = rect(&desk, VOCAL);
        let edge = clip.right_center() - vec2(1.0, 0.0);
        desk.drag(edge, edge + vec2(by, 0.0));
        let (gesture, params) = call(&desk);
        assert_eq!((gesture, &params["ripple"]), (Gesture::TrimClip, &json!(true)));
        let end = params["end_s"].as_f64().unwrap();
        assert!(ends.contains(&end), "{params}");
    }
}

#[test]
fn keys_split_at_the_playhead_and_delete_the_selection() {
    let mut model = open_model();
    model.live.position = Frames(240_000);
    session(&mut model).selection.clips = vec![ClipId::new(2)];
    let mut desk = desk(model);
    desk.press(Key::S);
    let wanted = json!({"targets": [ClipId::new(2)], "at_s": 5.0});
    assert_eq!(call(&desk), (Gesture::SplitClip, wanted));
    desk.state_mut().actions.clear();
    desk.press(Key::Delete);
    assert_eq!(call(&desk), (Gesture::RemoveClip, json!({"targets": [ClipId::new(2)]})));
}

#[test]
fn the_arrows_go_from_clip_to_clip() {
    let mut model = open_model();
    session(&mut model).selection.clips = vec![ClipId::new(1)];
    let mut desk = desk(model);
    desk.focus_on("Lanes");
    desk.press(Key::ArrowDown);
    let wanted = json!({"targets": [TrackId::new(2), ClipId::new(2)]});
    assert_eq!(call(&desk), (Gesture::Select, wanted));
}

#[test]
fn a_group_is_cut_as_one() {
    let mut model = open_model();
    model.live.position = Frames(240_000);
    let tracks = vec![TrackId::new(1), TrackId::new(2)];
    let group = Group { name: "Band".into(), tracks };
    let session = session(&mut model);
    session.groups.insert(GroupId::new(1), group);
    session.selection.clips = vec![ClipId::new(2)];
    let mut desk = desk(model);
    desk.press(Key::S);
    assert_eq!(call(&desk).1["targets"], json!([ClipId::new(1), ClipId::new(2)]));
}

#[test]
fn the_ruler_seeks_by_click_and_repeats_by_drag() {
    let mut desk = desk(model_with_player());
    let ruler = rect(&desk, "Ruler");
    let half = ruler.left_center() + vec2(ruler.width() / 2.0, 0.0);
    desk.click_at(half);
    let Some(Action::Play(Play::Seek { at })) = desk.state().actions.first() else {
        panic!("{:?}", desk.state().actions);
    };
    assert!((at.0 - 244_800).abs() < 1200, "{at:?}");
    desk.state_mut().actions.clear();
    desk.drag(ruler.left_center() + vec2(100.0, 0.0), half);
    let [Action::Play(Play::Loop { range: Some((from, to)) })] = &desk.state().actions[..] else {
        panic!("{:?}", desk.state().actions);
    };
    assert!(from < to);
}

#[test]
fn space_plays_and_stops() {
    let mut desk = desk(model_with_player());
    desk.press(Key::Space);
    assert_eq!(desk.state().actions, [Action::Play(Play::Start)]);
    desk.state_mut().model.live.motion = Motion::Playing;
    desk.run_steps(2);
    desk.click_on("Stop");
    assert_eq!(desk.state().actions.last(), Some(&Action::Play(Play::Stop)));
}

#[test]
fn a_fader_is_heard_while_it_moves_and_set_once() {
    let mut desk = desk(open_model());
    let fader = rect(&desk, "Fader Vocal");
    desk.drag(fader.center(), fader.center() + vec2(0.0, 30.0));
    let (gesture, params) = call(&desk);
    assert_eq!(gesture, Gesture::SetTrackGain);
    let heard = desk.state().actions.iter().rev().find_map(|action| match action {
        Action::Preview { track, gain, .. } => Some((*track, gain.0)),
        _ => None,
    });
    let set = params["gain_db"].as_f64().unwrap();
    assert_eq!(heard, Some((Some(TrackId::new(1)), set)));
    assert!(set < 0.0);
}

#[test]
fn a_value_is_typed_and_the_wheel_turns_by_half_a_decibel() {
    let mut desk = desk(open_model());
    let fader = rect(&desk, "Fader Vocal").center();
    desk.hover_at(fader);
    desk.run_steps(1);
    let turn = |delta| egui::Event::MouseWheel {
        unit: egui::MouseWheelUnit::Line,
        delta: vec2(0.0, delta),
        phase: egui::TouchPhase::Move,
        source: egui::MouseWheelSource::Wheel,
        modifiers: Modifiers::NONE,
    };
    desk.event(turn(1.0));
    desk.run_steps(1);
    desk.event(turn(1.0));
    desk.run_steps(60);
    assert_eq!(call(&desk).1["gain_db"], json!(1.0));
    desk.state_mut().actions.clear();
    desk.focus_on("Fader Guitar");
    desk.press(Key::Enter);
    desk.key_press_modifiers(Modifiers::COMMAND, Key::A);
    desk.type_into("Fader Guitar value", "-6,5");
    desk.press(Key::Enter);
    assert_eq!(call(&desk).1["gain_db"], json!(-6.5));
}

fn source(name: &str) -> Source {
    Source {
        name: name.into(),
        format: "WAV 24 bit".into(),
        ..Source::in_place(&format!("/music/{name}.wav"), SampleRate(48_000), 2, Frames(48_000))
    }
}

#[test]
fn a_source_is_dragged_from_the_library_to_a_track() {
    let mut model = open_model();
    model.desk.library.is_open = true;
    session(&mut model).sources.insert(SourceId::new(9), source("Bells"));
    let mut desk = desk(model);
    let from = rect(&desk, "Source Bells").center();
    let to = rect(&desk, GUITAR).center();
    desk.drag(from, to);
    let (gesture, params) = call(&desk);
    assert_eq!(gesture, Gesture::AddClip);
    assert_eq!(params["track"], json!(TrackId::new(2)));
    assert_eq!(params["source"], json!(SourceId::new(9)));
}

/// 64 tracks and 1,000 clips, all meters moving.
fn large() -> Model {
    let mut model = open_model();
    let session = session(&mut model);
    for track in 1..=64 {
        let id = TrackId::new(track);
        if session.tracks.insert(id, Track::audio(format!("Track {track}"))).is_none() {
            session.track_order.push(id);
        }
    }
    session.clips.clear();
    for number in 0..1000 {
        let clip = Clip {
            start: Frames(1000 * number as i64),
            position: Frames(480_000 * (number / 64) as i64),
            ..Clip::new(
                format!("Clip {number}"),
                TrackId::new(1 + number % 64),
                SourceId::new(1),
                Frames(400_000),
            )
        };
        session.clips.insert(ClipId::new(number + 1), clip);
    }
    model.live.motion = Motion::Playing;
    model
}

#[test]
fn meters_move_without_a_waveform_being_made_again() {
    let mut desk = desk(large());
    assert!(desk.state().model.desk.timeline.tiles.made == 0, "after the first frames");
    for step in 0..20_u8 {
        let level = f32::from(step) / 40.0;
        let levels = Levels { peak: [level; 2], rms: [level / 2.0; 2], ..Levels::default() };
        let live = &mut desk.state_mut().model.live;
        live.tracks = (1..=64).map(|track| (TrackId::new(track), levels)).collect();
        live.position = Frames(i64::from(step) * 800);
        desk.run_steps(1);
        assert_eq!(desk.state().model.desk.timeline.tiles.made, 0, "frame {step}");
    }
    desk.state_mut().model.desk.timeline.zoom = Some(20.0);
    desk.run_steps(1);
    assert!(desk.state().model.desk.timeline.tiles.made > 0, "another zoom is another picture");
}

#[test]
fn a_track_is_armed_on_its_header_and_recorded_from_the_transport() {
    let mut desk = desk(model_with_player());
    desk.click_on("Record");
    assert_eq!(desk.state().actions, [], "nothing is armed");
    desk.click_on("Arm Vocal");
    let vocal = TrackId::new(1);
    assert_eq!(desk.state().actions, [Action::Arm(vocal)]);
    desk.state_mut().model.live.armed.insert(vocal);
    desk.run_steps(2);
    desk.click_on("Record");
    desk.state_mut().model.live.records = true;
    desk.run_steps(2);
    desk.get_by_label("Stop recording").click();
    desk.click_on("Arm Vocal");
    let all = [Action::Record(true), Action::Record(false), Action::Disarm(vocal)];
    assert_eq!(desk.state().actions[1..], all);
}

#[test]
fn another_track_is_armed_beside_it_and_takes_another_channel() {
    let mut model = model_with_player();
    model.live.armed.insert(TrackId::new(1));
    model.live.input_channels = 3;
    let mut desk = desk(model);
    desk.click_on("Arm Guitar");
    desk.get_by_label("Arm Guitar").click_secondary();
    desk.run_steps(3);
    let is_taken = |name: &str| desk.get_by_label(name).accesskit_node().toggled();
    let marks = ["Record input 1 + 2", "Record input 3"].map(is_taken);
    assert_eq!(marks, [Some(Toggled::True), Some(Toggled::False)]);
    desk.click_on("Record input 3");
    let (track, channels) = (TrackId::new(2), InputChannels::One(2));
    let all = [Action::Arm(track), Action::TakeInput { track, channels }];
    assert_eq!(desk.state().actions, all);
}

#[test]
fn a_track_of_a_group_bears_its_mark_which_names_the_others() {
    let mut model = open_model();
    let tracks = [1, 2].map(TrackId::new).into();
    let group = Group { name: "Band".into(), tracks };
    session(&mut model).groups.insert(GroupId::new(1), group);
    let desk = desk(model);
    let marks = desk.query_all_by_label("Group \"Band\": Vocal, Guitar. They are edited together");
    assert_eq!(marks.count(), 2, "one on each header");
}

#[test]
fn a_drag_along_the_gain_of_a_header_is_heard_and_set_once() {
    let mut desk = desk(model_with_player());
    let at = rect(&desk, "Fader Vocal in the header").center();
    desk.drag(at, at - vec2(12.0, 0.0));
    let heard = desk.state().actions.iter().any(|it| matches!(it, Action::Preview { .. }));
    assert!(heard);
    let (gesture, params) = call(&desk);
    assert_eq!((gesture, &params["gain_db"]), (Gesture::SetTrackGain, &json!(-3.0)));
}

#[test]
fn a_drag_along_the_pan_of_a_header_sets_it() {
    let mut desk = desk(model_with_player());
    let at = rect(&desk, "Pan Vocal in the header").center();
    desk.drag(at, at + vec2(24.0, 0.0));
    let (gesture, params) = call(&desk);
    assert_eq!(gesture, Gesture::SetTrackPan);
    assert!(params["pan"].as_f64().unwrap() > 0.1, "{params}");
}
