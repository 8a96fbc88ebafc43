// Walks through HTML: each element begins and ends once, as in browsers. The tokens come from the standard's tokenizer
// (parse5). Its tree is not built: that takes time with the square of the nesting depth, and these pages come from
// anybody.
import { Tokenizer, TokenizerMode } from 'parse5';

export type Attributes = ReadonlyMap<string, string>;

/** Called for each element, and for the text between tags. */
export type HtmlVisitor = {
  beginElement(name: string, attributes: Attributes): void;
  endElement(name: string): void;
  text(text: string): void;
};

/** An end tag searches only this many levels outwards for its element, so the time grows linearly with the length. */
const farthest = 200;

const split = (names: string) => new Set(names.split(/\s+/));
const empty = split('area base basefont bgsound br col embed frame hr img input link meta param source track wbr');
/** An end tag does not close elements beyond its cell, and an inline end tag none beyond its block. */
const walls = split('table td th caption template');
const blocks =
  split(`address article aside blockquote body center dd details dialog dir div dl dt fieldset figcaption figure footer
  form h1 h2 h3 h4 h5 h6 header hgroup html li main menu nav ol p pre search section summary tbody tfoot thead tr ul`);
const tableParts = split('table caption thead tbody tfoot tr td th');
/** Their end tags also end inner blocks: browsers restart the same style after the block. */
const styles = split('a b big code em font i nobr s small strike strong tt u');

type ImpliedEnd = { ends: ReadonlySet<string>; within: ReadonlySet<string> };
const cells = split('td th');
const impliedBy = new Map<string, ImpliedEnd>([
  ['li', { ends: split('li'), within: split('ul ol menu dir table td th template') }],
  ...['dt', 'dd'].map((name) => [name, { ends: split('dt dd'), within: split('dl table td th template') }] as const),
  ...['option', 'optgroup'].map((name) => [name, { ends: split('option'), within: split('select datalist') }] as const),
  ...['td', 'th'].map((name) => [name, { ends: cells, within: split('tr table template') }] as const),
  ['tr', { ends: split('tr td th caption'), within: split('table template') }],
  ...['thead', 'tbody', 'tfoot'].map(
    (name) => [name, { ends: split('thead tbody tfoot tr td th caption'), within: split('table template') }] as const,
  ),
  ['body', { ends: split('head'), within: split('table template') }],
  ['a', { ends: split('a'), within: split('table td th caption template') }],
]);
const endOfParagraph: ImpliedEnd = { ends: split('p'), within: split('table td th caption template button') };
const endsParagraph = new Set([...blocks, 'hr', 'table', 'listing', 'xmp', 'plaintext']);
for (const name of ['body', 'html', 'tbody', 'tfoot', 'thead', 'tr']) endsParagraph.delete(name);

const modes = new Map<string, Tokenizer['state']>([
  ...['title', 'textarea'].map((name) => [name, TokenizerMode.RCDATA] as const),
  ...['style', 'xmp', 'iframe', 'noembed', 'noframes'].map((name) => [name, TokenizerMode.RAWTEXT] as const),
  ['script', TokenizerMode.SCRIPT_DATA],
  ['plaintext', TokenizerMode.PLAINTEXT],
]);

/** Calls the visitor for everything in a page, in order. `isXhtml`: `<a/>` is a complete element. */
export function walkHtml(html: string, isXhtml: boolean, visitor: HtmlVisitor): void {
  const elements = createOpenElements(visitor);
  const text = ({ chars }: { chars: string }) => visitor.text(chars);
  const begin = (name: string, attributes: Attributes, isClosed: boolean) => {
    const isWhole = empty.has(name) || (isClosed && (isXhtml || elements.isForeign() || isForeign(name)));
    elements.begin(name, attributes, isWhole);
    const mode = isWhole || elements.isForeign() ? undefined : modes.get(name);
    if (mode !== undefined) tokenizer.state = mode;
  };
  const tokenizer = new Tokenizer(
    {},
    {
      onStartTag: ({ tagName, attrs, selfClosing }) =>
        begin(tagName, new Map(attrs.map(({ name, value }) => [name, value])), selfClosing),
      // A browser treats this end tag as a complete element.
      onEndTag: ({ tagName }) => (tagName === 'br' ? begin('br', new Map(), true) : elements.end(tagName)),
      onCharacter: text,
      onWhitespaceCharacter: text,
      onNullCharacter: () => {},
      onComment: () => {},
      onDoctype: () => {},
      onEof: () => elements.endTo(0),
    },
  );
  tokenizer.write(html, true);
}

/** The open elements, the innermost last. */
function createOpenElements(visitor: HtmlVisitor) {
  const open: string[] = [];
  /** How many elements of each name are open, so that no search is made for one that is not open. */
  const counts = new Map<string, number>();
  const count = (name: string, change: number) => counts.set(name, (counts.get(name) ?? 0) + change);
  const isOpen = (name: string) => (counts.get(name) ?? 0) > 0;
  const nearest = () => Math.max(0, open.length - farthest);

  /** Ends elements down to this number. */
  function endTo(depth: number): void {
    while (open.length > depth) {
      const name = open.pop()!;
      count(name, -1);
      visitor.endElement(name);
    }
  }

  function endImplied({ ends, within }: ImpliedEnd): void {
    if (![...ends].some(isOpen)) return;
    let depth = -1;
    for (let at = open.length - 1; at >= nearest() && !within.has(open[at]!); at -= 1)
      if (ends.has(open[at]!)) depth = at;
    if (depth >= 0) endTo(depth);
  }

  return {
    endTo,
    isForeign: () => isOpen('svg') || isOpen('math'),
    begin(name: string, attributes: Attributes, isWhole: boolean): void {
      if (endsParagraph.has(name)) endImplied(endOfParagraph);
      const implied = impliedBy.get(name);
      if (implied) endImplied(implied);
      if (name === 'tr' && open.at(-1) === 'table') this.begin('tbody', new Map(), false);
      visitor.beginElement(name, attributes);
      if (isWhole) return visitor.endElement(name);
      open.push(name);
      count(name, 1);
    },
    end(name: string): void {
      if (!isOpen(name)) return;
      const isPart = tableParts.has(name);
      const isText = !blocks.has(name) && !isPart && !styles.has(name) && !isOpen('svg') && !isOpen('math');
      for (let at = open.length - 1; at >= nearest(); at -= 1) {
        const within = open[at]!;
        if (within === name) return endTo(at);
        if (isPart ? within === 'table' || within === 'template' : walls.has(within)) return;
        if (isText && blocks.has(within)) return;
      }
    },
  };
}

function isForeign(name: string): boolean {
  return name === 'svg' || name === 'math';
}
