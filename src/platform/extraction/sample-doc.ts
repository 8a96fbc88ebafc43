// Creates a small Word file of the binary format, for tests. Sources: [MS-CFB] for the container, [MS-DOC] for the
// document.

const sectorBytes = 512;
/** Smaller streams would have to be in a separate stream. */
const streamSectors = 8;
const free = 0xff_ff_ff_ff;
const endOfChain = 0xff_ff_ff_fe;
const isTable = 0xff_ff_ff_fd;
/** Where the sectors of each part begin: the sector table, the directory, and two streams. */
const starts = { directory: 1, document: 2, table: 2 + streamSectors };

/** A DOC file with one piece of text. */
export function buildSampleDoc(text: string): Buffer {
  return Buffer.concat([
    buildHeader(),
    buildSectorTable(),
    buildDirectory(),
    buildDocumentStream(text),
    buildTableStream(text),
  ]);
}

function buildHeader(): Buffer {
  const bytes = Buffer.alloc(sectorBytes);
  Buffer.from('d0cf11e0a1b11ae1', 'hex').copy(bytes);
  bytes.writeUInt16LE(0x3e, 24);
  bytes.writeUInt16LE(3, 26);
  bytes.writeUInt16LE(0xfffe, 28);
  bytes.writeUInt16LE(9, 30); // sectors of 2^9 bytes
  bytes.writeUInt16LE(6, 32);
  bytes.writeUInt32LE(1, 44);
  bytes.writeUInt32LE(starts.directory, 48);
  bytes.writeUInt32LE(sectorBytes * streamSectors, 56);
  bytes.writeUInt32LE(endOfChain, 60);
  bytes.writeUInt32LE(endOfChain, 68);
  bytes.fill(0xff, 76);
  bytes.writeUInt32LE(0, 76);
  return bytes;
}

function buildSectorTable(): Buffer {
  const bytes = Buffer.alloc(sectorBytes, 0xff);
  const chain = (from: number) => {
    for (let at = from; at < from + streamSectors; at += 1)
      bytes.writeUInt32LE(at === from + streamSectors - 1 ? endOfChain : at + 1, at * 4);
  };
  bytes.writeUInt32LE(isTable, 0);
  bytes.writeUInt32LE(endOfChain, starts.directory * 4);
  chain(starts.document);
  chain(starts.table);
  return bytes;
}

function buildDirectory(): Buffer {
  const entry = (name: string, type: number, { child = free, right = free, start = endOfChain, size = 0 }) => {
    const bytes = Buffer.alloc(128);
    bytes.write(name, 'utf16le');
    bytes.writeUInt16LE(name ? (name.length + 1) * 2 : 0, 64);
    bytes.writeUInt8(type, 66);
    bytes.writeUInt8(1, 67);
    bytes.writeUInt32LE(free, 68);
    bytes.writeUInt32LE(right, 72);
    bytes.writeUInt32LE(child, 76);
    bytes.writeUInt32LE(start, 116);
    bytes.writeUInt32LE(size, 120);
    return bytes;
  };
  const size = sectorBytes * streamSectors;
  return Buffer.concat([
    entry('Root Entry', 5, { child: 2 }),
    entry('WordDocument', 2, { start: starts.document, size }),
    entry('1Table', 2, { right: 1, start: starts.table, size }),
    entry('', 0, {}),
  ]);
}

const textAt = 1_024;

/** The file information block, and the text in UTF-16 after it. */
function buildDocumentStream(text: string): Buffer {
  const bytes = Buffer.alloc(sectorBytes * streamSectors);
  bytes.writeUInt16LE(0xa5ec, 0);
  bytes.writeUInt16LE(0xc1, 2);
  bytes.writeUInt16LE(0x0200, 0x0a); // the pieces are in «1Table»
  bytes.writeUInt32LE(textAt, 0x18);
  bytes.writeUInt16LE(14, 0x20);
  bytes.writeUInt16LE(22, 0x3e);
  bytes.writeUInt32LE(text.length, 0x4c);
  bytes.writeUInt16LE(0x5d, 0x98);
  bytes.writeUInt32LE(0, 0x1a2);
  bytes.writeUInt32LE(21, 0x1a6);
  bytes.write(text, textAt, 'utf16le');
  return bytes;
}

/** The piece table: one piece with all text. */
function buildTableStream(text: string): Buffer {
  const bytes = Buffer.alloc(sectorBytes * streamSectors);
  bytes.writeUInt8(2, 0);
  bytes.writeUInt32LE(16, 1);
  bytes.writeUInt32LE(text.length, 9);
  bytes.writeUInt32LE(textAt, 15);
  return bytes;
}
