// The rows of one sheet of a workbook, as a person sees them.
import { createTextTooLongError } from '../file-error.ts';
import type { CellFormats } from './cell-format.ts';
import { isSet, type XmlAttributes, type XmlHandlers } from './xml-events.ts';

/** A row that a person or a filter hides. `line`: its position among the lines. */
export type HiddenRow = { line: number; number: number };

/** Rows of a range whose filter hides some of them. */
export type FilterRange = { from: number; to: number };

export type SheetReader = {
  handlers: XmlHandlers;
  /** One line for each row with values, and one blank line for blank rows between them. */
  lines: string[];
  hiddenRows: HiddenRow[];
  filters: FilterRange[];
  /** Hidden columns that have values. */
  hiddenColumns: ReadonlySet<number>;
};

const lastColumn = 16_384;
/** Elements of a cell that contain text. */
const textParts: Record<string, CellPart> = { v: 'value', t: 'inline', f: 'formula' };
const types = { shared: 's', boolean: 'b', error: 'e', date: 'd', formulaText: 'str' };

type Cell = { type: string; style: number; value: string; inline: string; formula: string };
type CellPart = 'value' | 'inline' | 'formula';
type OpenRow = { number: number; isHidden: boolean; cells: string[] };

/** Collects the rows of a sheet. Throws `FileError` when they have more than `mostCharacters`. */
export function createSheetReader(
  strings: readonly string[],
  formats: CellFormats,
  mostCharacters: number,
): SheetReader {
  const lines: string[] = [];
  const hiddenRows: HiddenRow[] = [];
  let lastRow = 0;
  const filters = createFilterReader();
  const columns = createHiddenColumns();
  let characters = 0;
  let row: OpenRow | null = null;
  let column = 0;
  let cell: Cell | null = null;
  let into: CellPart | null = null;
  let readings = 0;

  const endCell = (ended: Cell) => {
    const text = tidyCell(readCell(ended, strings, formats));
    if (!text || !row || columns.hides(column)) return;
    row.cells[column - 1] = text;
  };
  const endRow = (ended: OpenRow) => {
    if (!ended.cells.length) return;
    const text = ended.cells.join('\t');
    characters += text.length + 1;
    if (characters > mostCharacters) throw createTextTooLongError(mostCharacters);
    if (lines.length && ended.number > lastRow + 1) lines.push('');
    if (ended.isHidden) hiddenRows.push({ line: lines.length, number: ended.number });
    lines.push(text);
    lastRow = ended.number;
  };
  const open = (name: string, attributes: XmlAttributes) => {
    if (name === 'row') {
      row = { number: Number(attributes['r']) || lastRow + 1, isHidden: isHidden(attributes), cells: [] };
      column = 0;
    } else if (name === 'c' && row) {
      column = parseColumnNumber(attributes['r']) ?? column + 1;
      cell = createCell(attributes);
    } else if (name === 'rPh') readings += 1;
    else if (cell) into = name === 't' && readings ? null : (textParts[name] ?? into);
    else if (name === 'col') columns.add(attributes);
    else filters.open(name, attributes);
  };
  const text = (words: string) => {
    if (cell && into) cell[into] += words;
  };
  const close = (name: string) => {
    if (name in textParts) into = null;
    else if (name === 'rPh') readings = Math.max(0, readings - 1);
    else if (name === 'c' && cell) {
      endCell(cell);
      cell = null;
    } else if (name === 'row' && row) {
      endRow(row);
      row = null;
    }
  };
  const handlers = { open, text, close };
  return { handlers, lines, hiddenRows, filters: filters.ranges, hiddenColumns: columns.withValues };
}

/** Collects the ranges of a sheet or table whose filter is active. */
export function createFilterReader() {
  const ranges: FilterRange[] = [];
  let ref = '';
  const open = (name: string, attributes: XmlAttributes) => {
    if (name === 'autoFilter') ref = attributes['ref'] ?? '';
    if (name !== 'filterColumn' || !ref) return;
    const [from = 0, to = from] = ref.split(':').map((place) => Number(place.replaceAll(/\D/g, '')));
    ranges.push({ from, to });
    ref = '';
  };
  return { open, ranges };
}

function createHiddenColumns() {
  const hidden = new Uint8Array(lastColumn + 1); // called for every cell, however many ranges a file has
  const withValues = new Set<number>();
  return {
    withValues,
    add(attributes: XmlAttributes) {
      if (isHidden(attributes)) hidden.fill(1, Number(attributes['min']), Number(attributes['max']) + 1);
    },
    hides(column: number) {
      if (!hidden[column]) return false;
      withValues.add(column);
      return true;
    },
  };
}

/** A row or column that a person hid. A collapsed group does not count as hidden: readers can open it in place. */
function isHidden(attributes: XmlAttributes): boolean {
  return isSet(attributes['hidden']) && !Number(attributes['outlineLevel'] ?? 0);
}

function createCell(attributes: XmlAttributes): Cell {
  const { t = 'n', s = '0' } = attributes;
  return { type: t, style: Number(s), value: '', inline: '', formula: '' };
}

function readCell(cell: Cell, strings: readonly string[], formats: CellFormats): string {
  const { type, style, value, inline, formula } = cell;
  if (type === types.shared) return formats.formatText(strings[Number(value)] ?? '', style);
  if (type === types.boolean) return value.trim() === '1' || /^true$/i.test(value) ? 'TRUE' : value && 'FALSE';
  if (type === types.error) return value;
  if (type === types.date) return formats.formatDate(value.trim(), style);
  // A program that does not calculate stores a formula without its value.
  if (!value && !inline) return formula && type !== types.formulaText ? `=${formula}` : '';
  if (type === 'n') return formats.formatNumber(value || inline, style);
  return formats.formatText(decodeEscapes(inline || value), style);
}

/** Characters that XML cannot contain are written as `_x000D_` (ECMA-376, part 1, 22.9.2.19). */
export function decodeEscapes(text: string): string {
  if (!text.includes('_x')) return text;
  return text.replaceAll(/_x([\da-fA-F]{4})_/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
}

/** A row is one line with tabs between its cells, so tabs and line breaks inside a cell are replaced. */
export function tidyCell(text: string): string {
  const lines = text.split(/[\t\r\n\v\f\u0085\u2028\u2029]/);
  return lines.length === 1
    ? text.trim()
    : lines
        .map((line) => line.trim())
        .filter(Boolean)
        .join(' ');
}

/**
 * The column number of a position such as `AB12`. Undefined where the writer left it out: then it is the next column.
 */
function parseColumnNumber(place: string | undefined): number | undefined {
  let column = 0;
  for (const letter of (place ?? '').slice(0, 4)) {
    const number = letter.toUpperCase().charCodeAt(0) - 64;
    if (number < 1 || number > 26) break;
    column = column * 26 + number;
  }
  return column > 0 && column <= lastColumn ? column : undefined;
}
