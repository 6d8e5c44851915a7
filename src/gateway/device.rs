//! The device identity of this installation: an Ed25519 key of our own (spec/gateway.md 4).
//!
//! It is needed where a shared secret is not enough: on another host, or without a secret. The gateway's client has such
//! an identity too, which is not ours to borrow. The file is private to the user (0600 in a 0700 folder) and is refused
//! if others may read it. Beside the key it keeps the tokens that gateways issued to this device, each for the endpoint
//! that issued it.
//!
//! A cleanup and the list of a gateway elsewhere make an identity where one is needed, and remember a token; `gateway
//! status` does neither.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use data_encoding::{BASE64URL_NOPAD, HEXLOWER};
use ed25519_dalek::{Signer as _, SigningKey};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use zeroize::Zeroizing;

use crate::error::{Error, Result};
use crate::fsx::{read as fsx, scratch};

use super::protocol::{Client, ROLE};
use super::secret::Secret;

/// Version of the file.
const VERSION: u32 = 1;
/// Our folder in the state folder.
const FOLDER: &str = ".clawkeep";
/// The file in it.
const FILE: &str = "gateway-device.json";

/// Where the identity of a state folder is kept.
pub fn path(state_dir: &Path) -> PathBuf {
    state_dir.join(FOLDER).join(FILE)
}

/// The key of this installation, and the tokens that were issued to it.
#[derive(Debug)]
pub struct Identity {
    key: SigningKey,
    tokens: BTreeMap<String, Secret>,
    path: PathBuf,
}

/// The file.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct File {
    version: u32,
    device_id: String,
    public_key: String,
    private_key: Zeroizing<String>,
    #[serde(default)]
    tokens: BTreeMap<String, Zeroizing<String>>,
}

impl Identity {
    /// Reads the identity; `None` if there is none yet.
    ///
    /// # Errors
    /// A file that cannot be read, that others may read, or that is damaged.
    pub fn load(path: &Path) -> Result<Option<Self>> {
        let (bytes, fingerprint) = match fsx::read_regular(path) {
            Ok(read) => read,
            Err(e) if e.kind() == std::io::ErrorKind::NotFound => return Ok(None),
            Err(e) => return Err(Error::io("read", path, e)),
        };
        let bytes = Zeroizing::new(bytes);
        if cfg!(unix) && fingerprint.mode & 0o077 != 0 {
            return Err(Error::failed(format!("{} holds a private key and others may read it", path.display()))
                .hint(format!("chmod 600 {}", crate::report::command::quote(&path.to_string_lossy()))));
        }
        let damaged = |what: &str| {
            Error::failed(format!("{} is damaged: {what}", path.display()))
                .hint("move it away; a new identity is made, and has to be approved by the gateway again")
        };
        let file: File = serde_json::from_slice(&bytes).map_err(|_| damaged("no identity in it"))?;
        if file.version != VERSION {
            return Err(damaged("it was written by another version"));
        }
        let seed = BASE64URL_NOPAD.decode(file.private_key.as_bytes()).map(Zeroizing::new);
        let seed: Zeroizing<[u8; 32]> = match seed.as_ref().map(|s| s.as_slice().try_into()) {
            Ok(Ok(seed)) => Zeroizing::new(seed),
            _ => return Err(damaged("the private key is none")),
        };
        let identity = Self {
            key: SigningKey::from_bytes(&seed),
            tokens: file.tokens.iter().filter_map(|(url, token)| Some((url.clone(), Secret::of(token)?))).collect(),
            path: path.to_owned(),
        };
        if identity.id() != file.device_id {
            return Err(damaged("key and device id do not belong together"));
        }
        Ok(Some(identity))
    }

    /// Makes a new identity and keeps it.
    ///
    /// # Errors
    /// No random numbers, or a file that cannot be written.
    pub fn create(path: &Path) -> Result<Self> {
        let mut seed = Zeroizing::new([0; 32]);
        getrandom::fill(seed.as_mut_slice())
            .map_err(|e| Error::failed(format!("the system gives no random numbers: {e}")))?;
        let identity = Self { key: SigningKey::from_bytes(&seed), tokens: BTreeMap::new(), path: path.to_owned() };
        identity.save()?;
        Ok(identity)
    }

    /// Keeps a token that the gateway at `endpoint` issued.
    ///
    /// # Errors
    /// A file that cannot be written.
    pub fn remember(&mut self, endpoint: &str, token: &str) -> Result<()> {
        let Some(secret) = Secret::of(token) else { return Ok(()) };
        if self.tokens.get(endpoint) == Some(&secret) {
            return Ok(());
        }
        self.tokens.insert(endpoint.to_owned(), secret);
        self.save()
    }

    fn save(&self) -> Result<()> {
        let file = File {
            version: VERSION,
            device_id: self.id(),
            public_key: self.public_key(),
            private_key: Zeroizing::new(BASE64URL_NOPAD.encode(self.key.as_bytes())),
            tokens: self.tokens.iter().map(|(u, t)| (u.clone(), Zeroizing::new(t.expose().to_owned()))).collect(),
        };
        let mut text = Zeroizing::new(Vec::with_capacity(4096 + 256 * self.tokens.len()));
        serde_json::to_writer_pretty(&mut *text, &file).map_err(|e| Error::io("write", &self.path, e.into()))?;
        text.push(b'\n');
        if let Some(folder) = self.path.parent() {
            scratch::create_dir(folder)?;
        }
        scratch::write(&self.path, &text)
    }

    /// SHA-256 of the public key, lower-case hex.
    pub fn id(&self) -> String {
        HEXLOWER.encode(&Sha256::digest(self.key.verifying_key().as_bytes()))
    }

    /// The file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The token that the gateway at `endpoint` issued.
    pub fn token(&self, endpoint: &str) -> Option<&Secret> {
        self.tokens.get(endpoint)
    }

    fn public_key(&self) -> String {
        BASE64URL_NOPAD.encode(self.key.verifying_key().as_bytes())
    }

    /// Signs a connect request (v3). `at` is the time that the gateway's own challenge carried, so that a clock of ours
    /// that is wrong does not matter.
    pub fn sign(&self, what: &Signing<'_>) -> Signed {
        let id = self.id();
        let payload = what.payload(&id);
        Signed {
            signature: BASE64URL_NOPAD.encode(&self.key.sign(payload.as_bytes()).to_bytes()),
            id,
            public_key: self.public_key(),
            signed_at: what.at,
            nonce: what.nonce.to_owned(),
        }
    }
}

/// What is signed.
#[derive(Debug, Clone, Copy)]
pub struct Signing<'a> {
    /// Who we say we are.
    pub client: Client,
    /// Scopes, in the order in which they are sent.
    pub scopes: &'a [&'a str],
    /// Epoch ms.
    pub at: i64,
    /// The secret of the request that is signed with it; empty if there is none.
    pub token: &'a str,
    /// Nonce of the challenge.
    pub nonce: &'a str,
    /// Platform, as sent.
    pub platform: &'a str,
}

impl Signing<'_> {
    /// `v3|id|client|mode|role|scopes|at|token|nonce|platform|family`. We have no device family: the last part is empty.
    fn payload(&self, id: &str) -> Zeroizing<String> {
        let Self { client, scopes, at, token, nonce, platform } = self;
        let (scopes, platform) = (scopes.join(","), platform.trim().to_ascii_lowercase());
        let (name, mode) = (client.id, client.mode);
        Zeroizing::new(format!("v3|{id}|{name}|{mode}|{ROLE}|{scopes}|{at}|{token}|{nonce}|{platform}|"))
    }
}

/// The `device` block of a connect request.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Signed {
    id: String,
    public_key: String,
    signature: String,
    signed_at: i64,
    nonce: String,
}

#[cfg(test)]
#[path = "device_tests.rs"]
mod tests;
