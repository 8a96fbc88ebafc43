import { hasUnseen } from '#kernel/unseen';
import { z } from 'zod';

// Comments, groups and quotes of RFC 5322 could direct a mail to an address other than the one shown and checked. So
// everything before the last address is its name, and may contain an address only in quotes.
const bare = String.raw`[^\s<>@,;:"()[\]\\]+@[^\s<>@,;:"()[\]\\]+`;
const quoted = String.raw`"((?:[^"\\<>\r\n]|\\["\\])*)" *`;
const form = new RegExp(String.raw`^(?:(?:${quoted}|([^<>\r\n@]*))<(${bare})>|(${bare}))$`);

/**
 * An address as people write it and pages show it: `ana@example.com`, `Roe, Ana (Sales) <ana@example.com>`, `"Ana @
 * work" <ana@example.com>`.
 */
export const mailAddress = z
  .string()
  .trim()
  .max(320)
  .regex(
    form,
    'must be one address, such as ana@example.com or Roe, Ana <ana@example.com>; put a name that contains @ in quotes',
  )
  .refine((written) => !hasUnseen(written), 'contains an invisible character. Type the address again.');

/** The parts of an address, without ambiguity. Throws for another text. */
export function splitAddress(written: string): { name: string; address: string } {
  const [whole, inQuotes, plain, inBrackets, alone] = form.exec(written.trim()) ?? [];
  if (whole === undefined) throw new Error(`${written} is not an address`);
  return { name: (inQuotes?.replaceAll(/\\(["\\])/g, '$1') ?? plain ?? '').trim(), address: inBrackets ?? alone ?? '' };
}
