// Invisible characters, and those that change the order of others, would show a person something else than the sent
// text.
import type { Preview } from './action.ts';

/**
 * Controls, format characters and separators, except for line ends, tabs, and the joiners of emoji and of Persian or
 * Indic words.
 */
const unseen = /(?![\n\t\u200C\u200D])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

/** Whether a text has such a character. */
export function hidesSomething(text: string): boolean {
  return text.search(unseen) >= 0;
}

/** The text with every such character written out, as `[U+202E]`. */
export function visible(text: string): string {
  return text.replaceAll('\r\n', '\n').replaceAll(unseen, (character) => {
    const code = (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');
    return `[U+${code}]`;
  });
}

/** The same for all that a preview shows. */
export function visiblePreview({ title, fields, ...preview }: Preview): Preview {
  const shown = fields.map(({ text, ...field }) => ({
    ...field,
    text: visible(text),
    ...(field.was !== undefined && { was: visible(field.was) }),
  }));
  return { ...preview, title: visible(title), fields: shown };
}
