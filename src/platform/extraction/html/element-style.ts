// The style of an element, from the rules of its page, its own style, and its attributes.
import { readWrittenColor } from './css-values.ts';
import {
  computeStyle,
  parseDeclarations,
  type Variables,
  type WordDeclaration,
  type WordStyle,
} from './declarations.ts';
import type { StyledElement } from './selectors.ts';
import type { StyleSheet } from './style-sheet.ts';
import type { Attributes } from './walk-html.ts';

type StyleContext = { open: readonly StyledElement[]; variables: Variables; inline: string };
export type StyleReader = (element: StyledElement, around: StyleContext) => WordStyle;

const mostKnownStyles = 5_000;

const unstyled = computeStyle([]);

/** Pages reuse few styles. */
export function createStyleReader(sheet: StyleSheet | null): StyleReader {
  const known = new Map<string, WordStyle>();
  return (element, { open, variables, inline }) => {
    const rules = sheet?.findRules(element, open) ?? [];
    if (rules.length === 0 && inline === '') return unstyled;
    const key = `${rules.map(({ order }) => order).join(',')} ${inline}`;
    const before = variables.size === 0 ? known.get(key) : undefined;
    if (before) return before;
    const own: WordDeclaration[] = inline ? parseDeclarations(inline) : [];
    const style = computeStyle([...rules.flatMap(({ declarations }) => declarations), ...own], variables);
    if (known.size < mostKnownStyles && variables.size === 0) known.set(key, style);
    return style;
  };
}

/** A colour that is not set by CSS: from attributes, and of links. */
export function findOwnColor(name: string, attributes: Attributes): string | undefined {
  const written = name === 'font' ? attributes.get('color') : name === 'body' ? attributes.get('text') : undefined;
  if (written !== undefined) return readWrittenColor(written);
  return name === 'a' && attributes.has('href') ? 'link' : undefined;
}

/** Fields and marks have their own colours. */
const coloured = new Set(['button', 'select', 'input', 'textarea', 'mark']);

/**
 * The colour behind the words of an element without its own style. `around`: the colour behind the surrounding
 * elements.
 */
export function findOwnBackground({ name, attributes }: StyledElement, around: string | null): string | null {
  if (coloured.has(name) || attributes.has('background')) return null;
  const written = attributes.get('bgcolor');
  return (written === undefined ? undefined : readWrittenColor(written)) ?? around;
}
