//! The levels of a balance: how loud each part is compared with the lead.

use super::Part;
use crate::roles::Role;

/// A described balance.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Style {
    pub(super) kind: Kind,
    /// How far all that does not lead moves against what leads, in LU.
    pub(super) others: f64,
    /// The offsets for single parts, in LU.
    pub(super) parts: Vec<(Role, f64)>,
}

/// What kind of mix it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// A song: what leads is part of the music.
    Song,
    /// Speech, with all else under it.
    Podcast,
}

/// How much a word moves a part, in LU.
const STEP: f64 = 3.0;

/// Families of parts that words name.
const FAMILIES: &[(&[&str], &[Role])] = &[
    (
        &["drum", "drums", "beat"],
        &[Role::Kick, Role::Snare, Role::Hats, Role::Drums, Role::Percussion],
    ),
    (&["bass"], &[Role::Bass]),
    (&["guitar", "guitars"], &[Role::Guitar]),
    (&["keys", "piano", "synth", "synths"], &[Role::Keys]),
    (&["music", "bed"], &[Role::Music]),
    (&["strings"], &[Role::Strings]),
    (&["backing", "backings", "choir"], &[Role::Backing]),
    (&["ambience", "atmosphere"], &[Role::Ambience]),
];

const UP: &[&str] = &["up", "front", "forward", "loud", "louder", "more", "hot"];
const DOWN: &[&str] =
    &["down", "under", "soft", "softer", "quiet", "back", "behind", "less", "low"];

impl Style {
    /// From words; without any, tracks of speech make a podcast.
    pub(super) fn of(text: &str, tracks: &[Part]) -> Self {
        let lower = text.to_lowercase();
        let words: Vec<&str> =
            lower.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).collect();
        let has = |known: &[&str]| words.iter().any(|word| known.contains(word));
        let speech = tracks.iter().any(|part| part.role == Role::Speech);
        let sung = tracks.iter().any(|part| part.role == Role::LeadVocal);
        let is_podcast = has(&["podcast", "speech", "interview", "dialog", "dialogue", "talk"])
            || (speech && !sung && !has(&["song", "band", "music mix"]));
        let kind = if is_podcast { Kind::Podcast } else { Kind::Song };
        let (mut others, mut parts) = (0.0, Vec::new());
        for part in clauses(&lower) {
            let names = |known: &[&str]| part.iter().any(|word| known.contains(word));
            let step = match (names(UP), names(DOWN)) {
                (true, false) => STEP,
                (false, true) => -STEP,
                (true, true) | (false, false) => continue,
            };
            if names(&["lead", "vocal", "vocals", "singer", "voice", "speech", "vox"]) {
                others -= step;
            }
            for (_, roles) in FAMILIES.iter().filter(|(words, _)| names(words)) {
                // In a podcast music is under speech anyway.
                let is_usual = kind == Kind::Podcast && step < 0.0 && roles.contains(&Role::Music);
                if !is_usual {
                    parts.extend(roles.iter().map(|role| (*role, step)));
                }
            }
        }
        Self { kind, others, parts }
    }

    /// How loud a part lies against what leads, in LU. These are starting points, not laws: levels of
    /// single tracks in common mixes, measured one by one.
    pub(super) fn relative(&self, role: Role) -> f64 {
        let usual = match self.kind {
            Kind::Song => song(role),
            Kind::Podcast => podcast(role),
        };
        let asked: f64 = self.parts.iter().filter(|(r, _)| *r == role).map(|(_, step)| step).sum();
        usual + asked + self.others
    }

    /// How people call it.
    pub(super) fn title(&self) -> &'static str {
        match self.kind {
            Kind::Song => "song",
            Kind::Podcast => "podcast",
        }
    }
}

/// Words between commas, "and", "with" and "but": "lead up front, drums down".
fn clauses(text: &str) -> Vec<Vec<&str>> {
    let mut clauses = vec![Vec::new()];
    for token in text.split_inclusive(|c: char| c.is_whitespace() || c == ',' || c == ';') {
        let word = token.trim_matches(|c: char| !c.is_alphanumeric());
        let joins = ["and", "with", "but", "while"].contains(&word);
        if let Some(last) = clauses.last_mut().filter(|_| !joins && !word.is_empty()) {
            last.push(word);
        }
        if joins || token.contains([',', ';']) {
            clauses.push(Vec::new());
        }
    }
    clauses
}

fn song(role: Role) -> f64 {
    match role {
        Role::LeadVocal | Role::Speech => 0.0,
        Role::Kick | Role::Bass => -5.0,
        Role::Snare | Role::Drums => -4.0,
        Role::Music => -3.0,
        Role::Guitar => -7.0,
        Role::Backing | Role::Keys | Role::Brass => -8.0,
        Role::Strings | Role::Other => -9.0,
        Role::Percussion => -12.0,
        Role::Hats => -13.0,
        Role::Effects => -14.0,
        Role::Ambience => -18.0,
    }
}

fn podcast(role: Role) -> f64 {
    match role {
        Role::Speech | Role::LeadVocal => 0.0,
        Role::Effects => -10.0,
        Role::Ambience => -22.0,
        Role::Music
        | Role::Kick
        | Role::Snare
        | Role::Hats
        | Role::Drums
        | Role::Percussion
        | Role::Bass
        | Role::Guitar
        | Role::Keys
        | Role::Strings
        | Role::Brass
        | Role::Backing => -16.0,
        Role::Other => -6.0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use deskhand_session::TrackId;

    fn parts(roles: &[Role]) -> Vec<Part> {
        let part = |(n, role): (usize, &Role)| Part {
            id: TrackId::new(n as u64 + 1),
            role: *role,
            known: "",
        };
        roles.iter().enumerate().map(part).collect()
    }

    #[test]
    fn words_move_parts() {
        let band = parts(&[Role::LeadVocal, Role::Kick, Role::Guitar]);
        let front = Style::of("lead up front", &band);
        assert_eq!((front.kind, front.others), (Kind::Song, -3.0));
        assert_eq!(front.relative(Role::Guitar), -10.0);
        let mixed = Style::of("Drums loud, guitars down and vocals back", &band);
        assert_eq!(mixed.others, 3.0);
        assert_eq!(mixed.relative(Role::Kick), -5.0 + 3.0 + 3.0);
        assert_eq!(mixed.relative(Role::Guitar), -7.0 - 3.0 + 3.0);
    }

    #[test]
    fn a_podcast_has_music_under_it() {
        let talk = parts(&[Role::Speech, Role::Music]);
        let described = Style::of("podcast with music under", &talk);
        assert_eq!(described, Style::of("", &talk));
        assert_eq!(described.relative(Role::Music), -16.0);
    }
}
