// What of an answer an agent may read.
import { withoutSignInTokens } from '#modules/accounts';

/** Base64 of either alphabet, long enough to hold a token, in one line or in several: so do mails come, and parts of mails. */
const encoded = /(?:[\w+/-]{40,}={0,2}\r?\n?)+[\w+/-]*={0,2}/g;
/** A mail within an answer, and a part within that mail. */
const deepest = 2;

/** An answer without tokens that sign somebody in here, also in texts within it that are encoded. */
export function readable(answer: unknown): unknown {
  if (typeof answer === 'string') return readableText(answer);
  if (Array.isArray(answer)) return answer.map(readable);
  if (typeof answer !== 'object' || answer === null) return answer;
  return Object.fromEntries(Object.entries(answer).map(([name, each]) => [readableText(name), readable(each)]));
}

function readableText(text: string, depth = 0): string {
  const plain = withoutSignInTokens(text);
  return depth < deepest ? plain.replaceAll(encoded, (block) => decodedAndBack(block, depth + 1)) : plain;
}

/** The block as it was, unless a token is within. */
function decodedAndBack(block: string, depth: number): string {
  // Latin-1 gives every byte back as it was.
  const within = Buffer.from(block, 'base64').toString('latin1');
  const without = readableText(within, depth);
  if (without === within) return block;
  return Buffer.from(without.replaceAll('…', '...'), 'latin1').toString('base64url');
}
