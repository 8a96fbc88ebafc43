// The text that a person sees in a cell: its value in its number format (ECMA-376, part 1, 18.8.30 and 18.8.31).
import { format, getFormatDateInfo } from 'numfmt';
import { isSet, type XmlAttributes, type XmlHandlers } from './xml-events.ts';

/**
 * Formats without a code in the file. The program that shows a date uses its own language; here dates are written in
 * ISO 8601.
 */
const builtIn: Record<number, string> = {
  1: '0',
  2: '0.00',
  3: '#,##0',
  4: '#,##0.00',
  5: '"$"#,##0_);("$"#,##0)',
  6: '"$"#,##0_);("$"#,##0)',
  7: '"$"#,##0.00_);("$"#,##0.00)',
  8: '"$"#,##0.00_);("$"#,##0.00)',
  9: '0%',
  10: '0.00%',
  11: '0.00E+00',
  12: '# ?/?',
  13: '# ??/??',
  14: 'yyyy-mm-dd',
  15: 'd-mmm-yy',
  16: 'd-mmm',
  17: 'mmm-yy',
  18: 'h:mm AM/PM',
  19: 'h:mm:ss AM/PM',
  20: 'h:mm',
  21: 'h:mm:ss',
  22: 'yyyy-mm-dd h:mm',
  32: 'h:mm',
  33: 'h:mm:ss',
  37: '#,##0_);(#,##0)',
  38: '#,##0_);(#,##0)',
  39: '#,##0.00_);(#,##0.00)',
  40: '#,##0.00_);(#,##0.00)',
  41: '_(* #,##0_);_(* (#,##0);_(* "-"_);_(@_)',
  42: '_("$"* #,##0_);_("$"* (#,##0);_("$"* "-"_);_(@_)',
  43: '_(* #,##0.00_);_(* (#,##0.00);_(* "-"??_);_(@_)',
  44: '_("$"* #,##0.00_);_("$"* (#,##0.00);_("$"* "-"??_);_(@_)',
  45: 'mm:ss',
  46: '[h]:mm:ss',
  47: 'mm:ss.0',
  48: '##0.0E+0',
};
/** Dates of East Asian editions. */
const eastAsianDates = [27, 28, 29, 30, 31, 34, 35, 36, 50, 51, 52, 53, 54, 55, 56, 57, 58];
/** A longer code was made to slow down readers. */
const longestCode = 1_000;
const mostMemoized = 10_000;
/** The number of digits that a spreadsheet keeps. */
const digits = 15;
/** Days between the first days of the two calendars. */
const days1904 = 1_462;

/** A day, a time or both; a cell shows no fractions of seconds. */
const isoDate = /^(\d{4,6}-\d\d-\d\d)?T?(\d\d:\d\d(?::\d\d)?)?(?:[.,]\d{1,9})?(Z)?$/;

export type CellFormats = {
  /** A number, formatted in the style of its cell. */
  formatNumber(value: string, style: number): string;
  /** A date and time in ISO 8601, formatted in the style of its cell. */
  formatDate(value: string, style: number): string;
  /** A text in the style of its cell: a format may add words to it, or hide it. */
  formatText(value: string, style: number): string;
};

/** The code of each cell style, in order. */
export type CellStyles = { handlers: XmlHandlers; codes: string[] };

/** Collects the codes of the cell styles from `styles.xml`. */
export function createStyleReader(): CellStyles {
  const named = new Map<number, string>();
  const codes: string[] = [];
  let isInCells = false;
  const open = (name: string, { numFmtId, formatCode = '' }: XmlAttributes) => {
    const id = Number(numFmtId);
    if (name === 'cellXfs') isInCells = true;
    if (name === 'numFmt') named.set(id, formatCode);
    if (name === 'xf' && isInCells)
      codes.push(named.get(id) ?? builtIn[id] ?? (eastAsianDates.includes(id) ? 'yyyy-mm-dd' : ''));
  };
  const close = (name: string) => {
    if (name === 'cellXfs') isInCells = false;
  };
  return { handlers: { open, close }, codes };
}

/** `is1904`: the days of the workbook are counted from 1904. */
export function createCellFormats(codes: readonly string[], is1904: boolean): CellFormats {
  const applied = new Map<string, (value: number) => string>();
  const getCode = (style: number) => (codes[style] ?? '').slice(0, longestCode);
  return {
    formatNumber(value, style) {
      const number = Number(value);
      if (!value.trim() || !Number.isFinite(number)) return value;
      const code = getCode(style);
      const apply = applied.get(code) ?? memoize(createNumberFormat(code, is1904));
      applied.set(code, apply);
      return apply(number);
    },
    formatDate(value, style) {
      const [, day = '', time = '', zone = ''] = isoDate.exec(value) ?? [];
      if (!day && !time) return value;
      const date = day ? findDateInfo(getCode(style)) : null;
      // A format of the day alone shows no time, and midnight is left out.
      const isTimeShown = date ? date.hours : !/^00:00(?::00)?$/.test(time) || !day;
      return [day, isTimeShown ? `${time}${date ? '' : zone}` : ''].filter(Boolean).join(' ');
    },
    formatText(value, style) {
      const code = getCode(style);
      const says = code !== '@' && (code.includes('@') || code.split(';').length > 3);
      return says ? applyCode(code, value) : value;
    },
  };
}

/** Columns repeat their values, especially dates. */
function memoize(apply: (value: number) => string): (value: number) => string {
  const known = new Map<number, string>();
  return (value) => {
    const text = known.get(value) ?? apply(value);
    if (known.size < mostMemoized) known.set(value, text);
    return text;
  };
}

function createNumberFormat(code: string, is1904: boolean): (value: number) => string {
  if (!code || code === '@' || /^general$/i.test(code)) return writeNumber;
  const date = findDateInfo(code);
  if (!date) {
    const plain = code.replaceAll(/\[\$([^[\]-]*)-[^[\]]*\]/g, (_, currency: string) => currency && `[$${currency}]`);
    return (value) => applyCode(plain, value);
  }
  const isCalendar = date.year || date.day;
  const shift = is1904 && isCalendar ? days1904 : 0;
  if (!date.year || !date.month || !date.day) return (value) => applyCode(code, value + shift);
  const time = date.seconds ? 'hh:mm:ss' : 'hh:mm';
  const whole = date.hours ? `yyyy-mm-dd ${time}` : 'yyyy-mm-dd';
  return (value) => applyCode(date.hours && value >= 0 && value < 1 ? time : whole, value + shift);
}

/** Null for a number format. */
function findDateInfo(code: string) {
  try {
    const info = getFormatDateInfo(code);
    return info.year || info.month || info.day || info.hours || info.minutes || info.seconds ? info : null;
  } catch {
    return null;
  }
}

function applyCode(code: string, value: number | string): string {
  try {
    return format(code, value, { dateSpanLarge: false });
  } catch {
    return typeof value === 'number' ? writeNumber(value) : value; // programs write codes that no other program can read
  }
}

/** A number without a format: complete, even where a narrow cell would show it rounded. */
function writeNumber(value: number): string {
  return String(Number(value.toPrecision(digits)));
}

/** Whether `workbook.xml` counts its days from 1904. */
export function isCalendar1904(attributes: XmlAttributes): boolean {
  return isSet(attributes['date1904']);
}
