// Parses CSS selectors (Selectors Level 4), and matches them while a page is walked. Selectors that depend on later
// elements, such as `:has` and `:last-child`, match nothing here.
import { ident, type CssNode } from 'css-tree';
import type { Attributes } from './walk-html.ts';

/** What selectors test of an element. */
export type StyledElement = {
  name: string;
  id: string;
  classes: readonly string[];
  attributes: Attributes;
  /** Its position among its siblings, and among siblings with its name; counted from 1. */
  place: number;
  placeOfName: number;
  /** Its last child elements so far, the newest last. */
  children: StyledElement[];
};

/**
 * One step of a selector, the last one first. `combinator`: how the next step, to an ancestor or an earlier sibling,
 * relates to it.
 */
export type Compound = { tests: Test[]; combinator: ' ' | '>' | '+' | '~' };

export type Selector = { compounds: readonly Compound[]; specificity: number; key: string };

type Test =
  | { kind: 'name' | 'id' | 'class'; value: string }
  | { kind: 'attribute'; name: string; matcher: string; value: string; ignoresCase: boolean }
  | { kind: 'place'; isOfName: boolean; step: number; offset: number }
  | { kind: 'link' | 'root' }
  | { kind: 'any' | 'none'; selectors: readonly Selector[] };

/** The position of an element: its ancestors, the outermost first, and its earlier siblings. */
type Position = { element: StyledElement; ancestors: readonly StyledElement[]; depth: number; before: number };

const mostTests = 100;
const deepestLists = 5;
const weights = { id: 1_000_000, class: 1_000, name: 1 };

/** States that need a person's action, which has not happened. */
const states = new Set(['hover', 'active', 'focus', 'focus-within', 'focus-visible', 'visited', 'target', 'checked']);
const anyOf = new Set(['is', 'where', 'matches', '-webkit-any', '-moz-any']);

/** A selector; null when it tests something unknown here. `around`: the selectors that `&` stands for. */
export function readSelector(
  { children }: Extract<CssNode, { type: 'Selector' }>,
  around: readonly Selector[] | null = null,
  depth = 0,
): Selector | null {
  const compounds: Compound[] = [{ tests: [], combinator: ' ' }];
  let specificity = 0;
  let isAround = false;
  for (const node of children.toArray().toReversed()) {
    const last = compounds.at(-1)!;
    if (node.type === 'Combinator') {
      if (!/^[ >+~]$/.test(node.name)) return null;
      last.combinator = node.name as Compound['combinator'];
      compounds.push({ tests: [], combinator: ' ' });
      continue;
    }
    if (node.type === 'NestingSelector') isAround = true;
    const read = node.type === 'NestingSelector' ? readAround(around) : readTest(node, depth);
    if (!read || last.tests.length >= mostTests) return null;
    last.tests.push(...read.tests);
    specificity += read.weight;
  }
  if (around && !isAround) {
    if (compounds.at(-1)!.tests.length > 0) compounds.push({ tests: [], combinator: ' ' });
    compounds.at(-1)!.tests.push({ kind: 'any', selectors: around });
  }
  return { compounds, specificity, key: findKey(compounds[0]!.tests) };
}

type ReadTest = { tests: Test[]; weight: number };

function readAround(selectors: readonly Selector[] | null): ReadTest {
  if (!selectors) return { tests: [{ kind: 'root' }], weight: weights.class };
  return { tests: [{ kind: 'any', selectors }], weight: findHeaviest(selectors) };
}

function readTest(node: CssNode, depth: number): ReadTest | null {
  switch (node.type) {
    case 'TypeSelector': {
      const name = ident.decode(node.name).toLowerCase();
      return name === '*' ? { tests: [], weight: 0 } : { tests: [{ kind: 'name', value: name }], weight: weights.name };
    }
    case 'ClassSelector':
      return { tests: [{ kind: 'class', value: ident.decode(node.name) }], weight: weights.class };
    case 'IdSelector':
      return { tests: [{ kind: 'id', value: ident.decode(node.name) }], weight: weights.id };
    case 'AttributeSelector': {
      const value = node.value?.type === 'Identifier' ? ident.decode(node.value.name) : (node.value?.value ?? '');
      const name = ident.decode(node.name.name).toLowerCase();
      const ignoresCase = node.flags?.toLowerCase() === 'i';
      return {
        tests: [{ kind: 'attribute', name, matcher: node.matcher ?? '', value, ignoresCase }],
        weight: weights.class,
      };
    }
    case 'PseudoClassSelector':
      return readPseudoClass(node, depth);
    default:
      return null;
  }
}

function readPseudoClass(node: Extract<CssNode, { type: 'PseudoClassSelector' }>, depth: number): ReadTest | null {
  const name = ident.decode(node.name).toLowerCase();
  const weight = weights.class;
  if (name === 'root') return { tests: [{ kind: 'root' }], weight };
  if (name === 'link' || name === 'any-link') return { tests: [{ kind: 'link' }], weight };
  if (states.has(name)) return { tests: [{ kind: 'any', selectors: [] }], weight };
  const place = readPlace(name, node.children?.first ?? null);
  if (place) return { tests: [place], weight };
  if (!(anyOf.has(name) || name === 'not') || depth >= deepestLists) return null;
  const list = node.children?.first;
  if (list?.type !== 'SelectorList') return null;
  const selectors = list.children
    .toArray()
    .map((each) => (each.type === 'Selector' ? readSelector(each, null, depth + 1) : null));
  const known = selectors.filter((each) => each !== null);
  if (name === 'not' && known.length < selectors.length) return null;
  const kind = name === 'not' ? 'none' : 'any';
  return { tests: [{ kind, selectors: known }], weight: name === 'where' ? 0 : findHeaviest(known) };
}

function readPlace(name: string, argument: CssNode | null): Test | null {
  const isOfName = name.endsWith('-of-type');
  if (name === 'first-child' || name === 'first-of-type') return { kind: 'place', isOfName, step: 0, offset: 1 };
  if (name !== 'nth-child' && name !== 'nth-of-type') return null;
  if (argument?.type !== 'Nth' || argument.selector) return null;
  const { nth } = argument;
  if (nth.type === 'Identifier') {
    const isEven = nth.name.toLowerCase() === 'even';
    return { kind: 'place', isOfName, step: 2, offset: isEven ? 0 : 1 };
  }
  return { kind: 'place', isOfName, step: readNumber(nth.a), offset: readNumber(nth.b) };
}

/** The coefficient of `2n+1`; for `n` alone it is one. */
function readNumber(text: string | null): number {
  if (text === null) return 0;
  if (text === '' || text === '+') return 1;
  return text === '-' ? -1 : Number(text);
}

function findHeaviest(selectors: readonly Selector[]): number {
  return selectors.reduce((most, { specificity }) => Math.max(most, specificity), 0);
}

/** The rarest property that the selector requires: a class, else the id, else the name. */
function findKey(tests: readonly Test[]): string {
  const find = (kind: 'class' | 'id' | 'name') =>
    tests.find((test) => test.kind === kind) as { value: string } | undefined;
  const [named, numbered] = [find('class'), find('id')];
  if (named) return `.${named.value}`;
  return numbered ? `#${numbered.value}` : (find('name')?.value ?? '*');
}

/** The keys under which the selectors that may match an element are found. */
export function listKeys({ classes, id, name }: StyledElement): string[] {
  return [...new Set(classes.map((each) => `.${each}`)), `#${id}`, name, '*'];
}

/** Whether a selector matches an element that begins now. `count` is called for each comparison. */
export function matchSelector(
  { compounds }: Selector,
  element: StyledElement,
  ancestors: readonly StyledElement[],
  count: () => void,
): boolean {
  const depth = ancestors.length;
  // The element is the newest of its parent.
  const before = Math.max(0, (ancestors.at(-1)?.children.length ?? 0) - 1);
  return matchFrom(compounds, 0, { element, ancestors, depth, before }, count);
}

function matchFrom(compounds: readonly Compound[], at: number, position: Position, count: () => void): boolean {
  const { tests, combinator } = compounds[at]!;
  for (const test of tests) {
    count();
    if (!matchTest(test, position, count)) return false;
  }
  if (at + 1 === compounds.length) return true;
  count();
  const next = (found: Position | null) => found !== null && matchFrom(compounds, at + 1, found, count);
  if (combinator === '>') return next(findParent(position));
  if (combinator === '+') return next(findSibling(position, position.before - 1));
  if (combinator === '~') {
    for (let sibling = position.before - 1; sibling >= 0; sibling -= 1)
      if (next(findSibling(position, sibling))) return true;
    return false;
  }
  for (let parent = findParent(position); parent; parent = findParent(parent)) {
    count();
    if (next(parent)) return true;
  }
  return false;
}

function findParent({ ancestors, depth }: Position): Position | null {
  const element = ancestors[depth - 1];
  if (!element) return null;
  const before = Math.max(0, (ancestors[depth - 2]?.children.length ?? 0) - 1);
  return { element, ancestors, depth: depth - 1, before };
}

function findSibling({ ancestors, depth }: Position, at: number): Position | null {
  const element = at < 0 ? undefined : ancestors[depth - 1]?.children[at];
  return element ? { element, ancestors, depth, before: at } : null;
}

function matchTest(test: Test, position: Position, count: () => void): boolean {
  const { element } = position;
  const matchesAny = (selectors: readonly Selector[]) =>
    selectors.some(({ compounds }) => matchFrom(compounds, 0, position, count));
  switch (test.kind) {
    case 'name':
      return element.name === test.value;
    case 'id':
      return element.id === test.value;
    case 'class':
      return element.classes.includes(test.value);
    case 'attribute':
      return hasAttribute(element.attributes, test);
    case 'place':
      return isAtPlace(test.isOfName ? element.placeOfName : element.place, test);
    case 'root':
      return element.name === 'html';
    case 'link':
      return (element.name === 'a' || element.name === 'area') && element.attributes.has('href');
    case 'any':
      return matchesAny(test.selectors);
    case 'none':
      return !matchesAny(test.selectors);
  }
}

function isAtPlace(place: number, { step, offset }: { step: number; offset: number }): boolean {
  if (step === 0) return place === offset;
  const turns = (place - offset) / step;
  return Number.isInteger(turns) && turns >= 0;
}

function hasAttribute(attributes: Attributes, test: Extract<Test, { kind: 'attribute' }>): boolean {
  const given = attributes.get(test.name);
  if (given === undefined) return false;
  const fold = (text: string) => (test.ignoresCase ? text.toLowerCase() : text);
  const [text, value] = [fold(given), fold(test.value)];
  switch (test.matcher) {
    case '=':
      return text === value;
    case '~=':
      return value !== '' && text.split(/\s+/).includes(value);
    case '|=':
      return text === value || text.startsWith(`${value}-`);
    case '^=':
      return value !== '' && text.startsWith(value);
    case '$=':
      return value !== '' && text.endsWith(value);
    case '*=':
      return value !== '' && text.includes(value);
    default:
      return true;
  }
}
