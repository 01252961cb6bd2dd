//! What is offered where words are not understood.

use crate::fixture::plan_words;
use crate::{fixture, of_variant};
use deskhand_agent::examples;
use deskhand_session::Session;

/// Whatever is offered instead can be said as it stands: a name alone, or half a sentence, helps nobody.
#[test]
fn every_offer_is_understood() {
    let tables = [
        include_str!("danger.txt"),
        include_str!("asked.txt"),
        include_str!("written_first.txt"),
        include_str!("words.txt"),
        include_str!("edit.txt"),
    ];
    let phrases = tables.iter().flat_map(|table| table.lines());
    let phrases =
        phrases.filter(|line| line.contains("=> unclear") && !line.starts_with(['#', '{']));
    let mut wrong = Vec::new();
    for line in phrases {
        let words = line.split("=>").next().unwrap().trim();
        for session in [fixture::session(), fixture::variant("none"), fixture::variant("single")] {
            for unclear in plan_words(words, &session).unclear {
                let offers = &unclear.suggestions;
                wrong.extend(offers.is_empty().then(|| format!("{words}: nothing is offered")));
                let bad = |offer: &&String| !plan_words(offer, &session).unclear.is_empty();
                wrong.extend(offers.iter().filter(bad).map(|offer| format!("{words}: {offer}")));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// The same for the other tables, each line in the session that it is about.
#[test]
fn every_offer_is_understood_where_it_is_made() {
    let tables = [
        include_str!("sound.txt").to_owned(),
        include_str!("desk.txt").to_owned(),
        include_str!("tone.txt").to_owned(),
        include_str!("plain.txt").to_owned(),
        include_str!("everyday.txt").to_owned(),
        include_str!("held_out.txt").to_owned(),
        of_variant("spoken", include_str!("words.txt")),
        of_variant("laid", include_str!("edit.txt")),
    ];
    let mut wrong = Vec::new();
    for line in tables.iter().flat_map(|table| table.lines()) {
        let (left, right) = line.split_once("=>").unwrap_or_default();
        if !right.contains("unclear") || left.starts_with('#') {
            continue;
        }
        let variant = left.strip_prefix('{').and_then(|rest| rest.split_once("} "));
        let (session, words) = match variant {
            Some((name, words)) => (fixture::variant(name), words.trim()),
            None => (fixture::session(), left.trim()),
        };
        for offer in plan_words(words, &session).unclear.iter().flat_map(|it| &it.suggestions) {
            let reading = plan_words(offer, &session);
            let is_good = reading.unclear.is_empty() && !reading.understood.is_empty();
            wrong.extend((!is_good).then(|| format!("{words}: {offer}")));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn what_is_offered_is_about_tracks_by_their_names() {
    let session = fixture::verbs();
    let found = offers("make it nicer", &session);
    let clearer = ["show", "guest", "bass"].map(|name| format!("make {name} clearer"));
    assert_eq!(found[..3], clearer, "{found:?}");
    let levels = offers("normalize the dialogue", &session);
    assert_eq!(levels[0], "normalize the dialogue to -16 LUFS", "{levels:?}");
    let selected = offers("make it nicer", &fixture::session());
    assert!(selected.iter().all(|offer| !offer.contains(" it ")), "{selected:?}");
}

/// What is offered for words, in their order.
fn offers(words: &str, session: &Session) -> Vec<String> {
    let unclear = plan_words(words, session).unclear;
    unclear.into_iter().flat_map(|part| part.suggestions).collect()
}

#[test]
fn of_codes_of_one_name_each_is_offered() {
    let session = fixture::variant("fires");
    let words = "merge Fire into Budget";
    let unclear = plan_words(words, &session).unclear;
    assert_eq!(unclear[0].reason, "2 codes are called \"Fire\": \"Fire\" and \"Budget/Fire\"");
    let ids = session.codes.iter().filter(|(_, code)| code.name == "Fire" && code.parent.is_none());
    let top = ids.map(|(id, _)| format!("merge \"{id}\" into Budget")).next().unwrap();
    assert_eq!(offers(words, &session), [top, "merge Budget/Fire into Budget".to_owned()]);
}

#[test]
fn of_phrases_that_say_the_same_each_is_offered() {
    let found = offers("remove the budget", &fixture::variant("laid"));
    assert_eq!(found.len(), 2, "{found:?}");
    let is_one = |offer: &String| offer.starts_with("remove ") && offer.contains("budget");
    assert!(found.iter().all(is_one), "{found:?}");
}

/// The words of a warning are about a plan that is there: other edits that share some of them are none of its business.
#[test]
fn who_wants_a_plan_revised_is_offered_what_can_be_done_about_it() {
    let words = "Revise plan 14: the highest peaks are cut by 6.7 dB, which is heard: compress or \
                 lower single tracks first";
    let found = offers(words, &fixture::session());
    assert_eq!(found[0], "what's loudest?", "{found:?}");
    let edits = ["split ", "trim ", "cut ", "ripple ", "pan ", "fade "];
    let is_edit = |offer: &String| edits.iter().any(|verb| offer.starts_with(verb));
    assert!(!found.iter().any(is_edit), "{found:?}");
}

#[test]
fn nothing_is_offered_to_be_removed_that_was_not_named() {
    for words in ["remove the mud", "delete the swear words"] {
        let found = offers(words, &fixture::verbs());
        assert!(!found.iter().any(|offer| offer.starts_with("remove ")), "{words}: {found:?}");
    }
}

#[test]
fn who_speaks_on_a_track_is_told_from_what_is_called_so() {
    let mut session = fixture::variant("single-said");
    session.segments.values_mut().for_each(|segment| segment.speaker = Some("Anna".into()));
    let words = "move Anna to 0:10";
    let unclear = plan_words(words, &session).unclear;
    let told = "\"Anna\" is who speaks on Talk, and no track is called so";
    assert_eq!(unclear[0].reason, told);
    let found = offers(words, &session);
    assert!(!found.is_empty(), "{found:?}");
}

#[test]
fn what_is_offered_names_times_that_are_there() {
    let session = fixture::verbs();
    let split = offers("split the guest", &session);
    let is_there = |offer: &String| offer.starts_with("split ") && offer.ends_with(" at 0:15");
    assert!(split.iter().any(is_there), "{split:?}");
    let moved = offers("move the guest", &session);
    assert!(moved.iter().any(|offer| offer.ends_with(" to 0:15")), "{moved:?}");
    for offer in split.iter().chain(&moved) {
        assert!(!offer.contains("0:45") && !offer.contains("1:30"), "{offer}");
    }
    let said = offers("cut from 1:00 to 1:30", &session);
    assert_eq!(said[0], "ripple delete from 1:00 to 1:30 on all tracks", "as it was asked");
}

#[test]
fn a_name_alone_is_not_offered() {
    let mut session = fixture::verbs();
    let id = session.track_order[1];
    session.tracks.get_mut(&id).unwrap().name = "show (assembly)".into();
    let found = offers("flibber the wobble", &session);
    assert!(!found.iter().any(|offer| offer == "show (assembly)"), "{found:?}");
}

/// What is offered instead must be understood itself.
#[test]
fn every_example_is_understood() {
    for example in examples() {
        let reading = plan_words(example, &fixture::session());
        assert!(reading.unclear.is_empty(), "{example}: {:?}", reading.unclear);
    }
}

/// Who forbids something or is afraid of it is never offered to remove anything.
#[test]
fn the_worried_are_not_offered_to_remove() {
    let phrases = [
        "don't delete anything",
        "never remove a clip",
        "please don't delete the vocals",
        "delete take 9 but don't delete anything else",
        "careful, do not cut the interview",
        "I'm worried you will ripple delete something",
        "don't strip the silence",
    ];
    for words in phrases {
        let reading = plan_words(words, &fixture::session());
        assert!(!reading.unclear.is_empty(), "{words}");
        for offer in reading.unclear.iter().flat_map(|part| &part.suggestions) {
            let removes = ["delete", "remove", "strip", "trim"];
            let removes = removes.iter().any(|verb| offer.contains(verb));
            assert!(!removes, "{words}: {offer}");
        }
    }
}

/// Who removes something that is not told is shown what there is, and is asked no "remove the guest".
#[test]
fn nothing_is_offered_to_go_where_nothing_was_named() {
    let nameless = ["remove it", "delete", "delete all markers", "cut the question"];
    for words in nameless.into_iter().chain(["don't cut the ums"]) {
        let found = offers(words, &fixture::verbs());
        let removes = ["remove ", "delete ", "ripple delete ", "trim ", "cut "];
        let is_one = |offer: &&String| removes.iter().any(|verb| offer.starts_with(verb));
        assert!(!found.is_empty(), "{words}");
        assert_eq!(found.iter().find(is_one), None, "{words}: {found:?}");
    }
}

#[test]
fn a_word_is_offered_to_be_cut_where_it_is_heard() {
    let found = offers("remove the word money", &fixture::variant("laid"));
    assert!(found.contains(&"search for \"money\"".to_owned()), "{found:?}");
    assert!(found.iter().any(|offer| offer.starts_with("ripple delete from ")), "{found:?}");
    let nowhere = offers("remove the word zebra", &fixture::variant("laid"));
    assert_eq!(nowhere, ["search for \"zebra\""]);
}
