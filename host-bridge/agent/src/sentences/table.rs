//! What can be said, as data: each kind of sentence with its patterns. The first that fits wins.

use super::Job;
use super::advice::Advice;

/// The patterns; [`super::pattern`] says how they are read. Slots: `on` tracks, clips or sources; `who` somebody;
/// `text` words; `code` and `into` codes; `p`, `q` and `r` phrases, the last
/// only where it is called one; `n` and `m` numbers; `from` and `to` times. Behind the sentences that code what is said
/// [`super::within::WITHIN`] may stand, with `place` and `without`: names of what was recorded.
// tidy: table
#[rustfmt::skip]
pub(super) const TABLE: &[(Job, &[&str])] = &[
    // What is said.
    (Job::Transcript, &[
        "show|read|print|display|see [me] the? transcript|transcripts|transcription|text|words", "what is|was said",
        "what do|does|did he|she|they|we|i|you|people|anybody|anyone|everybody|everyone|somebody|the_speaker|the_speakers say",
    ]),
    (Job::TranscribeVerbatim, &[
        "transcribe {on} verbatim|word_for_word", "transcribe {on} with|including all? the? {fillers}",
        "write_down {on} verbatim|word_for_word", "write_down all? the? {fillers} [in|of|on {on}]",
    ]),
    (Job::TranscribeAgain, &[
        "transcribe {on} again [in {language}]", "transcribe again {on}", "retranscribe|re_transcribe {on}",
        "listen_to {on} again",
    ]),
    (Job::Transcribe, &[
        "transcribe in {language}", "transcribe {on} in {language}", "transcribe {on}", "make|get|create a? transcript|transcripts|transcription of {on}",
        "write_down|type_out what is|was said in|on {on}", "write_down|type_out what {on} says|say",
        "write_down|type_out {on}", "turn {on} into text", "what do|does {on} say",
    ]),
    (Job::ImportTranscript, &[
        "import|load|read the? transcript|subtitles|captions {file} for|of|to|into|onto|on {on}",
        "use {file} as the? transcript of|for {on}",
    ]),
    (Job::ExportTranscript, &[
        "export|save|write the? transcript|transcription|subtitles|captions of|for {on} as|in|to a|an? {format}",
        "export|save|write the? transcript|transcription|subtitles|captions as|in|to a|an? {format}",
        "export|save the? transcript|transcription|subtitles|captions [of|for {on}]",
        "make|create {format} subtitles|captions [of|for|from {on}]", "export|save|write a? {subtitles} file? [for|of|from {on}]",
    ]),
    (Job::Subtitles, &["make|create|write|generate the? subtitles|captions [of|for|from {on}]", "caption|subtitle {on}"]),
    (Job::MarkSpeakers, &[
        "mark|name|label|identify|find|detect the? speakers|voices by|from the? {format} [in|of|on {on}]",
        "mark|name|label|identify|find|detect the? speakers|voices [in|of|on {on}] [by|from the? {format}]",
        "tell the? speakers|voices apart [in|on {on}] [by the? {format}]",
        "diarize|diarise {on}", "separate the speakers in {on}",
    ]),
    (Job::Turns, &[
        "who speaks|talks|is_speaking|is_talking [when]", "who says what [when]", "when does who speak",
        "show|list the? turns|speakers", "who is in the? interview|recording|conversation",
    ]),
    (Job::DescribeSpeech, &[
        "describe the? speech|phrases|talk|delivery|speaking|voices [of|in|on {on}]", "describe how {on} sounds|sound|speaks|speak|talks|talk",
        "where do|does|did|is|are people|they|we|anybody|anyone|somebody|someone|everybody laugh|laughing",
        "find|show|mark|list [me] all? the? laughter|laughs|laughing [in|on {on}]",
        "who talks|talk|talked|speaks|speak over|across whom|who|anybody|anyone|each_other|the_other", "who interrupts whom|who|anybody|anyone",
        "find|show|list [me] all? the? interruptions|overlaps|overlapping_speech|crosstalk [in|on {on}]", "do|does they|people|the_speakers talk|speak over|across each_other", "do|does|did they|people|the_speakers interrupt each_other|anybody|anyone",
        "which phrases|lines|sentences are off_mic|off_the_mic|off_axis|off_microphone|talked_over|spoken_over|away_from_the_mic",
        "find|show|list [me] all? the? off_mic|off_axis phrases|lines|sentences [in|on {on}]",
        "how fast do|does {on} speak|talk", "what is the? pace|speech_rate|speaking_rate [of {on}]", "how many words per_minute|a_minute [do|does {on} speak|talk|say]",
    ]),
    (Job::Search, &[
        "find|show [me] [every|all|each] [the] place|places|spot|spots|moment|moments where {who} says|say|said|mentions|mention|mentioned {text}",
        "find|show [me] where {who} says|say|said|mentions|mention|mentioned|talks_about|talk_about|talked_about {text}",
        "where do|does|did|is|was {who} say|mention|talk_about|mentioned|saying {text}",
        "where is|was {text} said|mentioned", "find the word|words|phrase {text}", "find|search [for] {quote}",
        "jump|go|take_me to where {who} says|say|said|mentions|mentioned|talks_about {text}",
        "find every|all|each mention|mentions of {text}", "search the? transcript|transcripts for {text}",
        "search for {text} in|through the? transcript|transcripts|words|text|{on}", "search for {text}",
        "find {text} in the? transcript|transcripts|words|text", "who says|said|mentions|mentioned {text}",
        "does|did anyone|anybody|somebody|{who} say|mention|talk_about {text}", "what do|does|did {who} say about|on {text}",
    ]),
    // Codes.
    (Job::CodeSimilar, &[
        "code|mark|tag|label everything|anything|sentences|all_sentences|every_sentence like|similar_to|close_to {text} as|with {code}",
        "code|mark|tag|label everything|anything that|which sounds_like|is_like|is_similar_to {text} as|with {code}",
        "code|mark|tag|label what|whatever|all|everything that? sounds_like|is_like|is_similar_to|resembles {text} as|with {code}",
        "find words|sentences like {text} and code|mark|tag them as|with {code}",
    ]),
    (Job::CodeStart, &[
        "code|mark|tag|label every_word|all_words|words that start|starts|begin|begins with {text} as|with {code}",
        "code|mark|tag|label every_word|all_words|words starting|beginning with {text} as|with {code}",
    ]),
    (Job::CodeEnd, &[
        "code|mark|tag|label every_word|all_words|words that end|ends with|in {text} as|with {code}",
        "code|mark|tag|label every_word|all_words|words ending with|in {text} as|with {code}",
    ]),
    (Job::CodeQuestions, &[
        "code|mark|tag|label every|each|all|the? [the] question|questions [asked|that_is_asked|that_are_asked] as|with {code}",
        "code|mark|tag|label everything|whatever that? is? asked as|with {code}",
        "find every|each|all|the? question|questions and code|mark|tag|label it|them as|with {code}",
    ]),
    (Job::CodeSentences, &[
        "code|mark|tag|label everything|anything|all|whatever about|on|concerning {text} in|on {place} as|with {code}",
        "code|mark|tag|label everything|anything|all|whatever about|on|concerning {text} as|with {code}",
        "code|mark|tag|label every|each|all|the? sentence|sentences|passage|passages with|about|that_says|that_say|that_mentions|that_mention|containing {text} as|with {code}",
        "code|mark|tag|label everything|everywhere {who} says|say about {text} as|with {code}",
        "code|mark|tag|label everywhere|wherever|where {who} says|say|mentions|mention|talks_about|talk_about {text} as|with {code}",
    ]),
    (Job::CodeRegion, &[
        "code|tag|label {since} to|until|till {till} of|in|on {on} as|with {code}",
        "code|tag|label {on} from|between {since} to|until|till|and {till} as|with {code}",
        "code|tag|label from|between {since} to|until|till|and {till} of|in|on {on} as|with {code}",
        "code|tag|label from|between? {since} to|until|till|and {till} as|with {code}",
        "code|tag|label {span} of|in|on {on} as|with {code}", "code|tag|label {span} as|with {code}",
        "code|tag|label {on} as|with {code} from|between {since} to|until|till|and|- {till}",
    ]),
    (Job::CodeSentences, &["code|mark|tag|label what|everything|all that? is|was said about|on {text} [in|on {place}] as|with {code}"]),
    (Job::CodePhrase, &["code|tag|label {plain} as|with {code}", "mark {plain} as|with {known}"]),
    (Job::CodeSimilar, &["code|tag|label similar to|sentences_like|like {text} as|with {code}"]),
    (Job::Advice(Advice::CodeSpectral), &["code|tag|label the? spectrogram|spectrum {text} as|with {code}"]),
    (Job::CodeExact, &[
        "code|mark|tag|label every|all|each mention|mentions|occurrence|occurrences of {text} in|on {place} as|with {code}", "code|tag every|all|each|the [the] [word|words] {text} in|on {place} as|with {code}",
        "code every|all|each mention|mentions|occurrence|occurrences of {text} as|with {code}",
        "mark|tag|label every|all|each mention|mentions|occurrence|occurrences of {text} as|with {code}",
        "code|tag every|all|each|the [the] [word|words] {text} as|with {code}",
        "put the? code {code} on every|all|each {text}", "code {text} as|with {code}", "tag {text} as|with {code}",
    ]),
    (Job::NewCode, &[
        "make|add|create|new a? new? code called|named {code} under|below {into}",
        "make|add|create|new a? new? code {code} under|below {into}",
        "make|add|create|new a? new? code called|named {code}", "make|add|create|new a? new? code {code}",
        "add {code} to the codebook",
    ]),
    (Job::RenameCode, &["rename the? code {code} to|as {text}", "call the code {code} {text}", "rename {known} to|as {text}"]),
    (Job::DescribeCode, &["describe the? code {code} as {text}", "the? code {code} means {text}"]),
    (Job::MergeCodes, &[
        "merge the? code? {code} into|with the? code? {into}", "merge the? codes {code} and {into}",
        "fold the? code {code} into {into}",
    ]),
    (Job::MoveCode, &[
        "move|put the? code {code} under|below|beneath the? code? {into}",
        "make {code} a kind of {into}", "make {code} a child|subcode of {into}",
    ]),
    (Job::RemoveCode, &["delete|remove the? code {code}", "remove {code} from the codebook"]),
    (Job::Memo, &[
        "write|add|make|put a? memo|note on|to|about the? code? {code} that|saying {text}",
        "note on|about the? code? {code} that {text}",
    ]),
    (Job::Unimportant, &[
        "this|that|it|these is|are not important", "mark|flag this|that|it|these|them|the_selection as not_important|unimportant",
        "make this|that|it|these|them unimportant", "unstar|unflag this|that|it|these|them",
        "mark|flag from|between? {since} to|until|till|and|- {till} as not_important|unimportant", "mark|flag {span} as not_important|unimportant",
        "{p} is|are not important", "mark|flag {p} as not_important|unimportant", "make {p} unimportant|not_important", "unstar|unflag {p}",
    ]),
    (Job::Important, &[
        "this|that|it|these is|are important", "mark|flag this|that|it|these|them|the_selection|what_is_selected as? important",
        "mark|flag the_selected|these words|phrase|phrases|sentence|sentences|segment|segments as? important",
        "mark|flag this word|phrase|sentence|segment|passage|bit|part as? important",
        "make this|that|it|these|them important", "star this|that|it|these|them",
        "mark|flag|star from|between? {since} to|until|till|and|- {till} as? important", "mark|flag|star {span} as? important",
        "mark|flag|star the|what part|passage|bit|section|stretch|is_said from|between? {since} to|until|till|and|- {till} as? important",
        "mark|flag|star the|what part|passage|bit|section|stretch|is_said [from] {span} as? important", "[from|between] {since} to|until|till|and|- {till} is important", "{span} is important",
        "{p} is|are important", "mark|flag {p} as important", "make {p} important", "star|flag {p}",
    ]),
    (Job::CountCodes, &[
        "how often is|are each|every code|codes used", "how often are the codes used", "count the? codes|codings",
        "how many codes|codings|coded_segments are there", "report the? codes [by count]", "show|list the? codes|codebook",
        "which|what codes are there", "how often is|was {known} used|coded|tagged", "how many times is|was {known} used|coded|tagged",
    ]),
    (Job::CodesTogether, &[
        "[the] code? co_occurrence|cooccurrence|co_occurrences table|matrix",
        "which codes occur|appear|go|come together", "which codes co_occur|cooccur", "show the? code? co_occurrence|cooccurrence|co_occurrences [of codes]",
    ]),
    (Job::CodesOverlap, &["where do|does the? codes|codings|code|coded_segments overlap", "do the? codes|codings overlap [anywhere]", "[the] overlaps|overlap of the? codes|codings", "which codes|codings|coded_segments overlap", "show the? overlaps of codes", "show the? code overlaps"]),
    (Job::Quotes, &[
        "quote everything coded|tagged|marked as|with {code}", "show|list me? the? quotes for|of|under|coded {code}",
        "show|list|export the? quotes by code", "what is coded|tagged as|with {code}", "what was said about {code} by code",
        "show|list all|the? quotes",
    ]),
    (Job::Agreement, &[
        "[the] inter_coder|intercoder|inter_rater|coder agreement|reliability", "[the] cohen|cohens kappa", "[the] kappa [of the? coders]",
        "how well|far do the? coders agree", "do the? coders agree", "[the] agreement of|between the? coders|codings", "show the? agreement [of|between the? coders]",
        "what is the? kappa|cohens_kappa|agreement [of|between the? coders]",
    ]),
    (Job::ExportCodebook, &["export|save|write the? codebook [as|to qdc|refi_qda]", "export|save|write the? codebook to|as|into|in|called|named {new}"]),
    (Job::ImportCodebook, &["import|load|read the? codebook {file}"]),
    (Job::ExportProject, &[
        "export|save|write the? project|codings|coded_segments|codes as|to|for qdpx|refi_qda|refi|nvivo|atlas_ti|maxqda",
        "export|save|write the? codings|coded_segments|codes as|to a|an? qdpx|refi_qda|refi project",
    ]),
    // Takes.
    (Job::FindPhrases, &[
        "find|get|make|list_out the? phrases in|of|on|from {on}", "find|get|make the? phrases",
        "split|cut|break {on} into|in phrases|sentences", "lay_out the? phrases [of {on}]",
        "start|begin an? assembly|paper_edit [of|from|with {on}]", "assemble the? phrases|takes|sentences", "assemble {on}",
    ]),
    (Job::ListPhrases, &[
        "show|list the? phrases", "which|what phrases are there", "show|list the? assembly|paper_edit", "what is in the assembly",
        "in what|which order are the phrases",
    ]),
    (Job::FindDuplicates, &[
        "which|what takes|phrases|lines|sentences repeat|are_repeated|are_duplicates|are_retakes|are_the_same",
        "find|mark|show|detect the? retakes|repeats|repetitions|duplicates|doubles",
        "find|mark|show|detect the? repeated|duplicate|double takes|phrases|lines|sentences", "which|what takes|phrases|lines|sentences are double|doubled|duplicated|identical",
        "which|what phrases|lines|sentences are|is|were|was said|spoken|read|recorded twice|more_than_once|several_times|again", "[the] phrases|lines|sentences that_are|that_were|which_are? said|spoken|read twice|more_than_once|several_times",
        "what|which phrases|lines|sentences? do|does|did {who} say more_than_once|again|several_times", "what do|does|did {who} say twice",
        "what is|was said twice", "what do|did {who} say twice", "pick|choose|find the? best takes|take [of each|every phrase|line]",
        "is anything said twice", "which take is best|better", "which takes are best|better", "which is the best take",
    ]),
    (Job::KeepTake, &[
        "keep|use|take|prefer {p} instead_of|rather_than|over|not {q}", "replace {q} with|by {p}",
        "{p} is better than {q}",
    ]),
    (Job::SwapPhrases, &["swap|switch|exchange {p} and|with|for {q}", "swap|switch|exchange {p}"]),
    (Job::PhraseFirst, &[
        "put|move|play|place {p} first", "put|move|place {p} at|to the? start|beginning|front|top", "start|begin|open with {p}",
    ]),
    (Job::PhraseLast, &[
        "put|move|play|place {p} last", "put|move|place {p} at|to the? end|back|bottom", "end|finish|close with {p}",
    ]),
    (Job::PhraseBefore, &["put|move|play|place {p} before|ahead_of|in_front_of {q}"]),
    (Job::PhraseBehind, &["put|move|play|place {p} after|behind {q}"]),
    (Job::ClipBehind, &["move|put|place {on} to? start? [right|directly|immediately|just] after|behind {ref}"]),
    (Job::RestoreAll, &[
        "restore|bring_back|put_back everything|all that was|were removed|taken_out|cut", "restore|bring_back all removed phrases",
        "put everything|all that was removed back",
    ]),
    (Job::RestorePhrases, &["restore|bring_back|put_back {p}", "put|bring {p} back [in]"]),
    (Job::RemovePhrases, &["remove|cut|drop|delete|take_out|leave_out|lose {r}", "take|leave {r} out"]),
    (Job::Tighten, &["tighten [up] {on}", "tighten {on} up", "make {on} tighter"]),
    (Job::Finish, &[
        "finish the? edit|assembly|work [with|saying|as {text}]", "the? edit|assembly is done|finished|ready", "i am done editing",
        "call the edit finished|done", "i am done|finished with the edit|assembly",
    ]),
    (Job::ExportAssembly, &[
        "export|save|write the? edit|assembly|paper_edit|edited_transcript with pseudonyms|fake_names as|to a|an? {format}",
        "export|save|write the? edit|assembly|paper_edit|edited_transcript as|to a|an? {format} with pseudonyms|fake_names",
        "export|save|write the? edit|assembly|paper_edit|edited_transcript as|to|in a|an? {format}",
        "export|save|write the? edited_transcript [with pseudonyms|fake_names]", "export|save|write the? {format} labels",
        "export|save|write the? labels for|to|as|in {format}",
    ]),
    // What sounds.
    (Job::RemoveHum, &[
        "remove|take_out|get_rid_of|notch_out the? {n} hz|hertz|cycle hum|buzz of|in|on|from {on}",
        "remove|take_out|get_rid_of|notch_out the? {n} hz|hertz|cycle hum|buzz", "remove|take_out|get_rid_of the? buzz|mains_buzz of|in|on|from {on}",
    ]),
    // The mix and where it goes.
    (Job::Deliver, &[
        "export|deliver|bounce the? mix|song|episode|podcast|master|it|session for {standard} as|to a|an? {format}",
        "export|deliver|bounce the? mix|song|episode|podcast|master|it|session as|to a|an? {format} for {standard}",
        "export|deliver|bounce the? mix|song|episode|podcast|master|it|session as|to a|an? {format}",
        "export|deliver|bounce the? mix|song|episode|master|it|session for {standard}",
    ]),
];
