// Runs inside the sandbox process: turns a script with imports of the SDK and a top-level `return` into a module.

/** An error of a script before it runs; the message is for its author. */
class SourceError extends Error {
  override name = 'SourceError';
}

/**
 * The text of a module whose default export runs the script. Imports come first and name the SDK, on any host; line
 * numbers stay the same. Throws `SourceError`.
 */
export function buildScriptModule(source: string): string {
  const { bound, body } = withoutImports(source);
  return `export default async function main(__sdk) {${bound}${withFunctionCall(withExportedRun(body))}\n}`;
}

type Token = { kind: 'word' | 'text' | 'sign' | 'end'; text: string; start: number; end: number };

const wordLetter = /[\p{L}\p{N}\p{M}$_\u200c\u200d]/u;

/**
 * Reads tokens one after another, skipping spaces and comments. Distinguishes only the tokens that imports consist of.
 */
function createReader(source: string, from: number) {
  let at = from;
  function next(): Token {
    const start = skipGap(source, at);
    const first = source[start];
    if (first === undefined) return { kind: 'end', text: '', start, end: start };
    if (first === '"' || first === "'") return readText(source, start, first);
    let end = start;
    while (end < source.length && wordLetter.test(source[end]!)) end += 1;
    const kind = end > start ? 'word' : 'sign';
    if (kind === 'sign') end += 1;
    return { kind, text: source.slice(start, end), start, end };
  }
  return {
    take(): Token {
      const token = next();
      at = token.end;
      return token;
    },
  };
}

/** The string of an import has no escapes and no line breaks. */
function readText(source: string, start: number, quote: string): Token {
  let end = start + 1;
  while (end < source.length && source[end] !== quote && source[end] !== '\n') end += 1;
  if (source[end] !== quote) return { kind: 'sign', text: quote, start, end: start + 1 };
  return { kind: 'text', text: source.slice(start + 1, end), start, end: end + 1 };
}

/** The first position after spaces and comments. */
function skipGap(source: string, from: number): number {
  let at = from;
  for (;;) {
    while (at < source.length && /\s/.test(source[at]!)) at += 1;
    const end = endOfComment(source, at);
    if (end === at) return at;
    at = end;
  }
}

function endOfComment(source: string, at: number): number {
  if (source[at] !== '/') return at;
  const next = source[at + 1];
  if (next !== '/' && next !== '*') return at;
  const found = next === '/' ? source.indexOf('\n', at) : source.indexOf('*/', at + 2);
  if (found < 0) return next === '/' ? source.length : at;
  return found + (next === '/' ? 1 : 2);
}

function withoutImports(source: string): { bound: string; body: string } {
  let [at, body, bound] = [0, '', ''];
  for (;;) {
    const found = readImport(source, at);
    if (!found) return { bound, body: body + source.slice(at) };
    bound += buildImportBinding(found);
    body += source.slice(at, found.start) + source.slice(found.start, found.end).replaceAll(/[^\n]/g, '');
    at = found.end;
  }
}

type Import = { clause: readonly Token[]; isLocal: boolean; start: number; end: number };

/** The SDK as a file beside the script, which programs for other systems import. */
const localSdk = /^(?:\.{1,2}\/(?:[\w-]+\/)*)?brains(?:\.[tj]s)?$/;

/** The import at a position; null for any other statement. Throws for any module other than the SDK. */
function readImport(source: string, from: number): Import | null {
  const reader = createReader(source, from);
  const { kind, text, start } = reader.take();
  if (kind !== 'word' || text !== 'import') return null;
  const clause: Token[] = [];
  let token = reader.take();
  for (; token.kind !== 'text'; token = reader.take()) {
    if (token.kind === 'end' || (token.kind === 'sign' && !'{},*'.includes(token.text))) return null;
    clause.push(token);
  }
  if (clause.length && clause.pop()?.text !== 'from') return null;
  const isLocal = localSdk.test(token.text);
  if (!isLocal && !token.text.endsWith('/sdks/automation-sdk-v1.ts'))
    throw new SourceError(
      `"${token.text}" cannot be imported: a script may import only the SDK, ".../sdks/automation-sdk-v1.ts".`,
    );
  const behind = skipSpaces(source, token.end);
  return { clause, isLocal, start, end: source[behind] === ';' ? behind + 1 : behind };
}

function skipSpaces(source: string, from: number): number {
  let at = from;
  while (at < source.length && /\s/.test(source[at]!)) at += 1;
  return at;
}

/** `{ brains, env as e }` as a declaration from the SDK's exports; type imports need none. */
function buildImportBinding({ clause, isLocal }: Pick<Import, 'clause' | 'isLocal'>): string {
  const texts = clause.map(({ text }) => text);
  const [first, second, third] = texts;
  if (first === undefined || (first === 'type' && second !== undefined)) return '';
  if (first === '*' && second === 'as' && third !== undefined && texts.length === 3) return `const ${third}=__sdk;`;
  if (isLocal && first !== '{' && first !== '*') {
    const rest = second === ',' ? buildImportBinding({ clause: clause.slice(2), isLocal }) : '';
    return `const ${first}=__sdk.brains;${rest}`;
  }
  if (first !== '{' || texts.at(-1) !== '}') throw createNoDefaultError();
  return `const {${parseImportNames(texts.slice(1, -1)).join(',')}}=__sdk;`;
}

/** The names between the braces, in the form of a destructuring pattern. */
function parseImportNames(texts: readonly string[]): string[] {
  const names: string[] = [];
  let parts: string[] = [];
  for (const text of [...texts, ',']) {
    if (text === '{' || text === '}' || text === '*') throw createNoDefaultError();
    if (text !== ',') {
      parts.push(text);
      continue;
    }
    const [name, as, other] = parts;
    const isType = name === 'type' && parts.length > 1 && as !== 'as';
    if (name !== undefined && !isType) names.push(as === 'as' && other !== undefined ? `${name}:${other}` : name);
    parts = [];
  }
  return names;
}

function createNoDefaultError(): SourceError {
  return new SourceError(
    'The SDK has no default export. Write import { brains } from ".../sdks/automation-sdk-v1.ts".',
  );
}

const exportDefault = /^export[ \t]{1,8}default[ \t]{1,8}/gm;
const namedFunction = /^(?:async )?function ([\w$]{1,100})/;
const exportHead = /^export[ \t]+(?=(?:async|function|const|let|var|class|type|interface|enum|abstract)\b)/gm;

/** A script that exports a function by default is that function called with the context of the run. Lines keep their numbers. */
function withExportedRun(body: string): string {
  const found = [...body.matchAll(exportDefault)].find(({ index }) => !isInTemplate(body, index));
  if (!found) return body;
  const rest = body.slice(found.index + found[0].length);
  const [, name] = namedFunction.exec(rest.slice(0, 200)) ?? [];
  const start = name === undefined ? 'const __run = ' : '';
  const code = `${body.slice(0, found.index)}${start}${rest}`.replaceAll(exportHead, '');
  return `${code}\n;return await ${name ?? '__run'}(__sdk.ctx);`;
}

/** Whether a place is within a text between backticks: an odd number of them is before it. */
function isInTemplate(body: string, at: number): boolean {
  return (body.slice(0, at).match(/(?<!\\)`/g)?.length ?? 0) % 2 === 1;
}

const functionHead = /async\s*(?:\([^()]*\)|[\w$]+)\s*=>/y;

/**
 * A script that ends with a single function of `(args, env)`, as tools are written, becomes a call of that function.
 */
function withFunctionCall(body: string): string {
  const at = findFunctionStart(body);
  if (at === null) return body;
  const code = body.slice(at).trimEnd();
  const end = code.endsWith(';') ? -1 : undefined;
  return `${body.slice(0, at)}return await (${code.slice(0, end)}\n)(args, __sdk.env);`;
}

/** The first line with the head of an async function that begins a statement: after `;`, `}`, or only comments. */
function findFunctionStart(body: string): number | null {
  let last = '';
  let [lineStart, isBlank, hasBlockEnds] = [0, true, true];
  for (let at = 0; at < body.length; at += 1) {
    const sign = body[at]!;
    if (sign === '\n') [lineStart, isBlank] = [at + 1, true];
    else if (sign === '/' && body[at + 1] === '*' && hasBlockEnds) {
      const end = body.indexOf('*/', at + 2);
      if (end < 0) hasBlockEnds = false;
      else at = end + 1;
    } else if (sign === '/' && body[at + 1] === '/' && isBlank) {
      const end = body.indexOf('\n', at);
      at = (end < 0 ? body.length : end) - 1;
    } else if (!/\s/.test(sign)) {
      functionHead.lastIndex = at;
      const isStatement = at === lineStart && (last === '' || last === ';' || last === '}');
      if (isStatement && sign === 'a' && functionHead.test(body)) return at;
      [last, isBlank] = [sign, false];
    }
  }
  return null;
}
