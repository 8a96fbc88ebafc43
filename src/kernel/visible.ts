// Shows invisible and reordering characters, because with them a person would see something else than the sent text.
import type { Preview } from './action.ts';
import { isLayout, replaceUnseen } from './unseen.ts';

/** The text with every such character written out, as `[U+202E]`; line ends and tabs stay. */
export function showUnseen(text: string): string {
  return replaceUnseen(text.replaceAll('\r\n', '\n'), (character) => {
    if (isLayout(character)) return character;
    const code = (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');
    return `[U+${code}]`;
  });
}

/** The same for all parts of a preview. */
export function showUnseenInPreview({ title, fields, ...preview }: Preview): Preview {
  const shown = fields.map(({ text, ...field }) => ({
    ...field,
    text: showUnseen(text),
    ...(field.was !== undefined && { was: showUnseen(field.was) }),
  }));
  return { ...preview, title: showUnseen(title), fields: shown };
}
