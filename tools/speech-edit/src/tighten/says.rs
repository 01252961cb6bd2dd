//! How people ask for talk to be tightened: the ums, the false starts, the long pauses.

use deskhand_session::intent::{Intent, Kinds, Slot};

/// A pause is long from here on where nothing else is said, in seconds.
const LONG_PAUSE: f64 = 1.0;

/// Words for all that is said, after these prepositions.
const TALK: &str = "whole edit | in:whole edit | from:whole edit | production | in:production | from:production | \
                    of:production";

const CUT: &str = "tidy up | remove | cut | drop | strip | clean | take+out | cut+out | get+out | fix | trim | \
                   trim+out | no more | find | list | where | how many | does | is it | replace";

/// `tool_tighten`.
// tidy: table
pub(super) fn says() -> Vec<Intent> {
    let pause = "long pause | pause";
    let between = "between:sentence | between:word | between:phrase";
    let to = || Slot::of("pause_to_s").preps("- | to | at most | until | below");
    let stumbles = Intent::verbs("cut | remove")
        .about("where | everywhere")
        .about("false start")
        .also("anyone");
    vec![
        habits(Intent::verbs(CUT)),
        habits(Intent::verbs(CUT).slot(over().nouns(pause))),
        talk(stumbles.sets("fillers", false).sets("false_starts", true)),
        pauses(
            Intent::verbs(
                "trim | tighten | lower | limit | cut | set | make | leave | compress | close gaps | bring",
            )
            .about(pause)
            .also("down")
            .slot(over())
            .slot(to()),
        )
        .needs("pauses_longer_than_s | pause_to_s"),
        pauses(Intent::verbs("trim | tighten | lower").about("silence").slot(over()).slot(to())).needs("pause_to_s"),
        pauses(Intent::verbs("trim | tighten | lower | compress").about(pause)),
        pauses(Intent::verbs("remove | cut | drop").about("long pause")),
        pauses(Intent::verbs("no pauses").slot(to().preps("- | longer than | over | above"))).needs("pause_to_s"),
        pauses(Intent::verbs("leave | keep").about(between).slot(to())).needs("pause_to_s"),
        pauses(Intent::verbs("close gaps").about(between)),
        // Beside another request it is how silence is stripped.
        pauses(Intent::verbs("close gaps")).or_everything_later(),
        pauses(Intent::default().about("long pause").slot(to())).needs("pause_to_s"),
        // Where nothing is laid out, it is how silence is stripped.
        pauses(Intent::verbs("remove | cut | trim | take+out | get+out | drop").about("dead air")).in_edit(),
        pauses(Intent::verbs("remove | cut | trim | take+out | get+out | drop").about("pause | silence").slot(over()))
            .needs("pauses_longer_than_s")
            .in_edit(),
        Intent::verbs("remove | cut | take+out | get+out | trim | drop")
            .about("other filler")
            .also("every")
            .needs("fillers")
            .lacks(
                "um, uh, er and hmm are cut as fillers; other words also mean something, so each is cut by you where it \
                 is said",
                "cut the ums | remove the false starts | search for \"like\"",
            ),
        Intent::verbs("room tone | with:room tone")
            .also("fill | pause | silence | add | put | use | replace | between:cut | between:phrase | in:pause")
            .needs("fillers")
            .lacks(
                "room tone is put where fillers are cut, so that the timing stays",
                "cut the ums and fill with room tone",
            ),
        talk(Intent::verbs("tighten").also("a bit | some | up")),
        talk(Intent::verbs("tighten").about("keep pauses").sets("fillers", true).sets("false_starts", true)),
    ]
}

fn over() -> Slot {
    Slot::of("pauses_longer_than_s").preps("longer than | over | above")
}

fn talk(intent: Intent) -> Intent {
    intent.also(TALK).on(Kinds::Sound).or_all()
}

/// Fillers, false starts, or both; with the long pauses where they are listed.
fn habits(intent: Intent) -> Intent {
    intent
        .flag("filler", "fillers", true)
        .flag("false start", "false_starts", true)
        .flag("room tone | keep timing", "room_tone", true)
        .flag("long pause | pause | silence", "pauses_longer_than_s", LONG_PAUSE)
        .also("every | filler | false start | out | keep pauses | ask | track | in sync")
        .also(TALK)
        .needs("fillers | false_starts")
        .sets("fillers", false)
        .sets("false_starts", false)
        // "the ums and the drums" lists what is cut, and says nowhere.
        .named("targets", "on | of | in | for | from", Kinds::Sound)
        .or_all()
}

fn pauses(intent: Intent) -> Intent {
    let between = "every | between:sentence | between:word | between:phrase";
    talk(intent.also(between).sets("fillers", false).sets("false_starts", false))
}
