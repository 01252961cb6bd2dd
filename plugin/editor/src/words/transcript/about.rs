//! Facts about the picked words. They are computed once for a selection and a revision, since all of a long
//! talk may be picked.

use super::picked;
use super::view::About;
use crate::scene::Scene;
use crate::words::lines::{Piece, Region};
use crate::words::transcript::view::{Made, Of, Picked, TranscriptView};
use crate::words::{calls, distinct_names};
use deskhand_dsp::Frames;
use deskhand_session::text::{count, tenths};

/// The most words that are read out.
const READ: usize = 12;

/// Builds it again when other words are picked or the session changes.
pub(super) fn settle(scene: Scene<'_>, view: &mut TranscriptView, made: &Made) {
    let of = view.picked.map(|picked| (picked, made.of));
    if view.about.as_ref().map(|about| about.of) != of {
        view.about = of.and_then(|of| About::new(scene, made, of));
    }
}

impl About {
    fn new(scene: Scene<'_>, made: &Made, of: (Picked, Of)) -> Option<Self> {
        let region = made.script.region(scene.session, of.0.words())?;
        let cuts = calls::cut(scene.session, &made.script.places, &region);
        let first = region.pieces.first()?;
        let source = distinct_names::source_name(scene.session, first.source);
        let said = format!("At {} in {source}", tenths(first.from.seconds(scene.session.rate).0));
        let read = read(scene, made, of.0);
        Some(Self { of, cuts, told: told(scene, made, &region), said, read, region })
    }
}

fn read(scene: Scene<'_>, made: &Made, picked: Picked) -> String {
    let words = picked.words();
    let head = (words.end - 1).min(words.start + READ - 1);
    let text = picked::text(scene, made, Picked { anchor: words.start, head }).replace('\n', " ");
    if head + 1 < words.end { format!("{text} …") } else { text }
}

fn told(scene: Scene<'_>, made: &Made, region: &Region) -> String {
    let (rate, places) = (scene.session.rate, &made.script.places);
    let plays = |piece: &Piece| places.length(piece.source, piece.from, piece.to);
    let (at, length) = match heard_from(scene, made, region) {
        Some(at) => (tenths(at.seconds(rate).0), sum(region, plays)),
        None => ("plays nowhere".to_owned(), sum(region, |piece| piece.to - piece.from)),
    };
    let words = count(region.words.len(), "word");
    format!("{words} · {at} · {:.1}\u{a0}s", length.seconds(rate).0)
}

/// How long all pieces are together.
fn sum(region: &Region, length: impl Fn(&Piece) -> Frames) -> Frames {
    region.pieces.iter().map(length).fold(Frames::ZERO, |sum, piece| sum + piece)
}

/// Where the first of the picked words that plays is heard.
fn heard_from(scene: Scene<'_>, made: &Made, region: &Region) -> Option<Frames> {
    region.words.clone().find_map(|number| {
        let (part, place) = made.script.word(number)?;
        let segment = scene.session.segments.get(&part.id)?;
        made.script.places.first_word(part.source, segment.words.get(place..=place)?)
    })
}
