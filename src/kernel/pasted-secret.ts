// Reads secrets as people paste them: files, web pages, chats and mails add invisible characters.
import { AppError } from './errors.ts';
import { trimLetters } from './trim-end.ts';

export type PastedSecret = {
  value: string;
  /** What was removed, or where the value cannot be used. Null: nothing to report. */
  notice: string | null;
};

export type PastedForm = {
  /** The name that an error begins with. */
  field: string;
  /**
   * Its form has no quotation marks, so those around it are removed. Default: they are part of it, and a note mentions
   * them.
   */
  hasNoQuotes?: boolean;
  /** It contains no spaces. Default: it may. */
  isOneWord?: boolean;
  /** It may have several lines, such as a private key. Default: one. */
  mayHaveLines?: boolean;
};

/**
 * The secret without white space at its ends. Throws `invalid_input` with the position of a character that no provider
 * shows in a secret, never with the value.
 */
export function readPastedSecret(pasted: string, form: PastedForm): PastedSecret {
  const { field, hasNoQuotes = false } = form;
  const trimmed = trimLetters(pasted, whiteSpace).replace(/^[\t\n\v\f\r ]+/, '');
  const isQuoted = trimmed.length > 2 && /^(["'`]).*\1$/s.test(trimmed);
  const value = isQuoted && hasNoQuotes ? trimmed.slice(1, -1).trim() : trimmed;
  if (!value) throw new AppError('invalid_input', `${field}: it is empty, or has only white space. Paste it again.`);
  const at = findOdd(value, form);
  if (at >= 0) {
    const place = pasted.indexOf(value) + at + 1;
    const message = `${field}: character ${place} is ${describeCharacter(value, at)}, which the provider never shows in a secret. Copy the secret again as plain text, or type that character.`;
    throw new AppError('invalid_input', message);
  }
  const hole = value.search(placeholder);
  if (hole >= 0) {
    const message = `${field}: a placeholder in double braces begins at character ${pasted.indexOf(value) + hole + 1}, but no value is filled in here. Enter the value itself.`;
    throw new AppError('invalid_input', message);
  }
  return { value, notice: formatNotice({ isTrimmed: trimmed !== pasted, isQuoted, hasNoQuotes, value }) };
}

/** The first character of a text that HTTP headers cannot carry, and its position. Null: there is none. */
export function findUnsendable(text: string): { place: number; name: string } | null {
  const at = text.search(/[^\t\x20-\x7e\x80-\xff]/);
  return at < 0 ? null : { place: at + 1, name: describeCharacter(text, at) };
}

/** A name in double braces, such as `{{NAME}}`, which people write where a value is filled in. */
const placeholder = /\{\{\s{0,9}([A-Za-z_]\w{0,127})\s{0,9}\}\}/g;

/** All names in double braces of a text, without duplicates. */
export function findBracedNames(text: string): string[] {
  return [...new Set([...text.matchAll(placeholder)].map(([, name = '']) => name))];
}

/** Throws `invalid_input` when an address or a header has a name in double braces: nothing is filled in there. */
export function refuseBraces(where: string, text: string): void {
  const [name] = findBracedNames(text);
  if (name === undefined) return;
  const message = `${where}: {{${name}}} has no value here, so it would be sent unchanged. Write the handle (sec_…) of a variable, which list_variables returns. In the source of an automation, {{name}} is a secret of its owner that automation_secret_list lists, and env.${name} a variable.`;
  throw new AppError('invalid_input', message);
}

const whiteSpace = '\t\n\v\f\r ';

/**
 * Control characters except line breaks and tabs, invisible characters, and spaces, dashes and quotation marks that
 * word processors substitute for those on the keyboard.
 */
const odd =
  /[^\P{Cc}\t\n\r]|[\p{Cf}\p{Default_Ignorable_Code_Point}\p{Zl}\p{Zp}\p{Pi}\p{Pf}\u00a0\u1680\u2000-\u200a\u2010-\u2015\u201a\u201e\u2022\u2026\u202f\u205f\u2212\u25cf\u2800\u3000\ufe58\ufe63\uff0d\ufffc\ufffd]/u;
const lines = /[\t\n\r]/;

/** The position of the first character that the form does not allow; negative: there is none. */
function findOdd(value: string, { isOneWord = false, mayHaveLines = false }: PastedForm): number {
  const places = [
    value.search(odd),
    mayHaveLines ? -1 : value.search(lines),
    isOneWord ? value.indexOf(' ') : -1,
  ].filter((at) => at >= 0);
  return places.length ? Math.min(...places) : -1;
}

const names: Readonly<Record<string, string>> = {
  '\t': 'a tab',
  '\n': 'a line break',
  '\r': 'a line break',
  ' ': 'a space',
  '\u00a0': 'a no-break space',
  '\u202f': 'a narrow no-break space',
  '\u200b': 'a zero-width space',
  '\u200c': 'a zero-width non-joiner',
  '\u200d': 'a zero-width joiner',
  '\u00ad': 'a soft hyphen',
  '\ufeff': 'a byte order mark',
  '\u2010': 'a hyphen other than the one on the keyboard',
  '\u2011': 'a no-break hyphen',
  '\u2013': 'an en dash',
  '\u2014': 'an em dash',
  '\u2212': 'a minus sign',
  '\u2018': 'a curly quotation mark',
  '\u2019': 'a curly quotation mark',
  '\u201a': 'a curly quotation mark',
  '\u201c': 'a curly quotation mark',
  '\u201d': 'a curly quotation mark',
  '\u201e': 'a curly quotation mark',
  '\u2026': 'an ellipsis',
  '\u2022': 'a bullet, which pages show instead of a hidden value',
  '\u25cf': 'a bullet, which pages show instead of a hidden value',
  '\ufffd': 'a replacement character, which means that a character was lost',
};

function describeCharacter(text: string, at: number): string {
  const code = text.codePointAt(at) ?? 0;
  const number = `U+${code.toString(16).toUpperCase().padStart(4, '0')}`;
  const name =
    names[String.fromCodePoint(code)] ?? (code < 0x20 || code === 0x7f ? 'a control character' : 'a character');
  return `${name} (${number})`;
}

/** The message for the person who pasted it. */
export const trimmedNotice = 'White space at its ends was removed.';

type PasteChanges = { isTrimmed: boolean; isQuoted: boolean; hasNoQuotes: boolean; value: string };

function formatNotice({ isTrimmed, isQuoted, hasNoQuotes, value }: PasteChanges): string | null {
  const notes = [
    isTrimmed && trimmedNotice,
    isQuoted && hasNoQuotes && 'The quotation marks around it were removed.',
    isQuoted &&
      !hasNoQuotes &&
      'It has quotation marks around it, and they are part of the value. Set it again without them if the provider shows none.',
    findUnsendable(value) &&
      !value.includes('\n') &&
      'It has characters that HTTP headers cannot carry. It can be sent as Basic credentials or in a body, but not in any other header.',
  ];
  return notes.filter(Boolean).join(' ') || null;
}
