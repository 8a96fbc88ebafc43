// The bytes of a mail's attachment.
import { AppError } from '#kernel/errors';
import { z } from 'zod';
import { ProviderError, type ReadBytes } from '#providers/http';
import { readFieldBytes, MalformedBase64Error, type Reader } from '#providers/reading';
import { findPart, gmailMessage } from './message.ts';
import { gmailApi } from './threads.ts';

/** Gmail returns a new id for a file at every reading, so the message part identifies the file. */
const handle = z.object({ message_id: z.string(), part_id: z.string(), attachment_id: z.string().nullable() });

/** Ids that Gmail no longer knows, or that it never returned because the content came with the message. */
const outdated: readonly (number | null)[] = [400, 404];

/** Fetches a file by the last id, and by its message part when that id is outdated. */
export async function fetchGmailFile<T>(
  reader: Reader,
  found: unknown,
  maxBytes: number,
  read: ReadBytes<T>,
): Promise<T> {
  const { message_id, part_id, attachment_id } = handle.parse(found);
  const url = `${gmailApi}/messages/${encodeURIComponent(message_id)}`;
  // Base64 has four characters for three bytes; the rest of the answer is short.
  const limit = Math.ceil((maxBytes / 3) * 4) + 10_000;
  const fetchById = (id: string) => {
    const request = { method: 'GET' as const, url: `${url}/attachments/${encodeURIComponent(id)}`, headers: {} };
    return reader.stream(request, limit, (answer) => read(decodeContent(answer)));
  };
  if (attachment_id !== null) {
    try {
      return await fetchById(attachment_id);
    } catch (error) {
      if (!(error instanceof ProviderError) || !outdated.includes(error.status)) throw error;
    }
  }
  const { payload } = await reader.get(gmailMessage, url, { format: 'full' });
  const body = findPart(payload, part_id)?.body;
  if (body?.data !== undefined) return read(readInOnePiece(Buffer.from(body.data, 'base64url')));
  if (body?.attachmentId !== undefined) return fetchById(body.attachmentId);
  const message = 'The file is no longer in the mail.';
  throw new AppError('upstream_failed', message, { errorCategory: 'not_found' });
}

async function* readInOnePiece(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}

/**
 * The bytes of `{"size": …, "data": "…"}`. The size is not checked: for texts that Gmail converted to another charset
 * it is the original one (https://github.com/googleapis/google-api-python-client/issues/510).
 */
async function* decodeContent(answer: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    yield* readFieldBytes(answer, 'data');
  } catch (cause) {
    if (!(cause instanceof MalformedBase64Error)) throw cause;
    const message = 'Gmail returned no readable content for the file.';
    throw new AppError('upstream_failed', message, { errorCategory: 'bad_response' }, { cause });
  }
}
