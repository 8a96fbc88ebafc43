// Reads the words of OpenDocument texts (ISO/IEC 26300): body, boxes, notes, formulas, headers, footers, comments.
import { createDocumentText, joinDocument, type DocumentText } from './document-text.ts';
import { createNotOfFormatError } from './office-xml.ts';
import { openPackage, type OfficePackage } from './office-package.ts';
import { findAttribute, type XmlAttributes, type XmlHandlers } from './xml-events.ts';
import { openZip } from './zip.ts';

const mostFormulas = 500;
const mostNestedTables = 60;
/** A space element may stand for several spaces. */
const mostRepeated = 100;

/** Texts outside the body, in order. */
type SideTexts = { notes: string[]; comments: string[]; headers: string[]; footers: string[] };

/** The words of an OpenDocument text. */
export async function readOdtText(bytes: Buffer, mostUnpacked: number): Promise<string> {
  const file = openPackage(openZip(bytes, mostUnpacked));
  if (!file.has('content.xml')) throw createNotOfFormatError('ODT');
  const formulas = await readFormulas(file);
  const beside: SideTexts = { notes: [], comments: [], headers: [], footers: [] };
  const styles = createStyles();
  await file.readPart('styles.xml', styles);
  await file.readPart('styles.xml', createMasterReader(beside, styles));
  const body = createDocumentText();
  await file.readPart('content.xml', createTextReader(body, { beside, formulas, styles }));
  return joinDocument({ ...beside, body: body.read() });
}

/** By the name of the object that contains each. */
async function readFormulas(file: OfficePackage): Promise<Map<string, string>> {
  const formulas = new Map<string, string>();
  for (const name of file.names) {
    const object = /^(Object [^/]{1,50})\/content\.xml$/.exec(name)?.[1];
    if (object === undefined || formulas.size >= mostFormulas) continue;
    const signs: string[] = [];
    let written = '';
    const open: string[] = [];
    await file.readPart(name, {
      open: (element) => void open.push(element),
      text(text) {
        if (open.at(-1) === 'annotation') written += text;
        else if (/^(?:mi|mn|mo|mtext|ms)$/.test(open.at(-1) ?? '')) signs.push(text.trim());
      },
      close: () => void open.pop(),
    });
    // Programs also store a formula as the person typed it.
    formulas.set(object, written.trim() || signs.join(' '));
  }
  return formulas;
}

/** Headers and footers are in the page styles. */
function createMasterReader(beside: SideTexts, styles: Styles): XmlHandlers {
  let part: { name: string; text: DocumentText; reader: XmlHandlers } | null = null;
  return {
    open(name, attributes) {
      if (part) return part.reader.open?.(name, attributes);
      if (!/^(?:header|footer)(?:-left|-first)?$/.test(name)) return;
      const text = createDocumentText();
      part = { name, text, reader: createTextReader(text, { beside, styles, formulas: new Map() }) };
    },
    text: (words) => part?.reader.text?.(words),
    close(name) {
      if (!part) return;
      if (name !== part.name) return part.reader.close?.(name);
      (name.startsWith('header') ? beside.headers : beside.footers).push(part.text.read());
      part = null;
    },
  };
}

/** Deleted text, descriptions of pictures, and text that only programs read. */
const skipped = new Set(
  `tracked-changes title desc script event-listeners forms note-citation ruby-text hidden-text hidden-paragraph
  enhanced-geometry creator date date-string initials creator-initials binary-data`.split(/\s+/),
);

/** The shared data of a document's texts. */
type OdtContext = { beside: SideTexts; formulas: ReadonlyMap<string, string>; styles: Styles };
type Styles = ReturnType<typeof createStyles>;

/** Elements whose style may hide their words. */
const styled = new Set(['p', 'h', 'span']);
const deepestStyles = 20;

/** Records which styles hide their words (`text:display`), anywhere in the file; a style can be based on another. */
function createStyles() {
  const known = new Map<string, { isHidden?: boolean; basis?: string | undefined }>();
  let style: { isHidden?: boolean; basis?: string | undefined } | null = null;
  const hides = (name: string | undefined, depth = 0): boolean => {
    const found = name === undefined || depth > deepestStyles ? undefined : known.get(name);
    return found !== undefined && (found.isHidden ?? hides(found.basis, depth + 1));
  };
  return {
    hides,
    open(name: string, attributes: XmlAttributes): void {
      if (name === 'style') {
        style = { basis: findAttribute(attributes, 'parent-style-name') };
        known.set(findAttribute(attributes, 'name') ?? '', style);
      }
      const display = name === 'text-properties' ? findAttribute(attributes, 'display') : undefined;
      if (style && display !== undefined) style.isHidden = display === 'none';
    },
    close(name: string): void {
      if (name === 'style') style = null;
    },
  };
}

function createTextReader(text: DocumentText, { beside, formulas, styles }: OdtContext): XmlHandlers {
  const open: string[] = [];
  const elements = createElements(text, beside, formulas);
  let skippedFrom = -1;
  return {
    open(name, attributes) {
      styles.open(name, attributes);
      const isClosed =
        (name === 'section' && findAttribute(attributes, 'display') === 'none') ||
        (styled.has(name) && styles.hides(findAttribute(attributes, 'style-name')));
      if (skippedFrom < 0 && (skipped.has(name) || isClosed)) skippedFrom = open.length;
      if (skippedFrom < 0) elements.begin(name, attributes, open.length);
      open.push(name);
    },
    text(words) {
      if (open.at(-1) === 'creator' && open.at(-2) === 'annotation') elements.nameAuthor(words);
      if (skippedFrom < 0 && elements.isInParagraph()) writeWords(text, words);
    },
    close(name) {
      styles.close(name);
      open.pop();
      if (skippedFrom < 0) elements.end(name, open.length);
      if (skippedFrom === open.length) skippedFrom = -1;
    },
  };
}

/** What elements do to the text. Paragraphs, notes and comments can be inside other paragraphs. */
function createElements(text: DocumentText, beside: SideTexts, formulas: ReadonlyMap<string, string>) {
  const paragraphs = createParagraphs(text);
  let tables = 0;
  let author = '';
  const isCell = (name: string) => name === 'table-cell' || name === 'covered-table-cell';
  const isTooDeep = () => tables > mostNestedTables;

  function beginTablePart(name: string): void {
    if (name === 'table') tables += 1;
    if (isTooDeep()) return;
    if (name === 'table') text.beginTable();
    else if (name === 'table-row') text.beginRow();
    else {
      text.beginCell();
      paragraphs.beginFlow();
    }
  }

  function endTablePart(name: string): void {
    if (!isTooDeep()) {
      if (name === 'table') text.endTable();
      else if (name === 'table-row') text.endRow();
      else {
        paragraphs.endFlow();
        text.endCell();
      }
    }
    if (name === 'table') tables -= 1;
  }

  const isTablePart = (name: string) => name === 'table' || name === 'table-row' || isCell(name);
  return {
    isInParagraph: paragraphs.isOpen,
    nameAuthor: (words: string) => void (author += words),
    begin(name: string, attributes: XmlAttributes, depth: number): void {
      if (name === 'p' || name === 'h') paragraphs.begin(depth);
      else if (name === 's')
        text.write(' '.repeat(Math.min(mostRepeated, Number(findAttribute(attributes, 'c')) || 1)));
      else if (name === 'tab') text.write('\t');
      else if (name === 'line-break') text.breakLine();
      else if (isTablePart(name)) beginTablePart(name);
      else if (name === 'note-body' || name === 'annotation') {
        author = '';
        paragraphs.beginAside();
      } else if (name === 'object') {
        const object = (findAttribute(attributes, 'href') ?? '').replace(/^\.\//, '');
        text.write(formulas.get(object) ?? '');
      }
    },
    end(name: string, depth: number): void {
      if (name === 'p' || name === 'h') paragraphs.end(depth);
      else if (isTablePart(name)) endTablePart(name);
      else if (name === 'note-body') {
        const mark = `[${beside.notes.length + 1}]`;
        beside.notes.push(`${mark} ${paragraphs.endAside()}`);
        text.write(mark);
      } else if (name === 'annotation') {
        const by = author.trim() ? ` (${author.trim()})` : '';
        beside.comments.push(`Comment${by}: ${paragraphs.endAside()}`);
      }
    },
  };
}

/** The open paragraphs. A paragraph inside another is a box, and follows it. */
function createParagraphs(text: DocumentText) {
  const boxes: number[] = [];
  const counts: number[] = [0];
  const change = (by: number) => (counts[counts.length - 1]! += by);
  const isOpen = () => counts.at(-1)! > 0;

  function beginAside(): void {
    text.beginAside();
    counts.push(0);
  }

  function endAside(): string {
    counts.pop();
    return text.endAside();
  }

  return {
    isOpen,
    beginAside,
    endAside,
    beginFlow: () => void counts.push(0),
    endFlow: () => void counts.pop(),
    begin(depth: number): void {
      if (isOpen()) {
        boxes.push(depth);
        beginAside();
      }
      change(1);
      text.beginParagraph();
    },
    end(depth: number): void {
      text.endParagraph();
      change(-1);
      if (boxes.at(-1) !== depth) return;
      boxes.pop();
      text.keepBox(endAside());
    },
  };
}

/** White space between words counts as one space. */
function writeWords(text: DocumentText, words: string): void {
  const parts = words.split(/[ \t\r\n]+/);
  if (parts[0] === '') text.separate();
  text.write(parts.filter(Boolean).join(' '));
  if (parts.length > 1 && parts.at(-1) === '') text.separate();
}
