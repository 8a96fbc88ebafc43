// Turns a script with imports of the SDK and a top-level `return` into a module that Deno runs.

/** The error of a script before it runs; the message is for its author. */
export class SourceError extends Error {}

const sdkAddress = /\/sdks\/automation-sdk-v1\.ts$/;
const gap = /\s*(?:\/\/[^\n]*\n\s*|\/\*[\s\S]*?\*\/\s*)*/y;
const importing = /import\b(?!\s*[.(])\s*(?:([\w$*\s{},]*?)\s*from\s*)?(["'])([^"'\n]*)\2\s*;?/y;

/**
 * The address of a module whose default export runs the script. Imports come first and name the SDK, on any host; lines
 * keep their numbers.
 */
export function moduleOf(source: string, language: 'typescript' | 'javascript'): string {
  const { bound, body } = withoutImports(source);
  const code = `export default async function main(__sdk) {${bound}${called(body)}\n}`;
  return `data:application/${language};base64,${Buffer.from(code).toString('base64')}`;
}

const functionLine = /^async\s*(?:\([^()]*\)|[\w$]+)\s*=>/gm;

/** A script that ends with one function of `(args, env)`, as tools are written, is that function called. */
function called(body: string): string {
  functionLine.lastIndex = 0;
  for (const found of body.matchAll(functionLine)) {
    const before = body.slice(0, found.index);
    if (!/(?:^|[;}])$/.test(withoutComments(before).trim())) continue;
    return `${before}return await (${body.slice(found.index).replace(/;\s*$/, '')}\n)(args, __sdk.env);`;
  }
  return body;
}

function withoutComments(text: string): string {
  return text.replaceAll(/\/\*[\s\S]*?\*\/|^\s*\/\/[^\n]*$/gm, '');
}

function withoutImports(source: string): { bound: string; body: string } {
  let [at, body, bound] = [0, '', ''];
  for (;;) {
    const begins = after(gap, source, at) ?? at;
    importing.lastIndex = begins;
    const found = importing.exec(source);
    if (!found) return { bound, body: body + source.slice(at) };
    const [text, clause, , address = ''] = found;
    if (!sdkAddress.test(address))
      throw new SourceError(
        `"${address}" cannot be imported: a script may import the SDK alone, ".../sdks/automation-sdk-v1.ts".`,
      );
    bound += bindingOf(clause);
    body += source.slice(at, begins) + text.replaceAll(/[^\n]/g, '');
    at = begins + text.length;
  }
}

function after(pattern: RegExp, text: string, at: number): number | null {
  pattern.lastIndex = at;
  return pattern.exec(text) && pattern.lastIndex;
}

/** `{ brains, env as e }` as a declaration from the SDK's exports; types need none. */
function bindingOf(clause: string | undefined): string {
  if (!clause || /^type\s/.test(clause)) return '';
  const all = /^\*\s*as\s+([\w$]+)$/.exec(clause);
  if (all) return `const ${all[1]}=__sdk;`;
  const named = /^\{([^{}]*)\}$/.exec(clause);
  if (!named)
    throw new SourceError(
      'The SDK has no default export. Write import { brains } from ".../sdks/automation-sdk-v1.ts".',
    );
  const names = (named[1] ?? '').split(',').map((name) => name.trim());
  const values = names.filter((name) => name && !/^type\s/.test(name));
  return `const {${values.map((name) => name.replace(/\s+as\s+/, ':')).join(',')}}=__sdk;`;
}
