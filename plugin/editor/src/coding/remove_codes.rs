//! Removes codes where they are used: in the menu of selected words, and in the menu of codes.

use super::calls;
use super::coded::Coded;
use crate::action::{Action, Actions};
use crate::kit::controls::hint;
use crate::kit::{Cx, menu};
use crate::words::lines::Piece;
use crate::words::place::Places;
use deskhand_dsp::Frames;
use deskhand_session::text::tenths;
use deskhand_session::{CodeId, SegmentId, Session};
use egui::{Rect, ScrollArea, Sense, Ui};
use std::collections::BTreeMap;
use std::ops::RangeInclusive;

/// The height of the strip in a line that shows its codes, points.
const STRIP: f32 = 8.0;
/// The largest height of the list of codes over the picked words, points, and the most entries.
const LISTED: f32 = 160.0;
const MOST: usize = 100;

/// Menu entries, after the others, that remove the codes over the picked words. Returns whether one was
/// removed.
pub(crate) fn behind(
    ui: &mut Ui,
    session: &Session,
    known: (&Coded, &Places),
    pieces: &[Piece],
    out: &mut Actions,
) -> bool {
    let all = over(session, known, pieces);
    if all.is_empty() {
        return false;
    }
    menu::line(ui);
    let before = out.len();
    // Many codes may lie over the picked words.
    let area = ScrollArea::vertical().id_salt("codes that are there").max_height(LISTED);
    area.show(ui, |ui| buttons(ui, all, out));
    out.len() > before
}

/// Pointing at the bars of a line, which reach so far across, names their codes.
pub(crate) fn tell(
    cx: &Cx<'_>,
    session: &Session,
    row: Rect,
    bars: &[(RangeInclusive<f32>, CodeId)],
) {
    if bars.is_empty() {
        return;
    }
    let strip = row.with_min_y(row.bottom() - STRIP);
    // Two phrases may play at once: only their places tell them apart.
    let node = cx.interact(strip, ("codes", row.top().to_bits()), Sense::hover());
    let Some(at) = node.hover_pos() else { return };
    let over = bars.iter().filter(|(across, _)| across.contains(&at.x));
    let mut names: Vec<String> = over.map(|(_, code)| session.name_of((*code).into())).collect();
    names.dedup();
    if !names.is_empty() {
        let words = format!("Coded {}. Right-click a word to take a code off", names.join(", "));
        hint(node, &words);
    }
}

/// A button for each code that lies there.
fn buttons(ui: &mut Ui, all: Vec<(String, Action)>, out: &mut Actions) {
    let more = all.len().saturating_sub(MOST);
    for (words, action) in all.into_iter().take(MOST) {
        if menu::entry(ui, words) {
            out.push(action);
        }
    }
    if more > 0 {
        menu::title(ui, &format!("{more} more: pick fewer words"));
    }
}

/// The codes over some stretches, with the action that removes each. If a code is on several of them, its
/// time tells which.
fn over(
    session: &Session,
    (coded, places): (&Coded, &Places),
    pieces: &[Piece],
) -> Vec<(String, Action)> {
    // Codings by several people at one place count as one.
    let mut found: BTreeMap<(CodeId, SegmentId), Frames> = BTreeMap::new();
    for piece in pieces {
        for stretch in coded.over(piece.source, piece.from, piece.to) {
            let heard = places.of(piece.source, stretch.from);
            let at = heard.map_or(stretch.from, |(_, at)| at);
            found.insert((stretch.code, stretch.segment), at);
        }
    }
    let mut counts: BTreeMap<CodeId, usize> = BTreeMap::new();
    found.keys().for_each(|(code, _)| *counts.entry(*code).or_default() += 1);
    let one = |(&(code, segment), at): (&(CodeId, SegmentId), &Frames)| {
        let place = match counts.get(&code) {
            Some(1) => "here".to_owned(),
            _ => format!("at {}", tenths(at.seconds(session.rate).0)),
        };
        let words = calls::uncodes(session, segment, code, &place);
        (words, calls::uncode(segment, code))
    };
    found.iter().map(one).collect()
}

#[cfg(test)]
mod tests {
    use crate::testing::prelude::*;
    use crate::testing::spoken;
    use crate::words::transcript::tests::{bench, calls, model, right_click, word};
    use deskhand_session::{CodeId, Coding, Segment, SegmentId};

    fn uncode(segment: u64, code: u64) -> (Gesture, serde_json::Value) {
        let (segment, code) = (SegmentId::new(segment), CodeId::new(code));
        (Gesture::Uncode, json!({"segment_id": segment, "code_id": code}))
    }

    #[test]
    fn a_code_comes_off_a_word_by_its_menu() {
        let mut bench = bench();
        let (coded, plain) = (word(&bench, 1).center(), word(&bench, 4).center());
        right_click(&mut bench, plain);
        assert!(bench.query_by_label_contains("Correct…").is_some());
        assert!(bench.query_by_label("Remove code Light here").is_none());
        bench.press(Key::Escape);
        right_click(&mut bench, coded);
        bench.click_on("Remove code Light here");
        assert_eq!(calls(&bench), [uncode(50, 1)], "one call is one step to take back");
        assert!(bench.query_by_label("Remove code Light here").is_none(), "the menu is closed");
    }

    #[test]
    fn of_very_many_codes_so_many_are_listed_as_one_can_go_through() {
        let mut session = spoken();
        for number in 100..220 {
            let mut coded = Segment::new(SourceId::new(1), Frames(0), Frames(48_000));
            coded.codings.push(Coding::new(CodeId::new(2), None));
            session.segments.insert(SegmentId::new(number), coded);
        }
        let mut bench = harness(model(session));
        let at = word(&bench, 0).center();
        right_click(&mut bench, at);
        let listed = bench.query_all_by_label_contains("Remove code").count();
        assert!((1..=super::MOST).contains(&listed), "{listed}");
    }

    #[test]
    fn codes_on_what_is_picked_come_off_by_the_menu_of_codes() {
        let mut session = spoken();
        let mut later = Segment::new(SourceId::new(1), Frames(48_000), Frames(48_000));
        for (code, coder) in [(1, None), (2, None), (2, Some("Bea"))] {
            let coder = coder.map(str::to_owned);
            later.codings.push(Coding::new(CodeId::new(code), coder));
        }
        session.segments.insert(SegmentId::new(51), later);
        let mut bench = harness(model(session));
        let at = word(&bench, 2).center();
        bench.click_at(at);
        bench.key_press(Key::C);
        bench.run_steps(5);
        assert!(bench.query_by_label("Remove code Light at 0:00.0").is_some());
        assert!(bench.query_by_label("Remove code Light at 0:01.0").is_some());
        bench.click_on("Remove code Lamps here for all 2 coders");
        assert_eq!(calls(&bench), [uncode(51, 2)]);
        assert!(bench.query_by_label("New code").is_none(), "the menu is closed");
    }
}
