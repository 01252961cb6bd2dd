//! The message loop: the only writer of a session.
