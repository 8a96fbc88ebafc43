// Gmail's search language, as far as its help page describes it: operators, words, quotes, OR, braces, parentheses
// and minus. Words match whole words, never parts of them.
import { parseAddresses, listParts, findHeader, isAttachment, readPlainText, findRawHeader } from '../mime.ts';
import { findWallInstant } from '../../kit/zones.ts';
import { parseMessageParts } from './mailbox.ts';
import type { Mailbox, StoredMessage } from './mailbox.ts';

type Test = (message: StoredMessage) => boolean;
type Context = { mailbox: Mailbox; now: Date; self: string };

/** A parsed query; `anywhere` is set when it asks for spam or trash by name. */
export type Search = { matches: Test; anywhere: boolean };

/** Parses `q`. Like Gmail, it never fails: unknown syntax is searched as words. */
export function parseSearch(source: string, context: Context): Search {
  const tokens =
    source.match(/-?[A-Za-z0-9_]+:\([^)]*\)|-?[A-Za-z0-9_]+:"[^"]*"|-?"[^"]*"|-(?=[({])|[(){}]|[^\s(){}"]+/g) ?? [];
  let at = 0;
  const readAll = (closing?: string): Test => {
    const groups: Test[] = [];
    let either: Test[] = [];
    let joined = false;
    while (at < tokens.length && tokens[at] !== closing) {
      if (tokens[at] === 'OR' || tokens[at] === '|') {
        joined = true;
        at += 1;
        continue;
      }
      if (tokens[at] === 'AND') {
        at += 1;
        continue;
      }
      if (!joined && either.length > 0) {
        groups.push(createSomeTest(either));
        either = [];
      }
      either.push(readTerm());
      joined = false;
    }
    at += 1;
    if (either.length > 0) groups.push(createSomeTest(either));
    return closing === '}' ? createSomeTest(groups) : createEveryTest(groups);
  };
  const readTerm = (): Test => {
    const token = tokens[at] ?? '';
    at += 1;
    if (token === '-') return createNegatedTest(readTerm());
    if (token === '(') return readAll(')');
    if (token === '{') return readAll('}');
    if (token.length > 1 && token.startsWith('-')) return createNegatedTest(parseTerm(token.slice(1), context));
    return parseTerm(token, context);
  };
  const matches = readAll();
  return { matches, anywhere: /\b(in|label):(anywhere|trash|spam)\b/i.test(source) };
}

const createNegatedTest =
  (test: Test): Test =>
  (message) =>
    !test(message);
const createEveryTest =
  (tests: Test[]): Test =>
  (message) =>
    tests.every((test) => test(message));
const createSomeTest =
  (tests: Test[]): Test =>
  (message) =>
    tests.length === 0 || tests.some((test) => test(message));

function unquote(value: string): string {
  return value.replace(/^["(]/, '').replace(/[")]$/, '');
}

function normalize(value: string): string {
  return ` ${value
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()} `;
}

function has(haystack: string, needle: string): boolean {
  const wanted = normalize(needle);
  return wanted.trim() === '' || normalize(haystack).includes(wanted);
}

function buildSearchableText(message: StoredMessage): string {
  const root = parseMessageParts(message);
  const names = listParts(root).map((part) => part.filename);
  const headers = ['Subject', 'From', 'To', 'Cc'].map((name) => findHeader(root, name) ?? '');
  return [...headers, readPlainText(root), ...names].join(' \n ');
}

/** A name or an address, whole or from the @ on. */
function hasAddress(message: StoredMessage, header: string, value: string, context: Context): boolean {
  const shown = findHeader(parseMessageParts(message), header);
  if (!shown) return false;
  const wanted = value.toLowerCase() === 'me' ? context.self : value.toLowerCase();
  if (wanted.includes('@'))
    return parseAddresses(findRawHeader(parseMessageParts(message), header)).some(
      (address) => address === wanted || address.endsWith(wanted),
    );
  return has(shown, value);
}

const spans: Record<string, number> = { d: 1, m: 30, y: 365 };

function parseAge(value: string, now: Date): number | undefined {
  const found = /^(\d+)([dmy])$/i.exec(value);
  if (!found) return undefined;
  return now.getTime() - Number(found[1]) * (spans[(found[2] ?? 'd').toLowerCase()] ?? 1) * 86_400_000;
}

/** Gmail's API reads dates as midnight in Pacific time, and plain numbers as seconds since 1970. */
function parseSearchDate(value: string): number | undefined {
  if (/^\d{6,}$/.test(value)) return Number(value) * 1000;
  const found = /^(\d{4})[/-](\d{1,2})[/-](\d{1,2})$/.exec(value);
  if (!found) return undefined;
  const [year = 0, month = 1, day = 1] = found.slice(1).map(Number);
  return findWallInstant({ year, month, day, hour: 0, minute: 0, second: 0 }, 'America/Los_Angeles').getTime();
}

function parseByteCount(value: string): number {
  const found = /^(\d+)([KkMm])?[Bb]?$/.exec(value);
  if (!found) return 0;
  const unit = { k: 1024, m: 1024 * 1024 }[(found[2] ?? '').toLowerCase()] ?? 1;
  return Number(found[1]) * unit;
}

const stateLabels: Record<string, string> = {
  unread: 'UNREAD',
  starred: 'STARRED',
  important: 'IMPORTANT',
  sent: 'SENT',
  draft: 'DRAFT',
  drafts: 'DRAFT',
  inbox: 'INBOX',
  trash: 'TRASH',
  spam: 'SPAM',
  chats: 'CHAT',
};

function hasLabel(message: StoredMessage, name: string, { mailbox }: Context): boolean {
  const lower = name.toLowerCase();
  if (lower === 'anywhere' || lower === 'all') return true;
  if (lower === 'read') return !message.labelIds.includes('UNREAD');
  const state = stateLabels[lower];
  if (state) return message.labelIds.includes(state);
  const slug = (value: string) => value.toLowerCase().replaceAll(/[\s/&]+/g, '-');
  return message.labelIds.some(
    (id) => id.toLowerCase() === lower || slug(mailbox.labels.get(id)?.name ?? '') === slug(name),
  );
}

function hasAttachment(message: StoredMessage, what: string): boolean {
  if (what !== 'attachment') return false;
  return listParts(parseMessageParts(message)).some((part) => isAttachment(part) && part.filename !== '');
}

type Operator = (message: StoredMessage, value: string, context: Context) => boolean;

const operators: Record<string, Operator> = {
  from: (message, value, context) => hasAddress(message, 'From', value, context),
  to: (message, value, context) => ['To', 'Cc', 'Bcc'].some((header) => hasAddress(message, header, value, context)),
  cc: (message, value, context) => hasAddress(message, 'Cc', value, context),
  bcc: (message, value, context) => hasAddress(message, 'Bcc', value, context),
  subject: (message, value) => has(findHeader(parseMessageParts(message), 'Subject') ?? '', value),
  label: hasLabel,
  in: hasLabel,
  is: hasLabel,
  category: (message, value) =>
    message.labelIds.includes(`CATEGORY_${value === 'primary' ? 'PERSONAL' : value.toUpperCase()}`),
  has: (message, value) => hasAttachment(message, value),
  filename: (message, value) =>
    listParts(parseMessageParts(message)).some(
      (part) =>
        part.filename !== '' &&
        (has(part.filename, value) || part.filename.toLowerCase().endsWith(`.${value.toLowerCase()}`)),
    ),
  rfc822msgid: (message, value) =>
    (findHeader(parseMessageParts(message), 'Message-ID') ?? '').replaceAll(/[<>]/g, '') ===
    value.replaceAll(/[<>]/g, ''),
  after: (message, value) => message.internalDate >= (parseSearchDate(value) ?? 0),
  newer: (message, value) => message.internalDate >= (parseSearchDate(value) ?? 0),
  before: (message, value) => message.internalDate < (parseSearchDate(value) ?? Infinity),
  older: (message, value) => message.internalDate < (parseSearchDate(value) ?? Infinity),
  newer_than: (message, value, { now }) => message.internalDate >= (parseAge(value, now) ?? 0),
  older_than: (message, value, { now }) => message.internalDate < (parseAge(value, now) ?? Infinity),
  larger: (message, value) => message.raw.length > parseByteCount(value),
  smaller: (message, value) => message.raw.length < parseByteCount(value),
  size: (message, value) => message.raw.length > parseByteCount(value),
};

function parseTerm(token: string, context: Context): Test {
  const colon = token.indexOf(':');
  const operator = colon > 0 ? operators[token.slice(0, colon).toLowerCase()] : undefined;
  if (!operator) return (message) => has(buildSearchableText(message), unquote(token));
  const given = token.slice(colon + 1);
  // `from:(ada grace)` asks for every word inside.
  if (given.startsWith('(')) {
    const words = unquote(given).split(/\s+/).filter(Boolean);
    if (words.includes('OR'))
      return createSomeTest(
        words
          .filter((word) => word !== 'OR')
          .map(
            (word): Test =>
              (message) =>
                operator(message, word, context),
          ),
      );
    return createEveryTest(
      words.map(
        (word): Test =>
          (message) =>
            operator(message, word, context),
      ),
    );
  }
  return (message) => operator(message, unquote(given), context);
}
