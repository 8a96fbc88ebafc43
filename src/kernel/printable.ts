// Names that people and programs give themselves, as others see them.
import { replaceUnseen } from './unseen.ts';

const spaces = /\s+/g;
/** Where a program that shows mails would make a link: a scheme, and a dot or an at sign between two letters or digits. */
const scheme = /:\/\//g;
const joined = /(?<=[\p{L}\p{N}])[.@](?=[\p{L}\p{N}])/gu;

const longestName = 120;
const longestInMail = 60;

/** A name as one line, without signs that hide or turn text. */
export function toPrintable(name: string, longest = longestName): string {
  return replaceUnseen(name, () => ' ')
    .replaceAll(spaces, ' ')
    .trim()
    .slice(0, longest)
    .trim();
}

/** The same for a mail that this server signs with its own name: short, and nothing in it becomes a link. */
export function toPrintableInMail(name: string): string {
  const line = toPrintable(name, longestInMail);
  return line.replaceAll(scheme, ' ').replaceAll(joined, (sign) => `[${sign}]`);
}
