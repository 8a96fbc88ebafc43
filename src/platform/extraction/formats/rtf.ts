// Reads the words of RTF: control words, groups, and characters by code page or Unicode.
import { FileError } from '../file-error.ts';

/** Groups without words of the text. */
const silent = new Set(
  `fonttbl colortbl stylesheet listtable listoverridetable info pict object themedata colorschememapping datastore latentstyles
  generator filetbl revtbl rsidtbl xmlnstbl fldinst header footer headerl headerr footerl footerr mmathPr`.split(/\s+/),
);
const breaks: Record<string, string> = {
  par: '\n',
  line: '\n',
  sect: '\n',
  page: '\n',
  row: '\n',
  tab: '\t',
  cell: '\t',
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

type Group = { isSilent: boolean; skipped: number };

/** The words of an RTF file. Throws `FileError` for another file. */
export function textOfRtf(bytes: Buffer): string {
  const source = bytes.toString('latin1');
  if (!source.startsWith('{\\rtf')) throw new FileError('The file is no RTF document.');
  const decoder = decoderOf(/\\ansicpg(\d{3,5})/.exec(source.slice(0, 2_000))?.[1]);
  const groups: Group[] = [{ isSilent: false, skipped: 1 }];
  const out: string[] = [];
  let skip = 0;
  const say = (text: string) => {
    const said = text.slice(skip);
    skip = Math.max(0, skip - text.length);
    if (!groups.at(-1)!.isSilent) out.push(said);
  };
  for (const [all, word, number, hex, sign, brace] of source.matchAll(new RegExp(token, 'gi'))) {
    const group = groups.at(-1)!;
    if (brace === '{') {
      if (groups.length >= deepest) throw new FileError('The RTF file is nested too deeply.');
      groups.push({ ...group });
    } else if (brace === '}') {
      if (groups.length > 1) groups.pop();
    } else if (hex !== undefined) say(decoder(Number.parseInt(hex, 16)));
    else if (word !== undefined) {
      if (silent.has(word)) group.isSilent = true;
      else if (word === 'uc') group.skipped = Math.min(8, Math.max(0, Number(number ?? 1)));
      else if (word === 'u' && number !== undefined) {
        if (!group.isSilent) out.push(String.fromCharCode(Number(number) & 0xffff));
        skip = group.skipped;
      } else if (breaks[word] !== undefined && !group.isSilent) out.push(breaks[word]);
    } else if (sign === '*') group.isSilent = true;
    else if (sign === '~') say(' ');
    else if (sign !== undefined && /[{}\\]/.test(sign)) say(sign);
    else if (!/^[\r\n]|^\\/.test(all)) say(all);
  }
  return out.join('').toWellFormed();
}

function decoderOf(codePage: string | undefined): (byte: number) => string {
  const decoder = (() => {
    try {
      return new TextDecoder(`windows-${codePage ?? '1252'}`);
    } catch {
      return new TextDecoder('windows-1252');
    }
  })();
  return (byte) => decoder.decode(Uint8Array.of(byte));
}
