//! How people ask for a level.

use deskhand_session::intent::{Intent, Kinds, Slot, Unit};
use serde_json::json;

/// Every way to ask for it: of tracks and clips, and of the mix.
pub(super) fn all() -> Vec<Intent> {
    let of_mix = |it: Intent| {
        it.sets("per", "mix").sets("targets", "all").named("mix", "- | of | for | on", Kinds::Mix)
    };
    let of_sound = |it: Intent| {
        let each = it.flag("per track", "per", "track").also("per clip");
        each.each_track("per", "track").or_everything().on(Kinds::Sound)
    };
    let nowhere = Intent::verbs("normalize").needs("target_lufs").on(Kinds::Sound).lacks(
        "it does not say to which level",
        "to -16 LUFS | to -23 LUFS | to -14 LUFS | to -1 dBTP",
    );
    let levels = levels().into_iter().flat_map(|it| [of_mix(it.clone()), of_sound(it)]);
    levels.chain([nowhere]).collect()
}

/// The verb says that a level is meant, or the unit does.
fn levels() -> Vec<Intent> {
    let plainly = || Intent::verbs("normalize");
    let light = || Intent::verbs("bring | get | set | make | put | sit | want");
    let loudness = Slot::of("target_lufs");
    let bare = loudness.clone().bare(-40.0, -9.0);
    let peak = |param: &str, unit: Unit, nouns: &str| {
        Slot::of(param).unit(unit).unit(Unit::Db).bare(-60.0, 0.0).nouns(nouns)
    };
    vec![
        loud(plainly().slot(bare)),
        loud(light().slot(loudness.clone())),
        loud(Intent::verbs("level").about("together").slot(loudness)).sets("together", true),
        plainly().slot(Slot::of("target_dbtp")).needs("target_dbtp"),
        plainly().slot(peak("target_dbtp", Unit::Dbtp, "true peak")).needs("target_dbtp"),
        plainly().slot(Slot::of("target_dbfs")).needs("target_dbfs"),
        plainly().slot(peak("target_dbfs", Unit::Dbfs, "sample peak | peak")).needs("target_dbfs"),
        Intent::verbs("peak normalize").slot(Slot::of("target_dbfs")).needs("target_dbfs"),
        plainly().slot(Slot::of("target_rms_dbfs")).needs("target_rms_dbfs"),
        plainly().slot(peak("target_rms_dbfs", Unit::Dbfs, "rms")).needs("target_rms_dbfs"),
    ]
    .into_iter()
    .map(|it| it.flag("together", "together", true))
    .collect()
}

/// A loudness, with a ceiling for the true peak; standards have both.
fn loud(intent: Intent) -> Intent {
    let ceiling = || Slot::of("ceiling_dbtp").unit(Unit::Dbtp);
    let limit = ceiling().unit(Unit::Db).bare(-20.0, 0.0);
    let standards = [
        ("podcast", -16.0, -1.0),
        ("broadcast", -23.0, -1.0),
        ("streaming", -14.0, -1.0),
        ("atsc", -24.0, -2.0),
    ];
    let intent = standards.iter().fold(intent, |it, (name, lufs, dbtp)| {
        it.flags(name, &[("target_lufs", json!(lufs)), ("ceiling_dbtp", json!(dbtp))])
    });
    let intent = intent.also("up | down | loudness | level | integrated | standard");
    let named = limit.clone().nouns("ceiling | true peak | peak");
    let intent = intent.slot(named).slot(limit.preps("at most | below"));
    intent.slot(ceiling()).needs("target_lufs")
}
