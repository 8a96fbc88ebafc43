// The default display of HTML elements: https://html.spec.whatwg.org/multipage/rendering.html

/** How an element is laid out. `gone`: it is invisible. */
export type Display = 'gone' | 'inline' | 'apart' | 'block' | 'table' | 'row' | 'cell' | 'flex';

const displays: Readonly<Record<Exclude<Display, 'inline' | 'flex'>, string>> = {
  gone: `meter progress script style title template noscript object svg img iframe noframes noembed datalist audio video canvas meta link base
    param rp rt rtc area col colgroup source track annotation annotation-xml`,
  apart: 'button select input textarea',
  block: `html body div p h1 h2 h3 h4 h5 h6 blockquote ul ol dl li dt dd pre xmp listing hr section article aside header footer main
    nav form fieldset legend address center figure figcaption details summary dialog dir menu caption option optgroup search`,
  table: 'table',
  row: 'tr',
  cell: 'td th',
};
const usual = new Map(
  Object.entries(displays).flatMap(([display, names]) =>
    names.split(/\s+/).map((name) => [name, display as Display] as const),
  ),
);

/** The default display of an element with this name. */
export function findUsualDisplay(name: string): Display {
  return usual.get(name) ?? 'inline';
}

const byValue: Readonly<Record<string, Display>> = {
  none: 'gone',
  inline: 'inline',
  ruby: 'inline',
  'inline-block': 'apart',
  'inline-table': 'apart',
  'inline-grid': 'apart',
  'inline-flex': 'apart',
  table: 'table',
  'table-row': 'row',
  'table-cell': 'cell',
  flex: 'flex',
};

/** The display for a value of the CSS property; groups of rows are treated as their rows. */
export function findDisplay(value: string): Display {
  return byValue[value] ?? (/^table-.+-group$/.test(value) ? 'inline' : 'block');
}

const paragraphs = new Set(
  'p h1 h2 h3 h4 h5 h6 blockquote ul ol dl pre xmp listing table hr fieldset dir menu figure'.split(' '),
);

/** How many line ends separate a block from the surrounding words. */
export function countLinesAround(name: string, isInList: boolean): number {
  if (isInList && /^(?:ul|ol|dir|menu)$/.test(name)) return 1;
  return paragraphs.has(name) ? 2 : 1;
}
