// What `brains` is in a script: operations under their own and under short names, with answers in the form that scripts expect.
// It is not a security boundary: the host checks every call.

type Fields = Record<string, unknown>;
/** Runs an operation of the server. */
type Ask = (name: string, input: unknown) => Promise<unknown>;
type Method = (...given: unknown[]) => Promise<unknown>;
type Methods = Record<string, Method>;

/** The operation behind each short name; grants may name it by these, too. */
export const scriptNames = {
  llm: 'automation_llm_complete',
  kv: 'automation_kv',
  act: 'act_on_integration',
  fetch: 'fetch_from_integration',
  http: 'http_fetch',
  'boards.get': 'get_board',
  'boards.list': 'list_boards',
  'boards.append': 'append_board_rows',
  'boards.update_row': 'update_board_row',
  'boards.delete': 'delete_board_row',
  'boards.restore': 'restore_board_row',
  'boards.list_skills': 'get_board',
  'boards.run_skill': 'run_board_skill',
} as const;

const uuidForm = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const mostHits = 50;
const mostEvents = 200;
/** How much text a hit of a search has. */
const textCharacters = 4_000;
const longestSeconds = 30;

/** `brains`: an operation by its name, `llm`, `call`, and the groups `boards` and `kv`. Names with dots reach into a group. */
export function createBrains(ask: Ask): Fields {
  const run: Ask = async (name, input) => {
    const ready = Object.hasOwn(inputs, name) ? inputs[name]?.(toFields(input)) : undefined;
    const answer = await ask(name, ready ?? input);
    const shape = Object.hasOwn(answers, name) ? answers[name] : undefined;
    return shape && isFields(answer) ? shape(answer) : answer;
  };
  const own: Fields = {
    llm: (given: unknown) => run('automation_llm_complete', toQuestion(given)),
    call: (name: unknown, input: unknown = {}) => findMethod(brains, String(name))(input),
    act: (input: unknown) => run('act_on_integration', input),
    fetch: (input: unknown) => run('fetch_from_integration', input),
    http: (input: unknown) => run('http_fetch', input),
    search: (given: unknown) => run('search', typeof given === 'string' ? { q: given } : given),
    boards: createGroup('boards', createBoardMethods(run)),
    kv: createGroup('kv', createKvMethods(run)),
  };
  const brains: Fields = new Proxy(Object.create(null) as Fields, {
    get(_target, name) {
      if (typeof name !== 'string' || name === 'then') return undefined;
      if (Object.hasOwn(own, name)) return own[name];
      return name.includes('.') ? findMethod(brains, name) : (input: unknown = {}) => run(name, input);
    },
  });
  return brains;
}

/** The method behind a name such as `boards.get`. */
function findMethod(brains: Fields, path: string): Method {
  const [name = '', inner] = path.split('.');
  const outer = brains[name];
  const found = inner === undefined ? outer : isFields(outer) ? outer[inner] : undefined;
  if (typeof found === 'function') return found as Method;
  const groups = Object.keys(scriptNames).map((each) => `brains.${each}`);
  return () =>
    Promise.reject(
      new Error(`There is no brains.${path}. Near: ${listNearNames(`brains.${path}`, groups).join(', ')}.`),
    );
}

/** Methods under a name. Another name throws when it is called, with those that are nearest to it. */
function createGroup(group: string, methods: Methods): Fields {
  return new Proxy(methods as Fields, {
    get(_target, name) {
      if (typeof name !== 'string' || name === 'then') return undefined;
      if (Object.hasOwn(methods, name)) return methods[name];
      return () => {
        const near = listNearNames(name, Object.keys(methods)).map((each) => `brains.${group}.${each}`);
        return Promise.reject(new Error(`There is no brains.${group}.${name}. Near: ${near.join(', ')}.`));
      };
    },
  });
}

function createBoardMethods(run: Ask): Methods {
  const change =
    (operation: string, rest: readonly string[]) =>
    (first: unknown, ...more: unknown[]) =>
      run(operation, typeof first === 'string' ? toNamedInput({ board_id: first }, rest, more) : first);
  const get: Method = (first, options) =>
    run('get_board', typeof first === 'string' ? { ...toBoardInput(first), ...toFields(options) } : first);
  return {
    get,
    list: (input = {}) => run('list_boards', input),
    append: change('append_board_rows', ['rows']),
    update_row: change('update_board_row', ['row_id', 'patch']),
    delete: change('delete_board_row', ['row_id']),
    restore: change('restore_board_row', ['row_id']),
    async list_skills(first) {
      const input = typeof first === 'string' ? toBoardInput(first) : toFields(first);
      return toFields(await run('get_board', { ...input, limit: 1 }))['skills'];
    },
    run_skill: change('run_board_skill', ['skill']),
  };
}

/** A board by its id, or by its name. */
function toBoardInput(given: string): Fields {
  return uuidForm.test(given) ? { board_id: given } : { name: given };
}

/** Positional arguments as fields, and the other fields in an object after them. */
function toNamedInput(start: Fields, names: readonly string[], given: readonly unknown[]): Fields {
  const input = { ...start };
  const left = [...given];
  for (const name of names) {
    const isLast = name === names.at(-1);
    if (isFields(left[0]) && (!isLast || Object.hasOwn(left[0], name))) break;
    input[name] = left.shift();
  }
  return { ...input, ...toFields(left[0]) };
}

/** With a key alone a method gives the value itself; with fields, what the operation answers. */
function createKvMethods(run: Ask): Methods {
  const kv = async (input: Fields) => toFields(await run('automation_kv', input));
  return {
    get: async (first) =>
      typeof first === 'string'
        ? (await kv({ op: 'get', key: first }))['value']
        : kv({ op: 'get', ...toFields(first) }),
    set: (first, value) => kv({ op: 'set', ...(typeof first === 'string' ? { key: first, value } : toFields(first)) }),
    delete: (first) => kv({ op: 'delete', ...(typeof first === 'string' ? { key: first } : toFields(first)) }),
    async list(first) {
      const { keys } = await kv({ op: 'list', ...(typeof first === 'string' ? { prefix: first } : toFields(first)) });
      return hideFields(keys as unknown[], { keys });
    },
  };
}

/** How inputs of scripts become inputs of operations. */
const inputs: Record<string, (input: Fields) => Fields> = {
  search: ({ q, query, text, limit, ...rest }) => ({
    text_characters: textCharacters,
    ...rest,
    q: q ?? query ?? text,
    ...clampLimit(limit, mostHits),
  }),
  list_calendar_events: ({ limit, ...rest }) => ({ ...rest, ...clampLimit(limit, mostEvents) }),
  http_fetch: toRequest,
};

/** How answers of operations become answers for scripts. */
const answers: Record<string, (answer: Fields) => unknown> = {
  search: withHits,
  query: withPages,
  get_board: (answer) => ({ ...answer, datasets: toFields(answer['data'])['datasets'] }),
  list_calendar_events: (answer) => ({ ...answer, results: buildCalendarResults(answer['events'] as Fields[]) }),
  http_fetch: toResponse,
};

function clampLimit(limit: unknown, most: number): Fields {
  return typeof limit === 'number' ? { limit: Math.min(limit, most) } : limit === undefined ? {} : { limit };
}

function withPages({ pages, pagination }: Fields): unknown {
  return Array.isArray(pages) ? hideFields(pages as unknown[], { pages, results: pages, pagination }) : pages;
}

function withHits({ pages, ...answer }: Fields): unknown {
  return withPages({ ...answer, pages: buildSearchResults(pages as Fields[]) });
}

/** The hits of a search, also with `text` and `snippet`. */
export function buildSearchResults(pages: readonly Fields[]): Fields[] {
  return pages.map((page) => ({ ...page, text: page['text'] ?? page['excerpt'], snippet: page['excerpt'] }));
}

/** Events of a calendar under the names that scripts read. */
export function buildCalendarResults(events: readonly Fields[]): Fields[] {
  return events.map(toCalendarResult);
}

function toCalendarResult({ page_id, title, start, end, location, status, attendees }: Fields): Fields {
  const people = (attendees as Fields[]).map(({ email, rsvp, is_self }) => ({
    email,
    response: rsvp,
    self: is_self === true,
  }));
  return { id: page_id, title, event_start: start, event_end: end, location, status, attendees: people };
}

/** The request of a script as the operation takes it. */
function toRequest({ url, query, body, body_json, body_text, timeout_ms, headers, ...rest }: Fields): Fields {
  const json = body_json ?? (typeof body === 'object' && body !== null ? body : undefined);
  const text = json === undefined ? (body_text ?? body) : JSON.stringify(json);
  const given = Object.entries(toFields(headers)).map(([name, value]) => [name, String(value)]);
  const hasType = given.some(([name]) => name?.toLowerCase() === 'content-type');
  if (json !== undefined && !hasType) given.push(['content-type', 'application/json']);
  const seconds = typeof timeout_ms === 'number' ? Math.ceil(timeout_ms / 1_000) : undefined;
  return {
    ...rest,
    url: withQuery(url, toFields(query)),
    ...(given.length && { headers: Object.fromEntries(given) }),
    ...(text !== undefined && { body: text }),
    ...(seconds !== undefined && { timeout_seconds: Math.max(1, Math.min(seconds, longestSeconds)) }),
  };
}

/** The address is only added to, so that a name of a secret in it stays as it is. */
function withQuery(url: unknown, query: Fields): unknown {
  const pairs = Object.entries(query).flatMap(([name, value]) =>
    [value].flat().flatMap((each) => (each === undefined || each === null ? [] : [[name, String(each)]])),
  );
  if (!pairs.length || typeof url !== 'string') return url;
  const [address = '', ...fragment] = url.split('#');
  const sign = address.includes('?') ? '&' : '?';
  const added = pairs.map((pair) => pair.map(encodeURIComponent).join('=')).join('&');
  return [`${address}${sign}${added}`, ...fragment].join('#');
}

/**
 * The parsed JSON itself where it is an object or a list, with what else there is of the answer as hidden fields; any other
 * answer is an object with these. Nothing throws at a status. A draft is not `ok`, with the status 202.
 */
function toResponse(answer: Fields): unknown {
  const facts = readResponse(answer);
  const { json } = facts;
  return typeof json === 'object' && json !== null ? hideFields(json, facts) : facts;
}

/** The facts of a response: `ok`, `status`, `headers`, `json`, `text` and `body`; of a draft also its own fields. */
function readResponse(answer: Fields): Fields {
  const { status, headers = {}, json, body, body_base64 } = answer;
  if (typeof status !== 'number') return { ...answer, ok: false, status: 202, headers, text: '', body: '' };
  const text = 'json' in answer ? JSON.stringify(json) : (body ?? decodeBase64(body_base64));
  const isParsed = 'json' in answer ? { json } : {};
  const packed = body_base64 === undefined ? {} : { body_base64 };
  return { ok: status >= 200 && status < 300, status, headers, ...isParsed, text, body: text, ...packed };
}

function decodeBase64(packed: unknown): string {
  if (typeof packed !== 'string') return '';
  return new TextDecoder().decode(Uint8Array.from(atob(packed), (letter) => letter.charCodeAt(0)));
}

/** Adds fields that no loop and no JSON shows, where the value has none of the name itself. */
function hideFields<Value extends object>(value: Value, fields: Fields): Value {
  for (const [name, field] of Object.entries(fields))
    if (!Object.hasOwn(value, name))
      Object.defineProperty(value, name, { value: field, enumerable: false, configurable: true, writable: true });
  return value;
}

/** A question to the model: a text, or fields. Messages of the system are its system text. */
function toQuestion(given: unknown): unknown {
  if (typeof given === 'string') return { prompt: given };
  const { messages, ...rest } = toFields(given);
  if (!Array.isArray(messages)) return rest;
  const plain = (messages as Fields[]).map(({ role, content }) => ({ role, content: toText(content) }));
  const system = [rest['system'], ...plain.filter(({ role }) => role === 'system').map(({ content }) => content)];
  const texts = system.filter((each) => typeof each === 'string');
  return {
    ...rest,
    messages: plain.filter(({ role }) => role !== 'system'),
    ...(texts.length && { system: texts.join('\n\n') }),
  };
}

/** The text of a message, also where it comes in parts. */
function toText(content: unknown): unknown {
  return Array.isArray(content) ? (content as Fields[]).map((part) => String(part['text'] ?? '')).join('') : content;
}

/** The names that are nearest to one: those that share a part with it, else those with the fewest different letters. */
export function listNearNames(name: string, names: readonly string[], most = 5): string[] {
  const wanted = name.toLowerCase().slice(0, 60);
  const scored = names.map((each) => ({ each, distance: measureDistance(wanted, each.toLowerCase()) }));
  return scored
    .toSorted((one, other) => one.distance - other.distance || one.each.localeCompare(other.each))
    .slice(0, most)
    .map(({ each }) => each);
}

function measureDistance(one: string, other: string): number {
  const words = (text: string) => new Set(text.split(/[_.\s]+/).filter(Boolean));
  const shared = [...words(one)].filter((word) => words(other).has(word)).length;
  let row = Array.from({ length: other.length + 1 }, (_each, at) => at);
  for (let i = 1; i <= one.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= other.length; j += 1)
      next.push(Math.min(row[j]! + 1, next[j - 1]! + 1, row[j - 1]! + (one[i - 1] === other[j - 1] ? 0 : 1)));
    row = next;
  }
  return row[other.length]! - 4 * shared;
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function toFields(value: unknown): Fields {
  return isFields(value) ? value : {};
}
