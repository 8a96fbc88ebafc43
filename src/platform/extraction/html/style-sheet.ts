// Finds which rules of a page's own style sheets apply to an element. Selectors of names, classes, ids, descendants and children are
// followed; a rule with another kind of selector, or for another medium than a wide screen, applies to nothing here.
import { generate, parse, type CssNode, type Selector } from 'css-tree';
import { readDeclarations, type WordDeclaration } from './declarations.ts';

/** What selectors ask of an element. */
export type StyledElement = { name: string; id: string; classes: readonly string[] };

/** A rule for one selector. `specificity` and `order` decide which of two rules holds. */
export type StyleRule = {
  selector: readonly Compound[];
  specificity: number;
  order: number;
  declarations: readonly WordDeclaration[];
};

export type StyleSheet = {
  /** The rules that apply, the weakest first. `ancestors`: the outermost first. */
  findRules(element: StyledElement, ancestors: readonly StyledElement[]): StyleRule[];
};

/** One element of a selector, the last one first. `isChild`: it is the parent of the one before it, and not only around it. */
type Compound = { names: string[]; ids: string[]; classes: string[]; isChild: boolean };

const longestSheets = 300_000;
const mostRules = 3_000;
/** A page that compares more has rules that were made to take long; they hide nothing then. */
const mostComparisons = 2_000_000;
const screenWidth = 1_024;

/** Reads the style sheets of a page. `media`: of the element that holds the sheet. */
export function readStyleSheets(sheets: readonly { css: string; media: string }[]): StyleSheet {
  const rules: StyleRule[] = [];
  let left = longestSheets;
  for (const { css, media } of sheets) {
    if (!isForScreen(media)) continue;
    const sheet = parse(css.slice(0, left), { context: 'stylesheet', onParseError: () => {} });
    left -= css.length;
    if (sheet.type === 'StyleSheet') addRules(rules, sheet.children);
    if (left <= 0) break;
  }
  return createStyleSheet(rules);
}

function addRules(rules: StyleRule[], nodes: Iterable<CssNode>): void {
  for (const node of nodes) {
    if (rules.length >= mostRules) return;
    if (node.type === 'Atrule' && node.block && isApplied(node.name, node.prelude))
      addRules(rules, node.block.children);
    if (node.type !== 'Rule' || node.prelude.type !== 'SelectorList') continue;
    const declarations = readDeclarations(node.block.children);
    if (declarations.length === 0) continue;
    for (const each of node.prelude.children) {
      const selector = each.type === 'Selector' ? readSelector(each) : null;
      if (selector) rules.push({ selector, specificity: weigh(selector), order: rules.length, declarations });
    }
  }
}

function isApplied(name: string, prelude: CssNode | null): boolean {
  if (name.toLowerCase() === 'media') return prelude !== null && isForScreen(generate(prelude));
  return /^(?:supports|layer)$/i.test(name);
}

/** Whether a wide screen is among the media. */
function isForScreen(media: string): boolean {
  return media.split(',').some((query) => {
    const text = query.trim().toLowerCase();
    if (/\b(?:print|speech|not)\b/.test(text)) return false;
    return [...text.matchAll(/\(([^()]{1,100})\)/g)].every(([, feature = '']) => hasScreen(feature));
  });
}

function hasScreen(feature: string): boolean {
  const [, bound, width] = /^(min|max)-(?:device-)?width\s*:\s*(\d+)px$/.exec(feature.trim()) ?? [];
  if (bound === undefined) return /^prefers-color-scheme\s*:\s*light$/.test(feature.trim());
  return bound === 'min' ? Number(width) <= screenWidth : Number(width) >= screenWidth;
}

function readSelector({ children }: Selector): Compound[] | null {
  const compounds: Compound[] = [createCompound(false)];
  for (const node of children.toArray().toReversed()) {
    const last = compounds.at(-1)!;
    if (node.type === 'TypeSelector') last.names.push(node.name.toLowerCase());
    else if (node.type === 'ClassSelector') last.classes.push(node.name);
    else if (node.type === 'IdSelector') last.ids.push(node.name);
    else if (node.type === 'Combinator' && /^[ >]$/.test(node.name)) compounds.push(createCompound(node.name === '>'));
    else return null;
  }
  return compounds;
}

function createCompound(isChild: boolean): Compound {
  return { names: [], ids: [], classes: [], isChild };
}

function weigh(selector: readonly Compound[]): number {
  const count = (kind: 'ids' | 'classes' | 'names') =>
    selector.flatMap((each) => each[kind].filter((name) => name !== '*')).length;
  return count('ids') * 1_000_000 + count('classes') * 1_000 + count('names');
}

function createStyleSheet(rules: readonly StyleRule[]): StyleSheet {
  // By what only few elements have: a class, else the id, else the name.
  const byKey = Map.groupBy(rules, ({ selector: [last] }) => keyOf(last!));
  let comparisons = 0;
  return {
    findRules(element, ancestors) {
      if (comparisons > mostComparisons) return [];
      const keys = [...element.classes.map((name) => `.${name}`), `#${element.id}`, element.name, '*'];
      return keys
        .flatMap((key) => byKey.get(key) ?? [])
        .filter(({ selector }) => {
          comparisons += 1;
          return matches(selector, element, ancestors, () => (comparisons += 1));
        })
        .toSorted((one, other) => one.specificity - other.specificity || one.order - other.order);
    },
  };
}

function keyOf({ names, ids, classes }: Compound): string {
  if (classes.length > 0) return `.${classes[0]}`;
  return ids.length > 0 ? `#${ids[0]}` : (names[0] ?? '*');
}

/** Follows a selector outwards. The nearest element that fits is taken, as no mail needs another. */
function matches(
  [last, ...around]: readonly Compound[],
  element: StyledElement,
  ancestors: readonly StyledElement[],
  count: () => void,
): boolean {
  if (!last || !fits(last, element)) return false;
  let at = ancestors.length;
  for (const compound of around) {
    at -= 1;
    count();
    while (!compound.isChild && at >= 0 && !fits(compound, ancestors[at]!)) {
      at -= 1;
      count();
    }
    if (at < 0 || !fits(compound, ancestors[at]!)) return false;
  }
  return true;
}

function fits({ names, ids, classes }: Compound, element: StyledElement): boolean {
  return (
    names.every((name) => name === '*' || name === element.name) &&
    ids.every((id) => id === element.id) &&
    classes.every((name) => element.classes.includes(name))
  );
}
