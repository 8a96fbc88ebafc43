import { hasUnseen } from '#kernel/unseen';
import { z } from 'zod';

// Comments, groups and quotes of RFC 5322 could send a mail to another address than the shown and judged one. What stands before the
// last address is therefore its name as a whole, and holds no other address unless it is in quotes.
const bare = String.raw`[^\s<>@,;:"()[\]\\]+@[^\s<>@,;:"()[\]\\]+`;
const quoted = String.raw`"((?:[^"\\<>\r\n]|\\["\\])*)" *`;
const form = new RegExp(String.raw`^(?:(?:${quoted}|([^<>\r\n@]*))<(${bare})>|(${bare}))$`);

/** An address as people write it and pages show it: `ana@example.com`, `Roe, Ana (Sales) <ana@example.com>`, `"Ana @ work" <ana@example.com>`. */
export const mailAddress = z
  .string()
  .trim()
  .max(320)
  .regex(
    form,
    'must be one address, such as ana@example.com or Roe, Ana <ana@example.com>; a name with the sign @ is in quotes',
  )
  .refine((written) => !hasUnseen(written), 'contains a character that cannot be seen; type the address anew');

/** The parts of an address, without ambiguity. Throws for another text. */
export function splitAddress(written: string): { name: string; address: string } {
  const [whole, inQuotes, plain, inBrackets, alone] = form.exec(written.trim()) ?? [];
  if (whole === undefined) throw new Error(`${written} is no address`);
  return { name: (inQuotes?.replaceAll(/\\(["\\])/g, '$1') ?? plain ?? '').trim(), address: inBrackets ?? alone ?? '' };
}
