// Cuts a text into chunks: words, numbers, and text without spaces, such as `user_id`, `src/a.ts`, `C++` or `1,000`.

const joiner = String.raw`(?:::|:\/\/|->|[._\-/\\:@+=?&%#~']|(?<=\d),(?=\d))`;
const run = String.raw`[\p{L}\p{N}\p{M}]+`;
const chunk = new RegExp(String.raw`[A-Za-z](?:\+\+|#)(?![\p{L}\p{N}])|${run}(?:${joiner}${run})*`, 'gu');
const nonAscii = /\P{ASCII}/u;

/** Receives a chunk by its position: from `start` to before `end`. Returns false to stop. */
type TakeChunk = (start: number, end: number) => boolean;

/** Whether a text has ASCII characters only. Most texts do, and can be read faster. */
export function isAscii(text: string): boolean {
  return !nonAscii.test(text);
}

/** Calls back for each chunk of any text, in order. */
export function visitChunks(text: string, take: TakeChunk): void {
  for (const { 0: found, index } of text.matchAll(chunk)) if (!take(index, index + found.length)) return;
}

const [letter, digit, single] = [1, 2, 4];
const isRun = letter | digit;
const kinds = new Uint8Array(128);
for (let code = 0; code < 128; code += 1) {
  const character = String.fromCodePoint(code);
  if (/[A-Za-z]/.test(character)) kinds[code] = letter;
  else if (/\d/.test(character)) kinds[code] = digit;
  else if (String.raw`._-/\:@+=?&%#~'`.includes(character)) kinds[code] = single;
}
const [colon, slash, dash, greater, comma, plus, hash] = [...':/->,+#'].map((each) => each.charCodeAt(0));

/** Calls back for each chunk of an ASCII text: the same chunks as `visitChunks`, several times as fast. */
export function visitAsciiChunks(text: string, take: TakeChunk): void {
  const { length } = text;
  let at = 0;
  while (at < length) {
    if ((classifyCharacter(text, at) & isRun) === 0) {
      at += 1;
      continue;
    }
    const start = at;
    at = endOfSymbol(text, at);
    if (at === start) {
      at = endOfRun(text, at);
      for (let next = skipJoiner(text, at); classifyCharacter(text, next) & isRun; next = skipJoiner(text, at))
        at = endOfRun(text, next);
    }
    if (!take(start, at)) return;
  }
}

/** 0 after the end. */
function classifyCharacter(text: string, at: number): number {
  return at < text.length ? kinds[text.charCodeAt(at)]! : 0;
}

function endOfRun(text: string, start: number): number {
  let at = start;
  while (classifyCharacter(text, at) & isRun) at += 1;
  return at;
}

/** The end of `C++` or `C#`; otherwise the given position. */
function endOfSymbol(text: string, at: number): number {
  if (classifyCharacter(text, at) !== letter) return at;
  const next = text.charCodeAt(at + 1);
  const end = next === hash ? at + 2 : next === plus && text.charCodeAt(at + 2) === plus ? at + 3 : at;
  return classifyCharacter(text, end) & isRun ? at : end;
}

/** The position after the joiner at a position; without a joiner, the end of the text. */
function skipJoiner(text: string, at: number): number {
  const code = text.charCodeAt(at);
  if (code === comma)
    return classifyCharacter(text, at - 1) === digit && classifyCharacter(text, at + 1) === digit
      ? at + 1
      : text.length;
  if (classifyCharacter(text, at) !== single) return text.length;
  const next = text.charCodeAt(at + 1);
  if (code === dash) return next === greater ? at + 2 : at + 1;
  if (code !== colon) return at + 1;
  if (next === colon) return at + 2;
  return next === slash && text.charCodeAt(at + 2) === slash ? at + 3 : at + 1;
}
