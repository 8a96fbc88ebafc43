// The files of a draft, brought to what was made unsent: small ones in one request, others piece by piece to an address that the
// provider hands out for each.
import { AppError } from '#kernel/errors';
import { readFile, type Attached, type FileBytes } from '../actions/files.ts';
import { valueAt, type Values } from '../executor/values.ts';
import type { Reach } from '../provider-client.ts';
import type { Api } from './pieces.ts';
import { requestOf } from './steps.ts';
import type { Write } from './write.ts';

type Files = NonNullable<Write['files']>;
type Bringing = { api: Api; reach: Reach; files: Files };

/** Brings them in their order. Throws when one is not what was decided on, or not taken. */
export async function bringFiles(
  { api, reach, files }: Bringing,
  attached: readonly Attached[],
  values: Values,
): Promise<void> {
  for (const [position, told] of attached.entries()) {
    const file = await readFile(reach, told, position);
    const { filename: name, mime_type: type, size } = told;
    if (size < files.small.below)
      await bringWhole({ api, reach, files }, file, { ...values, file: { name, type, size } });
    else await bringInPieces({ api, reach, files }, file, { ...values, file: { name, type, size } });
  }
}

async function bringWhole({ api, reach, files }: Bringing, { bytes }: FileBytes, values: Values): Promise<void> {
  const file = { ...(values['file'] as object), base64: bytes.toString('base64') };
  await reach.client.send(reach.link, requestOf(api, files.small.call, { ...values, file }));
}

/** Each piece says where it belongs (RFC 9110, section 14.4); the address is a secret, and goes without the account's. */
async function bringInPieces({ api, reach, files }: Bringing, { bytes }: FileBytes, values: Values): Promise<void> {
  const { call, addressAt, pieceBytes } = files.large;
  const address = valueAt(await reach.client.json(reach.link, requestOf(api, call, values)), addressAt);
  if (typeof address !== 'string') throw new AppError('upstream_failed', 'The provider named no address for a file.');
  for (let from = 0; from < bytes.length; from += pieceBytes) {
    const piece = bytes.subarray(from, from + pieceBytes);
    const headers = {
      'content-type': 'application/octet-stream',
      'content-range': `bytes ${from}-${from + piece.length - 1}/${bytes.length}`,
    };
    await reach.client.send(reach.link, { method: 'PUT', handedOut: address, headers, body: piece });
  }
}
