// Reads the words of RTF: control words, groups, and characters by code page or Unicode.
import { FileError } from '../file-error.ts';
import { joinDocument } from './document-text.ts';

/** Groups whose words do not belong to the text. */
const silent = new Set(
  `fonttbl colortbl stylesheet listtable listoverridetable info pict object themedata colorschememapping datastore latentstyles
  generator filetbl revtbl rsidtbl xmlnstbl fldinst mmathPr shprslt nonesttables ftnsep ftnsepc aftnsep aftnsepc`.split(
    /\s+/,
  ),
);
/** Groups that are texts of their own, even where RTF marks them as skippable. */
const kinds: Readonly<Record<string, keyof RtfParts>> = {
  header: 'headers',
  headerl: 'headers',
  headerr: 'headers',
  headerf: 'headers',
  footer: 'footers',
  footerl: 'footers',
  footerr: 'footers',
  footerf: 'footers',
  footnote: 'notes',
  annotation: 'comments',
  shptxt: 'boxes',
  dptxbxtext: 'boxes',
};
/** RTF marks groups with formulas as skippable, but they are part of the text. */
const formulas = new Set(['moMath', 'moMathPara']);
/** Inside these, a character that separates the parts. */
const formulaSigns: Readonly<Record<string, string>> = { mden: '/', msup: '^', msub: '_', mrad: '√' };

type RtfParts = {
  headers: string[][];
  footers: string[][];
  notes: string[][];
  comments: string[][];
  boxes: string[][];
};
const breaks: Record<string, string> = {
  par: '\n',
  line: '\n',
  sect: '\n',
  page: '\n',
  row: '\n',
  tab: '\t',
  cell: '\t',
  nestcell: '\t',
  nestrow: ' ',
  emdash: '—',
  endash: '–',
  lquote: '‘',
  rquote: '’',
  ldblquote: '“',
  rdblquote: '”',
  bullet: '•',
};
const deepest = 1_000;
const token = /\\([a-z]{1,32})(-?\d{1,10})? ?|\\'([\da-f]{2})|\\([^a-z])|([{}])|[\r\n]+|[^\\{}\r\n]+|\\/giy;

/** `font`: the number of the font of its words; null: the default one. `isFonts`: the group is the font table. */
type Group = {
  isSilent: boolean;
  isHidden: boolean;
  skipped: number;
  out: string[];
  font: string | null;
  isFonts: boolean;
};
type RtfState = {
  groups: Group[];
  parts: RtfParts;
  skip: number;
  isInTable: boolean;
  /** The fonts that have their own code page. */
  fonts: Map<string, string>;
};

/** The words of an RTF file. Throws `FileError` for another file. */
export function readRtfText(bytes: Buffer): string {
  const source = bytes.toString('latin1');
  if (!source.startsWith('{\\rtf')) throw new FileError('The file is not an RTF document.');
  const usualPage = /\\ansicpg(\d{3,5})/.exec(source.slice(0, 2_000))?.[1];
  const decode = createDecoders(usualPage);
  const body: string[] = [];
  const reading: RtfState = {
    groups: [{ isSilent: false, isHidden: false, skipped: 1, out: body, font: null, isFonts: false }],
    parts: { headers: [], footers: [], notes: [], comments: [], boxes: [] },
    skip: 0,
    isInTable: false,
    fonts: new Map(),
  };
  for (const [all, word, number, hex, sign, brace] of source.matchAll(new RegExp(token, 'gi'))) {
    const group = reading.groups.at(-1)!;
    if (brace !== undefined) readBrace(reading, brace);
    else if (hex !== undefined) {
      if (reading.skip > 0) reading.skip -= 1;
      else write(group, decode(Number.parseInt(hex, 16), reading.fonts.get(group.font ?? '')));
    } else if (word !== undefined) readWord(reading, word, number);
    else if (sign === '*') group.isSilent = true;
    else if (sign === '~') writeCharacters(reading, ' ');
    else if (sign === '_') writeCharacters(reading, '\u2011');
    else if (sign !== undefined && /[{}\\]/.test(sign)) writeCharacters(reading, sign);
    else if (!/^[\r\n]|^\\/.test(all)) writeCharacters(reading, all);
  }
  return joinParts(body, reading.parts);
}

function joinParts(body: readonly string[], parts: RtfParts): string {
  const texts = (kind: keyof RtfParts) => parts[kind].map((out) => out.join('').trim().toWellFormed());
  return joinDocument({
    headers: texts('headers'),
    body: body.join('').toWellFormed(),
    boxes: texts('boxes'),
    footers: texts('footers'),
    notes: texts('notes').map((text, at) => `[${at + 1}] ${text}`),
    comments: texts('comments').map((text) => `Comment: ${text}`),
  });
}

function write({ isSilent, isHidden, out }: Group, text: string): void {
  if (!isSilent && !isHidden) out.push(text);
}

/** Replacement characters for older readers are left out. */
function writeCharacters(reading: RtfState, text: string): void {
  const said = text.slice(reading.skip);
  reading.skip = Math.max(0, reading.skip - text.length);
  write(reading.groups.at(-1)!, said);
}

function readBrace({ groups }: RtfState, brace: string): void {
  if (brace === '}') {
    if (groups.length > 1) groups.pop();
    return;
  }
  if (groups.length >= deepest) throw new FileError('The RTF file is nested too deeply.');
  groups.push({ ...groups.at(-1)! });
}

function readWord(reading: RtfState, word: string, number: string | undefined): void {
  const group = reading.groups.at(-1)!;
  const kind = Object.hasOwn(kinds, word) ? kinds[word] : undefined;
  if (kind !== undefined) beginPart(reading, group, kind);
  else if (word === 'f' && number !== undefined) group.font = number;
  else if (word === 'fcharset' && group.isFonts) setCodePage(reading.fonts, group.font ?? '', number ?? '');
  else if (word === 'fonttbl') Object.assign(group, { isFonts: true, isSilent: true });
  else if (formulas.has(word)) group.isSilent = false;
  else if (silent.has(word) || (word.startsWith('m') && word.endsWith('Pr'))) group.isSilent = true;
  else if (word === 'uc') group.skipped = Math.min(8, Math.max(0, Number(number ?? 1)));
  else if (word === 'u' && number !== undefined) {
    write(group, String.fromCharCode(Number(number) & 0xffff));
    reading.skip = group.skipped;
  } else if (word === 'v' || word === 'deleted') group.isHidden = number !== '0';
  else if (word === 'plain') Object.assign(group, { isHidden: false, font: null });
  else if (word === 'intbl') reading.isInTable = true;
  else if (word === 'pard') reading.isInTable = false;
  else if (reading.isInTable && (word === 'par' || word === 'line')) write(group, ' ');
  else write(group, findBreak(word));
}

function findBreak(word: string): string {
  if (Object.hasOwn(breaks, word)) return breaks[word]!;
  return Object.hasOwn(formulaSigns, word) ? formulaSigns[word]! : '';
}

function beginPart({ parts }: RtfState, group: Group, kind: keyof RtfParts): void {
  const out: string[] = [];
  parts[kind].push(out);
  if (kind === 'notes' && !group.isHidden) group.out.push(`[${parts.notes.length}]`);
  Object.assign(group, { isSilent: false, out });
}

/** Code pages by the names that decoders use. */
const codePages: Readonly<Record<string, string>> = {
  '932': 'shift_jis',
  '936': 'gbk',
  '949': 'euc-kr',
  '950': 'big5',
  '10000': 'macintosh',
  '65001': 'utf-8',
};

/** Code pages by the font charset numbers of RTF 1.9.1 (`fcharset`). Zero is the file's own. */
const pagesOfFonts: Readonly<Record<string, string>> = {
  '77': '10000',
  '128': '932',
  '129': '949',
  '134': '936',
  '136': '950',
  '161': '1253',
  '162': '1254',
  '163': '1258',
  '177': '1255',
  '178': '1256',
  '186': '1257',
  '204': '1251',
  '222': '874',
  '238': '1250',
};

function setCodePage(fonts: Map<string, string>, font: string, charset: string): void {
  const page = Object.hasOwn(pagesOfFonts, charset) ? pagesOfFonts[charset] : undefined;
  if (page) fonts.set(font, page);
}

type Decoder = (byte: number) => string;

/** Returns a character once its last byte has come; `page`: the code page, where it is not the default. */
function createDecoders(usualPage = '1252'): (byte: number, page?: string) => string {
  const known = new Map<string, Decoder>();
  return (byte, page = usualPage) => {
    const decode = known.get(page) ?? createDecoder(page);
    known.set(page, decode);
    return decode(byte);
  };
}

function createDecoder(codePage: string): Decoder {
  const decoder = (() => {
    try {
      return new TextDecoder(codePages[codePage] ?? `windows-${codePage}`);
    } catch {
      return new TextDecoder('windows-1252');
    }
  })();
  return (byte) => decoder.decode(Uint8Array.of(byte), { stream: true });
}
