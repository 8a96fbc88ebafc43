// The bytes of a file that came with a mail.
import { AppError } from '#kernel/errors';
import { z } from 'zod';
import { ProviderFault } from '../provider-client.ts';
import { findPart, gmailMessage } from './gmail-message.ts';
import { gmailApi } from './gmail-threads.ts';
import type { Reader } from './source.ts';

/** Gmail gives another id for a file with every reading, so what tells it is the part of the message. */
const handle = z.object({ message_id: z.string(), part_id: z.string(), attachment_id: z.string().nullable() });

/** Ids that Gmail no longer knows, or never gave because the content came with the message. */
const outdated: readonly (number | null)[] = [400, 404];

/** Fetches a file by the id of the last reading, and by its part of the message when that is outdated. */
export async function gmailFile(reader: Reader, found: unknown, maxBytes: number): Promise<Uint8Array> {
  const { message_id, part_id, attachment_id } = handle.parse(found);
  const url = `${gmailApi}/messages/${encodeURIComponent(message_id)}`;
  // Base64 has four characters for three bytes; the rest of the answer is short.
  const limit = Math.ceil((maxBytes / 3) * 4) + 10_000;
  const fetchById = async (id: string) => {
    const request = { method: 'GET' as const, url: `${url}/attachments/${encodeURIComponent(id)}`, headers: {} };
    return dataOf(await reader.bytes(request, limit));
  };
  if (attachment_id !== null) {
    try {
      return await fetchById(attachment_id);
    } catch (error) {
      if (!(error instanceof ProviderFault) || !outdated.includes(error.status)) throw error;
    }
  }
  const { payload } = await reader.get(gmailMessage, url, { format: 'full' });
  const body = findPart(payload, part_id)?.body;
  if (body?.data !== undefined) return Buffer.from(body.data, 'base64url');
  if (body?.attachmentId !== undefined) return fetchById(body.attachmentId);
  const message = 'The file is no longer in the mail.';
  throw new AppError('upstream_failed', message, { errorCategory: 'not_found' });
}

const field = /"data"\s*:\s*"/;
const quote = 0x22;
/** Of base64, so that each part stands for whole bytes. */
const partLength = 4 * 65_536;

/**
 * The bytes of the one long field of an answer, decoded part by part into the place where they stood: parsed as JSON the answer
 * would be in memory three times, and it may have 33 MB. Base64 needs no escapes, and what it stands for is shorter.
 */
function dataOf(answer: Uint8Array): Uint8Array {
  const bytes = Buffer.from(answer.buffer, answer.byteOffset, answer.length);
  const head = field.exec(bytes.toString('latin1', 0, 2_000));
  const start = head ? head.index + head[0].length : -1;
  const end = start < 0 ? -1 : bytes.indexOf(quote, start);
  if (end < 0)
    throw new AppError('upstream_failed', 'Gmail gave no content for the file.', { errorCategory: 'bad_response' });
  let length = 0;
  for (let at = start; at < end; at += partLength)
    length += bytes.write(bytes.toString('latin1', at, Math.min(at + partLength, end)), length, 'base64url');
  return bytes.subarray(0, length);
}
