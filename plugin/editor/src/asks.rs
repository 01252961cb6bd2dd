//! What can be asked of a session, by what is in it: at most three wishes that are understood without a model.

use crate::icons;
use deskhand_session::text::count;
use deskhand_session::{Group, Session, SourceId, TrackId, TrackKind};
use std::collections::BTreeSet;

/// The most that are offered.
const MOST: usize = 3;
/// So many tracks can be named in a sentence.
const NAMED: usize = 3;
/// Words in the names of tracks on which somebody talks.
const SPEECH: [&str; 12] = [
    "host",
    "guest",
    "speech",
    "voice",
    "voiceover",
    "dialog",
    "dialogue",
    "interview",
    "narrator",
    "speaker",
    "podcast",
    "moderator",
];
/// Words in the names of tracks with music as a whole.
const MUSIC: [&str; 7] = ["music", "bed", "song", "theme", "jingle", "soundtrack", "score"];
const FILLERS: [&str; 6] = ["um", "uh", "uhm", "er", "erm", "hmm"];

/// A wish: a sentence that can be said as it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ask {
    pub(crate) icon: char,
    pub words: String,
    /// What the plan will be about.
    pub detail: String,
}

fn ask(icon: char, words: String, detail: impl Into<String>) -> Ask {
    Ask { icon, words, detail: detail.into() }
}

/// The wishes for a session, the most useful first; none if nothing plays in it.
#[must_use]
pub fn asks(session: &Session) -> Vec<Ask> {
    let tracks = Tracks::of(session);
    let mut all: Vec<Ask> = if tracks.voices.is_empty() {
        [rough_mix(&tracks), one(session, &tracks), gain_stage(&tracks)]
            .into_iter()
            .flatten()
            .collect()
    } else {
        let voices = &tracks.voices;
        [cuts(session, voices), even(session, voices), duck(session, &tracks)]
            .into_iter()
            .flatten()
            .collect()
    };
    all.extend(master(&tracks));
    all.truncate(MOST);
    all
}

/// The audio tracks that play something, by what they are.
#[derive(Default)]
struct Tracks {
    voices: Vec<TrackId>,
    music: Vec<TrackId>,
    others: Vec<TrackId>,
}

impl Tracks {
    fn of(session: &Session) -> Self {
        let spoken = sources(session, "speech", Heard::Words);
        let musical = sources(session, "music", Heard::Nothing);
        let mut tracks = Self::default();
        for (id, track) in
            session.track_order.iter().filter_map(|id| session.tracks.get_key_value(id))
        {
            let clips = || session.clips.values().filter(|clip| clip.track == *id);
            if track.kind != TrackKind::Audio || track.mute || clips().next().is_none() {
                continue;
            }
            let plays = |of: &BTreeSet<SourceId>| clips().any(|clip| of.contains(&clip.source));
            let list = if is_named(&track.name, &MUSIC) {
                &mut tracks.music
            } else if is_named(&track.name, &SPEECH) || plays(&spoken) {
                &mut tracks.voices
            } else if plays(&musical) {
                &mut tracks.music
            } else {
                &mut tracks.others
            };
            list.push(*id);
        }
        tracks
    }

    fn count(&self) -> usize {
        self.voices.len() + self.music.len() + self.others.len()
    }
}

/// What else tells the content of a source.
#[derive(PartialEq)]
enum Heard {
    Words,
    Nothing,
}

fn sources(session: &Session, content: &str, heard: Heard) -> BTreeSet<SourceId> {
    let is_it = |value: &serde_json::Value| value.as_str() == Some(content);
    let of = session.segments.values().filter(|segment| {
        let fact = segment.description.facts.get("content");
        fact.is_some_and(|fact| is_it(&fact.value))
            || heard == Heard::Words && !segment.words.is_empty()
    });
    of.map(|segment| segment.source).collect()
}

fn is_named(name: &str, words: &[&str]) -> bool {
    let name = name.to_lowercase();
    name.split(|letter: char| !letter.is_alphabetic()).any(|word| words.contains(&word))
}

/// "Host and Guest"; `None` if there are too many to name.
fn names(session: &Session, tracks: &[TrackId]) -> Option<String> {
    let quoted = |id: &TrackId| {
        let name = session.tracks.get(id).map_or("", |track| track.name.as_str());
        let is_plain = name.chars().all(char::is_alphanumeric);
        if is_plain { name.to_owned() } else { format!("\"{name}\"") }
    };
    let names: Vec<String> = tracks.iter().map(quoted).collect();
    match names.as_slice() {
        [one] => Some(one.clone()),
        [first @ .., last] if names.len() <= NAMED => {
            Some(format!("{} and {last}", first.join(", ")))
        }
        _ => None,
    }
}

/// Fillers among the words of these tracks, and whether anything is written down of them.
fn fillers(session: &Session, tracks: &[TrackId]) -> (usize, bool) {
    let clips = session.clips.values().filter(|clip| tracks.contains(&clip.track));
    let sources: BTreeSet<SourceId> = clips.map(|clip| clip.source).collect();
    let segments = session.segments.values().filter(|it| sources.contains(&it.source));
    let mut words = segments.flat_map(|segment| &segment.words).peekable();
    let is_written = words.peek().is_some();
    let is_filler = |text: &str| {
        let word = text.trim_matches(|letter: char| !letter.is_alphabetic());
        FILLERS.iter().any(|filler| word.eq_ignore_ascii_case(filler))
    };
    (words.filter(|word| is_filler(&word.text)).count(), is_written)
}

fn cuts(session: &Session, voices: &[TrackId]) -> Option<Ask> {
    let names = names(session, voices)?;
    let icon = icons::SCISSORS;
    let is_in_sync = |group: &Group| voices.iter().all(|voice| group.tracks.contains(voice));
    let sync = match voices.len() > 1 && session.groups.values().any(is_in_sync) {
        true => ". The voices stay in sync",
        false => "",
    };
    Some(match fillers(session, voices) {
        (0, false) => {
            ask(icon, format!("Cut the silences in {names}"), "The rest stays where it is")
        }
        (0, true) => {
            let detail = format!("Each is a row that you can leave out{sync}");
            ask(icon, format!("Cut the long pauses in {names}"), detail)
        }
        (found, _) => {
            let detail = format!("{} in the words{sync}", count(found, "filler"));
            ask(icon, format!("Cut the fillers and the long pauses in {names}"), detail)
        }
    })
}

/// One voice as loud as the other; one voice or many at the usual loudness.
fn even(session: &Session, voices: &[TrackId]) -> Option<Ask> {
    let names = names(session, voices)?;
    if let [first, second] = voices {
        let [host, guest] = [first, second].map(|it| self::names(session, &[*it]));
        let (host, guest) = (host?, guest?);
        let detail = "One gain, by measured loudness";
        return Some(ask(icons::GAUGE, format!("Make {guest} as loud as {host}"), detail));
    }
    let detail = "The usual loudness of podcasts";
    Some(ask(icons::GAUGE, format!("Normalize {names} to −16 LUFS"), detail))
}

fn duck(session: &Session, tracks: &Tracks) -> Option<Ask> {
    let music = names(session, tracks.music.get(..1)?)?;
    let voices = names(session, &tracks.voices)?;
    let detail = "A curve on the music, with its depth as a number";
    Some(ask(icons::WAVEFORM, format!("Duck {music} under {voices}"), detail))
}

fn rough_mix(tracks: &Tracks) -> Option<Ask> {
    let detail = "Faders, equalizers and buses, by what each track is";
    (tracks.count() > 2).then(|| ask(icons::FADERS, "Make a rough mix".into(), detail))
}

fn one(session: &Session, tracks: &Tracks) -> Option<Ask> {
    let first = tracks.music.first().or(tracks.others.first())?;
    let name = names(session, &[*first]).filter(|_| tracks.count() == 1)?;
    let detail = "One gain, by measured loudness";
    Some(ask(icons::GAUGE, format!("Normalize {name} to −16 LUFS"), detail))
}

fn gain_stage(tracks: &Tracks) -> Option<Ask> {
    let detail = "Headroom for the mix: one gain for each track";
    let words = "Gain stage everything to −18 dBFS";
    (tracks.count() > 1).then(|| ask(icons::EQUALIZER, words.into(), detail))
}

fn master(tracks: &Tracks) -> Option<Ask> {
    let (words, detail) = match tracks.voices.is_empty() {
        true => ("Master the mix for streaming", "−14 LUFS, true peak at most −1 dBTP"),
        false => ("Master the mix for podcasts", "−16 LUFS, true peak at most −1 dBTP"),
    };
    (tracks.count() > 0).then(|| ask(icons::GAUGE, words.into(), detail))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::example::example;
    use crate::testing;
    use deskhand_dsp::SampleRate;
    use deskhand_session::SessionId;

    fn words(session: &Session) -> Vec<String> {
        asks(session).into_iter().map(|ask| ask.words).collect()
    }

    #[test]
    fn the_example_is_asked_for_cuts_levels_and_a_duck() {
        let session = &example().session;
        let all = [
            "Cut the fillers and the long pauses in Host and Guest",
            "Make Guest as loud as Host",
            "Duck Music under Host and Guest",
        ];
        assert_eq!(words(session), all);
        let detail = &asks(session)[0].detail;
        assert_eq!(detail, "9 fillers in the words. The voices stay in sync");
    }

    #[test]
    fn without_words_silences_are_cut_and_without_music_the_mix_is_mastered() {
        let mut session = example().session.clone();
        session.segments.clear();
        session.clips.retain(|_, clip| clip.track != TrackId::new(3));
        let all = [
            "Cut the silences in Host and Guest",
            "Make Guest as loud as Host",
            "Master the mix for podcasts",
        ];
        assert_eq!(words(&session), all);
    }

    #[test]
    fn a_band_is_asked_for_a_mix_and_an_empty_session_for_nothing() {
        let mut session = testing::session();
        assert_eq!(
            words(&session),
            ["Gain stage everything to −18 dBFS", "Master the mix for streaming"]
        );
        session.tracks.values_mut().for_each(|track| track.name = "Mic 1".into());
        session.clips.retain(|_, clip| clip.track == TrackId::new(1));
        assert_eq!(words(&session)[0], "Normalize \"Mic 1\" to −16 LUFS");
        assert_eq!(words(&Session::new(SessionId::new(1), SampleRate(48_000))), [""; 0]);
    }
}
