//! Paths as file URLs (RFC 8089), and back. Timelines of other programs name audio so.

/// A path as a URL: every byte that is not a letter, a digit or one of `-._~/:` is escaped.
#[must_use]
pub fn of_path(path: &str) -> String {
    let path = path.replace('\\', "/");
    let lead = if path.starts_with('/') { "" } else { "/" };
    let escaped = |byte: u8| match byte {
        b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' | b'/' | b':' => {
            char::from(byte).to_string()
        }
        other => format!("%{other:02X}"),
    };
    format!("file://{lead}{}", path.bytes().map(escaped).collect::<String>())
}

/// The path in a URL; what is no file URL is taken as a path.
#[must_use]
pub fn to_path(url: &str) -> String {
    let Some(rest) = url.strip_prefix("file://") else { return url.to_owned() };
    let rest = rest.strip_prefix("localhost").unwrap_or(rest);
    let bytes = rest.as_bytes();
    let (mut path, mut at) = (Vec::with_capacity(bytes.len()), 0);
    while let Some(&byte) = bytes.get(at) {
        let code = rest.get(at + 1..at + 3).filter(|_| byte == b'%');
        let code = code.and_then(|code| u8::from_str_radix(code, 16).ok());
        path.push(code.unwrap_or(byte));
        at += if code.is_some() { 3 } else { 1 };
    }
    let path = String::from_utf8_lossy(&path).into_owned();
    // "/C:/a.wav" is a path on a drive.
    let drive = path.strip_prefix('/').filter(|rest| rest.as_bytes().get(1) == Some(&b':'));
    drive.map(str::to_owned).unwrap_or(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_become_urls_and_back() {
        assert_eq!(of_path("/a b/é.wav"), "file:///a%20b/%C3%A9.wav");
        assert_eq!(of_path("C:\\a#1.wav"), "file:///C:/a%231.wav");
        assert_eq!(to_path("file:///C:/a%231.wav"), "C:/a#1.wav");
        assert_eq!(to_path("file://localhost/a%20b/%C3%A9%zz%"), "/a b/é%zz%");
        assert_eq!(to_path("audio/one.wav"), "audio/one.wav");
        assert_eq!(to_path("file://é:a%é"), "é:a%é");
    }
}
