// Parses CSS declarations, and determines their effect on the words of an element.
import { generate, ident, lexer, parse, walk, type CssNode, type Declaration } from 'css-tree';
import { isZero, readColor, readWord } from './css-values.ts';
import { isGone } from './hiding.ts';

/** What declarations say about the words of an element; properties they do not set are undefined. */
export type WordStyle = {
  /** Neither the element nor anything inside it is visible. */
  isGone: boolean;
  display: string | undefined;
  visibility: 'visible' | 'hidden' | undefined;
  /** `relative`: relative to the surrounding size. Only an exact zero counts as no size. */
  size: 'zero' | 'some' | 'relative' | undefined;
  /** `transparent`, six hexadecimal digits, or as it is written. */
  color: string | undefined;
  /** A plain colour behind the words, in the form of `color`; null: a picture, or something elsewhere on the page. */
  background: string | null | undefined;
  whiteSpace: 'normal' | 'lines' | 'all' | undefined;
  variables: Variables;
};

/** One declaration that affects words. `nodes` is empty where a variable must be filled in first. */
export type WordDeclaration = { property: string; isImportant: boolean; nodes: readonly CssNode[]; text?: string };

/** Values by the names of their variables. */
export type Variables = ReadonlyMap<string, string>;

const properties = new Set(
  `display visibility opacity font font-size color text-fill-color background background-color background-image white-space
  content-visibility position left right top bottom inset inset-inline-start inset-block-start margin margin-left margin-top
  margin-inline-start margin-block-start text-indent width height max-width max-height inline-size block-size max-inline-size
  max-block-size overflow overflow-x overflow-y clip clip-path transform translate scale filter`.split(/\s+/),
);
/** No real page writes more into one attribute. */
const longestDeclarations = 20_000;
const longestVariable = 1_000;
const mostVariables = 500;
const mostFilled = 10;

/** The declarations of a `style` attribute or of a rule, without those that no browser would apply. */
export function parseDeclarations(css: string): WordDeclaration[] {
  const list = parse(css.slice(0, longestDeclarations), { context: 'declarationList', onParseError: () => {} });
  return list.type === 'DeclarationList' ? readDeclarations(list.children) : [];
}

/** The same from a parsed list or block. */
export function readDeclarations(children: Iterable<CssNode>): WordDeclaration[] {
  const found: WordDeclaration[] = [];
  for (const node of children) {
    if (node.type !== 'Declaration') continue;
    const isImportant = Boolean(node.important);
    if (node.property.startsWith('--')) {
      const text = generate(node.value).trim();
      if (text.length <= longestVariable) found.push({ property: node.property, isImportant, nodes: [], text });
      continue;
    }
    const property = ident
      .decode(node.property)
      .toLowerCase()
      .replace(/^-(?:webkit|moz|ms|o)-/, '');
    if (!properties.has(property) || node.value.type !== 'Value') continue;
    decodeNames(node);
    if (hasVariable(node.value)) found.push({ property, isImportant, nodes: [], text: generate(node.value) });
    else if (isApplied(node, property)) found.push({ property, isImportant, nodes: node.value.children.toArray() });
  }
  return found;
}

/** Names may contain escapes. */
function decodeNames(declaration: Declaration): void {
  declaration.property = ident.decode(declaration.property);
  walk(declaration.value, (node) => {
    if ((node.type === 'Identifier' || node.type === 'Function') && node.name.includes('\\'))
      node.name = ident.decode(node.name);
  });
}

function hasVariable(value: CssNode): boolean {
  let isFound = false;
  walk(value, (node) => {
    if (node.type === 'Function' && node.name.toLowerCase() === 'var') isFound = true;
  });
  return isFound;
}

/** Mails usually have no document type, so browsers accept a size without a unit. */
function isApplied(node: Declaration, property: string): boolean {
  if (lexer.matchDeclaration(node).error === null) return true;
  const [value] = node.value.type === 'Value' ? node.value.children.toArray() : [];
  return property === 'font-size' && value?.type === 'Number';
}

/** The combined effect of declarations. The last declaration of a property wins, unless an earlier one is important. */
export function computeStyle(declarations: readonly WordDeclaration[], inherited: Variables = new Map()): WordStyle {
  const variables = collectVariables(declarations, inherited);
  const winners = new Map<string, WordDeclaration>();
  for (const declaration of declarations) {
    const filled = declaration.text === undefined ? declaration : fillVariables(declaration, variables);
    if (!filled) continue;
    const name = filled.property === 'font' ? 'font-size' : filled.property;
    if (filled.isImportant || !winners.get(name)?.isImportant) {
      winners.delete(name); // so that the last one is at the end
      winners.set(name, filled);
    }
  }
  const get = (name: string) => winners.get(name)?.nodes ?? [];
  const word = (name: string) => readWord(get(name)[0]);
  const display = word('display');
  const color = readColor((winners.get('text-fill-color') ?? winners.get('color'))?.nodes[0]);
  return {
    isGone: isGone(get),
    display: display === 'contents' ? undefined : display,
    visibility: readVisibility(word('visibility')),
    size: readSize(winners.get('font-size')),
    color: color === 'initial' ? '000000' : isInherited(color) ? undefined : color,
    background: readBackground(winners),
    whiteSpace: readWhiteSpace(word('white-space')),
    variables,
  };
}

function collectVariables(declarations: readonly WordDeclaration[], inherited: Variables): Variables {
  const own = declarations.filter(({ property }) => property.startsWith('--'));
  if (own.length === 0) return inherited;
  const all = new Map(inherited);
  for (const { property, text = '' } of own) if (all.size < mostVariables) all.set(property, text);
  return all;
}

/** The declaration with the values of its variables; null when one has no value, or for a variable itself. */
function fillVariables({ property, isImportant, text = '' }: WordDeclaration, variables: Variables) {
  if (property.startsWith('--')) return null;
  let filled = text;
  for (let left = mostFilled; /\bvar\(/i.test(filled); left -= 1) {
    if (left === 0 || filled.length > longestVariable) return null;
    filled = filled.replaceAll(
      /\bvar\(\s*(--[^\s,()]+)\s*(?:,([^()]*))?\)/gi,
      (_all, name: string, other = '') => variables.get(name) ?? String(other),
    );
  }
  const [declaration] = parseDeclarations(`${property}:${filled}`);
  return declaration && declaration.text === undefined ? { ...declaration, isImportant } : null;
}

/** The last declaration of a background. A picture behind words may have any colour. */
function readBackground(winners: ReadonlyMap<string, WordDeclaration>): WordStyle['background'] {
  const position = readWord(winners.get('position')?.nodes[0]);
  if (position === 'absolute' || position === 'fixed') return null;
  const last = [...winners.values()].findLast(({ property }) => property.startsWith('background'));
  if (!last) return undefined;
  const image = winners.get('background-image')?.nodes[0];
  const hasImage = (node: CssNode) =>
    node.type === 'Url' || (node.type === 'Function' && !/^(?:rgb|hsl)/i.test(node.name));
  if ((image && readWord(image) !== 'none') || winners.get('background')?.nodes.some(hasImage)) return null;
  const colors = (winners.get('background-color') ?? last).nodes.flatMap((node) => readColor(node) ?? []);
  const [color] = colors.filter((each) => each !== 'none');
  if (color === undefined || color === 'transparent' || isInherited(color)) return undefined;
  return color;
}

function isInherited(word: string | undefined): boolean {
  return word !== undefined && /^(?:inherit|unset|revert|revert-layer|currentcolor|initial)$/.test(word);
}

function readVisibility(word: string | undefined): WordStyle['visibility'] {
  if (word === undefined || /^(?:inherit|unset|revert|revert-layer)$/.test(word)) return undefined;
  return word === 'hidden' || word === 'collapse' ? 'hidden' : 'visible';
}

const relativeUnits = new Set(['em', 'ex', 'ch', '%']);

function readSize(declaration: WordDeclaration | undefined): WordStyle['size'] {
  if (!declaration) return undefined;
  // In `font`, weights are numbers, and the line height follows the slash.
  const isSize = (node: CssNode) => node.type === 'Dimension' || node.type === 'Percentage' || isZero(node);
  const value = declaration.property === 'font' ? declaration.nodes.find(isSize) : declaration.nodes[0];
  if (!value) return 'some';
  if (isZero(value)) return 'zero';
  if (value.type === 'Percentage') return 'relative';
  if (value.type === 'Dimension') return relativeUnits.has(value.unit.toLowerCase()) ? 'relative' : 'some';
  return /^(?:inherit|unset|smaller|larger)$/.test(readWord(value) ?? '') ? 'relative' : 'some';
}

function readWhiteSpace(word: string | undefined): WordStyle['whiteSpace'] {
  if (word === undefined || word === 'inherit') return undefined;
  if (word === 'pre-line') return 'lines';
  return /^(?:pre|pre-wrap|break-spaces)$/.test(word) ? 'all' : 'normal';
}
