// Writes the words of a document as plain text: lines, paragraphs, and tables with one line for each row. All readers
// of formats with tables use it, so that cells are separated and rows are lines in every format.

/** How the rows of a document become text. */
export type TableStyle = {
  /** Cells with more characters or lines than this are layout columns: each is written as a text of its own. */
  longestCell: number;
  mostCellLines: number;
  /** Whether a row keeps blank cells before its first words, so that a column has the same position in every row. */
  keepsBlankCells: boolean;
};

/** Receives words. Each `begin…` is followed by its `end…`. */
export type TextFlow = {
  /** Adds words as they are. */
  write(text: string): void;
  /** Separates the next words from the last ones by a space, unless a line begins. */
  separate(): void;
  breakLine(): void;
  /** The next words begin at least this many lines later: 1 for a block, 2 for a paragraph. */
  beginBlock(lines: number): void;
  /** Until `endIndent`, the first line begins with `first`, and the next ones with `next`. */
  beginIndent(first: string, next?: string): void;
  endIndent(): void;
  beginTable(): void;
  endTable(): void;
  beginRow(): void;
  endRow(): void;
  beginCell(columns?: number): void;
  endCell(): void;
  /** This table has headings: blank cells keep their position. */
  markAsData(): void;
  /** The text so far. Lines have no trailing spaces, and there is at most one blank line in a row. */
  read(): string;
};

type Indent = { first: string; next: string; isUsed: boolean };
type Frame = {
  parts: string[];
  /** Line ends to write before the next words. */
  lines: number;
  isApart: boolean;
  isEmpty: boolean;
  indents: Indent[];
  /** The fewest indents since the last words: a blank line between them has only these. */
  fewestIndents: number;
};
/** `rows`: the rows of the tables inside it. */
type Cell = { text: string; rows: number; columns: number };
type Table = { cells: Cell[] | null; rows: number; isData: boolean };

/** Deeper indents are written like the deepest one, because each takes space in every line. */
const mostIndents = 12;
const mostColumns = 50;

/** Opens an empty text. */
export function createTextFlow(style: TableStyle): TextFlow {
  const { current, open, close, ...lines } = createLines();
  const tables: Table[] = [];

  function endRow(): void {
    const table = tables.at(-1);
    if (!table?.cells) return;
    const text = formatRow(table.cells, style, table.isData || style.keepsBlankCells);
    table.cells = null;
    if (text === '') return;
    table.rows += 1;
    lines.beginBlock(1);
    for (const [at, line] of text.split('\n').entries()) {
      if (at > 0) lines.breakLine();
      lines.write(line);
    }
    lines.beginBlock(1);
  }

  return {
    ...lines,
    beginTable: () => void tables.push({ cells: null, rows: 0, isData: false }),
    endTable() {
      endRow();
      const rows = tables.pop()?.rows ?? 0;
      const around = tables.at(-1)?.cells?.at(-1);
      if (around) around.rows += rows;
    },
    beginRow() {
      endRow();
      const table = tables.at(-1);
      if (table) table.cells = [];
    },
    endRow,
    beginCell(columns = 1) {
      const table = tables.at(-1);
      if (table) (table.cells ??= []).push({ text: '', rows: 0, columns: Math.min(mostColumns, columns) });
      open();
    },
    endCell() {
      const text = close();
      const cell = tables.at(-1)?.cells?.at(-1);
      if (cell) cell.text = text;
    },
    markAsData() {
      const table = tables.at(-1);
      if (table) table.isData = true;
    },
    read: () => tidyLines(current().parts.join('')),
  };
}

/** The lines of a text; `open` begins a text inside it, and `close` returns that. */
function createLines() {
  const frames: Frame[] = [createFrame()];
  const current = () => frames.at(-1)!;
  return {
    current,
    open: () => void frames.push(createFrame()),
    close(): string {
      const frame = frames.length > 1 ? frames.pop() : undefined;
      return frame ? tidyLines(frame.parts.join('')) : '';
    },
    write(text: string): void {
      if (text === '') return;
      startWords(current());
      current().parts.push(text);
    },
    separate: () => void (current().isApart = true),
    breakLine: () => endLine(current()),
    beginBlock(count: number): void {
      current().lines = Math.max(current().lines, count);
    },
    beginIndent(first: string, next = first): void {
      current().indents.push({ first, next, isUsed: false });
    },
    endIndent(): void {
      const { indents, fewestIndents } = current();
      indents.pop();
      current().fewestIndents = Math.min(fewestIndents, indents.length);
    },
  };
}

function formatRow(cells: readonly Cell[], style: TableStyle, keepsBlanks: boolean): string {
  const filled = cells.filter(({ text }) => text !== '');
  if (filled.length === 0) return '';
  const isLayout = filled.some(
    ({ text, rows }) => text.length > style.longestCell || rows > 1 || countLines(text) > style.mostCellLines,
  );
  if (isLayout || (filled.length === 1 && !keepsBlanks)) return filled.map(({ text }) => text).join('\n\n');
  const texts = cells.flatMap(({ text, columns }) => [toOneLine(text), ...Array<string>(columns - 1).fill('')]);
  const from = keepsBlanks ? 0 : texts.findIndex(Boolean);
  return texts.slice(from, texts.findLastIndex(Boolean) + 1).join('\t');
}

function createFrame(): Frame {
  return { parts: [], lines: 0, isApart: false, isEmpty: true, indents: [], fewestIndents: 0 };
}

function endLine(frame: Frame): void {
  startWords(frame, false);
  frame.parts.push('\n');
  frame.lines = 0;
  frame.isApart = false;
  frame.isEmpty = true;
}

/** Writes the separators between the last words and the next ones. `isWords`: false for the end of a line. */
function startWords(frame: Frame, isWords = true): void {
  const { parts, indents } = frame;
  const isFirst = parts.length === 0;
  if (frame.lines > 0 && !isFirst) {
    const missing = frame.lines - (frame.isEmpty ? 1 : 0);
    if (missing > 0) parts.push('\n', ...Array<string>(missing - 1).fill(`${blankLine(frame)}\n`));
    frame.isEmpty = true;
  } else if (frame.isApart && !frame.isEmpty) parts.push(' ');
  if (frame.isEmpty && indents.length > 0) parts.push(formatLineStart(indents));
  frame.lines = 0;
  frame.isApart = false;
  frame.isEmpty = false;
  if (isWords) frame.fewestIndents = indents.length;
}

function formatLineStart(indents: readonly Indent[]): string {
  return indents
    .slice(0, mostIndents)
    .map((indent) => {
      const text = indent.isUsed ? indent.next : indent.first;
      indent.isUsed = true;
      return text;
    })
    .join('');
}

function blankLine({ indents, fewestIndents }: Frame): string {
  return indents
    .slice(0, Math.min(mostIndents, fewestIndents))
    .map(({ next }) => next)
    .join('')
    .trimEnd();
}

function countLines(text: string): number {
  let lines = 1;
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) lines += 1;
  return lines;
}

function toOneLine(text: string): string {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean)
    .join(' ');
}

/** Without trailing spaces in lines, without blank lines at both ends, and with at most one blank line in a row. */
function tidyLines(text: string): string {
  const lines = text.split('\n').map((line) => line.trimEnd()); // a regular expression would read every space of a run again
  return lines
    .join('\n')
    .replaceAll(/\n{3,}/g, '\n\n')
    .replace(/^\n+/, '')
    .trimEnd();
}
