// Reads the words of DOCX files (ECMA-376, part 1): body, boxes, notes, formulas, headers, footers, comments, diagrams.
import { hex as findDingbat } from 'dingbat-to-unicode';
import { decodeText } from '#platform/mime';
import { readHtml } from '../html/read-html.ts';
import { createDocumentText, joinDocument, type DocumentText } from './document-text.ts';
import { createFormulaReader } from './docx-formula.ts';
import { createVisibility, readHiddenStyles } from './docx-styles.ts';
import { createNotOfFormatError } from './office-xml.ts';
import { openPackage, type OfficePackage, type Relationship } from './office-package.ts';
import { readRtfText } from './rtf.ts';
import { findAttribute, type XmlAttributes, type XmlHandlers } from './xml-events.ts';
import { openZip, type Zip } from './zip.ts';

const usualPlace = 'word/document.xml';
const mostParts = 500;
const mostNestedTables = 60;

/** The marks of notes in the order of the text, by kind and id. */
type NoteMarks = Map<string, number>;
/** The shared data of a document's parts. */
type DocxContext = { marks: NoteMarks; hiddenStyles: ReadonlySet<string> };

/** The words of a DOCX file. */
export async function readDocxText(bytes: Buffer, mostUnpacked: number): Promise<string> {
  const zip = openZip(bytes, mostUnpacked);
  const file = openPackage(zip);
  const root = await file.readRelationships('');
  const main = root.find(({ kind }) => kind === 'officeDocument')?.part ?? usualPlace;
  if (!file.has(main)) throw createNotOfFormatError('DOCX');
  const related = (await file.readRelationships(main)).slice(0, mostParts);
  const hiddenStyles = await readHiddenStyles(file, findParts(related, 'styles')[0]);
  const shared: DocxContext = { marks: new Map(), hiddenStyles };
  const body = await readPart(file, main, shared);
  const each = (kind: string) => readEach(file, related, kind, shared);
  const notes = [
    ...(await readNotes(file, related, 'footnote', shared)),
    ...(await readNotes(file, related, 'endnote', shared)),
  ];
  return joinDocument({
    headers: await each('header'),
    body,
    boxes: [...(await each('diagramData')), ...(await each('chart')), ...readChunks(zip, related)],
    footers: await each('footer'),
    notes: notes.toSorted((one, other) => one.mark - other.mark).map(({ mark, text }) => `[${mark}] ${text}`),
    comments: await readComments(file, related, shared),
  });
}

function findParts(related: readonly Relationship[], kind: string): string[] {
  return [...new Set(related.filter((each) => each.kind === kind).map(({ part }) => part))];
}

async function readEach(file: OfficePackage, related: readonly Relationship[], kind: string, shared: DocxContext) {
  const texts: string[] = [];
  for (const part of findParts(related, kind)) texts.push(await readPart(file, part, shared));
  return texts;
}

async function readPart(file: OfficePackage, part: string, shared: DocxContext): Promise<string> {
  const text = createDocumentText();
  await file.readPart(part, createWordReader(text, shared));
  return text.read();
}

/** The notes of a kind that have words. Notes without a mark in the text come last. */
async function readNotes(file: OfficePackage, related: readonly Relationship[], kind: string, shared: DocxContext) {
  const { marks } = shared;
  const notes: { mark: number; text: string }[] = [];
  for (const part of findParts(related, `${kind}s`))
    await readItems(file, { part, name: kind, shared }, (attributes, text) => {
      const key = `${kind} ${findAttribute(attributes, 'id') ?? ''}`;
      if (!marks.has(key)) marks.set(key, marks.size + 1);
      notes.push({ mark: marks.get(key)!, text });
    });
  return notes;
}

async function readComments(
  file: OfficePackage,
  related: readonly Relationship[],
  shared: DocxContext,
): Promise<string[]> {
  const comments: string[] = [];
  for (const part of findParts(related, 'comments'))
    await readItems(file, { part, name: 'comment', shared }, (attributes, text) => {
      const author = findAttribute(attributes, 'author')?.trim();
      comments.push(`Comment${author ? ` (${author})` : ''}: ${text}`);
    });
  return comments;
}

/** Calls `use` with each element of a name that has words. */
async function readItems(
  file: OfficePackage,
  { part, name, shared }: { part: string; name: string; shared: DocxContext },
  use: (attributes: XmlAttributes, text: string) => void,
): Promise<void> {
  let item: { attributes: XmlAttributes; text: DocumentText; reader: XmlHandlers } | null = null;
  await file.readPart(part, {
    open(element, attributes) {
      if (item) return item.reader.open?.(element, attributes);
      if (element !== name) return;
      const text = createDocumentText();
      item = { attributes, text, reader: createWordReader(text, { ...shared, marks: new Map() }) };
    },
    text: (words) => item?.reader.text?.(words),
    close(element) {
      if (!item) return;
      if (element !== name) return item.reader.close?.(element);
      const text = item.text.read();
      if (text.trim()) use(item.attributes, text);
      item = null;
    },
  });
}

/** Documents inside the document, which Word shows as its own text. */
function readChunks(zip: Zip, related: readonly Relationship[]): string[] {
  return findParts(related, 'aFChunk').map((part) => {
    const bytes = zip.read(part) ?? Buffer.alloc(0);
    if (/\.x?html?$/i.test(part)) return readHtml(decodeText(bytes)).text;
    if (/\.rtf$/i.test(part)) return readRtfText(bytes);
    return /\.txt$/i.test(part) ? decodeText(bytes) : '';
  });
}

/** Deleted or moved text, text that only programs read, and phonetic readings of East Asian words. */
const skipped = new Set(['del', 'moveFrom', 'instrText', 'delText', 'delInstrText', 'sdtPr', 'rt']);
/** Rows and cells whose properties mark them as deleted: the parent, and the name of the mark. */
const deletions = new Set(['trPr del', 'tcPr cellDel']);

/** Writes the words of a part. Only the text of `t` elements is text, in documents, formulas and drawings. */
function createWordReader(text: DocumentText, { marks, hiddenStyles }: DocxContext): XmlHandlers {
  const open: string[] = [];
  const choices: { hasWords: boolean }[] = [];
  const formula = createFormulaReader(text);
  const visibility = createVisibility(hiddenStyles);
  let skippedFrom = -1;
  let tables = 0;

  function write(words: string): void {
    if (visibility.isHidden() || words === '') return;
    text.write(words);
    for (const choice of choices) choice.hasWords = true;
  }

  function begin(name: string, attributes: XmlAttributes, parent: string | undefined): void {
    visibility.begin(name, attributes, open);
    if (name === 'p') text.beginParagraph();
    else if (name === 'tbl' && (tables += 1) <= mostNestedTables) text.beginTable();
    else if (name === 'tr' && tables <= mostNestedTables) text.beginRow();
    else if (name === 'tc' && tables <= mostNestedTables) text.beginCell();
    else if (name === 'txbxContent') text.beginAside();
    else if (name === 'AlternateContent') choices.push({ hasWords: false });
    else if (parent === 'r' && (name === 'br' || name === 'cr')) text.breakLine();
    else if (parent === 'r') write(findRunPart(marks, name, attributes));
  }

  function end(name: string): void {
    visibility.end(name);
    if (name === 'p') text.endParagraph();
    else if (name === 'tbl') {
      if (tables <= mostNestedTables) text.endTable();
      tables -= 1;
    } else if (name === 'tr' && tables <= mostNestedTables) text.endRow();
    else if (name === 'tc' && tables <= mostNestedTables) text.endCell();
    else if (name === 'txbxContent') text.keepBox(text.endAside());
    else if (name === 'AlternateContent') choices.pop();
  }

  return {
    open(name, attributes) {
      const parent = open.at(-1);
      // The alternative for programs that do not know the preferred choice.
      const isRepeated = name === 'Fallback' && choices.at(-1)?.hasWords === true;
      if (skippedFrom < 0 && deletions.has(`${parent} ${name}`)) skippedFrom = open.length - 2;
      else if (skippedFrom < 0 && (skipped.has(name) || isRepeated)) skippedFrom = open.length;
      if (skippedFrom < 0 && !formula.open(name, attributes, parent)) begin(name, attributes, parent);
      open.push(name);
    },
    text(words) {
      if (skippedFrom < 0 && open.at(-1) === 't') write(words);
    },
    close(name) {
      open.pop();
      if (skippedFrom < 0 && !formula.close(name)) end(name);
      if (skippedFrom !== open.length) return;
      skippedFrom = -1;
      if (name === 'tr' || name === 'tc') end(name);
    },
  };
}

/** The other content of a run, besides its text. */
function findRunPart(marks: NoteMarks, name: string, attributes: XmlAttributes): string {
  if (name === 'tab' || name === 'ptab') return '\t';
  if (name === 'noBreakHyphen') return '\u2011';
  if (name === 'sym') return findSymbol(attributes);
  if (name !== 'footnoteReference' && name !== 'endnoteReference') return '';
  const key = `${name.slice(0, -'Reference'.length)} ${findAttribute(attributes, 'id') ?? ''}`;
  if (!marks.has(key)) marks.set(key, marks.size + 1);
  return `[${marks.get(key)}]`;
}

/** A character of a symbol font. */
function findSymbol(attributes: XmlAttributes): string {
  const [font = '', code = ''] = ['font', 'char'].map((name) => findAttribute(attributes, name));
  const known = findDingbat(font, code) ?? (/^f0/i.test(code) ? findDingbat(font, code.slice(2)) : undefined);
  if (known) return known.string;
  const point = Number.parseInt(code, 16);
  const isPrivate = point >= 0xe000 && point <= 0xf8ff;
  return point > 0 && point <= 0x10ffff && !isPrivate ? String.fromCodePoint(point) : '';
}
