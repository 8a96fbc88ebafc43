// Runs inside the sandbox process, beside the given code. It is not a security boundary: the host trusts no message
// from it.
import { createBrains } from './brains-sdk.ts';
import { buildScriptModule } from './read-script.ts';

type Message = {
  run?: string;
  source?: string;
  language?: Language;
  args?: unknown;
  variables?: Record<string, string>;
  clock?: number;
  reply?: number;
  ok?: unknown;
  error?: PlainError;
};
type PlainError = { name?: string; code?: string; message: string; details?: unknown; stack?: string };
type Answer = { status: number; headers: Record<string, string>; body?: string; body_base64?: string; json?: unknown };

type Language = 'typescript' | 'javascript' | 'python';
type RunScript = (source: string, given: { args: unknown; env: object }, language: Language) => Promise<unknown>;

declare const Deno: {
  args: string[];
  stdin: { read(into: Uint8Array): Promise<number | null>; readSync(into: Uint8Array): number | null };
  stdout: { writeSync(bytes: Uint8Array): number };
  inspect(value: unknown, options: object): string;
};
declare function addEventListener(name: string, listen: (event: Event & { reason?: unknown }) => void): void;

const { stringify, parse } = JSON;
const { inspect, stdin, stdout } = Deno;
const encoder = new TextEncoder();
const mostAtOnce = 16;
const chunkBytes = 65_536;
const longestText = 64_000;

let run = '';
let lastCall = 0;
let active = 0;
const queue: (() => void)[] = [];
const waiting = new Map<number, { resolve(value: unknown): void; reject(error: unknown): void }>();
const timers = new Set<unknown>();

function send(message: object): void {
  const bytes = encoder.encode(`${stringify(message)}\n`);
  for (let sent = 0; sent < bytes.length;) sent += stdout.writeSync(bytes.subarray(sent));
}

/** Calls the host; a few calls at a time, the rest in order. */
async function call(method: string, params: unknown): Promise<unknown> {
  if (active >= mostAtOnce) await new Promise<void>((enter) => queue.push(enter));
  else active += 1;
  try {
    return await new Promise((resolve, reject) => {
      lastCall += 1;
      waiting.set(lastCall, { resolve, reject });
      send({ run, call: lastCall, method, params });
    });
  } finally {
    const next = queue.shift();
    if (next) next();
    else active -= 1;
  }
}

const brains = createBrains((name, input) => call('operation', { name, input }));

const toBase64 = (bytes: Uint8Array) => {
  let text = '';
  for (const byte of bytes) text += String.fromCharCode(byte);
  return btoa(text);
};
const encodeUtf8Base64 = (text: string) => toBase64(encoder.encode(text));

/** The most bytes of one encoded word: with its frame it has at most 75 characters (RFC 2047 §2). */
const mostWordBytes = 45;

/** Text of a mail header: encoded words where it is not ASCII, or looks encoded. No character is split. */
function encodeHeader(text: string): string {
  if (/^[ -~]*$/.test(text) && !text.includes('=?')) return text;
  const words: string[] = [];
  let word = '';
  for (const character of text) {
    if (word !== '' && encoder.encode(word + character).length > mostWordBytes) {
      words.push(word);
      word = '';
    }
    word += character;
  }
  return [...words, word].map((each) => `=?utf-8?B?${encodeUtf8Base64(each)}?=`).join(' ');
}

const helpers = {
  base64utf8: encodeUtf8Base64,
  base64url: (text: string) => encodeUtf8Base64(text).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', ''),
  rfc2047: encodeHeader,
  escapeHtml: (text: string) => text.replace(/[&<>"']/g, (letter) => `&#${letter.charCodeAt(0)};`),
  /** The host resolves a key that is a handle, and never reveals its value. */
  hmacSha256Hex: (message: string, key: string) => call('hmac', { key, text: message }),
};

const env: Record<string, unknown> = Object.create(null) as Record<string, unknown>;

/** What a script imports: `brains`, `env`, and every operation under its name. `ctx` is what an exported function is called with. */
const sdk = new Proxy(
  { brains, env },
  { get: (own, name) => (name === 'ctx' ? getRunContext() : (Reflect.get(own, name) ?? brains[String(name)])) },
);

function getRunContext(): object {
  const { args } = globalThis as { args?: { trigger?: unknown } };
  const { boards, kv, llm } = brains;
  return { brains, env, args, trigger: args?.trigger, boards, kv, llm, fetch: fetchThroughHost, console };
}

async function fetchThroughHost(input: string | URL | Request, init?: RequestInit): Promise<Response> {
  const request = new Request(input as Request, init);
  const { method, url, headers } = request;
  const text = request.body === null ? undefined : await request.text();
  const params = { method, url, headers: Object.fromEntries(headers), ...(text !== undefined && { body: text }) };
  const answer = (await call('fetch', params)) as Answer;
  const hasBody = answer.status >= 200 && ![204, 205, 304].includes(answer.status);
  const response = new Response(hasBody ? getAnswerBody(answer) : null, {
    status: answer.status,
    headers: answer.headers,
  });
  Object.defineProperty(response, 'url', { value: url });
  return response;
}

function getAnswerBody({ body, body_base64, json }: Answer): string | Uint8Array<ArrayBuffer> {
  if (body_base64 === undefined) return body ?? stringify(json);
  return Uint8Array.from(atob(body_base64), (letter) => letter.charCodeAt(0));
}

const print =
  (out: 'stdout' | 'stderr') =>
  (...values: unknown[]) => {
    const texts = values.map((value) => (typeof value === 'string' ? value : inspect(value, { depth: 6 })));
    send({ run, out, text: `${texts.join(' ').slice(0, longestText)}\n` });
  };

/** Permissions are the boundary, not this removal. These functions would read and write the pipes to the host. */
function tidyGlobals(): void {
  for (const name of ['prompt', 'alert', 'confirm']) Reflect.deleteProperty(globalThis, name);
  const [log, error] = [print('stdout'), print('stderr')];
  Object.assign(console, { log, info: log, debug: log, table: log, dir: log, warn: error, error, trace: error });
  Object.assign(globalThis, { brains, env, fetch: fetchThroughHost });
  for (const name of ['setTimeout', 'setInterval'] as const) noteTimers(name);
}

/** Records started timers, to end them with the run. Deno loads its timers at their first use: that stays so. */
function noteTimers(name: 'setTimeout' | 'setInterval'): void {
  const original = Object.getOwnPropertyDescriptor(globalThis, name);
  const set = (value: unknown) =>
    Object.defineProperty(globalThis, name, { value, writable: true, configurable: true, enumerable: true });
  const get = () => {
    const start = (original?.get ? original.get.call(globalThis) : original?.value) as (...given: unknown[]) => unknown;
    const noted = (...given: unknown[]) => {
      const timer = start(...given);
      timers.add(timer);
      return timer;
    };
    set(noted);
    return noted;
  };
  Object.defineProperty(globalThis, name, { get, set, configurable: true, enumerable: true });
}

const RealDate = Date;

/** Starts the clock at a given time. */
function setClock(at: number | undefined): void {
  const aheadMs = at === undefined ? 0 : at - RealDate.now();
  const now = () => RealDate.now() + aheadMs;
  class ShiftedDate extends RealDate {
    constructor(...given: []) {
      super(...((given.length ? given : [now()]) as []));
    }
    static override now = now;
  }
  Object.assign(globalThis, { Date: at === undefined ? RealDate : ShiftedDate });
}

async function runSource(message: Message): Promise<void> {
  const { run: id = '', source = '', language = 'typescript', args, variables = {}, clock } = message;
  run = id;
  setClock(clock);
  for (const name of Object.keys(env)) delete env[name];
  Object.assign(env, variables, { helpers });
  Object.assign(globalThis, { args });
  let done: object;
  try {
    const value = await runCode(source, { args, env: variables }, language);
    while (waiting.size) await new Promise((resolve) => setImmediate(resolve)); // calls that the code did not await
    done = { ok: value === undefined ? null : value };
  } catch (thrown) {
    done = { error: describeThrown(thrown) };
  }
  for (const timer of timers) clearTimeout(timer as number);
  timers.clear();
  try {
    send({ run: id, done });
  } catch (thrown) {
    send({ run: id, done: { error: describeThrown(thrown) } });
  }
}

function describeThrown(thrown: unknown): PlainError {
  if (!(thrown instanceof Error)) return { message: inspect(thrown, { depth: 2 }).slice(0, 4_000) };
  const { name, message, stack } = thrown;
  const code = (thrown as { code?: unknown }).code;
  return { name, message, stack: stack ?? '', ...(typeof code === 'string' && { code }) };
}

/** Not awaited, as `fetch` in a browser need not be: its error must not end the process. */
addEventListener('unhandledrejection', (event) => {
  event.preventDefault();
  send({ run, out: 'stderr', text: `Unhandled rejection: ${describeThrown(event.reason).message}\n` });
});

async function listen(): Promise<void> {
  const decoder = new TextDecoder();
  let rest = '';
  const chunk = new Uint8Array(chunkBytes);
  for (let size = await stdin.read(chunk); size !== null; size = await stdin.read(chunk)) {
    const lines = (rest + decoder.decode(chunk.subarray(0, size), { stream: true })).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) take(parse(line) as Message);
  }
}

function take(message: Message): void {
  if (message.reply === undefined) return void runSource(message);
  const asked = waiting.get(message.reply);
  waiting.delete(message.reply);
  if (!message.error) return asked?.resolve(message.ok);
  const { message: text, ...more } = message.error;
  asked?.reject(Object.assign(new Error(text), more));
}

async function runScript(source: string, _given: unknown, language: Language): Promise<unknown> {
  const address = `data:application/${language};base64,${encodeUtf8Base64(buildScriptModule(source))}`;
  const { default: main } = (await import(address)) as { default: (given: typeof sdk) => unknown };
  return main(sdk);
}

/** Python gets hidden fields of an answer beside it. */
function listResponseFacts(answer: unknown): object {
  const names = ['ok', 'status', 'headers', 'json', 'text', 'body'] as const;
  const facts = Object.getOwnPropertyDescriptors(answer as object);
  const hidden = names.filter((name) => facts[name]?.enumerable === false).map((name) => [name, facts[name]?.value]);
  return { answer, hidden: Object.fromEntries(hidden) };
}

/** Starts Python. Arguments: its module, its folder, and the size of the snapshot, which is read from stdin first. */
async function startPython([module = '', folder, size]: string[]): Promise<RunScript> {
  const memory = new Uint8Array(Number(size));
  for (let at = 0; at < memory.length;) at += stdin.readSync(memory.subarray(at)) ?? memory.length;
  const { start } = (await import(module)) as { start(...given: unknown[]): Promise<RunScript> };
  const ask = async (method: string, params: { name: string; given: unknown[] }) => {
    if (method !== 'operation') return call(method, params);
    const answer = await (brains[params.name] as (...given: unknown[]) => Promise<unknown>)(...params.given);
    return params.name === 'http' || params.name === 'http_fetch' ? listResponseFacts(answer) : answer;
  };
  return start(folder, memory, ask, (out: string, text: string) =>
    send({ run, out, text: text.slice(0, longestText) }),
  );
}

tidyGlobals();
const runCode: RunScript = Deno.args.length ? await startPython(Deno.args) : runScript;
send({ ready: true });
await listen();
