//! The `console` blocks of a page: commands after `$ `, each with the output that the page shows.

/// A part of a page, in order. Joined again, the parts are the page.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Piece {
    /// Anything that is not a command, unchanged.
    Text(String),
    Command(Example),
}

/// A command that a page shows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Example {
    /// Where it is, counted from 1.
    pub(super) line: usize,
    /// The command without `$ `; of several lines if they end with `\`.
    pub(super) command: String,
    /// The lines that follow up to the next command or the end of the block.
    pub(super) output: String,
}

/// Where the reader of a page is.
enum Place {
    Outside,
    /// In a block, before its first command.
    Block,
    /// In a command that goes on in the next line.
    Command(Example),
    Output(Example),
}

/// Splits the page `text`.
pub(super) fn pieces(text: &str) -> Vec<Piece> {
    let mut pieces = Vec::new();
    let mut place = Place::Outside;
    for (index, line) in text.split_inclusive('\n').enumerate() {
        place = read(place, index + 1, line, &mut pieces);
    }
    close(place, &mut pieces);
    pieces
}

pub(super) fn joined(pieces: &[Piece]) -> String {
    let text = |piece: &Piece| match piece {
        Piece::Text(text) => text.clone(),
        Piece::Command(example) => format!("$ {}\n{}", example.command, example.output),
    };
    pieces.iter().map(text).collect()
}

/// The commands among `pieces`.
pub(super) fn examples(pieces: &[Piece]) -> impl Iterator<Item = &Example> {
    pieces.iter().filter_map(|piece| match piece {
        Piece::Command(example) => Some(example),
        Piece::Text(_) => None,
    })
}

/// The session that the page names in a comment: `<!-- commands: NAME -->`.
pub(super) fn session_name(text: &str) -> Option<&str> {
    let (_, rest) = text.lines().next()?.split_once("<!-- commands: ")?;
    rest.split_once(" -->").map(|(name, _)| name)
}

fn read(place: Place, number: usize, line: &str, pieces: &mut Vec<Piece>) -> Place {
    let bare = line.trim_end_matches('\n');
    match place {
        Place::Outside => {
            pieces.push(Piece::Text(line.to_owned()));
            if bare == "```console" { Place::Block } else { Place::Outside }
        }
        Place::Command(mut example) => {
            example.command.push('\n');
            example.command.push_str(bare);
            begun(example)
        }
        inside if bare == "```" => {
            close(inside, pieces);
            pieces.push(Piece::Text(line.to_owned()));
            Place::Outside
        }
        inside => match (bare.strip_prefix("$ "), inside) {
            (Some(command), inside) => {
                close(inside, pieces);
                begun(Example { line: number, command: command.to_owned(), output: String::new() })
            }
            (None, Place::Output(mut example)) => {
                example.output.push_str(line);
                Place::Output(example)
            }
            (None, inside) => {
                pieces.push(Piece::Text(line.to_owned()));
                inside
            }
        },
    }
}

fn begun(example: Example) -> Place {
    if example.command.ends_with('\\') { Place::Command(example) } else { Place::Output(example) }
}

fn close(place: Place, pieces: &mut Vec<Piece>) {
    if let Place::Command(example) | Place::Output(example) = place {
        pieces.push(Piece::Command(example));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PAGE: &str = "\
<!-- commands: talk -->
# Page

```
$ not run
```

```console
$ one
first
second

$ two \\
  more
$ three
```

The end.
";

    #[test]
    fn commands_and_outputs_are_found() {
        let pieces = pieces(PAGE);
        let found: Vec<_> = examples(&pieces)
            .map(|example| (example.line, example.command.as_str(), example.output.as_str()))
            .collect();
        let expected =
            [(9, "one", "first\nsecond\n\n"), (13, "two \\\n  more", ""), (15, "three", "")];
        assert_eq!(found, expected);
    }

    #[test]
    fn the_pieces_are_the_page() {
        assert_eq!(joined(&pieces(PAGE)), PAGE);
        assert_eq!(session_name(PAGE), Some("talk"));
        assert_eq!(session_name("# Page\n"), None);
    }
}
