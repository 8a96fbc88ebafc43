// Finds which rules of a page's own style sheets apply to an element. Rules for media other than a wide screen are
// ignored.
import { generate, parse, type CssNode } from 'css-tree';
import { FileError } from '../file-error.ts';
import { readDeclarations, type WordDeclaration } from './declarations.ts';
import { isForScreen } from './media.ts';
import { listKeys, matchSelector, readSelector, type Selector, type StyledElement } from './selectors.ts';

/** A rule for one selector. `order` decides between rules with equal specificity. */
export type StyleRule = { selector: Selector; order: number; declarations: readonly WordDeclaration[] };

export type StyleSheet = {
  /**
   * The rules that apply, the weakest first. `ancestors`: the outermost first. Throws `FileError` when it would take
   * too long.
   */
  findRules(element: StyledElement, ancestors: readonly StyledElement[]): StyleRule[];
};

const longestSheets = 3_000_000;
const mostRules = 100_000;
const deepestNested = 10;
/**
 * A page that needs more comparisons has rules made to take long. Text that they hide must not be read, so the page is
 * refused.
 */
const mostComparisons = 15_000_000;

/** Reads the style sheets of a page. `media`: from the element that contains the sheet. */
export function readStyleSheets(sheets: readonly { css: string; media: string }[]): StyleSheet {
  const rules: StyleRule[] = [];
  let left = longestSheets;
  for (const { css, media } of sheets) {
    if (!isForScreen(media)) continue;
    addRules(rules, css.slice(0, left), null, 0);
    left -= css.length;
    if (left <= 0) break;
  }
  return createStyleSheet(rules);
}

function addRules(rules: StyleRule[], css: string, around: readonly Selector[] | null, depth: number): void {
  const sheet = parse(css, { context: 'stylesheet', onParseError: () => {} });
  if (sheet.type === 'StyleSheet') addNodes(rules, sheet.children, around, depth);
}

function addNodes(
  rules: StyleRule[],
  nodes: Iterable<CssNode>,
  around: readonly Selector[] | null,
  depth: number,
): void {
  for (const node of nodes) {
    if (rules.length >= mostRules) return;
    if (node.type === 'Atrule' && node.block && isApplied(node.name, node.prelude))
      addNodes(rules, node.block.children, readScope(node.prelude) ?? around, depth);
    else if (node.type === 'Rule') addRule(rules, node, around, depth);
    // Rules inside a rule.
    else if (node.type === 'Raw' && around && depth < deepestNested && node.value.includes('{'))
      addRules(rules, node.value, around, depth + 1);
  }
}

function addRule(
  rules: StyleRule[],
  { prelude, block }: Extract<CssNode, { type: 'Rule' }>,
  around: readonly Selector[] | null,
  depth: number,
): void {
  if (prelude.type !== 'SelectorList') return;
  const selectors = readSelectors(prelude, around);
  const declarations = readDeclarations(block.children);
  if (declarations.length > 0)
    for (const selector of selectors) rules.push({ selector, order: rules.length, declarations });
  if (selectors.length > 0) addNodes(rules, block.children, selectors, depth);
}

function readSelectors(
  list: Extract<CssNode, { type: 'SelectorList' }>,
  around: readonly Selector[] | null,
): Selector[] {
  return list.children
    .toArray()
    .flatMap((each) => (each.type === 'Selector' ? (readSelector(each, around) ?? []) : []));
}

/** The elements in which the rules of `@scope` apply. */
function readScope(prelude: CssNode | null): Selector[] | null {
  if (prelude?.type !== 'AtrulePrelude') return null;
  const scope = prelude.children.first as { type: string; root?: CssNode | null } | null; // the library's types leave this one out
  return scope?.type === 'Scope' && scope.root?.type === 'SelectorList' ? readSelectors(scope.root, null) : null;
}

function isApplied(name: string, prelude: CssNode | null): boolean {
  if (name.toLowerCase() === 'media') return prelude !== null && isForScreen(generate(prelude));
  if (/^supports$/i.test(name)) return prelude === null || !/^not\b/i.test(generate(prelude));
  return /^(?:layer|container|scope)$/i.test(name);
}

function createStyleSheet(rules: readonly StyleRule[]): StyleSheet {
  const byKey = Map.groupBy(rules, ({ selector }) => selector.key);
  let comparisons = 0;
  const count = () => {
    comparisons += 1;
    if (comparisons > mostComparisons)
      throw new FileError('The page has too many style rules to follow. Save its text.', 'payload_too_large');
  };
  return {
    findRules: (element, ancestors) =>
      listKeys(element)
        .flatMap((key) => byKey.get(key) ?? [])
        .filter(({ selector }) => matchSelector(selector, element, ancestors, count))
        .toSorted((one, other) => one.selector.specificity - other.selector.specificity || one.order - other.order),
  };
}
