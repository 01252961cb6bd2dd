//! Prompts for the common jobs.

use deskhand_protocol::clean::clean;
use rmcp::model::{
    ErrorData, GetPromptResult, JsonObject, Prompt, PromptArgument, PromptMessage, Role,
};

/// A job, in words for a model.
struct Job {
    name: &'static str,
    title: &'static str,
    description: &'static str,
    /// Name, description, default value.
    arguments: &'static [(&'static str, &'static str, &'static str)],
    words: &'static str,
}

const JOBS: [Job; 3] = [
    Job {
        name: "podcast",
        title: "Finish a podcast",
        description: "Remove long silences from speech, level it, and deliver at a loudness",
        arguments: &[
            ("target_lufs", "Loudness of the mix in LUFS", "-16"),
            ("speech", "Which tracks are speech", "every track that holds speech"),
        ],
        words: "Finish this podcast. Speech is on: {speech}. Go step by step, one plan at a time, and wait \
                for my decision on each (wait_for_decision):\n\
                1. get_session and tool_measure on the tracks: tell me the levels and anything unusual.\n\
                2. tool_strip_silence on speech, if there are silences longer than 1.5 s; grouped tracks \
                together.\n\
                3. tool_normalize the speech clips to one loudness, then tool_gain_stage music below it.\n\
                4. tool_fades where edges click.\n\
                5. tool_normalize the mix to {target_lufs} LUFS with a true peak of at most -1 dBTP.\n\
                After each step report the values that the receipt measured, not the planned ones.",
    },
    Job {
        name: "rough_mix",
        title: "Rough mix from stems",
        description: "Name, gain-stage and balance tracks, with headroom on the mix",
        arguments: &[("lead", "The track that leads", "the lead vocal, or the most similar track")],
        words: "Make a rough mix of these stems. The lead is: {lead}. One plan at a time, and wait for my \
                decision on each (wait_for_decision):\n\
                1. get_session and tool_measure on all tracks: tell me the tracks and anything unusual.\n\
                2. tool_rename_tracks, if names are unclear (find it with search_tools).\n\
                3. tool_gain_stage all tracks to -18 dBFS RMS.\n\
                4. Balance with cmd_set_track_gain: the lead on top, the others 2 to 6 dB below; give \
                the reason for each.\n\
                5. Pan doubled parts; keep bass, kick and the lead in the middle.\n\
                6. tool_measure the mix: leave at least 3 dB of headroom to full scale.\n\
                Name everything that you cannot hear or know.",
    },
    Job {
        name: "loudness_delivery",
        title: "Deliver at a loudness",
        description: "Measure the mix, bring it to a standard, and render it",
        arguments: &[(
            "standard",
            "ebu_r128 (-23 LUFS, -1 dBTP), atsc_a85 (-24, -2), streaming (-14, -1), podcast (-16, -1)",
            "ebu_r128",
        )],
        words: "Deliver this session at: {standard} (ebu_r128 is -23 LUFS and at most -1 dBTP, atsc_a85 -24 \
                and -2, streaming -14 and -1, podcast -16 and -1).\n\
                1. tool_measure the mix: integrated loudness, range, true peak; say how far they are off.\n\
                2. tool_normalize the mix to the target with its ceiling; wait for my decision \
                (wait_for_decision).\n\
                3. Say from the receipt whether it is within 0.1 LU and below the ceiling.\n\
                4. cmd_render it; that needs my decision too.",
    },
];

/// What can be asked for.
pub(crate) fn list() -> Vec<Prompt> {
    let argument = |(name, words, usual): &(&str, &str, &str)| {
        let words = format!("{words}; {usual} when nothing is said");
        PromptArgument::new(*name).with_description(words).with_required(false)
    };
    let prompt = |job: &Job| {
        let arguments = job.arguments.iter().map(argument).collect();
        Prompt::new(job.name, Some(job.description), Some(arguments)).with_title(job.title)
    };
    JOBS.iter().map(prompt).collect()
}

/// The words of a job, with its arguments.
pub(crate) fn get(name: &str, given: Option<&JsonObject>) -> Result<GetPromptResult, ErrorData> {
    let job = JOBS.iter().find(|job| job.name == name).ok_or_else(|| {
        let names: Vec<&str> = JOBS.iter().map(|job| job.name).collect();
        let message = format!(
            "there is no prompt \"{}\"; ask for one of {}",
            clean(name, 80),
            names.join(", ")
        );
        ErrorData::invalid_params(message, None)
    })?;
    let mut words = job.words.to_owned();
    for (argument, _, usual) in job.arguments {
        let value = given.and_then(|given| given.get(*argument)).and_then(|value| value.as_str());
        words = words.replace(&format!("{{{argument}}}"), &clean(value.unwrap_or(usual), 200));
    }
    let message = PromptMessage::new_text(Role::User, words);
    Ok(GetPromptResult::new(vec![message]).with_description(job.description))
}

/// Values of an argument that begin like `typed`.
pub(crate) fn complete(prompt: &str, argument: &str, typed: &str) -> Vec<String> {
    let known: &[&str] = match (prompt, argument) {
        ("loudness_delivery", "standard") => &["atsc_a85", "ebu_r128", "podcast", "streaming"],
        ("podcast", "target_lufs") => &["-16", "-19", "-14", "-23"],
        _ => &[],
    };
    known.iter().filter(|word| word.starts_with(typed)).map(|word| (*word).to_owned()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_argument_stands_in_its_words() {
        for job in &JOBS {
            for (argument, _, usual) in job.arguments {
                assert!(job.words.contains(&format!("{{{argument}}}")), "{}: {argument}", job.name);
                let result = get(job.name, None).unwrap();
                let text = result.messages[0].content.as_text().unwrap();
                assert!(text.text.contains(usual) && !text.text.contains('{'));
            }
        }
        let given = serde_json::json!({"standard": "pod\u{202e}cast"});
        let result = get("loudness_delivery", given.as_object()).unwrap();
        assert!(
            result.messages[0]
                .content
                .as_text()
                .unwrap()
                .text
                .starts_with("Deliver this session at: podcast")
        );
        assert!(get("dance", None).unwrap_err().message.contains("podcast, rough_mix"));
    }
}
