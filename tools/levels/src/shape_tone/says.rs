//! How people ask for another tone: as a wish, "make it warmer", or as a complaint, "the vocals are too boomy".

use deskhand_session::intent::{Intent, Kinds};

/// What is wished for, with its direction.
const WISHES: [(&str, &str); 11] = [
    ("warmer", "warmer"),
    ("brighter", "brighter"),
    ("clearer", "clearer"),
    ("punchier", "punchier"),
    ("fuller", "fuller"),
    ("darker", "darker"),
    ("less boomy", "less_boomy"),
    ("less muddy", "less_muddy"),
    ("less boxy", "less_boxy"),
    ("less nasal", "less_nasal"),
    ("less harsh", "less_harsh"),
];
/// What is complained of, with the direction that helps.
const FLAWS: [(&str, &str); 11] = [
    ("cold", "warmer"),
    ("dull", "brighter"),
    ("unclear", "clearer"),
    ("limp", "punchier"),
    ("thin", "fuller"),
    ("too bright", "darker"),
    ("boomy", "less_boomy"),
    ("muddy", "less_muddy"),
    ("boxy", "less_boxy"),
    ("nasal", "less_nasal"),
    ("harsh", "less_harsh"),
];
/// Things that are lowered, by what they are called.
const THINGS: [(&str, &str); 2] = [("nasality", "less_nasal"), ("harshness", "less_harsh")];
/// Things that lack, by what they are called.
const LACKING: [(&str, &str); 5] = [
    ("warmth", "warmer"),
    ("highs", "brighter"),
    ("presence", "clearer"),
    ("lows", "fuller"),
    ("punchier", "punchier"),
];
/// Things of which there is too much.
const TOO_MUCH: [(&str, &str); 5] = [
    ("lows", "less_boomy"),
    ("mud", "less_muddy"),
    ("highs", "darker"),
    ("nasality", "less_nasal"),
    ("harshness", "less_harsh"),
];
/// Verbs that do one thing.
const VERBS: [(&str, &str); 3] =
    [("brighten", "brighter"), ("warm", "warmer"), ("thicken", "fuller")];

pub(super) fn says() -> Vec<Intent> {
    let wish = Intent::verbs("make | get | want | have | give | add | put | bring | turn");
    let wish = directed(wish.also("sound | more | some"), &WISHES);
    let alone = directed(Intent::default().also("more"), &WISHES);
    let flaw = directed(Intent::default().also("is so | sound | too"), &FLAWS);
    let thing = "remove | lower | cut | tame | take+out | take | drop | fix | smooth";
    let thing = directed(Intent::verbs(thing).also("some | out"), &THINGS);
    let lacking = directed(Intent::default().about("lacking").also("there is"), &LACKING);
    let too_much = directed(Intent::default().about("a lot").also("there is"), &TOO_MUCH);
    let verbs =
        VERBS.map(|(verb, direction)| Intent::verbs(verb).also("up").sets("direction", direction));
    let all = [wish, alone, flaw, thing, lacking, too_much].into_iter().chain(verbs);
    all.map(|it| on(much(it))).collect()
}

/// With the words for each direction, of which one must be said.
fn directed(intent: Intent, words: &[(&str, &str)]) -> Intent {
    let flag =
        |it: Intent, (word, direction): &(&str, &str)| it.flag(word, "direction", *direction);
    words.iter().fold(intent, flag).needs("direction")
}

/// With the words for how much.
fn much(intent: Intent) -> Intent {
    let intent = intent.flag("a bit | a hair | gently", "amount", "subtle");
    intent.flag("a lot | heavily", "amount", "strong")
}

/// Where nothing is named or selected, the mix is meant.
fn on(intent: Intent) -> Intent {
    let preps = "- | on | of | in | for | to | from";
    intent.named("targets", preps, Kinds::TracksOrMix).or_everything()
}
