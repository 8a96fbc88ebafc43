import { hidesSomething } from '#kernel/unseen';
import { z } from 'zod';

// Comments, groups and quotes of RFC 5322 could send a mail to another address than the shown and judged one.
const bare = String.raw`[^\s<>@,;:"()[\]\\]+@[^\s<>@,;:"()[\]\\]+`;
const form = new RegExp(String.raw`^(?:(?:"([^"\\<>\r\n]*)" *|([^<>\r\n,;:"()\\@]*))<(${bare})>|(${bare}))$`);

/** An address as people write it: `ana@example.com`, `Ana <ana@example.com>`, `"Ana (Sales)" <ana@example.com>`. */
export const mailAddress = z
  .string()
  .trim()
  .max(320)
  .regex(form, 'must be an address such as ana@example.com or Ana <ana@example.com>; other signs in a name are quoted')
  .refine((written) => !hidesSomething(written), 'contains a character that cannot be seen; type the address anew');

/** The parts of an address, without ambiguity. Throws for another text. */
export function partsOf(written: string): { name: string; address: string } {
  const [whole, quoted, plain, inBrackets, alone] = form.exec(written.trim()) ?? [];
  if (whole === undefined) throw new Error(`${written} is no address`);
  return { name: (quoted ?? plain ?? '').trim(), address: inBrackets ?? alone ?? '' };
}
