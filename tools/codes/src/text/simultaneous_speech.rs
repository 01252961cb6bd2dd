//! Finds other people who talk at the same time: in the other recordings of a talk, such as its other
//! microphones, and in bleed.

use deskhand_dsp::Frames;
use deskhand_session::{Clip, Segment, Session, SourceId};
use std::collections::BTreeMap;
use std::ops::Range;

/// When others begin to speak, in frames of one source and in order, with their names.
pub(super) type Beside<'a> = Vec<(Frames, &'a str)>;

/// The phrases of each source by their start.
type Spoken<'a> = BTreeMap<SourceId, Vec<&'a Segment>>;

/// Of each source: when others begin to speak in recordings of the same talk. These play at the same time, and little is
/// said at once in them; two talks that only lie side by side go on over one another.
pub(super) fn beside(session: &Session) -> BTreeMap<SourceId, Beside<'_>> {
    let spoken = spoken(session);
    let met: BTreeMap<[SourceId; 2], Met<'_>> = meanwhile(session, &spoken)
        .into_iter()
        .filter_map(|(pair, times)| Some((pair, Met::of(&spoken, pair, &times)?)))
        .collect();
    let mut found = heard(session);
    for ([one, other], here) in &met {
        let back = met.get(&[*other, *one]);
        let all = here.all + back.map_or(0, |back| back.all);
        let amid = here.amid + back.map_or(0, |back| back.amid);
        if amid * 2 <= all {
            found.entry(*one).or_default().extend(here.begun.iter().copied());
        }
    }
    found.values_mut().for_each(|own| own.sort_unstable());
    found
}

fn spoken(session: &Session) -> Spoken<'_> {
    let mut spoken: Spoken<'_> = BTreeMap::new();
    for segment in session.segments.values() {
        if !segment.words.is_empty() && !segment.is_bleed() {
            spoken.entry(segment.source).or_default().push(segment);
        }
    }
    spoken.values_mut().for_each(|own| own.sort_by_key(|segment| segment.start));
    spoken
}

/// The bleed of other speakers in each source.
fn heard(session: &Session) -> BTreeMap<SourceId, Beside<'_>> {
    let mut heard: BTreeMap<SourceId, Beside<'_>> = BTreeMap::new();
    for segment in session.segments.values().filter(|segment| segment.is_bleed()) {
        let begun = segment.speaker.as_deref().map(|who| (segment.start, who));
        heard.entry(segment.source).or_default().extend(begun);
    }
    heard
}

/// Where a source plays while another does, as ranges of its frames, by the time shift between the two.
type Meanwhile = BTreeMap<Frames, Vec<Range<Frames>>>;

/// Of each two sources: where the first plays while the second does.
fn meanwhile(session: &Session, spoken: &Spoken<'_>) -> BTreeMap<[SourceId; 2], Meanwhile> {
    let clips = session.clips.values().filter(|clip| spoken.contains_key(&clip.source));
    let mut clips: Vec<&Clip> = clips.collect();
    clips.sort_by_key(|clip| clip.position);
    let mut found: BTreeMap<[SourceId; 2], Meanwhile> = BTreeMap::new();
    let mut going: Vec<&Clip> = Vec::new();
    for clip in clips {
        going.retain(|other| other.position + other.length > clip.position);
        for other in going.iter().copied().filter(|other| other.source != clip.source) {
            for [one, two] in [[clip, other], [other, clip]] {
                let shift = (two.position - two.start) - (one.position - one.start);
                let times = found.entry([one.source, two.source]).or_default();
                times.entry(shift).or_default().push(shared(one, two));
            }
        }
        going.push(clip);
    }
    found
}

/// The frames of the first clip that play while the second does.
fn shared(one: &Clip, two: &Clip) -> Range<Frames> {
    let start = one.position.max(two.position);
    let end = (one.position + one.length).min(two.position + two.length);
    let [start, end] = [start, end].map(|at| at - one.position + one.start);
    start..end
}

fn length(ranges: &[Range<Frames>]) -> i64 {
    ranges.iter().map(|range| range.end.0 - range.start.0).sum()
}

/// The speech of one source while another plays.
#[derive(Default)]
struct Met<'a> {
    /// The starts of speech with known speakers, in frames of the other source.
    begun: Beside<'a>,
    /// How many phrases begin.
    all: usize,
    /// How many of them while somebody speaks in the other.
    amid: usize,
}

impl<'a> Met<'a> {
    /// Finds the shift between two sources: the one at which they play together for the longest time is how
    /// they were recorded. Otherwise a moved piece would match the wrong part of the other.
    fn of(spoken: &Spoken<'a>, [one, two]: [SourceId; 2], times: &Meanwhile) -> Option<Self> {
        let (shift, ranges) = times.iter().max_by_key(|(_, ranges)| length(ranges))?;
        let (own, others) = (spoken.get(&one)?, spoken.get(&two)?);
        let mut met = Self::default();
        for range in ranges {
            met.add(own, others, *shift, range);
        }
        Some(met)
    }

    fn add(
        &mut self,
        own: &[&'a Segment],
        others: &[&'a Segment],
        shift: Frames,
        range: &Range<Frames>,
    ) {
        let first = others.partition_point(|segment| segment.start + shift < range.start);
        let begun = others.iter().skip(first);
        for segment in begun.take_while(|segment| segment.start + shift < range.end) {
            let at = segment.start + shift;
            let ahead = own.partition_point(|segment| segment.start <= at);
            let last = ahead.checked_sub(1).and_then(|last| own.get(last));
            self.all += 1;
            self.amid += usize::from(last.is_some_and(|segment| segment.end() > at));
            self.begun.extend(segment.speaker.as_deref().map(|who| (at, who)));
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::{code, seconds, talk_over};
    use deskhand_dsp::Frames;
    use deskhand_session::{BLEED_OF, ClipId, Fact, SourceId, Track};
    use deskhand_toolkit::testing::{Desk, SECOND};
    use serde_json::json;

    /// A microphone of eight seconds on a track of its own, and its source.
    fn microphone(desk: &mut Desk, name: &str, position: i64) -> SourceId {
        let track = desk.track(Track::audio(name));
        let clip = desk.clip(track, name, position * SECOND, vec![0.0; 8 * SECOND as usize]);
        desk.session.clips[&clip].source
    }

    /// Ann, who says two sentences with a pause of two seconds.
    fn ann(desk: &mut Desk) -> SourceId {
        let source = microphone(desk, "Ann", 0);
        talk_over(desk, source, 0, "Ann: It was a house");
        talk_over(desk, source, 6, "Ann: by the");
        source
    }

    /// The turns that are coded around "house".
    fn turns(desk: &mut Desk) -> Vec<(i64, i64)> {
        let id = code(desk, "House");
        desk.settle("tool_code_exact", &json!({"code": "House", "text": "house", "unit": "turn"}));
        seconds(desk, id)
    }

    #[test]
    fn a_turn_ends_where_another_speaks_into_their_own_microphone() {
        for (position, turn) in [(4, (0, 4)), (20, (0, 8))] {
            let mut desk = Desk::new(crate::all());
            ann(&mut desk);
            let ben = microphone(&mut desk, "Ben", position);
            talk_over(&mut desk, ben, 0, "Ben: Where then?");
            assert_eq!(turns(&mut desk), [turn], "Ben from second {position} on");
        }
    }

    #[test]
    fn a_turn_goes_on_where_the_other_microphone_is_of_the_same_speaker() {
        let mut desk = Desk::new(crate::all());
        ann(&mut desk);
        let second = microphone(&mut desk, "Lapel", 4);
        talk_over(&mut desk, second, 0, "Ann: with trees");
        assert_eq!(turns(&mut desk), [(0, 8)]);
    }

    #[test]
    fn a_turn_ends_where_its_microphone_heard_another() {
        let mut desk = Desk::new(crate::all());
        let source = ann(&mut desk);
        talk_over(&mut desk, source, 4, "Ben: Where then?");
        let fact = Fact { value: json!("Ben"), unit: None, confidence: None, by: "test".into() };
        let at = Frames(4 * SECOND);
        let heard = desk.session.segments.values_mut().find(|segment| segment.start == at);
        heard.unwrap().description.facts.insert(BLEED_OF.into(), fact);
        assert_eq!(turns(&mut desk), [(0, 4)]);
    }

    #[test]
    fn a_piece_that_lies_beside_something_else_ends_no_turn() {
        let mut desk = Desk::new(crate::all());
        ann(&mut desk);
        let ben = microphone(&mut desk, "Ben", 1);
        talk_over(&mut desk, ben, 7, "Ben: Where?");
        let clip = desk.session.clips.values().find(|clip| clip.source == ben);
        let mut moved = clip.unwrap().clone();
        (moved.start, moved.length) = (Frames(7 * SECOND), Frames(SECOND));
        moved.position = Frames(5 * SECOND);
        desk.session.clips.insert(ClipId::new(99), moved);
        assert_eq!(turns(&mut desk), [(0, 8)]);
    }

    #[test]
    fn another_talk_that_lies_beside_ends_no_turn() {
        let mut desk = Desk::new(crate::all());
        ann(&mut desk);
        let other = microphone(&mut desk, "Cid", 0);
        talk_over(&mut desk, other, 1, "Cid: we all went to the blue");
        talk_over(&mut desk, other, 7, "Cid: hills");
        assert_eq!(turns(&mut desk), [(0, 8)]);
    }
}
