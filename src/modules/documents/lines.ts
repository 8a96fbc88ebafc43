// Joins passages into the requested lines.
import type { LineRange } from './store.ts';

type Piece = { text: string; line_start: number; line_end: number; continues: boolean };

/** The lines of a range that the passages contain, as they are in the document. */
export function sliceLines(pieces: readonly Piece[], { start, end }: LineRange): { line: number; text: string }[] {
  const lines: { line: number; text: string }[] = [];
  for (const { text, line_start, continues } of pieces)
    text.split('\n').forEach((part, at) => {
      const line = line_start + at;
      if (line < start || line > end) return;
      const last = lines.at(-1);
      if (at === 0 && continues && last?.line === line) last.text += part;
      else lines.push({ line, text: part });
    });
  return lines;
}
