//! Bleed: what microphones heard of other speakers. The lines leave it out until asked. If speakers are not
//! marked yet, a button offers to mark them.

use crate::action::{Actions, Gesture, call};
use crate::kit::controls::{Button, Kind, State};
use crate::kit::{Cut, Cx};
use crate::scene::Scene;
use crate::theme::{Type, space};
use crate::words::lines::{Bleed, Script};
use crate::words::transcript::view::{Made, TranscriptView};
use crate::words::word_diff::plain;
use deskhand_dsp::Frames;
use deskhand_session::text::count;
use deskhand_session::{Segment, Session, SourceId};
use egui::{Rect, Ui, vec2};
use serde_json::json;

/// Speech that two microphones pick up at once begins within this time in both, s.
const AT_ONCE: f64 = 0.5;
/// Each word of it begins within this time, s. Two takes of a line that overlap drift apart.
const IN_STEP: f64 = 0.25;

/// The strip about bleed above the lines.
pub(super) struct Strip {
    words: String,
    offer: Option<Offer>,
}

/// What its button does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Offer {
    Show,
    LeaveOut,
    Mark,
}

impl Offer {
    /// The label and the hint.
    fn words(self) -> [&'static str; 2] {
        match self {
            Self::Show => ["Show bleed", "What a microphone heard of others than its own speaker"],
            Self::LeaveOut => {
                ["Leave out", "It is kept where the speaker's own microphone heard it"]
            }
            Self::Mark => [
                "Mark who speaks",
                "Each track is one speaker; what others heard of it, by level, is left out here",
            ],
        }
    }
}

/// The strip to show; `None` if every microphone only hears its own speaker.
pub(super) fn strip(view: &TranscriptView, made: &Made) -> Option<Strip> {
    let script = &made.script;
    let phrases = count(script.bleed, "phrase");
    let (words, offer) = if made.twins > 0 {
        ("Microphones heard each other: phrases are here twice".to_owned(), Some(Offer::Mark))
    } else if script.bleed == 0 {
        return None;
    } else if script.leaves_out {
        (format!("{phrases} left out: bleed from other speakers"), Some(Offer::Show))
    } else if view.bleed == Bleed::Shown {
        (format!("{phrases} of bleed from other speakers"), Some(Offer::LeaveOut))
    } else {
        ("All of this is bleed from other speakers".to_owned(), None)
    };
    Some(Strip { words, offer })
}

/// Draws it in `rect`.
pub(super) fn show(
    ui: &Ui,
    scene: Scene<'_>,
    view: &mut TranscriptView,
    strip: &Strip,
    rect: Rect,
    out: &mut Actions,
) {
    let cx = Cx::new(ui);
    cx.hline(rect.left(), rect.right(), rect.bottom() - 1.0, cx.t.line);
    let mut right = rect.right() - space::S;
    if let Some(offer) = strip.offer {
        let [label, told] = offer.words();
        let runs = offer == Offer::Mark && scene.runs(&[Gesture::MarkSpeakers]);
        let state = if runs { State::Disabled } else { State::Normal };
        let button = Button::new(Kind::Secondary, label).state(state);
        let width = button.width(&cx);
        let cell = rect.row_box(right - width, vec2(width, 24.0));
        let told = if runs { "It is being done" } else { told };
        if button.show(&cx, cell).on_hover_text(told).clicked() && !runs {
            take(view, offer, out);
        }
        right = cell.left() - space::S;
    }
    let at = rect.left_mid(space::M);
    let text = cx.elided(at, &strip.words, Type::SMALL, cx.t.text_2, right - at.x);
    cx.label(text, "bleed", &strip.words);
}

fn take(view: &mut TranscriptView, offer: Offer, out: &mut Actions) {
    match offer {
        Offer::Show => view.bleed = Bleed::Shown,
        Offer::LeaveOut => view.bleed = Bleed::LeftOut,
        Offer::Mark => {
            out.push(call(
                Gesture::MarkSpeakers,
                json!({"targets": "all", "speaker_format": "track"}),
            ));
        }
    }
}

/// The number of phrases that another source also says, word for word and at once; 0 if speakers are
/// marked. Parallel takes of one line do not count: they begin at once but then drift apart.
pub(super) fn twins(session: &Session, script: &Script) -> usize {
    let said = || script.parts.iter().filter_map(|part| session.segments.get(&part.id));
    if script.sources() < 2 || said().any(|segment| segment.speaker.is_some()) {
        return 0;
    }
    let frames = |seconds: f64| Frames((seconds * f64::from(session.rate.0)) as i64);
    let (slack, step) = (frames(AT_ONCE), frames(IN_STEP));
    let heard = |segment: &Segment| {
        let at = script.places.first_word(segment.source, &segment.words)?;
        let words = segment.words.iter().filter_map(|word| {
            let (_, at) = script.places.of(segment.source, word.start)?;
            Some((at, plain(&word.text)))
        });
        Some((at, segment.source, words.collect::<Vec<Said>>()))
    };
    let mut all: Vec<(Frames, SourceId, Vec<Said>)> = said().filter_map(heard).collect();
    all.sort_by_key(|(at, ..)| *at);
    let is_twin = |place: &usize| {
        let (at, source, words) = &all[*place];
        let near = all[..*place].iter().rev().take_while(|(other, ..)| *at - *other <= slack);
        let mut others = near.filter(|(_, other, _)| other != source);
        others.any(|(_, _, other)| is_same(words, other, step))
    };
    (0..all.len()).filter(is_twin).count()
}

/// When a word begins on the timeline, and what it is.
type Said = (Frames, String);

/// Whether the longer one has most words of the shorter one within `step` of the same time. A single word
/// matches by chance.
fn is_same(one: &[Said], other: &[Said], step: Frames) -> bool {
    let (short, long) = if one.len() < other.len() { (one, other) } else { (other, one) };
    let is_said = |(at, word): &&Said| {
        let mut same = long.iter().filter(|(_, other)| other == word);
        same.any(|(other, _)| (*other - *at).0.abs() <= step.0)
    };
    short.len() > 1 && short.iter().filter(is_said).count() * 3 > short.len() * 2
}
