//! Calls that need the path of a file, which the person chooses: the application asks for it.

mod place;

pub(crate) use place::place;

use deskhand_session::SourceId;
use deskhand_session::offers::Gesture;
use deskhand_session::transcript::FILE_ENDINGS;
use serde_json::{Value, json};
use std::path::Path;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FileCall {
    /// Import a transcript for a source; `None` if there is only one source.
    ImportTranscript(Option<SourceId>),
    /// Codes of another codebook come to the codebook.
    ImportCodebook,
    ExportCodebook,
    ReportCodes(CodesReport),
    /// The assembly is written as it plays.
    ExportAssembly(AssemblyFile),
    ExportMix,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CodesReport {
    /// How often each is used.
    Counts,
    /// Which are used together.
    Cooccurrence,
    /// Each place where two overlap.
    Overlaps,
    Quotes,
    /// How far coders agree.
    Agreement,
}

impl CodesReport {
    /// In the order of the menu.
    pub(crate) const ALL: [Self; 5] =
        [Self::Counts, Self::Cooccurrence, Self::Overlaps, Self::Quotes, Self::Agreement];

    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Counts => "How often codes are used",
            Self::Cooccurrence => "Codes that are used together",
            Self::Overlaps => "Where codes overlap",
            Self::Quotes => "What is said, by code",
            Self::Agreement => "How far coders agree",
        }
    }

    /// As the tool knows it.
    pub(crate) const fn kind(self) -> &'static str {
        match self {
            Self::Counts => "counts",
            Self::Cooccurrence => "cooccurrence",
            Self::Overlaps => "overlaps",
            Self::Quotes => "quotes",
            Self::Agreement => "agreement",
        }
    }

    const fn title(self) -> &'static str {
        match self {
            Self::Counts => "Write how often codes are used",
            Self::Cooccurrence => "Write which codes are used together",
            Self::Overlaps => "Write where codes overlap",
            Self::Quotes => "Write what is coded",
            Self::Agreement => "Write how far coders agree",
        }
    }

    const fn offered(self) -> &'static str {
        match self {
            Self::Counts => "codes.csv",
            Self::Cooccurrence => "codes together.csv",
            Self::Overlaps => "overlaps.csv",
            Self::Quotes => "quotes.csv",
            Self::Agreement => "agreement.csv",
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AssemblyFile {
    /// `OpenTimelineIO`.
    Otio,
    Audacity,
    /// A row a phrase.
    Csv,
    /// The spoken words, with times and speakers.
    Transcript,
    /// The same, with other names for the speakers.
    Pseudonyms,
    /// `SubRip`.
    Srt,
    /// `WebVTT`.
    Vtt,
}

impl AssemblyFile {
    /// In the order of the menu.
    pub(crate) const ALL: [Self; 7] = [
        Self::Otio,
        Self::Audacity,
        Self::Csv,
        Self::Transcript,
        Self::Pseudonyms,
        Self::Srt,
        Self::Vtt,
    ];

    /// What it is called, how the tool calls it, and the name that is offered for it.
    const fn words(self) -> (&'static str, &'static str, &'static str) {
        match self {
            Self::Otio => ("Export for another editor (OTIO)", "otio", "edit.otio"),
            Self::Audacity => ("Export labels for Audacity", "audacity", "labels.txt"),
            Self::Csv => ("Export a table of the phrases", "csv", "phrases.csv"),
            Self::Transcript => ("Export the edited transcript", "transcript", "transcript.txt"),
            Self::Pseudonyms => {
                ("Export the transcript with pseudonyms", "transcript", "transcript.txt")
            }
            Self::Srt => ("Export subtitles (SRT)", "srt", "edit.srt"),
            Self::Vtt => ("Export subtitles (WebVTT)", "vtt", "edit.vtt"),
        }
    }

    /// Its hint and its endings.
    const fn file(self) -> (&'static str, &'static [&'static str]) {
        match self {
            Self::Otio => ("a file that is not there yet, .otio", &["otio"]),
            Self::Csv => ("a file that is not there yet, .csv", &["csv"]),
            Self::Srt => ("a file that is not there yet, .srt", &["srt"]),
            Self::Vtt => ("a file that is not there yet, .vtt", &["vtt"]),
            Self::Audacity | Self::Transcript | Self::Pseudonyms => {
                ("a file that is not there yet, .txt", &["txt"])
            }
        }
    }
}

impl FileCall {
    #[must_use]
    pub const fn title(self) -> &'static str {
        match self {
            Self::ImportTranscript(_) => "Import a transcript",
            Self::ImportCodebook => "Import a codebook",
            Self::ExportCodebook => "Export the codebook",
            Self::ReportCodes(report) => report.title(),
            Self::ExportAssembly(file) => file.words().0,
            Self::ExportMix => "Export the mix",
        }
    }

    #[must_use]
    pub const fn label(self) -> &'static str {
        match self {
            Self::ExportMix => "Choose",
            _ if self.is_written() => "Write it",
            _ => "Import",
        }
    }

    #[must_use]
    pub const fn hint(self) -> &'static str {
        match self {
            Self::ImportTranscript(_) => {
                "a transcript or subtitles: .srt, .vtt, .json, .txt, .ass and others"
            }
            Self::ImportCodebook => "a codebook: .qdc or .qdpx",
            Self::ExportCodebook => "a file that is not there yet, .qdc",
            Self::ReportCodes(_) => "a file that is not there yet, .csv or .json",
            Self::ExportAssembly(file) => file.file().0,
            Self::ExportMix => "a file that is not there yet: .wav, .flac, .opus or .mp3",
        }
    }

    /// The file endings of this kind.
    #[must_use]
    pub const fn endings(self) -> &'static [&'static str] {
        match self {
            Self::ImportTranscript(_) => &FILE_ENDINGS,
            Self::ImportCodebook => &["qdc", "qdpx"],
            Self::ExportCodebook => &["qdc"],
            Self::ReportCodes(_) => &["csv", "json"],
            Self::ExportAssembly(file) => file.file().1,
            Self::ExportMix => &["wav", "flac", "opus", "mp3"],
        }
    }

    /// The file is made, and not there yet.
    #[must_use]
    pub const fn is_written(self) -> bool {
        !matches!(self, Self::ImportTranscript(_) | Self::ImportCodebook)
    }

    /// The name that is offered for a file that is made.
    const fn offered(self) -> &'static str {
        match self {
            Self::ImportTranscript(_) | Self::ImportCodebook => "",
            Self::ExportCodebook => "codebook.qdc",
            Self::ReportCodes(report) => report.offered(),
            Self::ExportAssembly(file) => file.words().2,
            Self::ExportMix => "mix.wav",
        }
    }

    /// What is called with the chosen path, and its parameters.
    pub(crate) fn call(self, path: &Path) -> (Gesture, Value) {
        let path = path.to_string_lossy();
        match self {
            Self::ImportTranscript(source) => {
                let target = source.map_or_else(|| "all".to_owned(), |id| id.to_string());
                (Gesture::ImportTranscript, json!({"file": path, "target": target}))
            }
            Self::ImportCodebook => (Gesture::ImportCodebook, json!({"file": path})),
            Self::ExportCodebook => (Gesture::ExportCodebook, json!({"path": path})),
            Self::ReportCodes(report) => {
                (Gesture::ReportCodes, json!({"report": report.kind(), "path": path}))
            }
            Self::ExportAssembly(file) => {
                let is_hidden = file == AssemblyFile::Pseudonyms;
                let params = json!({
                    "path": path, "format": file.words().1, "pseudonyms": is_hidden,
                });
                (Gesture::ExportAssembly, params)
            }
            Self::ExportMix => (Gesture::ExportMix, json!({"path": path})),
        }
    }
}

/// Whether a file is a transcript, by its ending.
#[must_use]
pub fn is_transcript(path: &Path) -> bool {
    let ending = path.extension().and_then(|ending| ending.to_str()).unwrap_or_default();
    FILE_ENDINGS.iter().any(|known| ending.eq_ignore_ascii_case(known))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_transcript_is_of_the_source_that_was_chosen_or_of_the_only_one() {
        let file = Path::new("/talks/a.srt");
        let target = |source| FileCall::ImportTranscript(source).call(file);
        let wanted = |target: &str| {
            let params = json!({"file": "/talks/a.srt", "target": target});
            (Gesture::ImportTranscript, params)
        };
        assert_eq!(target(None), wanted("all"));
        assert_eq!(target(Some(SourceId::new(3))), wanted("src_000000000003"));
        assert!(is_transcript(Path::new("/a/B.VTT")) && !is_transcript(Path::new("/a/b.wav")));
    }

    #[test]
    fn an_assembly_is_written_as_what_was_chosen_and_with_pseudonyms_only_where_asked() {
        let params = |file| FileCall::ExportAssembly(file).call(Path::new("/a/b.txt"));
        let wanted = |format: &str, is_hidden: bool| {
            let params = json!({"path": "/a/b.txt", "format": format, "pseudonyms": is_hidden});
            (Gesture::ExportAssembly, params)
        };
        assert_eq!(params(AssemblyFile::Transcript), wanted("transcript", false));
        assert_eq!(params(AssemblyFile::Pseudonyms), wanted("transcript", true));
        for file in AssemblyFile::ALL.map(FileCall::ExportAssembly) {
            let ending = Path::new(file.offered()).extension().and_then(|it| it.to_str());
            assert!(file.is_written() && ending.is_some_and(|it| file.endings().contains(&it)));
        }
    }

    #[test]
    fn every_report_on_codes_is_written_as_a_table() {
        for report in CodesReport::ALL {
            let file = FileCall::ReportCodes(report);
            let params = json!({"report": report.kind(), "path": "/a/b.csv"});
            assert_eq!(file.call(Path::new("/a/b.csv")), (Gesture::ReportCodes, params));
            assert!(file.is_written() && file.offered().ends_with(".csv"));
        }
    }

    #[test]
    fn the_mix_is_rendered_to_the_file_that_was_chosen() {
        let mix = (Gesture::ExportMix, json!({"path": "/a/mix.wav"}));
        assert_eq!(FileCall::ExportMix.call(Path::new("/a/mix.wav")), mix);
        assert!(FileCall::ExportMix.is_written());
    }
}
