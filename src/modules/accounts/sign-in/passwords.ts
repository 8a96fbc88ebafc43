// Passwords are stored as argon2id hashes (RFC 9106), in the form of the reference implementation.
import { trimLetters } from '#kernel/trim-end';
import { argon2, randomBytes, timingSafeEqual, type Argon2Parameters } from 'node:crypto';
import { promisify } from 'node:util';
import { createTurns } from '#platform/turns';

type Cost = { memory: number; passes: number; parallelism: number };

/** OWASP's recommendation: 19 MiB, two passes. */
const cost: Cost = { memory: 19_456, passes: 2, parallelism: 1 };
const tagLength = 32;
/** Each hash takes memory and a core for a while, and any client may try. */
const hashesAtOnce = 2;
const inTurn = createTurns(hashesAtOnce);
const derive = promisify(argon2);
const form = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([\w+/]+)\$([\w+/]+)$/;

function computePasswordTag(password: string, nonce: Buffer, { memory, passes, parallelism }: Cost): Promise<Buffer> {
  // oxlint-disable-next-line thalamus/linear-time -- a password has at most 200 characters
  const message = Buffer.from(password.normalize('NFKC'));
  const parameters: Argon2Parameters = { message, nonce, memory, passes, parallelism, tagLength };
  return inTurn(() => derive('argon2id', parameters));
}

/** The hash of a password, with the parameters to compute it again. */
export async function hashPassword(password: string): Promise<string> {
  const nonce = randomBytes(16);
  const text = (bytes: Buffer) => trimLetters(bytes.toString('base64'), '=');
  const { memory, passes, parallelism } = cost;
  const tag = await computePasswordTag(password, nonce, cost);
  return `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}$${text(nonce)}$${text(tag)}`;
}

/** Whether a password matches a hash. Without a hash it never does, but takes as much work. */
export async function isPassword(password: string, stored: string | null): Promise<boolean> {
  const [, memory, passes, parallelism, nonce, tag] = form.exec(stored ?? '') ?? [];
  if (!nonce || !tag) {
    await computePasswordTag(password, randomBytes(16), cost);
    return false;
  }
  const given = { memory: Number(memory), passes: Number(passes), parallelism: Number(parallelism) };
  const computed = await computePasswordTag(password, Buffer.from(nonce, 'base64'), given);
  const expected = Buffer.from(tag, 'base64');
  return computed.length === expected.length && timingSafeEqual(computed, expected);
}
