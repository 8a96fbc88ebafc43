// The bytes of a file that came with a mail.
import { AppError } from '#kernel/errors';
import { z } from 'zod';
import { ProviderFault } from '../provider-client.ts';
import { findPart, gmailMessage } from './gmail-message.ts';
import { gmailApi } from './gmail-threads.ts';
import type { Reader } from './source.ts';

/** Gmail gives another id for a file with every reading, so what tells it is the part of the message. */
const handle = z.object({ message_id: z.string(), part_id: z.string(), attachment_id: z.string().nullable() });
const content = z.object({ data: z.string() });

/** Ids that Gmail no longer knows, or never gave because the content came with the message. */
const outdated: readonly (number | null)[] = [400, 404];

/** Fetches a file by the id of the last reading, and by its part of the message when that is outdated. */
export async function gmailFile(reader: Reader, found: unknown, maxBytes: number): Promise<Uint8Array> {
  const { message_id, part_id, attachment_id } = handle.parse(found);
  const url = `${gmailApi}/messages/${encodeURIComponent(message_id)}`;
  // Base64 has four characters for three bytes; the rest of the answer is short.
  const limit = Math.ceil((maxBytes / 3) * 4) + 10_000;
  const fetchById = async (id: string) =>
    decoded((await reader.get(content, `${url}/attachments/${encodeURIComponent(id)}`, {}, limit)).data);
  if (attachment_id !== null) {
    try {
      return await fetchById(attachment_id);
    } catch (error) {
      if (!(error instanceof ProviderFault) || !outdated.includes(error.status)) throw error;
    }
  }
  const { payload } = await reader.get(gmailMessage, url, { format: 'full' });
  const body = findPart(payload, part_id)?.body;
  if (body?.data !== undefined) return decoded(body.data);
  if (body?.attachmentId !== undefined) return fetchById(body.attachmentId);
  const message = 'The file is no longer in the mail.';
  throw new AppError('upstream_failed', message, { errorCategory: 'not_found' });
}

function decoded(data: string): Uint8Array {
  return Buffer.from(data, 'base64url');
}
