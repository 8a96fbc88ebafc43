// The words of HTML as a reader sees them: hidden text is left out, cells are separated, rows are lines. Nothing is
// loaded.
import { createTextFlow, type TextFlow } from '../text-flow.ts';
import type { Variables, WordStyle } from './declarations.ts';
import { createStyleReader, findOwnBackground, findOwnColor } from './element-style.ts';
import { countLinesAround, findDisplay, findUsualDisplay, type Display } from './elements.ts';
import type { StyledElement } from './selectors.ts';
import { readStyleSheets, type StyleSheet } from './style-sheet.ts';
import { walkHtml, type Attributes, type HtmlVisitor } from './walk-html.ts';

/** `showsLinks`: the address of a link follows its words. */
export type HtmlOptions = { showsLinks?: boolean; isXhtml?: boolean };

const longestHtml = 20_000_000;
/** Tables nested deeper than this are read as text: each level copies the words inside it. */
const mostNestedTables = 60;
/** A longer address only serves to track readers. */
const longestLink = 200;
/** Cells of layout columns are long; cells of data are not. */
const tables = { longestCell: 500, mostCellLines: 4, keepsBlankCells: false };

type OpenElement = StyledElement & {
  display: Display;
  isGone: boolean;
  isHidden: boolean;
  hasNoSize: boolean;
  /** The colours of its words and of their background, in the form of `WordStyle`. */
  color: string;
  background: string | null;
  variables: Variables;
  /** How many elements it has so far, by name. */
  counts: Map<string, number>;
  whiteSpace: 'normal' | 'lines' | 'all';
  nestedTables: number;
  /** Which element contains the words: table, row or cell. */
  holder: 'table' | 'row' | null;
  list: { isNumbered: boolean; next: number } | null;
  link: { url: string; words: string } | null;
  close: () => void;
};

/** The words of a page, and its title. */
export function readHtml(
  html: string,
  { showsLinks = false, isXhtml = false }: HtmlOptions = {},
): { text: string; title: string | null } {
  const source = html.slice(0, longestHtml);
  const { title, sheet } = readHead(source, isXhtml);
  const flow = createTextFlow(tables);
  walkHtml(source, isXhtml, createReader(flow, { sheet, showsLinks, canvas: findCanvas(source, sheet) }));
  return { text: withoutUnseen(flow.read()), title };
}

/** Soft hyphens and zero-width characters are removed, and all kinds of spaces become one. */
function withoutUnseen(text: string): string {
  return text.replaceAll(/[\u00ad\u200b-\u200f\u2060\ufeff]/g, '').replaceAll('\u00a0', ' ');
}

/**
 * The background colour of a page that sets none. Null when an external style sheet, or an implicit body, may set one.
 */
function findCanvas(html: string, sheet: StyleSheet | null): string | null {
  const isElsewhere =
    (/<link\s/i.test(html) && /stylesheet/i.test(html)) ||
    /@import/i.test(html) ||
    (sheet !== null && !/<body[\s>]/i.test(html));
  return isElsewhere ? null : 'ffffff';
}

/** The title and the style sheets, anywhere in the page. */
function readHead(html: string, isXhtml: boolean): { title: string | null; sheet: StyleSheet | null } {
  if (!/<(?:style|title)[\s>]/i.test(html)) return { title: null, sheet: null };
  const sheets: { css: string; media: string }[] = [];
  let title = '';
  let unused = 0;
  const open: string[] = [];
  walkHtml(html, isXhtml, {
    beginElement(name, attributes) {
      open.push(name);
      if (notOfPage.has(name)) unused += 1;
      if (name === 'style') sheets.push({ css: '', media: attributes.get('media') ?? '' });
    },
    text(text) {
      if (unused > 0) return;
      if (open.at(-1) === 'style') sheets.at(-1)!.css += text;
      if (open.at(-1) === 'title' && title.length < 1_000) title += text;
    },
    endElement(name) {
      open.pop();
      if (notOfPage.has(name)) unused -= 1;
    },
  });
  const used = sheets.filter(({ css }) => css.trim());
  return {
    title: withoutUnseen(title).replaceAll(/\s+/g, ' ').trim().slice(0, 500) || null,
    sheet: used.length > 0 ? readStyleSheets(used) : null,
  };
}

/** A title or style sheet inside one of these does not belong to the page. */
const notOfPage = new Set(['noscript', 'template', 'svg']);

type ReaderOptions = { sheet: StyleSheet | null; showsLinks: boolean; canvas: string | null };

function createReader(flow: TextFlow, { sheet, showsLinks, canvas }: ReaderOptions): HtmlVisitor {
  const open: OpenElement[] = [createRoot(canvas)];
  const current = () => open.at(-1)!;
  const readStyle = createStyleReader(sheet);

  function beginElement(name: string, attributes: Attributes): void {
    const parent = current();
    if (parent.isGone) return void open.push({ ...parent, close: () => {} });
    const named = buildStyledElement(name, attributes, parent);
    if (sheet) noteChild(parent, named);
    if (name === 'br') {
      if (isSeen(parent)) flow.breakLine();
      return void open.push({ ...parent, close: () => {} });
    }
    const style = readStyle(named, { open, variables: parent.variables, inline: attributes.get('style') ?? '' });
    const element = createElement(named, parent, style);
    element.close = begin(flow, element, parent);
    const href = attributes.get('href');
    if (name === 'a' && showsLinks && href !== undefined && !element.isGone)
      element.link = { url: href.replaceAll(/\s+/g, ''), words: '' };
    open.push(element);
  }

  function text(words: string): void {
    const element = current();
    if (!isSeen(element)) return;
    if (element.link && element.link.words.length < 2 * longestLink) element.link.words += words;
    writeText(flow, words, element.whiteSpace);
  }

  function endElement(name: string): void {
    if (open.length < 2) return;
    const element = open.pop()!;
    if (name === 'a' && element.link && isSeen(element)) writeLink(flow, element.link);
    element.close();
  }

  return { beginElement, text, endElement };
}

const mostClasses = 100;
/** How many earlier siblings a selector examines. */
const mostSiblings = 60;

function buildStyledElement(name: string, attributes: Attributes, { counts }: OpenElement): StyledElement {
  return {
    name,
    attributes,
    id: attributes.get('id') ?? '',
    classes: (attributes.get('class') ?? '').split(/\s+/, mostClasses).filter(Boolean),
    place: (counts.get('*') ?? 0) + 1,
    placeOfName: (counts.get(name) ?? 0) + 1,
    children: [],
  };
}

function noteChild({ children, counts }: OpenElement, child: StyledElement): void {
  children.push(child);
  if (children.length > mostSiblings) children.shift();
  counts.set('*', child.place);
  counts.set(child.name, child.placeOfName);
}

function createRoot(canvas: string | null): OpenElement {
  return {
    name: '',
    id: '',
    classes: [],
    attributes: new Map(),
    place: 1,
    placeOfName: 1,
    children: [],
    counts: new Map(),
    display: 'block',
    isGone: false,
    isHidden: false,
    hasNoSize: false,
    color: '000000',
    background: canvas,
    variables: new Map(),
    whiteSpace: 'normal',
    nestedTables: 0,
    holder: null,
    list: null,
    link: null,
    close: () => {},
  };
}

/** Words in the colour of their background are invisible. */
function isSeen({ isGone, isHidden, hasNoSize, color, background }: OpenElement): boolean {
  return !(isGone || isHidden || hasNoSize || color === 'transparent' || color === background);
}

function createElement(named: StyledElement, parent: OpenElement, style: WordStyle): OpenElement {
  const { name, attributes } = named;
  const usual = findUsualDisplay(name);
  const isClosed =
    attributes.has('hidden') || attributes.has('popover') || (name === 'dialog' && !attributes.has('open'));
  const said = usual === 'gone' || style.display === undefined ? undefined : findDisplay(style.display);
  const display = said ?? (isClosed ? 'gone' : parent.display === 'flex' && usual === 'inline' ? 'apart' : usual);
  const isTable = display === 'table' && parent.nestedTables < mostNestedTables;
  return {
    ...parent,
    ...named,
    counts: new Map(),
    display: display === 'table' && !isTable ? 'block' : display,
    isGone: display === 'gone' || style.isGone,
    isHidden: style.visibility === undefined ? parent.isHidden : style.visibility === 'hidden',
    hasNoSize: hasNoSize(parent.hasNoSize, style.size),
    color: style.color ?? findOwnColor(name, attributes) ?? parent.color,
    background: style.background === undefined ? findOwnBackground(named, parent.background) : style.background,
    variables: style.variables.size > 0 ? style.variables : parent.variables,
    whiteSpace: style.whiteSpace ?? (/^(?:pre|xmp|listing|textarea)$/.test(name) ? 'all' : parent.whiteSpace),
    nestedTables: parent.nestedTables + (isTable ? 1 : 0),
    list: /^(?:ul|ol|menu|dir)$/.test(name)
      ? { isNumbered: name === 'ol', next: Number.parseInt(attributes.get('start') ?? '', 10) || 1 }
      : parent.list,
  };
}

/** An inner element can make its words visible again by a size; an inner element without size stays invisible. */
function hasNoSize(isAround: boolean, size: WordStyle['size']): boolean {
  if (size === 'zero') return true;
  return size === 'some' ? false : isAround;
}

/** Begins an element in the text; returns the function that ends it. */
function begin(flow: TextFlow, element: OpenElement, parent: OpenElement): () => void {
  const { name, display, attributes } = element;
  if (element.isGone) return () => {};
  if (display === 'inline') return () => {};
  if (display === 'apart') return beginApart(flow);
  if (name === 'hr') {
    if (isSeen(element)) writeRule(flow);
    return () => {};
  }
  if (display === 'row' && parent.holder === 'table') {
    element.holder = 'row';
    flow.beginRow();
    return flow.endRow;
  }
  if (display === 'cell') {
    if (parent.holder === null) return beginApart(flow);
    element.holder = null;
    if (name === 'th') flow.markAsData();
    flow.beginCell(Math.max(1, Number.parseInt(attributes.get('colspan') ?? '', 10) || 1));
    return flow.endCell;
  }
  return beginBlock(flow, element, parent);
}

function beginApart(flow: TextFlow): () => void {
  flow.separate();
  return flow.separate;
}

function beginBlock(flow: TextFlow, element: OpenElement, parent: OpenElement): () => void {
  const { name, display } = element;
  const lines = countLinesAround(display === 'table' ? 'table' : name, parent.list !== null);
  flow.beginBlock(lines);
  const end = () => flow.beginBlock(lines);
  if (display === 'table') {
    element.holder = 'table';
    element.list = null;
    flow.beginTable();
    return () => {
      flow.endTable();
      end();
    };
  }
  const first = name === 'li' && parent.list ? formatBullet(parent.list) : name === 'blockquote' ? '> ' : null;
  if (first === null) return end;
  flow.beginIndent(first, name === 'li' ? ' '.repeat(first.length) : first);
  return () => {
    flow.endIndent();
    end();
  };
}

function formatBullet(list: { isNumbered: boolean; next: number }): string {
  if (!list.isNumbered) return ' * ';
  const bullet = ` ${list.next}. `;
  list.next += 1;
  return bullet;
}

function writeRule(flow: TextFlow): void {
  flow.beginBlock(2);
  flow.write('-'.repeat(40));
  flow.beginBlock(2);
}

function writeText(flow: TextFlow, text: string, whiteSpace: OpenElement['whiteSpace']): void {
  if (whiteSpace === 'normal') return writeWords(flow, text);
  for (const [at, line] of text.split(/\r?\n/).entries()) {
    if (at > 0) flow.breakLine();
    if (whiteSpace === 'all') flow.write(line);
    else writeWords(flow, line);
  }
}

function writeWords(flow: TextFlow, text: string): void {
  const words = text.split(/[ \t\r\n\f]+/);
  if (words[0] === '') flow.separate();
  flow.write(words.filter(Boolean).join(' '));
  if (words.length > 1 && words.at(-1) === '') flow.separate();
}

function writeLink(flow: TextFlow, { url, words }: { url: string; words: string }): void {
  const address = url.replace(/^(?:mailto|tel):/i, '');
  const isWeb = /^https?:/i.test(url);
  if (!(isWeb || address !== url) || (isWeb && url.length >= longestLink)) return;
  const shown = words.trim();
  if (shown === address || shown === url || address === '') return;
  flow.separate();
  flow.write(`[${address}]`);
}
