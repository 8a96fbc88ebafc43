// Makes names that people and programs choose for themselves safe to show to others.
import { replaceUnseen } from './unseen.ts';

const spaces = /\s+/g;
/** Text that mail programs turn into a link: a scheme, and a dot or an at sign between two letters or digits. */
const scheme = /:\/\//g;
const joined = /(?<=[\p{L}\p{N}])[.@](?=[\p{L}\p{N}])/gu;

const longestName = 120;
const longestInMail = 60;

/** A name as one line, without characters that hide or reorder text. */
export function toPrintable(name: string, longest = longestName): string {
  return replaceUnseen(name, () => ' ')
    .replaceAll(spaces, ' ')
    .trim()
    .slice(0, longest)
    .trim();
}

/** The same for a mail in this server's name: short, and without anything that becomes a link. */
export function toPrintableInMail(name: string): string {
  const line = toPrintable(name, longestInMail);
  return line.replaceAll(scheme, ' ').replaceAll(joined, (sign) => `[${sign}]`);
}
