// Determines from its style whether an element and everything inside it is invisible.
import type { CssNode } from 'css-tree';
import { isZero, readLength, readWord, splitAtCommas, type Length } from './css-values.ts';

/** The values of a property; none if it is not set. */
export type PropertyReader = (name: string) => readonly CssNode[];

/**
 * Whether an element and everything inside it is invisible: not displayed, without size, cut away, or outside the
 * screen.
 */
export function isGone(get: PropertyReader): boolean {
  const word = (name: string) => readWord(get(name)[0]);
  return (
    word('display') === 'none' ||
    word('content-visibility') === 'hidden' ||
    isNothing(get('opacity')[0]) ||
    isZero(get('scale')[0]) ||
    isCutAway(get, word) ||
    isOutside(get, word) ||
    isClipped(get('clip-path')[0]) ||
    get('transform').some(isMovedAway) ||
    get('filter').some((node) => isFunction(node, 'opacity') && isNothing(getArguments(node)[0]))
  );
}

function isNothing(node: CssNode | undefined): boolean {
  const length = readLength(node);
  return length !== undefined && ('px' in length ? length.px : length.percent) <= 0;
}

type WordReader = (name: string) => string | undefined;

/** An element without size that hides its overflow. A box of one pixel is for screen readers. */
function isCutAway(get: PropertyReader, word: WordReader): boolean {
  const isCut = ['overflow', 'overflow-x', 'overflow-y'].some((name) =>
    /^(?:hidden|clip|scroll|auto)$/.test(word(name) ?? ''),
  );
  if (!isCut) return false;
  const sizes = (names: readonly string[]) => names.map((name) => readLength(get(name)[0]));
  const isPoint = (length: Length | undefined) => length !== undefined && 'px' in length && length.px <= 1;
  const [wide, high] = [sizes(widths), sizes(heights)];
  const isIndented = get('text-indent').some((node) => node.type === 'Percentage' && Number(node.value) >= 100);
  return (
    [...widths, ...heights].some((name) => isZero(get(name)[0])) ||
    (wide.some(isPoint) && high.some(isPoint)) ||
    (isIndented && word('white-space') === 'nowrap')
  );
}

const widths = ['width', 'max-width', 'inline-size', 'max-inline-size'];
const heights = ['height', 'max-height', 'block-size', 'max-block-size'];

const placed = ['left', 'right', 'top', 'bottom', 'inset', 'inset-inline-start', 'inset-block-start'];
const moved = ['margin-left', 'margin-top', 'margin-inline-start', 'margin-block-start', 'text-indent', 'translate'];

function isOutside(get: PropertyReader, word: WordReader): boolean {
  const position = word('position') ?? '';
  const isFar = (name: string) => get(name).some(isOffScreen);
  const [top, , , left = get('margin')[1] ?? top] = get('margin');
  return (
    (/^(?:absolute|fixed)$/.test(position) && (placed.some(isFar) || isClipped(get('clip')[0]))) ||
    (position === 'relative' && ['left', 'right', 'top', 'bottom'].some((name) => get(name).some(isFarAway))) ||
    moved.some(isFar) ||
    [top, left].some((node) => node !== undefined && isOffScreen(node))
  );
}

/** A negative position beyond the first value is off every screen, and so is a positive one beyond the second. */
const [farBefore, farAfter] = [-500, 5_000];

function isOffScreen(node: CssNode): boolean {
  const length = readLength(node);
  if (!length) return false;
  return 'px' in length ? length.px <= farBefore || length.px >= farAfter : length.percent <= -100;
}

/** Only in pixels: an element that moves by its own size stays near its place. */
function isFarAway(node: CssNode): boolean {
  return node.type !== 'Percentage' && isOffScreen(node);
}

function isMovedAway(node: CssNode): boolean {
  if (node.type !== 'Function') return false;
  const name = node.name.toLowerCase();
  const values = getArguments(node);
  if (name.startsWith('scale')) return isZero(values[0]) || (name === 'scale' && isZero(values[1]));
  if (/^rotate[xy]$/.test(name)) return values[0]?.type === 'Dimension' && isEdgeOn(values[0].value, values[0].unit);
  if (name === 'matrix') {
    const [a = 1, b = 0, c = 0, d = 1] = values.map((value) => (value.type === 'Number' ? Number(value.value) : NaN));
    return a * d === b * c;
  }
  return name.startsWith('translate') && values.some(isFarAway);
}

/** A quarter turn shows only the edge of a flat element. */
function isEdgeOn(value: string, unit: string): boolean {
  return unit.toLowerCase() === 'deg' && Math.abs(Number(value)) % 180 === 90;
}

/** `rect(0,0,0,0)`, `inset(50%)` and `circle(0)` leave nothing visible, nor does a shape without width or height. */
function isClipped(node: CssNode | undefined): boolean {
  if (node?.type !== 'Function') return false;
  const values = getArguments(node);
  const name = node.name.toLowerCase();
  if (name === 'rect') {
    const [first, ...others] = values.map((value) => readLength(value));
    return first !== undefined && 'px' in first && others.every((each) => each && 'px' in each && each.px === first.px);
  }
  if (name === 'inset') return isInsetWhole(values);
  if (name === 'polygon') return isPolygonFlat(node);
  return (name === 'circle' || name === 'ellipse') && isZero(values[0]);
}

function isInsetWhole(values: readonly CssNode[]): boolean {
  const share = (node: CssNode | undefined) => (node?.type === 'Percentage' ? Number(node.value) : 0);
  const [top, right = top, bottom = top, left = right] = values;
  return share(top) + share(bottom) >= 100 || share(left) + share(right) >= 100;
}

function isPolygonFlat(node: CssNode & { type: 'Function' }): boolean {
  const points = splitAtCommas(node.children).map((part) => part.filter(({ type }) => type !== 'WhiteSpace'));
  const places = points.filter(([first]) => first?.type !== 'Identifier').map((point) => point.map(describePlace));
  return places.length > 0 && [0, 1].some((axis) => new Set(places.map((point) => point[axis])).size === 1);
}

function describePlace(node: CssNode): string {
  if (isZero(node)) return '0';
  const length = readLength(node);
  return length ? JSON.stringify(length) : node.type;
}

function isFunction(node: CssNode, name: string): boolean {
  return node.type === 'Function' && node.name.toLowerCase() === name;
}

/** The arguments of a function, without separators. */
function getArguments(node: CssNode): CssNode[] {
  return node.type === 'Function' ? node.children.toArray().filter(({ type }) => type !== 'Operator') : [];
}
