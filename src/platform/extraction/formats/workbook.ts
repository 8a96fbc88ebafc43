// XLSX: the visible sheets in their order, with the text that their cells show.
import { FileError } from '../file-error.ts';
import type { Limits } from '../limits.ts';
import { createCellFormats, createStyleReader, isCalendar1904, type CellFormats } from './cell-format.ts';
import { openPackage, type OfficePackage, type Relationship } from './office-package.ts';
import { createNotOfFormatError } from './office-xml.ts';
import { createFilterReader, createSheetReader, decodeEscapes, tidyCell, type FilterRange } from './sheet.ts';
import { readCommentAuthors, readComments, readShapes } from './sheet-notes.ts';
import { findAttribute } from './xml-events.ts';
import { openZip } from './zip.ts';

const mostSheets = 500;
const usualPart = 'xl/workbook.xml';
/** Relationships of a workbook that lead to sheets. */
const sheetKinds = new Set(['worksheet', 'chartsheet', 'dialogsheet']);

type Sheet = { name: string; part: string; isHidden: boolean };
type Workbook = { parts: OfficePackage; strings: string[]; formats: CellFormats; authors: ReadonlyMap<string, string> };

/**
 * The cells of a workbook: a heading for each sheet, a line for each row, a tab between columns. Throws `FileError`.
 */
export async function readWorkbook(bytes: Buffer, limits: Pick<Limits, 'unpackedBytes' | 'characters'>) {
  const parts = openPackage(openZip(bytes, limits.unpackedBytes));
  const main = (await parts.readRelationships('')).find(({ kind }) => kind === 'officeDocument')?.part ?? usualPart;
  if (!parts.has(main)) throw createNotOfFormatError('XLSX');
  const relationships = await parts.readRelationships(main);
  const { sheets, is1904 } = await readSheetList(parts, main, relationships);
  const styles = createStyleReader();
  await parts.readPart(findPart(parts, relationships, 'styles'), styles.handlers);
  const people = relationships.find(({ kind }) => kind === 'person')?.part;
  const workbook: Workbook = {
    parts,
    strings: await readStrings(parts, findPart(parts, relationships, 'sharedStrings')),
    formats: createCellFormats(styles.codes, is1904),
    authors: people ? await readCommentAuthors(parts, people) : new Map(),
  };
  const texts: string[] = [];
  let left = limits.characters;
  for (const sheet of sheets) {
    const text = sheet.isHidden ? '' : await readSheet(workbook, sheet, left);
    left -= text.length;
    if (text) texts.push(text);
  }
  const hidden = sheets.filter(({ isHidden }) => isHidden).length;
  if (texts.length && hidden) texts.push(formatLeftOut([[hidden, 'hidden sheet']]));
  return texts.join('\n\n');
}

/** Some writers leave out the relationship: then the part has its usual name. */
function findPart(parts: OfficePackage, relationships: readonly Relationship[], kind: string): string {
  const part = relationships.find((each) => each.kind === kind)?.part;
  return part && parts.has(part) ? part : `xl/${kind}.xml`;
}

async function readSheetList(parts: OfficePackage, main: string, relationships: readonly Relationship[]) {
  const listed: { name: string; state: string; id: string }[] = [];
  let is1904 = false;
  await parts.readPart(main, {
    open(name, attributes) {
      if (name === 'workbookPr') is1904 = isCalendar1904(attributes);
      const id = findAttribute(attributes, 'id');
      if (name === 'sheet' && id)
        listed.push({ name: attributes['name'] ?? '', state: attributes['state'] ?? 'visible', id });
    },
  });
  const sheets = listed.flatMap(({ name, state, id }): Sheet[] => {
    const target = relationships.find((each) => each.id === id);
    if (!target || !sheetKinds.has(target.kind)) return [];
    return [{ name: tidyCell(decodeEscapes(name)), part: target.part, isHidden: state !== 'visible' }];
  });
  const all = sheets.length ? sheets : findUnlistedSheets(parts);
  if (all.length > mostSheets) throw new FileError(`The file has more than ${mostSheets} sheets.`, 'payload_too_large');
  return { sheets: all, is1904 };
}

/** The sheets of a workbook that lists none, by number. */
function findUnlistedSheets(parts: OfficePackage): Sheet[] {
  return parts.names
    .flatMap((part) => {
      const number = /^xl\/worksheets\/sheet(\d{1,6})\.xml$/i.exec(part)?.[1];
      return number ? [{ part, number: Number(number) }] : [];
    })
    .toSorted((one, other) => one.number - other.number)
    .map(({ part }) => ({ name: '', part, isHidden: false }));
}

/** The shared strings of cells, without phonetic readings of East Asian words. */
async function readStrings(parts: OfficePackage, part: string): Promise<string[]> {
  const strings: string[] = [];
  let [words, isText, readings] = ['', false, 0];
  await parts.readPart(part, {
    open(name) {
      if (name === 'si') words = '';
      else if (name === 'rPh') readings += 1;
      else if (name === 't') isText = !readings;
    },
    text(text) {
      if (isText) words += text;
    },
    close(name) {
      if (name === 'si') strings.push(decodeEscapes(words));
      else if (name === 'rPh') readings -= 1;
      else if (name === 't') isText = false;
    },
  });
  return strings;
}

async function readSheet(workbook: Workbook, { name, part }: Sheet, mostCharacters: number): Promise<string> {
  const { parts, strings, formats, authors } = workbook;
  const sheet = createSheetReader(strings, formats, mostCharacters);
  await parts.readPart(part, sheet.handlers);
  const relationships = await parts.readRelationships(part);
  const filters = [...sheet.filters, ...(await readTableFilters(parts, relationships))];
  const isFiltered = createRangeSearch(filters);
  const hidden = new Set(sheet.hiddenRows.flatMap(({ line, number }) => (isFiltered(number) ? [] : [line])));
  const lines = hidden.size ? sheet.lines.filter((_, line) => !hidden.has(line)) : sheet.lines;
  lines.push(...(await readShapes(parts, relationships)), ...(await readComments(parts, relationships, authors)));
  if (!lines.length) return '';
  const leftOut = formatLeftOut([
    [hidden.size, 'hidden row'],
    [sheet.hiddenColumns.size, 'hidden column'],
  ]);
  return [...(name ? [`# ${name}`] : []), ...lines, ...(leftOut ? [leftOut] : [])].join('\n');
}

/** Whether a row is in one of many ranges: a file may have as many ranges as rows. */
function createRangeSearch(ranges: readonly FilterRange[]): (row: number) => boolean {
  const apart: FilterRange[] = [];
  for (const range of ranges.toSorted((one, other) => one.from - other.from)) {
    const last = apart.at(-1);
    if (last && range.from <= last.to) last.to = Math.max(last.to, range.to);
    else apart.push({ ...range });
  }
  return (row) => {
    let [low, high] = [0, apart.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (apart[middle]!.to < row) low = middle + 1;
      else high = middle;
    }
    return low < apart.length && apart[low]!.from <= row;
  };
}

async function readTableFilters(parts: OfficePackage, relationships: readonly Relationship[]): Promise<FilterRange[]> {
  const filters = createFilterReader();
  for (const { kind, part } of relationships) if (kind === 'table') await parts.readPart(part, { open: filters.open });
  return filters.ranges;
}

/** Empty when there is nothing. */
function formatLeftOut(counts: readonly (readonly [number, string])[]): string {
  const omissions = counts.flatMap(([count, noun]) => (count ? [`${count} ${noun}${count === 1 ? '' : 's'}`] : []));
  return omissions.length ? `[Left out: ${omissions.join(', ')}.]` : '';
}
