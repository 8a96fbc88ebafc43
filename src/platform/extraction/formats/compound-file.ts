// The container of a DOC file: sectors that form chains. Source: [MS-CFB] 2.2 and 2.3.

/** Where the header says how many sectors each table has. */
const counts = [44, 64, 72];
/** Where the header lists the sectors of the table of chains, and how many it has room for. */
const named = { at: 76, most: 109 };
const idBytes = 4;

/**
 * Throws when the sector size is impossible, when there are more sectors than the file has room for, or when a chain is
 * circular: a reader would follow them until its memory is full.
 */
export function checkCompoundFile(bytes: Buffer): void {
  const [sector, small] = [bytes.readUInt16LE(30), bytes.readUInt16LE(32)];
  if ((sector !== 9 && sector !== 12) || small !== 6) throw new Error('the sectors have an impossible size');
  const size = 1 << sector;
  for (const at of counts)
    if (bytes.readUInt32LE(at) * size > bytes.length) throw new Error('the file has no room for its tables');
  const readIds = (ids: readonly number[]) =>
    ids.flatMap((id) => {
      const part = bytes.subarray((id + 1) * size, (id + 2) * size);
      return Array.from({ length: Math.floor(part.length / idBytes) }, (_, at) => part.readInt32LE(at * idBytes));
    });
  const tables = Math.min(bytes.readUInt32LE(44), named.most);
  const next = readIds(Array.from({ length: tables }, (_, at) => bytes.readInt32LE(named.at + at * idBytes)));
  checkChains(next);
  checkChains(readIds(followChain(bytes.readInt32LE(60), next)));
}

function followChain(start: number, next: readonly number[]): number[] {
  const ids: number[] = [];
  for (let id: number | undefined = start; id !== undefined && id >= 0; id = next[id]) ids.push(id);
  return ids;
}

/** `next` has the sector after each one; negative numbers end a chain. */
function checkChains(next: readonly number[]): void {
  const seenBy = new Int32Array(next.length).fill(-1);
  for (let start = 0; start < next.length; start += 1)
    for (let id = start; id >= 0 && id < next.length && seenBy[id]! < start; id = next[id]!) {
      if (seenBy[id] !== -1) break; // followed from an earlier sector, without a circle
      seenBy[id] = start;
      const after = next[id]!;
      if (after >= 0 && after < next.length && seenBy[after] === start)
        throw new Error('the chain of sectors is circular');
    }
}
