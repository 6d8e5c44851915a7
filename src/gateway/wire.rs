//! One WebSocket to a gateway: frames as text, each wait with its own end, each failure in words.
//!
//! A ping is answered by the library, with the next read or write. Frames are bounded: before the hello, which needs far
//! less, by [`BEFORE_HELLO`], after it by what the gateway itself accepts.

use std::io::ErrorKind;
use std::net::TcpStream;
use std::time::Instant;

use tungstenite::error::{CapacityError, ProtocolError};
use tungstenite::handshake::HandshakeError;
use tungstenite::protocol::frame::coding::CloseCode;
use tungstenite::protocol::{CloseFrame, WebSocketConfig};
use tungstenite::{Bytes, ClientRequestBuilder, Message, Utf8Bytes, WebSocket, client};
use zeroize::Zeroizing;

use super::endpoint::Endpoint;
use super::stream::{Stopped, Stream, Watch};
use super::tls::{self, Pin};

/// Largest message before the hello, bytes.
const BEFORE_HELLO: usize = 4 << 20;
/// Largest message after it, bytes: the bound of the gateway's own client.
const AFTER_HELLO: usize = 26_214_400;
/// Most of the gateway's words that a message repeats, characters.
const QUOTED: usize = 300;

/// Why no frame came, or could not be sent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Broken {
    /// Nothing came in time.
    Late,
    /// Nothing came for too long, although there was time.
    Quiet,
    /// A signal.
    Interrupted,
    /// The other side closed; its code and words, if it said any.
    Closed(Option<(u16, String)>),
    /// It answers HTTP with this status instead of a WebSocket.
    Http(u16),
    /// What it sent is not what a gateway sends.
    Garbage(String),
    /// Its certificate is not accepted, or it speaks no TLS.
    Tls(String),
}

/// An open WebSocket.
#[derive(Debug)]
pub struct Wire {
    socket: WebSocket<Stream>,
}

impl Wire {
    /// TLS if the endpoint has it, and the upgrade.
    ///
    /// # Errors
    /// See [`Broken`].
    pub fn open(tcp: TcpStream, endpoint: &Endpoint, pin: Option<&Pin>, watch: Watch) -> Result<Self, Broken> {
        let tls = if endpoint.tls { Some(tls::session(&endpoint.host, pin).map_err(Broken::Tls)?) } else { None };
        let scheme = if endpoint.tls { "wss" } else { "ws" };
        let uri = format!("{scheme}://{}{}", endpoint.authority(), endpoint.path).parse();
        let uri = uri.map_err(|_| Broken::Garbage("the URL cannot be asked for".to_owned()))?;
        let stream = Stream::new(tcp, tls, watch);
        let config = limits(WebSocketConfig::default(), BEFORE_HELLO);
        match client::client_with_config(ClientRequestBuilder::new(uri), stream, Some(config)) {
            Ok((socket, _)) => Ok(Self { socket }),
            Err(HandshakeError::Failure(error)) => Err(broken(error)),
            // The stream never says that it would block.
            Err(HandshakeError::Interrupted(_)) => Err(Broken::Late),
        }
    }

    /// Begins another phase.
    pub fn watch(&mut self, watch: Watch) {
        self.socket.get_mut().watch(watch);
    }

    /// Accepts what a gateway may send to a session.
    pub fn let_in(&mut self) {
        self.socket.set_config(|config| *config = limits(*config, AFTER_HELLO));
    }

    /// The next text.
    ///
    /// # Errors
    /// See [`Broken`].
    pub fn receive(&mut self) -> Result<Utf8Bytes, Broken> {
        loop {
            match self.socket.read().map_err(broken)? {
                Message::Text(text) => return Ok(text),
                Message::Binary(bytes) => {
                    return Utf8Bytes::try_from(bytes).map_err(|_| Broken::Garbage("a frame is no text".to_owned()));
                }
                Message::Close(frame) => {
                    return Err(Broken::Closed(frame.map(|f| (f.code.into(), quoted(&f.reason)))));
                }
                Message::Ping(_) | Message::Pong(_) | Message::Frame(_) => {}
            }
        }
    }

    /// Sends a text.
    ///
    /// # Errors
    /// See [`Broken`]; nothing is known then about how much of it arrived.
    pub fn send(&mut self, text: String) -> Result<(), Broken> {
        self.socket.send(Message::text(text)).map_err(broken)
    }

    /// Sends a text that holds a secret: our copy of it is wiped when it is out. What the library copies into its own
    /// buffer is masked there.
    ///
    /// # Errors
    /// As [`Wire::send`].
    pub fn send_secret(&mut self, text: Zeroizing<Vec<u8>>) -> Result<(), Broken> {
        let text = Utf8Bytes::try_from(Bytes::from_owner(text));
        let text = text.map_err(|_| Broken::Garbage("a request is no text".to_owned()))?;
        self.socket.send(Message::Text(text)).map_err(broken)
    }

    /// Says goodbye; whether anybody hears it does not matter.
    pub fn close(mut self) {
        let frame = CloseFrame { code: CloseCode::Normal, reason: Utf8Bytes::default() };
        let _ = self.socket.close(Some(frame));
        let _ = self.socket.flush();
    }
}

fn limits(config: WebSocketConfig, bytes: usize) -> WebSocketConfig {
    config.max_message_size(Some(bytes)).max_frame_size(Some(bytes))
}

/// The gateway's words, cut.
pub fn quoted(text: &str) -> String {
    let text = text.trim();
    match text.char_indices().nth(QUOTED) {
        None => text.to_owned(),
        Some((end, _)) => format!("{}…", &text[..end]),
    }
}

fn broken(error: tungstenite::Error) -> Broken {
    use tungstenite::Error;
    match error {
        Error::Io(error) => broken_io(&error),
        Error::Http(response) => Broken::Http(response.status().as_u16()),
        Error::ConnectionClosed | Error::AlreadyClosed => Broken::Closed(None),
        Error::Protocol(ProtocolError::HandshakeIncomplete | ProtocolError::ResetWithoutClosingHandshake) => {
            Broken::Closed(None)
        }
        Error::Capacity(CapacityError::MessageTooLong { size, max_size }) => {
            Broken::Garbage(format!("a frame of {size} bytes, more than the {max_size} that are accepted"))
        }
        other => Broken::Garbage(quoted(&other.to_string())),
    }
}

fn broken_io(error: &std::io::Error) -> Broken {
    match Stopped::of(error) {
        Some(Stopped::Deadline) => return Broken::Late,
        Some(Stopped::Silence) => return Broken::Quiet,
        Some(Stopped::Signal) => return Broken::Interrupted,
        None => {}
    }
    match error.kind() {
        ErrorKind::InvalidData => Broken::Tls(quoted(&error.to_string())),
        // Reset, aborted, broken, an unexpected end.
        _ => Broken::Closed(None),
    }
}

/// A watch until `deadline` that only the deadline and a signal end.
pub fn until(deadline: Instant, cancel: &crate::context::Cancel) -> Watch {
    Watch { deadline, silence: None, waits: true, cancel: cancel.clone() }
}
