//! The parent's side: a [`Network`] that runs in the child.

use super::MODE;
use super::protocol::{Answer, Request, hear, say, tensors};
use super::serve::can_serve;
use crate::network::{Network, RunError, Tensor};
use parking_lot::Mutex;
use std::io::{BufReader, BufWriter};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::time::Duration;

/// How long the child may take for one answer.
const PATIENCE: Duration = Duration::from_secs(600);

/// A model that runs in a child process. Dropping it ends the child.
pub(crate) struct Remote(Mutex<Link>);

/// The process and the two directions.
struct Link {
    child: Child,
    requests: BufWriter<ChildStdin>,
    answers: Receiver<std::io::Result<(Answer, Vec<Tensor>)>>,
    /// Why the child is unusable.
    lost: Option<String>,
}

impl Remote {
    /// Starts this program as the child on `path`, and waits until the model is loaded.
    pub(crate) fn start(path: &Path) -> Result<Self, RunError> {
        let failed = |cause: String| RunError::Child { cause };
        if !can_serve() {
            let cause = "this program does not run models of other makers; use `deskhand`";
            return Err(failed(cause.into()));
        }
        let program = std::env::current_exe().map_err(|error| failed(error.to_string()))?;
        let mut command = Command::new(program);
        command.arg(MODE).arg(path);
        let mut link = Link::start(command).map_err(|error| failed(error.to_string()))?;
        match link.hear()?.0 {
            Answer::Ready => Ok(Self(Mutex::new(link))),
            Answer::Failed { message } => Err(RunError::Load { cause: message }),
            Answer::Outputs { .. } => Err(failed("it answered what was not asked".into())),
        }
    }
}

impl Network for Remote {
    fn run(&self, inputs: &[Tensor], outputs: &[usize]) -> Result<Vec<Tensor>, RunError> {
        let mut link = self.0.lock();
        let shapes = inputs.iter().map(|tensor| tensor.shape.clone()).collect();
        let request = Request { shapes, outputs: outputs.into() };
        if link.lost.is_none() && say(&mut link.requests, &request, inputs).is_err() {
            let why = link.why();
            link.lost = Some(why);
        }
        match link.hear()? {
            (Answer::Outputs { .. }, tensors) if tensors.len() == outputs.len() => Ok(tensors),
            (Answer::Failed { message }, _) => Err(RunError::Run { cause: message }),
            (Answer::Outputs { .. } | Answer::Ready, _) => {
                Err(RunError::Child { cause: "it answered what was not asked".into() })
            }
        }
    }
}

impl Link {
    fn start(mut command: Command) -> std::io::Result<Self> {
        let mut child =
            command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null()).spawn()?;
        let (Some(input), Some(output)) = (child.stdin.take(), child.stdout.take()) else {
            let _ended = child.kill();
            return Err(std::io::Error::other("it has no pipes"));
        };
        let (send, answers) = sync_channel(1);
        // Reading a pipe cannot be given a time limit, waiting for a thread can.
        let listen = move || {
            let mut output = BufReader::with_capacity(1 << 16, output);
            while let Some(delivery) = next(&mut output).transpose() {
                let broken = delivery.is_err();
                if send.send(delivery).is_err() || broken {
                    return;
                }
            }
        };
        std::thread::spawn(listen);
        Ok(Self { child, requests: BufWriter::new(input), answers, lost: None })
    }

    /// The next answer, or what happened to the child.
    fn hear(&mut self) -> Result<(Answer, Vec<Tensor>), RunError> {
        if self.lost.is_none() {
            match self.answers.recv_timeout(PATIENCE) {
                Ok(Ok(delivery)) => return Ok(delivery),
                Ok(Err(_)) | Err(RecvTimeoutError::Disconnected) => self.lost = Some(self.why()),
                Err(RecvTimeoutError::Timeout) => {
                    let late = format!("it gave no answer for {} seconds", PATIENCE.as_secs());
                    self.lost = Some(late);
                }
            }
        }
        Err(RunError::Child { cause: self.lost.clone().unwrap_or_default() })
    }

    /// How the child ended. It closed its pipe, so it has ended or is about to.
    fn why(&mut self) -> String {
        for _ in 0..50 {
            if let Ok(Some(status)) = self.child.try_wait() {
                return reason(status);
            }
            std::thread::sleep(Duration::from_millis(10));
        }
        "it stopped talking".into()
    }
}

fn next(output: &mut BufReader<ChildStdout>) -> std::io::Result<Option<(Answer, Vec<Tensor>)>> {
    let Some(answer) = hear::<Answer>(output)? else {
        return Ok(None);
    };
    let following = match &answer {
        Answer::Outputs { shapes } => tensors(output, shapes)?,
        Answer::Ready | Answer::Failed { .. } => Vec::new(),
    };
    Ok(Some((answer, following)))
}

fn reason(status: ExitStatus) -> String {
    #[cfg(unix)]
    if let Some(signal) = std::os::unix::process::ExitStatusExt::signal(&status) {
        return match signal {
            6 => "it asked for more memory than a separation network needs".into(),
            24 => "it took more processor time than a separation network needs".into(),
            other => format!("it was ended by signal {other}"),
        };
    }
    format!("it ended early ({status})")
}

impl Drop for Link {
    fn drop(&mut self) {
        let _ended = self.child.kill();
        let _reaped = self.child.wait();
    }
}
