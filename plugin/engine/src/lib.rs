//! The real-time engine: a Controller on the message side, a Processor on the audio side.
