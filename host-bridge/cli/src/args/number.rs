//! Numbers in arguments.

/// A finite number. NaN and infinity are refused: JSON cannot hold them, so the value would get lost.
///
/// # Errors
/// When the text is not a finite number.
pub(crate) fn finite(text: &str) -> Result<f64, String> {
    let number = text.parse::<f64>().ok().filter(|number| number.is_finite());
    number.ok_or_else(|| "write a number, such as 1.5".to_owned())
}

#[cfg(test)]
mod tests {
    use super::finite;
    use crate::args::Cli;
    use crate::declared::with_declared;
    use clap::CommandFactory;

    #[test]
    fn what_is_no_number_or_has_no_end_is_refused_by_name() {
        assert_eq!(finite("-1.5"), Ok(-1.5));
        for text in ["nan", "inf", "-inf", "1e999", "", "one"] {
            assert!(finite(text).is_err(), "{text}");
            let typed = format!("--pauses-over={text}");
            let read = with_declared(Cli::command()).try_get_matches_from([
                "deskhand",
                "assemble",
                "tighten",
                "a.deskhand",
                &typed,
            ]);
            let told = read.err().unwrap().to_string();
            assert!(told.contains("--pauses-over") && told.contains("write a number"), "{told}");
        }
    }
}
