// Drive's search language for `q`.
import { createLegacyError } from '../errors.ts';
import { decodeText } from '../mime.ts';
import { isNative } from './store.ts';
import type { StoredFile } from './store.ts';

/** A parsed query; `ranked` when it searches text, whose results cannot be ordered. */
export type FileQuery = { matches: (file: StoredFile) => boolean; ranked: boolean };

/** What names in a query are resolved against. */
export type QueryContext = { self: string; rootId: string };

type Test = (file: StoredFile) => boolean;
type Token = { kind: 'string' | 'word' | 'sign'; value: string };

/** Drive's answer to a value it cannot read; `location` is the parameter. */
export function createInvalidValueError(location: string) {
  return createLegacyError(400, { reason: 'invalid', message: 'Invalid Value', location, locationType: 'parameter' });
}

function tokenize(source: string): Token[] {
  const tokens: Token[] = [];
  const pattern = /\s*(?:'((?:[^'\\]|\\.)*)'|(!=|<=|>=|[=<>(){}])|([A-Za-z]+))\s*/y;
  while (pattern.lastIndex < source.length) {
    const found = pattern.exec(source);
    if (!found) throw createInvalidValueError('q');
    const [, string, sign, word] = found;
    if (string !== undefined) tokens.push({ kind: 'string', value: string.replaceAll(/\\(.)/g, '$1') });
    else if (sign !== undefined) tokens.push({ kind: 'sign', value: sign });
    else tokens.push({ kind: 'word', value: word ?? '' });
  }
  return tokens;
}

function splitWords(value: string): string[] {
  return value
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter(Boolean);
}

/** `name contains` matches the beginnings of words only. */
function isNameMatch(file: StoredFile, value: string): boolean {
  const own = splitWords(file.name);
  const wanted = splitWords(value);
  return wanted.length > 0 && wanted.every((word) => own.some((item) => item.startsWith(word)));
}

function isFullTextMatch(file: StoredFile, value: string): boolean {
  const readable = isNative(file.mimeType) || file.mimeType.startsWith('text/');
  const all = ` ${splitWords(`${file.name} ${file.description ?? ''} ${readable ? decodeText(file.content, 'utf-8') : ''}`).join(' ')} `;
  if (/^".*"$/.test(value.trim())) return all.includes(` ${splitWords(value).join(' ')} `);
  return splitWords(value).every((word) => all.includes(` ${word} `));
}

function compareTime(time: number, sign: string, value: string): boolean {
  const other = Date.parse(
    /([Z]|[+-]\d\d:\d\d)$/i.test(value) ? value : `${value}${value.includes('T') ? 'Z' : 'T00:00:00Z'}`,
  );
  if (Number.isNaN(other)) throw createInvalidValueError('q');
  const outcomes: Record<string, boolean> = {
    '=': time === other,
    '!=': time !== other,
    '<': time < other,
    '<=': time <= other,
    '>': time > other,
    '>=': time >= other,
  };
  const outcome = outcomes[sign];
  if (outcome === undefined) throw createInvalidValueError('q');
  return outcome;
}

function compareText(own: string, sign: string, value: string): boolean {
  if (sign === '=') return own === value;
  if (sign === '!=') return own !== value;
  throw createInvalidValueError('q');
}

type Field = (file: StoredFile, sign: string, value: string, context: QueryContext) => boolean;

const fields: Record<string, Field> = {
  name: (file, sign, value) =>
    sign === 'contains' ? isNameMatch(file, value) : compareText(file.name.toLowerCase(), sign, value.toLowerCase()),
  fullText: (file, sign, value) => {
    if (sign !== 'contains') throw createInvalidValueError('q');
    return isFullTextMatch(file, value);
  },
  mimeType: (file, sign, value) =>
    sign === 'contains' ? file.mimeType.startsWith(value) : compareText(file.mimeType, sign, value),
  modifiedTime: (file, sign, value) => compareTime(file.modifiedTime, sign, value),
  createdTime: (file, sign, value) => compareTime(file.createdTime, sign, value),
  viewedByMeTime: (file, sign, value) => compareTime(file.modifiedTime, sign, value),
  trashed: (file, sign, value) => compareText(String(file.trashed), sign, value),
  starred: (file, sign, value) => compareText(String(file.starred), sign, value),
  sharedWithMe: (file, sign, value, { self }) => compareText(String(file.owner !== self), sign, value),
};

const roles: Record<string, string[]> = {
  owners: ['owner'],
  writers: ['owner', 'organizer', 'fileOrganizer', 'writer'],
  readers: ['owner', 'organizer', 'fileOrganizer', 'writer', 'commenter', 'reader'],
};

function parseMembership(value: string, collection: string, context: QueryContext): Test {
  if (collection === 'parents') {
    const id = value === 'root' ? context.rootId : value;
    return (file) => file.parents.includes(id);
  }
  const wanted = roles[collection];
  if (!wanted) throw createInvalidValueError('q');
  const email = value === 'me' ? context.self : value.toLowerCase();
  return (file) => file.permissions.some((item) => item.emailAddress === email && wanted.includes(item.role));
}

/** Parses `q`. Throws Drive's 400 for an invalid query. */
export function parseQuery(source: string, context: QueryContext): FileQuery {
  const tokens = tokenize(source);
  let at = 0;
  let ranked = false;
  const word = (value: string) =>
    tokens[at]?.kind === 'word' && tokens[at]?.value.toLowerCase() === value && (at += 1) > 0;
  const take = (kind: Token['kind']): string => {
    const token = tokens[at];
    if (!token || token.kind !== kind) throw createInvalidValueError('q');
    at += 1;
    return token.value;
  };
  const readEither = (): Test => {
    const tests = [readBoth()];
    while (word('or')) tests.push(readBoth());
    return (file) => tests.some((test) => test(file));
  };
  const readBoth = (): Test => {
    const tests = [readTerm()];
    while (word('and')) tests.push(readTerm());
    return (file) => tests.every((test) => test(file));
  };
  const readTerm = (): Test => {
    if (word('not')) {
      const inner = readTerm();
      return (file) => !inner(file);
    }
    if (tokens[at]?.value === '(' && tokens[at]?.kind === 'sign') {
      at += 1;
      const inner = readEither();
      if (take('sign') !== ')') throw createInvalidValueError('q');
      return inner;
    }
    if (tokens[at]?.kind === 'string') {
      const value = take('string');
      if (!word('in')) throw createInvalidValueError('q');
      return parseMembership(value, take('word'), context);
    }
    return readComparison();
  };
  const readComparison = (): Test => {
    const name = take('word');
    const field = fields[name];
    if (!field) throw createInvalidValueError('q');
    if (name === 'fullText') ranked = true;
    const isBoolean = ['trashed', 'starred', 'sharedWithMe'].includes(name);
    // `sharedWithMe` may stand alone.
    if (isBoolean && tokens[at]?.kind !== 'sign') return (file) => field(file, '=', 'true', context);
    const sign = tokens[at]?.kind === 'sign' ? take('sign') : take('word');
    const value = isBoolean ? take('word') : take('string');
    if (isBoolean && !['true', 'false'].includes(value)) throw createInvalidValueError('q');
    return (file) => field(file, sign, value, context);
  };
  if (tokens.length === 0) return { matches: () => true, ranked };
  const matches = readEither();
  if (at !== tokens.length) throw createInvalidValueError('q');
  return { matches, ranked };
}
