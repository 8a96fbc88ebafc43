// Reads forms (application/x-www-form-urlencoded, URL Standard section 5.1) in linear time. `URLSearchParams` takes
// time with the square of the number of fields.
import { AppError } from '#kernel/errors';

/** More fields than any form of ours has. */
const usualMost = 1_000;

export type FormField = readonly [name: string, value: string];

/** The fields of a form in order. Throws `invalid_input` for more than `most`. */
export function parseForm(text: string, most = usualMost): FormField[] {
  const fields = readForm(text, most);
  if (fields.isWhole) return fields.fields;
  throw new AppError('invalid_input', `A form may have at most ${most} fields. Send fewer.`, { max_fields: most });
}

/** The first fields of a form, at most `most`, and whether these are all. */
export function readForm(text: string, most: number): { fields: FormField[]; isWhole: boolean } {
  const fields: FormField[] = [];
  for (let start = 0; start < text.length;) {
    const next = text.indexOf('&', start);
    const end = next < 0 ? text.length : next;
    if (end > start) {
      if (fields.length === most) return { fields, isWhole: false };
      fields.push(readField(text.slice(start, end)));
    }
    start = end + 1;
  }
  return { fields, isWhole: true };
}

/** Whether a content type is that of a form. */
export function isFormType(contentType: string | null | undefined): boolean {
  return /^application\/x-www-form-urlencoded\s*(?:;|$)/i.test(contentType ?? '');
}

function readField(text: string): FormField {
  const equals = text.indexOf('=');
  return equals < 0 ? [decode(text), ''] : [decode(text.slice(0, equals)), decode(text.slice(equals + 1))];
}

/** `+` is a space; `%` before anything but two hexadecimal digits stays, and invalid UTF-8 becomes U+FFFD. */
function decode(text: string): string {
  const spaced = text.replaceAll('+', ' ');
  if (!spaced.includes('%')) return spaced.toWellFormed();
  const bytes = Buffer.from(spaced.toWellFormed());
  let length = 0;
  for (let at = 0; at < bytes.length; at += 1) {
    const code = bytes[at] === percent ? readEscapedCode(bytes, at + 1) : null;
    bytes[length] = code ?? bytes[at]!;
    length += 1;
    if (code !== null) at += 2;
  }
  return bytes.toString('utf8', 0, length);
}

const percent = 0x25;

function readEscapedCode(bytes: Buffer, at: number): number | null {
  const [high, low] = [parseHexDigit(bytes[at]), parseHexDigit(bytes[at + 1])];
  return high === null || low === null ? null : high * 16 + low;
}

/** The value of a hexadecimal digit, by its character code. */
function parseHexDigit(code = 0): number | null {
  if (code >= 0x30 && code <= 0x39) return code - 0x30;
  const letter = code | 0x20;
  return letter >= 0x61 && letter <= 0x66 ? letter - 0x57 : null;
}
