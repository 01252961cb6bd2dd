//! Words to tokens: numbers with their sign, clock times, ratios, quotes, colors, ids and words.

use deskhand_session::ObjectId;

/// A piece of the text, with its place in it.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Token {
    /// What it is.
    pub kind: TokenKind,
    /// First byte in the text.
    pub start: usize,
    /// First byte behind it.
    pub end: usize,
}

/// What a token is.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum TokenKind {
    /// A word in lower case, without apostrophes.
    Word(String),
    /// A number; `signed` if a sign was written.
    Number { value: f64, signed: bool },
    /// `1:30` or `1:02:03.5`, in seconds.
    Clock(f64),
    /// `3/4`.
    Ratio(f64, f64),
    /// Text in quotes, as written.
    Quote(String),
    /// `#rrggbb` in lower case.
    Color(String),
    /// An object id.
    Id(ObjectId),
    /// `,` and the em dash.
    Comma,
    /// `-` between two numbers.
    Dash,
    /// `.`, `;`, `!`, `?` and a line break.
    Stop,
}

impl Token {
    /// The word, if it is one.
    pub(crate) fn word(&self) -> Option<&str> {
        match &self.kind {
            TokenKind::Word(word) => Some(word),
            _ => None,
        }
    }

    /// Whether it is this word.
    pub(crate) fn is(&self, word: &str) -> bool {
        self.word() == Some(word)
    }
}

/// Short forms and what they stand for.
const CONTRACTIONS: &str = "\
    dont do not|doesnt does not|didnt did not|cant can not|cannot can not|wont will not|shouldnt should not|isnt is not|\
    arent are not|whats what is|whatre what are|wheres where is|whos who is|hows how is|thats that is|theres there is|\
    its it is|lets let us|id i would|im i am|youve you have|theyre they are";

/// Splits a text into tokens.
pub(crate) fn lex(text: &str) -> Vec<Token> {
    let chars: Vec<(usize, char)> = text.char_indices().map(|(i, c)| (i, plain(c))).collect();
    let mut lexer = Lexer { text, chars, at: 0, tokens: Vec::new() };
    while lexer.at < lexer.chars.len() {
        lexer.step();
    }
    lexer.tokens
}

/// Typographic characters in their plain form.
fn plain(c: char) -> char {
    match c {
        '“' | '”' | '„' | '«' | '»' => '"',
        '‘' | '’' | '`' => '\'',
        '−' | '–' | '‐' | '‑' => '-',
        other => other,
    }
}

struct Lexer<'a> {
    text: &'a str,
    chars: Vec<(usize, char)>,
    at: usize,
    tokens: Vec<Token>,
}

impl Lexer<'_> {
    fn peek(&self, ahead: usize) -> Option<char> {
        self.chars.get(self.at + ahead).map(|(_, c)| *c)
    }

    fn before(&self) -> Option<char> {
        let index = self.at.checked_sub(1)?;
        self.chars.get(index).map(|(_, c)| *c)
    }

    fn byte(&self, index: usize) -> usize {
        self.chars.get(index).map_or(self.text.len(), |(i, _)| *i)
    }

    fn push(&mut self, kind: TokenKind, from: usize) {
        let (start, end) = (self.byte(from), self.byte(self.at));
        self.tokens.push(Token { kind, start, end });
    }

    fn single(&mut self, kind: TokenKind) {
        self.at += 1;
        self.push(kind, self.at - 1);
    }

    fn step(&mut self) {
        let Some(c) = self.peek(0) else { return };
        match c {
            '"' => self.quote('"'),
            '\'' if self.opens_quote() => self.quote('\''),
            '#' if self.color() => {}
            '/' | '~' | '.' if self.path() => {}
            ',' | '—' => self.single(TokenKind::Comma),
            '.' if self.digit(1) && !self.before().is_some_and(char::is_alphanumeric) => {
                self.number();
            }
            '\n' | '.' | ';' | '!' | '?' => self.single(TokenKind::Stop),
            '&' => self.single(TokenKind::Word("and".into())),
            '%' => self.single(TokenKind::Word("percent".into())),
            '-' | '+' => self.sign(),
            c if c.is_ascii_digit() => self.number(),
            c if c.is_alphanumeric() => self.word(),
            c if c.is_whitespace() || matches!(c, ':' | '(' | ')' | '[' | ']' | '_' | '\'') => {
                self.at += 1;
            }
            other => self.single(TokenKind::Word(other.to_string())),
        }
    }

    fn digit(&self, ahead: usize) -> bool {
        self.peek(ahead).is_some_and(|c| c.is_ascii_digit())
    }

    /// A sign belongs to a number; between numbers it is a range; inside a word it is a hyphen. Alone it
    /// stays a word that nothing understands, so that "- 6" is never read as 6.
    fn sign(&mut self) {
        let minus = self.peek(0) == Some('-');
        let glued = self.before().is_some_and(char::is_alphanumeric);
        let number = self.digit(1) || (self.peek(1) == Some('.') && self.digit(2));
        if number && !glued {
            return self.number();
        }
        let after_digit = self.before().is_some_and(|c| c.is_ascii_digit());
        if minus && glued && after_digit && self.digit(1) {
            return self.single(TokenKind::Dash);
        }
        let letter = self.peek(1).is_some_and(char::is_alphanumeric);
        if minus && glued && letter {
            self.at += 1;
            return;
        }
        let word = if minus { "-" } else { "and" };
        self.single(TokenKind::Word(word.into()));
    }

    fn digits(&mut self) -> String {
        let mut text = String::new();
        while let Some(c) = self.peek(0) {
            let point = c == '.' && self.digit(1) && !text.contains('.');
            if !c.is_ascii_digit() && !point {
                break;
            }
            text.push(c);
            self.at += 1;
        }
        text
    }

    fn number(&mut self) {
        let from = self.at;
        let sign = self.peek(0).filter(|c| matches!(c, '-' | '+'));
        if sign.is_some() {
            self.at += 1;
        }
        let mut parts = vec![self.digits()];
        while self.peek(0) == Some(':') && self.digit(1) && parts.len() < 3 {
            self.at += 1;
            parts.push(self.digits());
        }
        let values: Vec<f64> = parts.iter().map(|p| p.parse().unwrap_or(0.0)).collect();
        if let [value] = values[..] {
            return self.plain_number(value, sign, from);
        }
        let seconds = values.iter().fold(0.0, |sum, value| sum * 60.0 + value);
        self.push(TokenKind::Clock(seconds), from);
    }

    fn plain_number(&mut self, value: f64, sign: Option<char>, from: usize) {
        if self.peek(0) == Some('/') && self.digit(1) && sign.is_none() {
            self.at += 1;
            let below = self.digits().parse().unwrap_or(0.0);
            return self.push(TokenKind::Ratio(value, below), from);
        }
        let value = if sign == Some('-') { -value } else { value };
        let signed = sign.is_some();
        self.push(TokenKind::Number { value, signed }, from);
    }

    /// Directly behind a number a word is letters only: "1m30s" is four tokens.
    fn word(&mut self) {
        let from = self.at;
        if self.id() {
            return;
        }
        let unit = self.before().is_some_and(|c| c.is_ascii_digit());
        let mut word = String::new();
        while let Some(c) = self.peek(0) {
            let inner = c == '\'' && self.peek(1).is_some_and(char::is_alphanumeric);
            let fits = if unit && self.at > from { c.is_alphabetic() } else { c.is_alphanumeric() };
            if !fits && !inner {
                break;
            }
            word.extend(c.to_lowercase());
            self.at += 1;
        }
        self.push_word(&word, from);
    }

    fn push_word(&mut self, word: &str, from: usize) {
        let flat = word.replace('\'', "");
        let typed = word.contains('\'') || !matches!(flat.as_str(), "id" | "its" | "wont");
        let mut all = CONTRACTIONS.split('|').filter_map(|it| it.split_once(' '));
        if let Some((_, long)) = all.find(|(short, _)| typed && *short == flat) {
            long.split(' ').for_each(|part| self.push(TokenKind::Word(part.into()), from));
            return;
        }
        let stem = word.strip_suffix("'s").unwrap_or(word).replace('\'', "");
        self.push(TokenKind::Word(stem), from);
    }

    fn id(&mut self) -> bool {
        let rest = &self.text[self.byte(self.at)..];
        let end = rest.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(rest.len());
        let Ok(id) = rest[..end].parse::<ObjectId>() else {
            return false;
        };
        let from = self.at;
        self.at += end;
        self.push(TokenKind::Id(id), from);
        true
    }

    /// "/tmp/a/show.srt", "~/show.srt", "./show.srt": as it is written up to a space, whatever the words in it mean.
    fn path(&mut self) -> bool {
        let rest = &self.text[self.byte(self.at)..];
        let end = rest.find(char::is_whitespace).unwrap_or(rest.len());
        let written = rest[..end].trim_end_matches([',', '.', ';', '!', '?', ')']).to_owned();
        let begins = ["~/", "./", "../"].iter().any(|begin| written.starts_with(begin));
        let goes_on = |rest: &str| {
            rest.starts_with(|c: char| c.is_alphanumeric() || c == '.') && rest.contains(['/', '.'])
        };
        let is_path = begins || written.strip_prefix('/').is_some_and(goes_on);
        if !is_path || written.contains('"') || !self.before().is_none_or(char::is_whitespace) {
            return false;
        }
        let from = self.at;
        self.at += written.chars().count();
        self.push(TokenKind::Quote(written), from);
        true
    }

    fn color(&mut self) -> bool {
        let hex: String = (1..=6).filter_map(|i| self.peek(i)).collect();
        let ends = !self.peek(7).is_some_and(char::is_alphanumeric);
        if hex.len() != 6 || !hex.bytes().all(|b| b.is_ascii_hexdigit()) || !ends {
            return false;
        }
        let from = self.at;
        self.at += 7;
        self.push(TokenKind::Color(format!("#{}", hex.to_lowercase())), from);
        true
    }

    fn opens_quote(&self) -> bool {
        let free = !self.before().is_some_and(char::is_alphanumeric);
        free && self.close('\'').is_some()
    }

    fn close(&self, mark: char) -> Option<usize> {
        let behind = |i: usize| self.chars.get(i + 1).map(|(_, c)| *c);
        (self.at + 1..self.chars.len()).find(|i| {
            self.chars[*i].1 == mark
                && (mark == '"' || !behind(*i).is_some_and(char::is_alphanumeric))
        })
    }

    fn quote(&mut self, mark: char) {
        let Some(close) = self.close(mark) else {
            return self.single(TokenKind::Word(mark.to_string()));
        };
        let from = self.at;
        let inner = self.text[self.byte(from + 1)..self.byte(close)].trim().to_owned();
        self.at = close + 1;
        self.push(TokenKind::Quote(inner), from);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn show(text: &str) -> String {
        let tokens = lex(text);
        let parts: Vec<String> = tokens
            .iter()
            .map(|token| match &token.kind {
                TokenKind::Word(word) => word.clone(),
                TokenKind::Number { value, .. } => format!("{value}n"),
                TokenKind::Clock(seconds) => format!("{seconds}s"),
                TokenKind::Ratio(a, b) => format!("{a}/{b}"),
                TokenKind::Quote(text) => format!("<{text}>"),
                TokenKind::Color(color) => color.clone(),
                TokenKind::Id(id) => format!("id {id}"),
                TokenKind::Comma => ",".into(),
                TokenKind::Dash => "..".into(),
                TokenKind::Stop => "!".into(),
            })
            .collect();
        parts.join(" ")
    }

    #[test]
    fn numbers_carry_their_sign_and_lose_their_unit() {
        assert_eq!(show("-16lufs, +2dB .5 1m30s"), "-16n lufs , 2n db 0.5n 1n m 30n s");
        assert_eq!(show("tracks 3-5 at −1.5"), "tracks 3n .. 5n at -1.5n");
        assert_eq!(show("1:30 1:02:03.5 3/4 30%"), "90s 3723.5s 3/4 30n percent");
    }

    #[test]
    fn a_path_stays_whole() {
        assert_eq!(
            show("import /tmp/a and b/my.show.srt onto 3/4 a/b .5"),
            "import </tmp/a> and b / my ! show ! srt onto 3/4 a / b 0.5n",
            "a space ends a path, and a word ahead of it makes none of it"
        );
        assert_eq!(show("/tmp/then/my.show.srt onto it"), "</tmp/then/my.show.srt> onto it");
        assert_eq!(show("~/x.wav, ./y.wav. /R"), "<~/x.wav> , <./y.wav> ! / r");
    }

    #[test]
    fn numerals_that_are_no_digits_end() {
        assert_eq!(show("3²x ٣"), "3n ²x ٣");
    }

    #[test]
    fn a_lone_minus_is_not_dropped() {
        assert_eq!(show("to - 6 dB"), "to - 6n db");
    }

    #[test]
    fn words_quotes_and_ids() {
        assert_eq!(show("don't gain-stage \"The Mix\" 'a b'"), "do not gain stage <The Mix> <a b>");
        assert_eq!(
            show("the vocal's track_000000000003 #FF0000"),
            "the vocal id track_000000000003 #ff0000"
        );
        assert_eq!(show("what's it? Kick_01"), "what is it ! kick 1n");
    }
}
