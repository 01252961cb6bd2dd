//! The wire format of protocol buffers, as much of it as model files need: writing fields, and walking
//! them without trusting a length.
//!
//! Source: Protocol Buffers "Encoding".

/// A message that is being written.
#[derive(Debug, Default)]
pub(crate) struct Message(Vec<u8>);

impl Message {
    pub(crate) fn into_bytes(self) -> Vec<u8> {
        self.0
    }

    fn varint(&mut self, mut value: u64) {
        while value >= 0x80 {
            self.0.push((value & 0x7f) as u8 | 0x80);
            value >>= 7;
        }
        self.0.push(value as u8);
    }

    #[must_use]
    pub(crate) fn number(mut self, field: u64, value: u64) -> Self {
        self.varint(field << 3);
        self.varint(value);
        self
    }

    /// A 32-bit float.
    #[must_use]
    pub(crate) fn float(mut self, field: u64, value: f32) -> Self {
        self.varint(field << 3 | 5);
        self.0.extend(value.to_le_bytes());
        self
    }

    #[must_use]
    pub(crate) fn bytes(mut self, field: u64, value: &[u8]) -> Self {
        self.varint(field << 3 | 2);
        self.varint(value.len() as u64);
        self.0.extend(value);
        self
    }

    #[must_use]
    pub(crate) fn text(self, field: u64, value: &str) -> Self {
        self.bytes(field, value.as_bytes())
    }

    /// A message within this one.
    #[must_use]
    pub(crate) fn message(self, field: u64, value: Self) -> Self {
        self.bytes(field, &value.0)
    }
}

/// The value of a field.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Value<'a> {
    /// A variable-length number.
    Number(u64),
    /// Bytes, text, or a message.
    Bytes(&'a [u8]),
    /// 32 bits.
    Fixed32([u8; 4]),
    /// 64 bits.
    Fixed64([u8; 8]),
}

/// The bytes are no message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Malformed;

/// The fields of a message, one after another; after a [`Malformed`] there are no more.
#[derive(Clone, Debug)]
pub(crate) struct Fields<'a>(&'a [u8]);

impl<'a> Fields<'a> {
    pub(crate) fn new(message: &'a [u8]) -> Self {
        Self(message)
    }

    fn next_field(&mut self) -> Option<(u64, Value<'a>)> {
        let key = varint(&mut self.0)?;
        let value = match key & 7 {
            0 => Value::Number(varint(&mut self.0)?),
            1 => Value::Fixed64(*self.take(8)?.first_chunk()?),
            2 => {
                let length = usize::try_from(varint(&mut self.0)?).ok()?;
                Value::Bytes(self.take(length)?)
            }
            5 => Value::Fixed32(*self.take(4)?.first_chunk()?),
            _ => return None,
        };
        Some((key >> 3, value))
    }

    fn take(&mut self, length: usize) -> Option<&'a [u8]> {
        let (taken, rest) = self.0.split_at_checked(length)?;
        self.0 = rest;
        Some(taken)
    }
}

impl<'a> Iterator for Fields<'a> {
    type Item = Result<(u64, Value<'a>), Malformed>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.0.is_empty() {
            return None;
        }
        let field = self.next_field().ok_or(Malformed);
        if field.is_err() {
            self.0 = &[];
        }
        Some(field)
    }
}

/// Takes one variable-length number off the front.
pub(crate) fn varint(bytes: &mut &[u8]) -> Option<u64> {
    let mut value = 0u64;
    for shift in (0..64).step_by(7) {
        let (first, rest) = bytes.split_first()?;
        *bytes = rest;
        value |= u64::from(first & 0x7f) << shift;
        if first & 0x80 == 0 {
            return Some(value);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_walked() {
        let inner = Message::default().float(1, 0.5);
        let bytes =
            Message::default().number(3, 300).text(16, "név").message(2, inner).into_bytes();
        let fields: Vec<_> = Fields::new(&bytes).map(Result::unwrap).collect();
        assert_eq!(fields[0], (3, Value::Number(300)));
        assert_eq!(fields[1], (16, Value::Bytes("név".as_bytes())));
        let Value::Bytes(inner) = fields[2].1 else { panic!("a message is bytes") };
        let half = Value::Fixed32(0.5f32.to_le_bytes());
        assert_eq!(Fields::new(inner).next(), Some(Ok((1, half))));
    }

    #[test]
    fn a_length_beyond_the_end_is_malformed() {
        let mut fields = Fields::new(&[0x0a, 0xff, 0xff, 0xff, 0x7f, 1]);
        assert_eq!(fields.next(), Some(Err(Malformed)));
        assert_eq!(fields.next(), None);
        assert_eq!(Fields::new(&[0xff; 11]).next(), Some(Err(Malformed)));
    }
}
