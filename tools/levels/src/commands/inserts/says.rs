//! How people ask for processors, and for the bands of an equalizer.

use deskhand_session::intent::{Intent, Kinds, Slot, Unit};

/// What a processor is on.
const ON: &str = "- | on | to | of | in | from | for";
/// Verbs that say little by themselves.
const PUT: &str = "put | add | make | use | apply | give | want | create | set | get";
/// Nouns for the kinds of processors, and verbs that ask for one.
const KINDS: [(&str, &str, Option<&str>); 5] = [
    ("equalizer", "equalizer", None),
    ("compressor", "compressor", Some("compress")),
    ("de esser", "de_esser", Some("de ess")),
    ("gate", "gate", Some("gate")),
    ("limiter", "limiter", Some("limit")),
];
const HZ: &str = "effect.bands.0.frequency_hz";
const GAIN: &str = "effect.bands.0.gain";
const SHAPE: &str = "effect.bands.0.shape";
/// Parts of the spectrum, with the band that changes each.
const ZONES: [(&str, &str, f64); 5] = [
    ("highs", "high_shelf", 8_000.0),
    ("presence", "bell", 4_000.0),
    ("mids", "bell", 1_000.0),
    ("mud", "bell", 300.0),
    ("lows", "low_shelf", 120.0),
];
/// Where a low cut is if nobody says where: below every voice, in Hz.
const USUAL_LOW_CUT: f64 = 80.0;
/// The change of a part of the spectrum if nobody says how much, in dB.
const SOME_DB: f64 = 3.0;

/// A new processor, or a band.
pub(super) fn set() -> Vec<Intent> {
    let kinds = KINDS.into_iter().flat_map(|(noun, kind, verb)| {
        let ways = [Some(Intent::verbs(PUT).about(noun)), verb.map(Intent::verbs)];
        ways.into_iter().flatten().map(move |it| on(settings(it.sets("effect.kind", kind), kind)))
    });
    kinds.chain(bands()).chain(cuts()).chain(sibilant()).chain([unknown()]).collect()
}

/// What a de-esser helps against: "the host is too sibilant", "tame the esses".
fn sibilant() -> [Intent; 3] {
    let remove = "remove | lower | cut | tame | take+out | take | drop | fix | smooth";
    let flaw = Intent::default().about("sibilant").also("is so | sound | too | a bit");
    let wish = Intent::verbs("make | get | want").about("less sibilant").also("sound | a bit");
    let thing = Intent::verbs(remove).about("sibilance").also("some | out | a bit");
    [flaw, wish, thing].map(|it| on(it.sets("effect.kind", "de_esser")))
}

/// One that is there: `KINDS` by its noun.
pub(super) fn existing(verbs: &str) -> Intent {
    let named = |it: Intent, (noun, kind, _): (&str, &str, _)| it.flag(noun, "insert", kind);
    on(KINDS.into_iter().fold(Intent::verbs(verbs), named).also("off | back").needs("insert"))
}

/// All that are there.
pub(super) fn remove_all() -> Intent {
    on(Intent::verbs("remove | take+off | take+out").about("effect").also("off | every"))
}

fn on(intent: Intent) -> Intent {
    intent.named("on", ON, Kinds::EachChannel)
}

/// The settings that are said with a kind of processor.
fn settings(intent: Intent, kind: &str) -> Intent {
    let level = |param: &str, least: f64| {
        let slot = Slot::of(param).unit(Unit::Db).unit(Unit::Dbfs).unit(Unit::Dbtp);
        slot.bare(least, 0.0)
    };
    let threshold = || level("effect.threshold", -90.0);
    match kind {
        "compressor" => intent
            .slot(Slot::of("effect.ratio").preps("- | with | at | by | of | to"))
            .slot(threshold().nouns("threshold"))
            .slot(threshold().preps("at | below"))
            .also("ratio | with:ratio | at:ratio")
            .flag("gently | a bit", "effect.ratio", 2.0)
            .flag("heavily | a lot | hard", "effect.ratio", 6.0),
        "gate" => {
            intent.slot(threshold().nouns("threshold")).slot(threshold().preps("at | below | to"))
        }
        "limiter" => {
            let ceiling = || level("effect.ceiling", -30.0);
            let intent = intent.slot(ceiling().nouns("ceiling"));
            intent.slot(ceiling().preps("at | to | at most | with"))
        }
        "de_esser" => {
            intent.slot(Slot::of("effect.frequency_hz").preps("at | around")).also("gently | a bit")
        }
        _ => intent,
    }
}

/// Other processors that people know.
fn unknown() -> Intent {
    on(Intent::verbs(PUT).about("other effect").also("some").needs("insert")).lacks(
        "there is no such processor here: equalizers, compressors, de-essers, gates and limiters are",
        "put a compressor on the vocals | put an equalizer on the bass | put a limiter on the mix",
    )
}

/// A bell at a frequency, or a change of a part of the spectrum.
fn bands() -> [Intent; 4] {
    let verbs = "raise | lower | cut | drop | add | give | put | take+off | take+out | take | remove \
                 | eq | roll off | tame | make | bring | turn";
    let gain = || {
        let up = "raise | add | give | up | boost | more | louder";
        let down =
            "lower | cut | drop | take | remove | down | off | roll off | tame | less | quieter";
        let slot = Slot::of(GAIN).unit(Unit::Db).preps("- | by | of").signed_by(up, down);
        slot.value("some | a bit | a hair", SOME_DB)
    };
    let bell = |it: Intent, gain: Slot| {
        let it = it.slot(gain).slot(Slot::of(HZ).preps("at | around | -")).needs(HZ).needs(GAIN);
        band(it, "bell").sets("effect.bands.0.q", 1.0)
    };
    let zone = |it: Intent| {
        let it = ZONES.into_iter().fold(it, |it, (word, shape, hz)| {
            it.flags(word, &[(SHAPE, shape.into()), (HZ, hz.into())])
        });
        let it = it.also("out | in").slot(gain().unsaid(SOME_DB)).needs(HZ);
        on(it.sets("effect.kind", "equalizer").sets("effect.bands.0.q", 0.7))
    };
    let also = "boost | out | equalizer | with:equalizer | mud | highs | lows | mids | presence";
    [
        bell(Intent::verbs(verbs).also(also), gain()),
        // "eq the kick: +3 dB at 60 Hz".
        bell(Intent::verbs("eq"), Slot::of(GAIN).unit(Unit::Db).preps("- | by")),
        zone(Intent::verbs(verbs)),
        zone(Intent::default().about("more | less").also("make | get")),
    ]
}

fn band(intent: Intent, shape: &str) -> Intent {
    on(intent.sets("effect.kind", "equalizer").sets(SHAPE, shape))
}

/// Everything below or above a frequency, or just there, is taken away.
fn cuts() -> Vec<Intent> {
    let anywhere = "at | around | below | above | over | -";
    let put = |noun: &str| Intent::verbs("put | add | use | give | make | apply").about(noun);
    let cut = || Intent::verbs("cut | roll off | remove").also("out");
    let all = |it: Intent| it.named("all", "-", Kinds::AllOfMix);
    let at = |it: Intent, shape: &str, preps: &str| {
        let slot = Slot::of(HZ).preps(preps).bare(10.0, 24_000.0);
        band(it.slot(slot).needs(HZ), shape)
    };
    let low = |it: Intent, preps: &str| at(it, "low_cut", preps).sets("existing", "set");
    let usual = |it: Intent| band(it, "low_cut").sets(HZ, USUAL_LOW_CUT).sets("existing", "refuse");
    let rumble = "remove | cut | lower | take+out | get+out | roll off | clean";
    vec![
        low(Intent::verbs("high pass"), anywhere),
        low(put("low cut"), anywhere),
        low(cut().also("lows | rumble"), "below"),
        low(all(cut()), "below"),
        usual(Intent::verbs("high pass")),
        usual(put("low cut")),
        usual(Intent::verbs(rumble).about("rumble").also("out | lows")),
        at(Intent::verbs("low pass"), "high_cut", anywhere),
        at(put("high cut"), "high_cut", anywhere),
        at(cut().also("highs"), "high_cut", "above | over"),
        at(all(cut()), "high_cut", "above | over"),
        at(Intent::verbs("notch"), "notch", "at | around | -"),
    ]
}
