//! The log file of a checkpoint. A read returns exactly the records of a commit, or an error.
//!
//! A file starts with a magic string, the format version, and two slots for the committed length. Then follow the
//! records, each with its length and a checksum. The first record is the header, which names the owner. A commit first
//! syncs all records to disk and then writes the new length to the older of the two slots. Bytes after the committed
//! length come from a process that was killed while it wrote; they are ignored, and cut off at the next append. If one
//! slot is damaged, the length in the other slot is used. All other bytes before the committed length must be
//! unchanged.

use crate::call::checkpoint::{Header, Owner};
use std::fs::{File, OpenOptions};
use std::io::{BufReader, BufWriter, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

/// The magic string at the start of a file.
const MAGIC: &[u8] = b"scrutineer checkpoint\n";

/// The version of the file format.
const FORMAT: u32 = 1;

/// The offset of the two slots with the committed length, in bytes.
const SLOTS: u64 = MAGIC.len() as u64 + 4;
/// The size of a slot, in bytes.
const SLOT: u64 = 16;

/// The offset of the first record, in bytes.
const RECORDS: u64 = SLOTS + 2 * SLOT;

/// A log file, and the records being appended to it.
pub(crate) struct LogFile {
    pub(crate) path: PathBuf,
    header: Vec<u8>,
    /// Whether the next records start a new log that replaces the old one at the next commit.
    replace: bool,
    writing: Option<Writing>,
    /// The first error of a write since the last commit.
    failed: Option<std::io::Error>,
}

/// A file open for appending.
struct Writing {
    file: BufWriter<File>,
    /// The length of the file in bytes, including uncommitted records.
    length: u64,
    /// The committed length, and the index of the slot that holds it.
    committed: (u64, usize),
}

/// A file whose committed records have all passed their checksums.
pub(crate) struct Intact {
    path: PathBuf,
    header: Header,
}

/// The start of all messages that name a damaged file.
pub(crate) const MESSAGE_START: &str = "the checkpoint ";

/// The message that the file is damaged, for the reason `why`.
pub(crate) fn damaged(path: &Path, why: &str) -> String {
    let path = path.display();
    format!(
        "{MESSAGE_START}{path} is damaged ({why}) and was not used: bring back a copy of it, or remove it to search what it belongs \
         to from the beginning"
    )
}

/// Verifies the checksums of all committed records of a file, and returns its header.
pub(crate) fn read(path: &Path) -> Result<Intact, String> {
    let mut records = Records::open(path)?;
    let first = records.next()?;
    let first = first.ok_or_else(|| damaged(path, "it does not say whom it belongs to"))?;
    let header = serde_json::from_slice(first);
    let header: Header = header.map_err(|e| damaged(path, &e.to_string()))?;
    while records.next()?.is_some() {}
    Ok(Intact {
        path: path.into(),
        header,
    })
}

impl Intact {
    /// An error unless the file was written for one of the owners.
    pub(crate) fn belongs_to(&self, owners: &[Owner]) -> Result<(), String> {
        let (path, own) = (self.path.display(), &self.header.owner);
        let same_name = |o: &&Owner| file_name(&o.model) == file_name(&own.model);
        let text = owners.iter().find(|o| o.text == own.text);
        let Some(owner) = text.or_else(|| owners.iter().find(same_name)) else {
            let model = &own.model;
            return Err(format!(
                "the checkpoint {path} belongs to another model, {model}: name another folder with --out, or remove it"
            ));
        };
        if own.tool != owner.tool {
            return Err(format!(
                "the checkpoint {path} was made by scrutineer {}, and this is {}: go on with that version, or remove it to begin anew",
                own.tool, owner.tool
            ));
        }
        if own.text != owner.text {
            let model = &owner.model;
            return Err(format!(
                "the checkpoint {path} belongs to {model} as it was before it was changed: undo the change, or remove the checkpoint \
                 to begin anew"
            ));
        }
        if own.call != owner.call {
            let said = |call: &str| match call {
                "" => "without -D, --claim and --by".into(),
                call => format!("with {call}"),
            };
            return Err(format!(
                "the checkpoint {path} was made {}, and this call is {}: say the same again, or remove the checkpoint to begin anew",
                said(&own.call),
                said(&owner.call)
            ));
        }
        Ok(())
    }
}

fn file_name(model: &str) -> Option<&std::ffi::OsStr> {
    Path::new(model).file_name()
}

/// Reads the committed records of a file in order.
struct Records {
    path: PathBuf,
    file: BufReader<File>,
    at: u64,
    committed: (u64, usize),
    record: Vec<u8>,
}

impl Records {
    fn open(path: &Path) -> Result<Records, String> {
        let cannot =
            |e: std::io::Error| format!("cannot read the checkpoint {}: {e}", path.display());
        let file = File::open(path).map_err(cannot)?;
        let length = file.metadata().map_err(cannot)?.len();
        let mut file = BufReader::with_capacity(1 << 16, file);
        let mut start = vec![0; RECORDS as usize];
        if length < RECORDS || file.read_exact(&mut start).is_err() || !start.starts_with(MAGIC) {
            return Err(format!(
                "{} is no checkpoint of Scrutineer, whatever its name says: remove it, or name another folder with --out",
                path.display()
            ));
        }
        let format = u32::from_le_bytes(word(&start[MAGIC.len()..]));
        if format != FORMAT {
            return Err(format!(
                "the checkpoint {} has format {format}, and this version of scrutineer reads format {FORMAT}: go on with the version \
                 that made it, or remove it to begin anew",
                path.display()
            ));
        }
        let slot = |n: usize| {
            let at = (SLOTS + n as u64 * SLOT) as usize;
            let slot = &start[at..at + SLOT as usize];
            let check = u64::from_le_bytes(word(&slot[8..]));
            (checksum(n as u64, &slot[..8]) == check).then(|| u64::from_le_bytes(word(slot)))
        };
        let slots = [0, 1].into_iter().filter_map(|n| Some((slot(n)?, n)));
        let committed = slots
            .max()
            .ok_or_else(|| damaged(path, "it does not say how long it is"))?;
        if committed.0 > length {
            let missing = committed.0 - length;
            return Err(damaged(
                path,
                &format!("its last {missing} bytes are missing"),
            ));
        }
        Ok(Records {
            path: path.into(),
            file,
            at: RECORDS,
            committed,
            record: Vec::new(),
        })
    }

    /// The next record; `None` at the end of the committed records.
    fn next(&mut self) -> Result<Option<&[u8]>, String> {
        let left = self.committed.0.saturating_sub(self.at);
        if left == 0 {
            return Ok(None);
        }
        let bad = || {
            damaged(
                &self.path,
                &format!("what is at byte {} was changed", self.at),
            )
        };
        let mut number = [0; 4];
        self.file.read_exact(&mut number).map_err(|_| bad())?;
        let length = u64::from(u32::from_le_bytes(number));
        if length + 12 > left {
            return Err(bad());
        }
        self.record.resize(length as usize, 0);
        self.file.read_exact(&mut self.record).map_err(|_| bad())?;
        let mut check = [0; 8];
        self.file.read_exact(&mut check).map_err(|_| bad())?;
        if u64::from_le_bytes(check) != checksum(self.at, &self.record) {
            return Err(bad());
        }
        self.at += length + 12;
        Ok(Some(&self.record))
    }
}

impl LogFile {
    /// The log at a path. `header` is its first record.
    pub(crate) fn new(path: PathBuf, header: Vec<u8>) -> LogFile {
        LogFile {
            path,
            header,
            replace: false,
            writing: None,
            failed: None,
        }
    }

    /// Visits all committed records after the header. Visits none if the file does not exist or has another header.
    pub(crate) fn each(
        &mut self,
        visit: &mut dyn FnMut(&[u8]) -> Result<(), String>,
    ) -> Result<(), String> {
        if !self.path.exists() {
            return Ok(());
        }
        let mut records = Records::open(&self.path)?;
        if records.next()? != Some(&self.header[..]) {
            return Ok(()); // a hash collision: the file belongs to another question, and will be overwritten
        }
        while let Some(record) = records.next()? {
            visit(record)?;
        }
        Ok(())
    }

    /// Starts a new log. It replaces the old one when it is committed.
    pub(crate) fn begin(&mut self) {
        self.replace = true;
        self.writing = None;
        self.failed = None;
    }

    /// Appends a record. An error is reported by the next `commit`.
    pub(crate) fn put(&mut self, record: &[u8]) {
        if self.failed.is_none()
            && let Err(error) = self.try_to_put(record)
        {
            self.failed = Some(error);
        }
    }

    fn try_to_put(&mut self, record: &[u8]) -> std::io::Result<()> {
        let writing = match &mut self.writing {
            Some(writing) => writing,
            none => none.insert(match self.replace {
                true => Writing::create(&self.path, &self.header)?,
                false => Writing::append(&self.path)?,
            }),
        };
        writing.put(record)
    }

    /// Commits the appended records. After an error, the records of the previous commit remain valid.
    pub(crate) fn commit(&mut self) -> std::io::Result<()> {
        let committed = match self.failed.take() {
            Some(error) => Err(error),
            None => self.try_to_commit(),
        };
        if committed.is_err() {
            // The disk may be full, so the space of the uncommitted records is freed.
            if let Some(writing) = self.writing.take()
                && !self.replace
            {
                let (file, _) = writing.file.into_parts();
                let _ = file.set_len(writing.committed.0);
            }
            let _ = std::fs::remove_file(unfinished(&self.path)); // the file may not exist
        }
        committed
    }

    fn try_to_commit(&mut self) -> std::io::Result<()> {
        let Some(writing) = &mut self.writing else {
            return Ok(());
        };
        writing.file.flush()?;
        writing.file.get_ref().sync_data()?;
        match self.replace {
            true => {
                writing.write_length(0)?;
                writing.write_length(1)?;
                std::fs::rename(unfinished(&self.path), &self.path)?;
                if let Some(folder) = self.path.parent()
                    && let Ok(folder) = File::open(folder)
                {
                    let _ = folder.sync_all(); // not all operating systems support syncing a folder
                }
                self.replace = false;
            }
            false => writing.write_length(1 - writing.committed.1)?,
        }
        Ok(())
    }
}

impl Writing {
    /// Creates a new file under its temporary name and writes the header record.
    fn create(path: &Path, header: &[u8]) -> std::io::Result<Writing> {
        if let Some(folder) = path.parent() {
            std::fs::create_dir_all(folder)?;
        }
        let mut file = BufWriter::with_capacity(1 << 20, File::create(unfinished(path))?);
        file.write_all(MAGIC)?;
        file.write_all(&FORMAT.to_le_bytes())?;
        file.write_all(&[0; 2 * SLOT as usize])?;
        let mut writing = Writing {
            file,
            length: RECORDS,
            committed: (0, 0),
        };
        writing.put(header)?;
        Ok(writing)
    }

    /// Opens a file to append after its committed records; cuts off uncommitted bytes.
    fn append(path: &Path) -> std::io::Result<Writing> {
        let committed = Records::open(path)
            .map_err(std::io::Error::other)?
            .committed;
        let mut file = OpenOptions::new().write(true).open(path)?;
        file.set_len(committed.0)?;
        file.seek(SeekFrom::End(0))?;
        Ok(Writing {
            file: BufWriter::with_capacity(1 << 20, file),
            length: committed.0,
            committed,
        })
    }

    fn put(&mut self, record: &[u8]) -> std::io::Result<()> {
        let length = u32::try_from(record.len()).map_err(std::io::Error::other)?;
        self.file.write_all(&length.to_le_bytes())?;
        self.file.write_all(record)?;
        let check = checksum(self.length, record);
        self.file.write_all(&check.to_le_bytes())?;
        self.length += u64::from(length) + 12;
        Ok(())
    }

    /// Writes the length of the file to the slot 0 or 1, and syncs it.
    fn write_length(&mut self, slot: usize) -> std::io::Result<()> {
        let length = self.length.to_le_bytes();
        let check = checksum(slot as u64, &length).to_le_bytes();
        let file = self.file.get_mut();
        file.seek(SeekFrom::Start(SLOTS + slot as u64 * SLOT))?;
        file.write_all(&[length, check].concat())?;
        file.sync_data()?;
        file.seek(SeekFrom::End(0))?;
        self.committed = (self.length, slot);
        Ok(())
    }
}

/// The temporary name of a file before its first commit.
pub(crate) fn unfinished(path: &Path) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(".unfinished");
    name.into()
}

fn word<const N: usize>(bytes: &[u8]) -> [u8; N] {
    let mut word = [0; N];
    word.copy_from_slice(&bytes[..N]);
    word
}

/// The 64-bit FNV-1a hash of the offset and the bytes. Two texts of the same length that differ in a single byte always
/// have different hashes.
pub(crate) fn checksum(offset: u64, bytes: &[u8]) -> u64 {
    const START: u64 = 0xcbf2_9ce4_8422_2325;
    const PRIME: u64 = 0x0000_0100_0000_01b3;
    let offset = offset.to_le_bytes();
    let all = offset.iter().chain(bytes);
    all.fold(START, |sum, byte| {
        (sum ^ u64::from(*byte)).wrapping_mul(PRIME)
    })
}
