// Reads secrets as people paste them: from files, pages, chats and mails, which add characters that nobody sees.
import { AppError } from './errors.ts';
import { trimLetters } from './trim-end.ts';

export type PastedSecret = {
  value: string;
  /** What was removed, or where the value cannot stand. Null: nothing to say. */
  notice: string | null;
};

export type PastedForm = {
  /** What people call it, at the beginning of an error. */
  field: string;
  /** Its form has no quotation marks, so those around it are removed. Default: they are part of it, and that is said. */
  hasNoQuotes?: boolean;
  /** It has no spaces within. Default: it may. */
  isOneWord?: boolean;
  /** It may have several lines, such as a private key. Default: one. */
  mayHaveLines?: boolean;
};

/**
 * The secret without white space at its ends. Throws `invalid_input` that names a character that no sender shows and its place,
 * never the value.
 */
export function readPastedSecret(pasted: string, form: PastedForm): PastedSecret {
  const { field, hasNoQuotes = false } = form;
  const trimmed = trimLetters(pasted, whiteSpace).replace(/^[\t\n\v\f\r ]+/, '');
  const isQuoted = trimmed.length > 2 && /^(["'`]).*\1$/s.test(trimmed);
  const value = isQuoted && hasNoQuotes ? trimmed.slice(1, -1).trim() : trimmed;
  if (!value) throw new AppError('invalid_input', `${field}: it is empty, but for white space. Paste it again.`);
  const at = findOdd(value, form);
  if (at >= 0) {
    const place = pasted.indexOf(value) + at + 1;
    const message = `${field}: character ${place} is ${describeCharacter(value, at)}, which is not part of a secret as its sender shows it. Copy the secret again, as plain text, or type that character.`;
    throw new AppError('invalid_input', message);
  }
  const hole = value.search(placeholder);
  if (hole >= 0) {
    const message = `${field}: a placeholder in double braces begins at character ${pasted.indexOf(value) + hole + 1}, and no value is filled in here. Give the value itself.`;
    throw new AppError('invalid_input', message);
  }
  return { value, notice: formatNotice({ isTrimmed: trimmed !== pasted, isQuoted, hasNoQuotes, value }) };
}

/** Where a text has a character that HTTP headers cannot carry, and what it is. Null: it has none. */
export function findUnsendable(text: string): { place: number; name: string } | null {
  const at = text.search(/[^\t\x20-\x7e\x80-\xff]/);
  return at < 0 ? null : { place: at + 1, name: describeCharacter(text, at) };
}

/** A name in double braces, such as `{{NAME}}`, as people write it for values that are filled in. */
const placeholder = /\{\{\s{0,9}([A-Za-z_]\w{0,127})\s{0,9}\}\}/g;

/** The names in double braces of a text, each once. */
export function findBracedNames(text: string): string[] {
  return [...new Set([...text.matchAll(placeholder)].map(([, name = '']) => name))];
}

/** Throws `invalid_input` when an address or a header has a name in double braces: nothing is filled in there. */
export function refuseBraces(where: string, text: string): void {
  const [name] = findBracedNames(text);
  if (name === undefined) return;
  const message = `${where}: nothing stands for {{${name}}} here, so it would be sent as it is. Write the handle (sec_…) of a variable; list_variables tells it. In the source of an automation, {{name}} is a secret of its owner that automation_secret_list lists, and env.${name} a variable.`;
  throw new AppError('invalid_input', message);
}

const whiteSpace = '\t\n\v\f\r ';

/**
 * Controls but line breaks and tabs, and invisible characters, spaces, dashes and quotation marks that text programs put in the place of
 * those on a keyboard.
 */
const odd =
  /[^\P{Cc}\t\n\r]|[\p{Cf}\p{Default_Ignorable_Code_Point}\p{Zl}\p{Zp}\p{Pi}\p{Pf}\u00a0\u1680\u2000-\u200a\u2010-\u2015\u201a\u201e\u2022\u2026\u202f\u205f\u2212\u25cf\u2800\u3000\ufe58\ufe63\uff0d\ufffc\ufffd]/u;
const lines = /[\t\n\r]/;

/** Where the first character is that the form does not allow; below 0: nowhere. */
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
  '\u2010': 'a hyphen that is not the one on the keyboard',
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
  '\u2022': 'a bullet, as pages show in the place of a hidden value',
  '\u25cf': 'a bullet, as pages show in the place of a hidden value',
  '\ufffd': 'a replacement character, which stands for one that was lost',
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
      'It has quotation marks around it, and they are part of the value. Set it again without them if its sender shows none.',
    findUnsendable(value) &&
      !value.includes('\n') &&
      'It has characters that HTTP headers cannot carry: it can be sent as Basic credentials or in a body, and not in another header.',
  ];
  return notes.filter(Boolean).join(' ') || null;
}
