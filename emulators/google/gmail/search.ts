// Gmail's search language, as far as its help page describes it: operators, words, quotes, OR, braces, parentheses
// and minus. Words match whole words, never parts of them.
import { addressesIn, allParts, headerOf, isAttachment, plainTextOf, rawHeaderOf } from '../mime.ts';
import { instantOf } from '../../kit/zones.ts';
import { partsOf } from './mailbox.ts';
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
        groups.push(some(either));
        either = [];
      }
      either.push(readTerm());
      joined = false;
    }
    at += 1;
    if (either.length > 0) groups.push(some(either));
    return closing === '}' ? some(groups) : every(groups);
  };
  const readTerm = (): Test => {
    const token = tokens[at] ?? '';
    at += 1;
    if (token === '-') return not(readTerm());
    if (token === '(') return readAll(')');
    if (token === '{') return readAll('}');
    if (token.length > 1 && token.startsWith('-')) return not(term(token.slice(1), context));
    return term(token, context);
  };
  const matches = readAll();
  return { matches, anywhere: /\b(in|label):(anywhere|trash|spam)\b/i.test(source) };
}

const not =
  (test: Test): Test =>
  (message) =>
    !test(message);
const every =
  (tests: Test[]): Test =>
  (message) =>
    tests.every((test) => test(message));
const some =
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

function searchable(message: StoredMessage): string {
  const root = partsOf(message);
  const names = allParts(root).map((part) => part.filename);
  const headers = ['Subject', 'From', 'To', 'Cc'].map((name) => headerOf(root, name) ?? '');
  return [...headers, plainTextOf(root), ...names].join(' \n ');
}

/** A name or an address, whole or from the @ on. */
function inAddresses(message: StoredMessage, header: string, value: string, context: Context): boolean {
  const shown = headerOf(partsOf(message), header);
  if (!shown) return false;
  const wanted = value.toLowerCase() === 'me' ? context.self : value.toLowerCase();
  if (wanted.includes('@'))
    return addressesIn(rawHeaderOf(partsOf(message), header)).some(
      (address) => address === wanted || address.endsWith(wanted),
    );
  return has(shown, value);
}

const spans: Record<string, number> = { d: 1, m: 30, y: 365 };

function span(value: string, now: Date): number | undefined {
  const found = /^(\d+)([dmy])$/i.exec(value);
  if (!found) return undefined;
  return now.getTime() - Number(found[1]) * (spans[(found[2] ?? 'd').toLowerCase()] ?? 1) * 86_400_000;
}

/** Gmail's API reads dates as midnight in Pacific time, and plain numbers as seconds since 1970. */
function moment(value: string): number | undefined {
  if (/^\d{6,}$/.test(value)) return Number(value) * 1000;
  const found = /^(\d{4})[/-](\d{1,2})[/-](\d{1,2})$/.exec(value);
  if (!found) return undefined;
  const [year = 0, month = 1, day = 1] = found.slice(1).map(Number);
  return instantOf({ year, month, day, hour: 0, minute: 0, second: 0 }, 'America/Los_Angeles').getTime();
}

function bytes(value: string): number {
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

function labelled(message: StoredMessage, name: string, { mailbox }: Context): boolean {
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

function carries(message: StoredMessage, what: string): boolean {
  if (what !== 'attachment') return false;
  return allParts(partsOf(message)).some((part) => isAttachment(part) && part.filename !== '');
}

type Operator = (message: StoredMessage, value: string, context: Context) => boolean;

const operators: Record<string, Operator> = {
  from: (message, value, context) => inAddresses(message, 'From', value, context),
  to: (message, value, context) => ['To', 'Cc', 'Bcc'].some((header) => inAddresses(message, header, value, context)),
  cc: (message, value, context) => inAddresses(message, 'Cc', value, context),
  bcc: (message, value, context) => inAddresses(message, 'Bcc', value, context),
  subject: (message, value) => has(headerOf(partsOf(message), 'Subject') ?? '', value),
  label: labelled,
  in: labelled,
  is: labelled,
  category: (message, value) =>
    message.labelIds.includes(`CATEGORY_${value === 'primary' ? 'PERSONAL' : value.toUpperCase()}`),
  has: (message, value) => carries(message, value),
  filename: (message, value) =>
    allParts(partsOf(message)).some(
      (part) =>
        part.filename !== '' &&
        (has(part.filename, value) || part.filename.toLowerCase().endsWith(`.${value.toLowerCase()}`)),
    ),
  rfc822msgid: (message, value) =>
    (headerOf(partsOf(message), 'Message-ID') ?? '').replaceAll(/[<>]/g, '') === value.replaceAll(/[<>]/g, ''),
  after: (message, value) => message.internalDate >= (moment(value) ?? 0),
  newer: (message, value) => message.internalDate >= (moment(value) ?? 0),
  before: (message, value) => message.internalDate < (moment(value) ?? Infinity),
  older: (message, value) => message.internalDate < (moment(value) ?? Infinity),
  newer_than: (message, value, { now }) => message.internalDate >= (span(value, now) ?? 0),
  older_than: (message, value, { now }) => message.internalDate < (span(value, now) ?? Infinity),
  larger: (message, value) => message.raw.length > bytes(value),
  smaller: (message, value) => message.raw.length < bytes(value),
  size: (message, value) => message.raw.length > bytes(value),
};

function term(token: string, context: Context): Test {
  const colon = token.indexOf(':');
  const operator = colon > 0 ? operators[token.slice(0, colon).toLowerCase()] : undefined;
  if (!operator) return (message) => has(searchable(message), unquote(token));
  const given = token.slice(colon + 1);
  // `from:(ada grace)` asks for every word inside.
  if (given.startsWith('(')) {
    const words = unquote(given).split(/\s+/).filter(Boolean);
    if (words.includes('OR'))
      return some(
        words
          .filter((word) => word !== 'OR')
          .map(
            (word): Test =>
              (message) =>
                operator(message, word, context),
          ),
      );
    return every(
      words.map(
        (word): Test =>
          (message) =>
            operator(message, word, context),
      ),
    );
  }
  return (message) => operator(message, unquote(given), context);
}
