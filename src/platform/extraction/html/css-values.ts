// Reads CSS values: numbers and lengths, also computed ones, and colours.
import { ident, parse, type CssNode } from 'css-tree';

/** The keyword of a value in lower case; undefined for other values. */
export function readWord(node: CssNode | undefined): string | undefined {
  return node?.type === 'Identifier' ? ident.decode(node.name).toLowerCase() : undefined;
}

/** `px`: the approximate number of pixels; `share` is relative to the surrounding element. */
export type Length = { px: number } | { percent: number };

const pixels: Readonly<Record<string, number>> = {
  px: 1,
  pt: 1.3,
  pc: 16,
  em: 16,
  rem: 16,
  ex: 8,
  ch: 8,
  vw: 10,
  vh: 10,
  in: 96,
  cm: 38,
  mm: 3.8,
};
const deepestSum = 20;

/** A number, length or share, also one that must be computed. Undefined for any other value. */
export function readLength(node: CssNode | undefined, depth = 0): Length | undefined {
  if (!node || depth > deepestSum) return undefined;
  if (node.type === 'Number') return { px: Number(node.value) };
  if (node.type === 'Percentage') return { percent: Number(node.value) };
  if (node.type === 'Dimension') return { px: Number(node.value) * (pixels[node.unit.toLowerCase()] ?? 1) };
  if (node.type === 'Parentheses') return computeSum(node.children.toArray(), depth + 1);
  if (node.type !== 'Function') return undefined;
  const name = node.name.toLowerCase();
  if (name === 'calc') return computeSum(node.children.toArray(), depth + 1);
  if (!/^(?:min|max|clamp)$/.test(name)) return undefined;
  const parts = splitAtCommas(node.children).map((part) => computeSum(part, depth + 1));
  const numbers = parts.flatMap((part) => (part && 'px' in part ? [part.px] : []));
  if (numbers.length === 0 || numbers.length < parts.length) return undefined;
  if (name === 'min') return { px: Math.min(...numbers) };
  if (name === 'max') return { px: Math.max(...numbers) };
  const [least = 0, wanted = 0, most = 0] = numbers;
  return { px: Math.max(least, Math.min(wanted, most)) };
}

/** Whether a value is zero in any unit. */
export function isZero(node: CssNode | undefined): boolean {
  const length = readLength(node);
  return length !== undefined && ('px' in length ? length.px : length.percent) === 0;
}

/** The arguments of a function, each as its nodes. */
export function splitAtCommas(nodes: Iterable<CssNode>): CssNode[][] {
  const parts: CssNode[][] = [[]];
  for (const node of nodes) {
    if (node.type === 'Operator' && node.value.trim() === ',') parts.push([]);
    else parts.at(-1)!.push(node);
  }
  return parts;
}

/** Sums and products of lengths. Shares among them are ignored: their size depends on the page. */
function computeSum(nodes: readonly CssNode[], depth: number): Length | undefined {
  const [first, ...rest] = nodes.filter(({ type }) => type !== 'WhiteSpace');
  if (!first) return undefined;
  const start = readLength(first, depth);
  if (rest.length === 0) return start;
  if (!start || !('px' in start)) return undefined;
  const terms = [start.px];
  for (let at = 0; at + 1 < rest.length; at += 2) {
    const [operator, value] = [rest[at]!, readLength(rest[at + 1], depth)];
    if (operator.type !== 'Operator' || !value || !('px' in value)) return undefined;
    const sign = operator.value.trim();
    if (sign === '+' || sign === '-') terms.push(sign === '+' ? value.px : -value.px);
    else terms.push(terms.pop()! * (sign === '*' ? value.px : 1 / value.px));
  }
  return { px: terms.reduce((sum, term) => sum + term, 0) };
}

const named: Readonly<Record<string, string>> = {
  black: '000000',
  silver: 'c0c0c0',
  gray: '808080',
  grey: '808080',
  white: 'ffffff',
  maroon: '800000',
  red: 'ff0000',
  purple: '800080',
  fuchsia: 'ff00ff',
  magenta: 'ff00ff',
  green: '008000',
  lime: '00ff00',
  olive: '808000',
  yellow: 'ffff00',
  navy: '000080',
  blue: '0000ff',
  teal: '008080',
  aqua: '00ffff',
  cyan: '00ffff',
  whitesmoke: 'f5f5f5',
  snow: 'fffafa',
  ivory: 'fffff0',
};

/** A colour: six hexadecimal digits if it is known, else as it is written; `transparent` if it is invisible. */
export function readColor(node: CssNode | undefined): string | undefined {
  const word = readWord(node);
  if (word !== undefined) return named[word] ?? word;
  if (node?.type === 'Hash') return readHash(node.value.toLowerCase());
  if (node?.type !== 'Function') return undefined;
  const values = node.children.toArray().flatMap((each) => readLength(each) ?? []);
  const name = node.name.toLowerCase();
  if (/^(?:rgb|hsl)a?$|^(?:hwb|lab|lch|oklab|oklch)$/.test(name) && values.length === 4 && isNothing(values[3]!))
    return 'transparent';
  if (!/^rgba?$/.test(name) || values.length < 3) return undefined;
  if (values[3] && !isWhole(values[3])) return undefined;
  const parts = values.slice(0, 3).map((each) => ('px' in each ? each.px : each.percent * 2.55));
  return parts
    .map((each) =>
      Math.round(Math.max(0, Math.min(255, each)))
        .toString(16)
        .padStart(2, '0'),
    )
    .join('');
}

function isNothing(length: Length): boolean {
  return ('px' in length ? length.px : length.percent) <= 0;
}

function isWhole(length: Length): boolean {
  return 'px' in length ? length.px >= 1 : length.percent >= 100;
}

function readHash(digits: string): string | undefined {
  const long = digits.length < 5 ? digits.replaceAll(/./g, '$&$&') : digits;
  if (long.length === 6) return long;
  if (long.length !== 8) return undefined;
  return long.endsWith('00') ? 'transparent' : long.endsWith('ff') ? long.slice(0, 6) : undefined;
}

/** The colour of an attribute, where the # may be missing. */
export function readWrittenColor(text: string): string | undefined {
  const written = text.trim().slice(0, 100);
  const value = parse(/^[\da-f]{6}$/i.test(written) ? `#${written}` : written, {
    context: 'value',
    onParseError: () => {},
  });
  const color = value.type === 'Value' ? readColor(value.children.first ?? undefined) : undefined;
  return color === 'transparent' ? undefined : color;
}
