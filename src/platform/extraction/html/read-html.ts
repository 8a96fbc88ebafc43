// The words of HTML as a reader sees them: hidden text is left out, cells are apart, rows are lines. Nothing is loaded.
import { createTextFlow, type TextFlow } from '../text-flow.ts';
import { computeStyle, parseDeclarations, type WordDeclaration, type WordStyle } from './declarations.ts';
import { countLinesAround, findDisplay, findUsualDisplay, type Display } from './elements.ts';
import { readStyleSheets, type StyledElement, type StyleSheet } from './style-sheet.ts';
import { walkHtml, type Attributes, type HtmlVisitor } from './walk-html.ts';

/** `showsLinks`: the address of a link follows its words. */
export type HtmlOptions = { showsLinks?: boolean; isXhtml?: boolean };

const longestHtml = 20_000_000;
/** Tables within more tables are read as text: each copies the words within it. */
const mostNestedTables = 60;
/** A longer address only serves to track readers. */
const longestLink = 200;
/** Texts of columns are long; cells of data are not. */
const tables = { longestCell: 500, mostCellLines: 4, keepsBlankCells: false };

type OpenElement = StyledElement & {
  display: Display;
  isGone: boolean;
  isHidden: boolean;
  hasNoSize: boolean;
  isTransparent: boolean;
  whiteSpace: 'normal' | 'lines' | 'all';
  nestedTables: number;
  /** Whose words are these: a table's rows stand in it, and a row's cells. */
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
  walkHtml(source, isXhtml, createReader(flow, sheet, showsLinks));
  return { text: withoutUnseen(flow.read()), title };
}

/** Soft hyphens and signs without width are not words, and blanks are of one kind. */
function withoutUnseen(text: string): string {
  return text.replaceAll(/[\u00ad\u200b-\u200f\u2060\ufeff]/g, '').replaceAll('\u00a0', ' ');
}

/** The title and the style sheets, wherever they stand. */
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

/** A title or a sheet in one of these is none of the page. */
const notOfPage = new Set(['noscript', 'template', 'svg']);

function createReader(flow: TextFlow, sheet: StyleSheet | null, showsLinks: boolean): HtmlVisitor {
  const open: OpenElement[] = [];
  const readStyle = createStyleReader(sheet);

  function beginElement(name: string, attributes: Attributes): void {
    const parent = open.at(-1) ?? root;
    if (parent.isGone) return void open.push({ ...parent, close: () => {} });
    if (name === 'br') {
      if (isSeen(parent)) flow.breakLine();
      return void open.push({ ...parent, close: () => {} });
    }
    const named = {
      name,
      id: attributes.get('id') ?? '',
      classes: (attributes.get('class') ?? '').split(/\s+/, mostClasses).filter(Boolean),
    };
    const element = createElement(named, parent, readStyle(named, open, attributes.get('style') ?? ''), attributes);
    element.close = begin(flow, element, parent, attributes);
    const href = attributes.get('href');
    if (name === 'a' && showsLinks && href !== undefined && !element.isGone)
      element.link = { url: href.replaceAll(/\s+/g, ''), words: '' };
    open.push(element);
  }

  function text(words: string): void {
    const element = open.at(-1) ?? root;
    if (!isSeen(element)) return;
    if (element.link && element.link.words.length < 2 * longestLink) element.link.words += words;
    writeText(flow, words, element.whiteSpace);
  }

  function endElement(name: string): void {
    const element = open.pop();
    if (!element) return;
    if (name === 'a' && element.link && isSeen(element)) writeLink(flow, element.link);
    element.close();
  }

  return { beginElement, text, endElement };
}

const mostClasses = 100;

const root: OpenElement = {
  name: '',
  id: '',
  classes: [],
  display: 'block',
  isGone: false,
  isHidden: false,
  hasNoSize: false,
  isTransparent: false,
  whiteSpace: 'normal',
  nestedTables: 0,
  holder: null,
  list: null,
  link: null,
  close: () => {},
};

function isSeen({ isGone, isHidden, hasNoSize, isTransparent }: OpenElement): boolean {
  return !(isGone || isHidden || hasNoSize || isTransparent);
}

type StyleReader = (element: StyledElement, ancestors: readonly StyledElement[], inline: string) => WordStyle;

const mostKnownStyles = 5_000;

const unstyled = computeStyle([]);

/** Pages use the same few styles again and again. */
function createStyleReader(sheet: StyleSheet | null): StyleReader {
  const known = new Map<string, WordStyle>();
  return (element, ancestors, inline) => {
    const rules = sheet?.findRules(element, ancestors) ?? [];
    if (rules.length === 0 && inline === '') return unstyled;
    const key = `${rules.map(({ order }) => order).join(',')} ${inline}`;
    const before = known.get(key);
    if (before) return before;
    const own: WordDeclaration[] = inline ? parseDeclarations(inline) : [];
    const style = computeStyle([...rules.flatMap(({ declarations }) => declarations), ...own]);
    if (known.size < mostKnownStyles) known.set(key, style);
    return style;
  };
}

function createElement(
  named: StyledElement,
  parent: OpenElement,
  style: WordStyle,
  attributes: Attributes,
): OpenElement {
  const { name } = named;
  const usual = findUsualDisplay(name);
  const isClosed = attributes.has('hidden') || (name === 'dialog' && !attributes.has('open'));
  const said = usual === 'gone' || style.display === undefined ? undefined : findDisplay(style.display);
  const display = said ?? (isClosed ? 'gone' : parent.display === 'flex' && usual === 'inline' ? 'apart' : usual);
  const isTable = display === 'table' && parent.nestedTables < mostNestedTables;
  return {
    ...parent,
    ...named,
    display: display === 'table' && !isTable ? 'block' : display,
    isGone: display === 'gone' || style.isGone,
    isHidden: style.visibility === undefined ? parent.isHidden : style.visibility === 'hidden',
    hasNoSize: hasNoSize(parent.hasNoSize, style.size),
    isTransparent: style.isTransparent ?? parent.isTransparent,
    whiteSpace: style.whiteSpace ?? (/^(?:pre|xmp|listing|textarea)$/.test(name) ? 'all' : parent.whiteSpace),
    nestedTables: parent.nestedTables + (isTable ? 1 : 0),
    list: /^(?:ul|ol|menu|dir)$/.test(name)
      ? { isNumbered: name === 'ol', next: Number.parseInt(attributes.get('start') ?? '', 10) || 1 }
      : parent.list,
  };
}

/** A size again makes words seen again; a part of no size is none. */
function hasNoSize(isAround: boolean, size: WordStyle['size']): boolean {
  if (size === 'zero') return true;
  return size === 'some' ? false : isAround;
}

/** Begins an element in the text; answers what ends it. */
function begin(flow: TextFlow, element: OpenElement, parent: OpenElement, attributes: Attributes): () => void {
  const { name, display } = element;
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
