// JSON from outside with every digit of its numbers. A JavaScript number has about 16 digits, and prices and ids have more.
import { parseJson } from '#kernel/parse-json';
import { trimLetters } from '#kernel/trim-end';

/** Values to compute with, and the same values with a number as text wherever a JavaScript number would lose digits. */
export type ExactJson = { value: unknown; exact: unknown };

/** Only such numbers can lose digits: with many of them, or with an exponent. */
const longNumber = /(?:\d\.?){16}|\d[eE][+-]?\d/;

/** Reads JSON nested at most this deep. Throws `SyntaxError` for other text, and `invalid_input` for deeper JSON. */
export function parseExactJson(text: string, mostLevels: number): ExactJson {
  const value = parseJson(text, mostLevels);
  return { value, exact: longNumber.test(text) ? JSON.parse(text, keepDigits as Reviver) : value };
}

/** The types of the language do not have the third argument yet: the text of the value. */
type Reviver = (name: string, value: unknown) => unknown;

function keepDigits(_name: string, value: unknown, { source }: { source?: string } = {}): unknown {
  if (typeof value !== 'number' || source === undefined) return value;
  return writeDecimal(source) === writeDecimal(String(value)) ? value : source;
}

/** A decimal number in one form: its digits without zeros at the ends, and the power of ten after them. */
function writeDecimal(source: string): string {
  const [, sign = '', whole = '', fraction = '', exponent = '0'] =
    /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(source) ?? [];
  const digits = `${whole}${fraction}`.replace(/^0+/, '');
  const short = trimLetters(digits, '0');
  if (short === '') return '0';
  return `${sign}${short}e${Number(exponent) - fraction.length + digits.length - short.length}`;
}
