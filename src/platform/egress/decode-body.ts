// Decompresses an answer, but never beyond the limit.
import { promisify } from 'node:util';
import { brotliDecompress, gunzip, inflate } from 'node:zlib';
import { Failure } from './egress-error.ts';
import type { Answer } from './exchange.ts';

const decoders = {
  gzip: promisify(gunzip),
  'x-gzip': promisify(gunzip),
  deflate: promisify(inflate),
  br: promisify(brotliDecompress),
};

/**
 * The answer with its body decompressed, without the headers of the compressed one. Decoding stops at `maxBytes`, so a
 * small body that unpacks to gigabytes is refused. At most one encoding is accepted. Rejects with a Failure.
 */
export async function decodeBody(answer: Answer, maxBytes: number): Promise<Answer> {
  const coding = answer.headers['content-encoding']?.trim().toLowerCase();
  if (coding === undefined || coding === '' || coding === 'identity' || answer.body.length === 0) return answer;
  const { status } = answer;
  if (!isKnownCoding(coding)) {
    throw new Failure('bad_response', 'The answer is compressed in a way that was not requested.', { status });
  }
  const { 'content-encoding': _coding, 'content-length': _length, ...headers } = answer.headers;
  try {
    return { status, headers, body: await decoders[coding](answer.body, { maxOutputLength: maxBytes }) };
  } catch (cause) {
    const isTooLarge = cause instanceof RangeError && 'code' in cause && cause.code === 'ERR_BUFFER_TOO_LARGE';
    if (isTooLarge) throw new Failure('too_large', `The answer unpacks to more than ${maxBytes} bytes.`, { status });
    throw new Failure('bad_response', 'The compressed answer is damaged.', { status, cause });
  }
}

function isKnownCoding(coding: string): coding is keyof typeof decoders {
  return Object.hasOwn(decoders, coding);
}
