//! A TCP stream, plain or with TLS, that ends on time.
//!
//! Sockets know time limits per read only, and a peer that sends one byte now and then renews them for ever. Here a
//! read waits in short turns and looks each time at the [`Watch`]: the deadline of the phase, how long the other side
//! has been silent, and whether a signal came.

use std::fmt;
use std::io::{self, ErrorKind, Read, Write};
use std::net::TcpStream;
use std::time::{Duration, Instant};

use rustls::{ClientConnection, StreamOwned};

use crate::context::Cancel;

/// Longest wait before the watch is looked at again.
const TURN: Duration = Duration::from_millis(100);

/// When to stop waiting.
#[derive(Debug, Clone)]
pub struct Watch {
    /// End of the phase.
    pub deadline: Instant,
    /// Longest silence of the other side within it.
    pub silence: Option<Duration>,
    /// Whether a read waits for bytes. If not, it takes what has arrived, and the phase is over when nothing has: a wait
    /// of a millisecond would be one of up to two ticks of the system's clock.
    pub waits: bool,
    /// Set by signals.
    pub cancel: Cancel,
}

/// Why waiting ended. The source of the [`io::Error`] that it comes in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stopped {
    /// The phase is over.
    Deadline,
    /// Nothing was heard for too long.
    Silence,
    /// A signal.
    Signal,
}

impl fmt::Display for Stopped {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Deadline => "no answer in time",
            Self::Silence => "nothing was heard for too long",
            Self::Signal => "interrupted",
        })
    }
}

impl std::error::Error for Stopped {}

impl Stopped {
    /// The reason inside an I/O error, if this module made it.
    pub fn of(error: &io::Error) -> Option<Self> {
        error.get_ref()?.downcast_ref::<Self>().copied()
    }
}

/// A socket under a watch.
#[derive(Debug)]
pub struct Watched {
    tcp: TcpStream,
    watch: Watch,
    heard: Instant,
}

impl Watched {
    /// Time left for one turn, or why there is none.
    fn turn(&self, reading: bool) -> io::Result<Duration> {
        let now = Instant::now();
        let stop = |why| Err(io::Error::new(ErrorKind::TimedOut, why));
        if self.watch.cancel.get().is_some() {
            return stop(Stopped::Signal);
        }
        let mut left = self.watch.deadline.saturating_duration_since(now);
        if left.is_zero() {
            return stop(Stopped::Deadline);
        }
        if let Some(silence) = self.watch.silence.filter(|_| reading) {
            let quiet = (self.heard + silence).saturating_duration_since(now);
            if quiet.is_zero() {
                return stop(Stopped::Silence);
            }
            left = left.min(quiet);
        }
        Ok(left.min(TURN))
    }

    /// One read that does not wait.
    fn read_arrived(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.turn(true)?;
        self.tcp.set_nonblocking(true)?;
        let read = self.tcp.read(buffer);
        self.tcp.set_nonblocking(false)?;
        match read {
            Err(e) if again(&e) => Err(io::Error::new(ErrorKind::TimedOut, Stopped::Deadline)),
            other => other,
        }
    }
}

/// A wait that ended without bytes: its turn is over, or a signal handler ran.
fn again(error: &io::Error) -> bool {
    matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut | ErrorKind::Interrupted)
}

impl Read for Watched {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if !self.watch.waits {
            return self.read_arrived(buffer);
        }
        loop {
            self.tcp.set_read_timeout(Some(self.turn(true)?))?;
            match self.tcp.read(buffer) {
                Err(e) if again(&e) => {}
                Ok(count) => {
                    self.heard = Instant::now();
                    return Ok(count);
                }
                Err(e) => return Err(e),
            }
        }
    }
}

impl Write for Watched {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        loop {
            self.tcp.set_write_timeout(Some(self.turn(false)?))?;
            match self.tcp.write(bytes) {
                Err(e) if again(&e) => {}
                other => return other,
            }
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        self.tcp.flush()
    }
}

/// A stream to a gateway.
#[derive(Debug)]
pub enum Stream {
    /// `ws`.
    Plain(Watched),
    /// `wss`.
    Tls(Box<StreamOwned<ClientConnection, Watched>>),
}

impl Stream {
    /// Puts a connected socket under a watch; TLS begins with the first byte.
    pub fn new(tcp: TcpStream, tls: Option<ClientConnection>, watch: Watch) -> Self {
        // Frames are small and each waits for its answer.
        let _ = tcp.set_nodelay(true);
        let watched = Watched { tcp, watch, heard: Instant::now() };
        match tls {
            None => Self::Plain(watched),
            Some(session) => Self::Tls(Box::new(StreamOwned::new(session, watched))),
        }
    }

    /// Begins another phase. Silence counts from now.
    pub fn watch(&mut self, watch: Watch) {
        let watched = match self {
            Self::Plain(watched) => watched,
            Self::Tls(stream) => stream.get_mut(),
        };
        watched.watch = watch;
        watched.heard = Instant::now();
    }
}

impl Read for Stream {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        match self {
            Self::Plain(stream) => stream.read(buffer),
            Self::Tls(stream) => stream.read(buffer),
        }
    }
}

impl Write for Stream {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Self::Plain(stream) => stream.write(bytes),
            Self::Tls(stream) => stream.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            Self::Plain(stream) => stream.flush(),
            Self::Tls(stream) => stream.flush(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::net::TcpListener;

    fn pair() -> (TcpStream, TcpStream) {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let here = TcpStream::connect(listener.local_addr().unwrap()).unwrap();
        (here, listener.accept().unwrap().0)
    }

    fn watch(deadline: u64, silence: Option<u64>) -> Watch {
        Watch {
            deadline: Instant::now() + Duration::from_millis(deadline),
            silence: silence.map(Duration::from_millis),
            waits: true,
            cancel: Cancel::default(),
        }
    }

    fn stopped(stream: &mut Stream) -> Stopped {
        Stopped::of(&stream.read(&mut [0; 8]).unwrap_err()).unwrap()
    }

    #[test]
    fn a_read_ends_with_its_phase_with_silence_or_with_a_signal() {
        let (here, _there) = pair();
        let mut stream = Stream::new(here, None, watch(30, None));
        assert_eq!(stopped(&mut stream), Stopped::Deadline);
        stream.watch(watch(60_000, Some(30)));
        assert_eq!(stopped(&mut stream), Stopped::Silence);
        let cancelled = watch(60_000, None);
        cancelled.cancel.set(130);
        stream.watch(cancelled);
        assert_eq!(stopped(&mut stream), Stopped::Signal);
    }

    #[test]
    fn a_glance_takes_what_has_arrived_and_does_not_wait_for_more() {
        let (here, mut there) = pair();
        let mut stream = Stream::new(here, None, Watch { waits: false, ..watch(60_000, None) });
        assert_eq!(stopped(&mut stream), Stopped::Deadline, "a wait of a minute would be noticed");
        there.write_all(b"x").unwrap();
        stream.watch(watch(60_000, None));
        assert_eq!(stream.read(&mut [0; 8]).unwrap(), 1, "and the next phase waits again");
        there.write_all(b"yz").unwrap();
        drop(there);
        let mut rest = Vec::new();
        stream.read_to_end(&mut rest).unwrap();
        assert_eq!(rest, b"yz");
        stream.watch(Watch { waits: false, ..watch(60_000, None) });
        assert_eq!(stream.read(&mut [0; 8]).unwrap(), 0, "the end is seen without a wait");
    }

    #[test]
    fn bytes_that_trickle_do_not_renew_the_deadline() {
        let (here, mut there) = pair();
        let feeder = std::thread::spawn(move || while there.write_all(b"x").is_ok() {});
        let mut stream = Stream::new(here, None, watch(50, Some(20)));
        let error = loop {
            if let Err(e) = stream.read(&mut [0; 1]) {
                break e;
            }
        };
        assert_eq!(Stopped::of(&error), Some(Stopped::Deadline));
        drop(stream);
        feeder.join().unwrap();
    }
}
