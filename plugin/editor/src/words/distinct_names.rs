//! Tells equal texts apart: takes of one phrase by their recordings, and recordings of one name by the
//! tracks that play them.

use super::word_diff::plain;
use deskhand_dsp::Frames;
use deskhand_session::text::tenths;
use deskhand_session::{PhraseId, Segment, Session, SourceId, Spoken, TrackId};
use std::collections::{BTreeMap, BTreeSet};

/// Takes of one line begin with this many equal words. Shorter phrases are often repeated by chance.
const ALIKE: usize = 3;

/// The name of a recording. If it is not unique, the track that plays it is added, or its number.
pub(crate) fn source_name(session: &Session, id: SourceId) -> String {
    let name = session.name_of(id.into());
    let same = session.sources.iter().filter(|(_, source)| source.name == name);
    let same: Vec<SourceId> = same.map(|(id, _)| *id).collect();
    let place = same.iter().position(|known| *known == id);
    let Some(place) = place.filter(|_| same.len() > 1) else { return name };
    let tracks: Vec<Option<String>> = same.iter().map(|id| track_name(session, *id)).collect();
    let is_own = |track: &&Option<String>| **track == tracks[place];
    match &tracks[place] {
        Some(track) if tracks.iter().filter(is_own).count() == 1 => format!("{name} · {track}"),
        Some(_) | None => format!("{name} ({})", place + 1),
    }
}

/// The first of the tracks that play a recording.
fn track_name(session: &Session, source: SourceId) -> Option<String> {
    let clips = session.clips.values().filter(|clip| clip.source == source);
    let tracks: BTreeSet<TrackId> = clips.map(|clip| clip.track).collect();
    let first = session.track_order.iter().find(|track| tracks.contains(*track))?;
    Some(session.name_of((*first).into()))
}

/// Where something is said: its recording, and when in that.
pub(crate) fn place(session: &Session, source: SourceId, start: Frames) -> String {
    format!("{} {}", source_name(session, source), tenths(start.seconds(session.rate).0))
}

/// What distinguishes each of these phrases from others with the same first words and speaker. It is the
/// recording, and the time too if a recording has several. It is left out if other text shows it already.
pub(crate) fn takes<'s>(
    session: &Session,
    phrases: impl Iterator<Item = (PhraseId, &'s Spoken)>,
) -> BTreeMap<PhraseId, String> {
    let mut alike: BTreeMap<Beginning, Vec<(PhraseId, &Spoken)>> = BTreeMap::new();
    for (id, spoken) in phrases {
        let words = spoken.text.split_whitespace();
        if let Some(beginning) = Beginning::of(spoken.speaker.as_deref(), words) {
            alike.entry(beginning).or_default().push((id, spoken));
        }
    }
    alike.values().flat_map(|takes| told(session, takes)).collect()
}

fn told(session: &Session, takes: &[(PhraseId, &Spoken)]) -> Vec<(PhraseId, String)> {
    let sources: BTreeSet<SourceId> = takes.iter().map(|(_, spoken)| spoken.source).collect();
    let name = |spoken: &Spoken| {
        if sources.len() == takes.len() {
            source_name(session, spoken.source)
        } else {
            place(session, spoken.source, spoken.start)
        }
    };
    let told: Vec<_> = takes.iter().map(|(id, spoken)| (*id, name(spoken))).collect();
    let names: BTreeSet<&String> = told.iter().map(|(_, name)| name).collect();
    if takes.len() > 1 && names.len() == takes.len() { told } else { Vec::new() }
}

/// The speakers who say the same first words in several recordings: their names do not tell the phrases
/// apart.
pub(crate) fn doubled<'s>(segments: impl Iterator<Item = &'s Segment>) -> BTreeSet<&'s str> {
    let mut heard: BTreeMap<Beginning, SourceId> = BTreeMap::new();
    let mut doubled = BTreeSet::new();
    for segment in segments {
        let Some(speaker) = segment.speaker.as_deref() else { continue };
        let words = segment.words.iter().map(|word| word.text.as_str());
        let Some(beginning) = Beginning::of(Some(speaker), words) else { continue };
        if *heard.entry(beginning).or_insert(segment.source) != segment.source {
            doubled.insert(speaker);
        }
    }
    doubled
}

/// The speaker, and the first words in a form for comparison.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Beginning(Option<String>, Vec<String>);

impl Beginning {
    /// `None` if the phrase is too short to be a take.
    fn of<'w>(speaker: Option<&str>, words: impl Iterator<Item = &'w str>) -> Option<Self> {
        let words = words.map(plain).filter(|word| !word.is_empty());
        let words: Vec<String> = words.take(ALIKE).collect();
        (words.len() == ALIKE).then(|| Self(speaker.map(str::to_owned), words))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::spoken;
    use deskhand_session::SegmentId;

    /// Both recordings begin with the same words, by the same voice.
    fn two_takes() -> Session {
        let mut session = spoken();
        let first = session.segments[&SegmentId::new(1)].clone();
        let second = session.segments.get_mut(&SegmentId::new(3)).unwrap();
        *second = Segment { source: second.source, ..first };
        session
    }

    fn told(session: &Session) -> Vec<(u64, String)> {
        let all: Vec<(u64, PhraseId)> = (1..=4).map(|it| (it, PhraseId::new(it))).collect();
        let spoken = all.iter().map(|(_, id)| (*id, session.spoken(*id).unwrap()));
        let spoken: BTreeMap<PhraseId, Spoken> = spoken.collect();
        let told = takes(session, spoken.iter().map(|(id, it)| (*id, it)));
        all.into_iter().filter_map(|(it, id)| Some((it, told.get(&id)?.clone()))).collect()
    }

    #[test]
    fn takes_are_told_apart_by_their_recordings_and_what_is_said_once_is_not() {
        assert!(told(&spoken()).is_empty());
        let wanted = [(1, "Vocal".to_owned()), (3, "Guitar".to_owned())];
        assert_eq!(told(&two_takes()), wanted);
        let mut session = two_takes();
        session.segments.get_mut(&SegmentId::new(3)).unwrap().speaker = Some("Cleo".into());
        assert!(told(&session).is_empty(), "the voices tell them apart");
    }

    #[test]
    fn takes_in_one_recording_are_told_apart_by_when_they_are_said() {
        let mut session = two_takes();
        let second = session.segments.get_mut(&SegmentId::new(3)).unwrap();
        (second.source, second.start) = (SourceId::new(1), Frames(48_000));
        let wanted = [(1, "Vocal 0:00.0".to_owned()), (3, "Vocal 0:01.0".to_owned())];
        assert_eq!(told(&session), wanted);
    }

    #[test]
    fn recordings_of_one_name_are_told_apart_by_their_tracks_or_a_number() {
        let names = |session: &Session| [1, 2].map(|it| source_name(session, SourceId::new(it)));
        let mut session = spoken();
        assert_eq!(names(&session), ["Vocal", "Guitar"]);
        session.sources.values_mut().for_each(|source| source.name = "take".into());
        assert_eq!(names(&session), ["take · Vocal", "take · Guitar"]);
        session.clips.clear();
        assert_eq!(names(&session), ["take (1)", "take (2)"]);
    }

    #[test]
    fn a_voice_that_says_the_same_in_two_recordings_does_not_tell_them_apart() {
        let (one, two) = (spoken(), two_takes());
        assert!(doubled(one.segments.values()).is_empty());
        assert_eq!(doubled(two.segments.values()), BTreeSet::from(["Anna"]));
    }
}
