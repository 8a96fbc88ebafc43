// Parses CSS declarations, and tells what they do to the words of an element.
import { lexer, parse, type CssNode, type Declaration } from 'css-tree';

/** What declarations say about the words of an element; what they do not say is undefined. */
export type WordStyle = {
  /** Neither the element nor anything in it is seen. */
  isGone: boolean;
  display: string | undefined;
  visibility: 'visible' | 'hidden' | undefined;
  /** `relative`: to the size around it. Only an exact zero is no size. */
  size: 'zero' | 'some' | 'relative' | undefined;
  isTransparent: boolean | undefined;
  whiteSpace: 'normal' | 'lines' | 'all' | undefined;
};

/** One declaration that matters for words. */
export type WordDeclaration = { property: string; isImportant: boolean; nodes: readonly CssNode[] };

const properties = new Set(
  `display visibility opacity font font-size color -webkit-text-fill-color white-space content-visibility position left right top
  bottom inset margin-left margin-top text-indent width height max-width max-height overflow overflow-x overflow-y clip clip-path
  transform scale filter`.split(/\s+/),
);
/** Nobody writes more into one attribute. */
const longestDeclarations = 20_000;

/** The declarations of a `style` attribute or of a rule. Those that no browser would apply are left out. */
export function parseDeclarations(css: string): WordDeclaration[] {
  const list = parse(css.slice(0, longestDeclarations), { context: 'declarationList', onParseError: () => {} });
  return list.type === 'DeclarationList' ? readDeclarations(list.children) : [];
}

/** The same from a parsed list or block. */
export function readDeclarations(children: Iterable<CssNode>): WordDeclaration[] {
  const found: WordDeclaration[] = [];
  for (const node of children) {
    if (node.type !== 'Declaration') continue;
    const property = node.property.toLowerCase();
    if (!properties.has(property) || node.value.type !== 'Value' || !isApplied(node, property)) continue;
    found.push({ property, isImportant: Boolean(node.important), nodes: node.value.children.toArray() });
  }
  return found;
}

/** Mails have no document type as a rule, and browsers then take a size without a unit. */
function isApplied(node: Declaration, property: string): boolean {
  if (lexer.matchDeclaration(node).error === null) return true;
  const [value] = node.value.type === 'Value' ? node.value.children.toArray() : [];
  return property === 'font-size' && value?.type === 'Number';
}

/** What declarations do together. The last one of a property holds, unless an earlier one is important. */
export function computeStyle(declarations: readonly WordDeclaration[]): WordStyle {
  const winners = new Map<string, WordDeclaration>();
  for (const declaration of declarations) {
    const name = declaration.property === 'font' ? 'font-size' : declaration.property;
    if (declaration.isImportant || !winners.get(name)?.isImportant) winners.set(name, declaration);
  }
  const get = (name: string) => winners.get(name)?.nodes ?? [];
  const word = (name: string) => readWord(get(name)[0]);
  const display = word('display');
  const visibility = word('visibility');
  const color = winners.get('-webkit-text-fill-color') ?? winners.get('color');
  return {
    isGone: isGone(get, word),
    display: display === 'contents' ? undefined : display,
    visibility: visibility === undefined || visibility === 'inherit' ? undefined : readVisibility(visibility),
    size: readSize(winners.get('font-size')),
    isTransparent: color && isTransparent(color.nodes[0]),
    whiteSpace: readWhiteSpace(word('white-space')),
  };
}

type Getter = (name: string) => readonly CssNode[];
type WordGetter = (name: string) => string | undefined;

function isGone(get: Getter, word: WordGetter): boolean {
  const isCut = ['overflow', 'overflow-x', 'overflow-y'].some((name) => /^(?:hidden|clip)$/.test(word(name) ?? ''));
  const hasNoRoom = ['width', 'height', 'max-width', 'max-height'].some((name) => isZero(get(name)[0]));
  const isPlaced = /^(?:absolute|fixed)$/.test(word('position') ?? '');
  const isFar = (name: string) => get(name).some((node) => isOffScreen(node));
  return (
    word('display') === 'none' ||
    word('content-visibility') === 'hidden' ||
    isZero(get('opacity')[0], 'or less') ||
    (isCut && hasNoRoom) ||
    (isPlaced && (['left', 'right', 'top', 'bottom', 'inset'].some(isFar) || isClipped(get('clip')[0]))) ||
    ['margin-left', 'margin-top', 'text-indent'].some(isFar) ||
    isClipped(get('clip-path')[0]) ||
    isZero(get('scale')[0]) ||
    get('transform').some(movesAway) ||
    get('filter').some((node) => node.type === 'Function' && node.name === 'opacity' && isZero(firstArgument(node)))
  );
}

function readWord(node: CssNode | undefined): string | undefined {
  return node?.type === 'Identifier' ? node.name.toLowerCase() : undefined;
}

function readVisibility(word: string): 'visible' | 'hidden' {
  return word === 'hidden' || word === 'collapse' ? 'hidden' : 'visible';
}

const relativeUnits = new Set(['em', 'ex', 'ch', '%']);

function readSize(declaration: WordDeclaration | undefined): WordStyle['size'] {
  if (!declaration) return undefined;
  // In `font`, weights are numbers, and the height of the line follows the sign /.
  const isSize = (node: CssNode) => node.type === 'Dimension' || node.type === 'Percentage' || isZero(node);
  const value = declaration.property === 'font' ? declaration.nodes.find(isSize) : declaration.nodes[0];
  if (!value) return 'some';
  if (isZero(value)) return 'zero';
  if (value.type === 'Percentage') return 'relative';
  if (value.type === 'Dimension') return relativeUnits.has(value.unit.toLowerCase()) ? 'relative' : 'some';
  return /^(?:inherit|unset|smaller|larger)$/.test(readWord(value) ?? '') ? 'relative' : 'some';
}

function isZero(node: CssNode | undefined, orLess?: 'or less'): boolean {
  if (node?.type !== 'Number' && node?.type !== 'Dimension' && node?.type !== 'Percentage') return false;
  const value = Number(node.value);
  return value === 0 || (orLess !== undefined && value < 0);
}

const pixels: Readonly<Record<string, number>> = {
  px: 1,
  pt: 1.3,
  em: 16,
  rem: 16,
  ex: 8,
  ch: 8,
  vw: 10,
  vh: 10,
  in: 96,
  cm: 38,
};
/** A negative place beyond this is on no screen, and neither is a positive one beyond the second. */
const [farBefore, farAfter] = [-500, 5_000];

function isOffScreen(node: CssNode): boolean {
  if (node.type === 'Percentage') return Number(node.value) <= -100;
  if (node.type !== 'Dimension') return false;
  const place = Number(node.value) * (pixels[node.unit.toLowerCase()] ?? 1);
  return place <= farBefore || place >= farAfter;
}

function movesAway(node: CssNode): boolean {
  if (node.type !== 'Function') return false;
  const name = node.name.toLowerCase();
  if (name.startsWith('scale')) return isZero(firstArgument(node));
  return name.startsWith('translate') && node.children.some((each) => each.type === 'Dimension' && isOffScreen(each));
}

/** `rect(0,0,0,0)`, `inset(50%)` and `circle(0)` leave nothing to see. */
function isClipped(node: CssNode | undefined): boolean {
  if (node?.type !== 'Function') return false;
  const values = node.children
    .toArray()
    .filter((each) => each.type === 'Number' || each.type === 'Dimension' || each.type === 'Percentage');
  const name = node.name.toLowerCase();
  if (name === 'rect')
    return values.length > 0 && values.every(({ value }) => Number(value) === Number(values[0]!.value));
  if (name === 'inset') return values[0]?.type === 'Percentage' && Number(values[0].value) >= 50;
  return name === 'circle' && isZero(values[0]);
}

function firstArgument(node: CssNode): CssNode | undefined {
  return node.type === 'Function' ? (node.children.first ?? undefined) : undefined;
}

/** `transparent`, and colours whose fourth part is zero. */
function isTransparent(node: CssNode | undefined): boolean {
  if (readWord(node) === 'transparent') return true;
  if (node?.type === 'Hash') return /^(?:[\da-f]{3}0|[\da-f]{6}00)$/i.test(node.value);
  if (node?.type !== 'Function' || !/^(?:rgba?|hsla?)$/i.test(node.name)) return false;
  const values = node.children.toArray().filter((each) => /^(?:Number|Percentage|Dimension)$/.test(each.type));
  return values.length === 4 && isZero(values[3]);
}

function readWhiteSpace(word: string | undefined): WordStyle['whiteSpace'] {
  if (word === undefined || word === 'inherit') return undefined;
  if (word === 'pre-line') return 'lines';
  return /^(?:pre|pre-wrap|break-spaces)$/.test(word) ? 'all' : 'normal';
}
