// What the SDK of automations offers, read from the module that the server serves.

/** A name with its type, as completion shows it. */
export type Member = { name: string; type: string; info: string };
/** An operation that code may call, with the fields of its input. */
export type Tool = { name: string; summary: string; fields: readonly Member[] };
export type Sdk = { tools: readonly Tool[]; helpers: readonly Member[] };

export const emptySdk: Sdk = { tools: [], helpers: [] };

/** Reads the text of the module. */
export function readSdk(text: string): Sdk {
  const interfaces = new Map(
    [...text.matchAll(/^export interface (\w+) \{\n([\s\S]*?)\n\}$/gm)].map(([, name = '', body = '']) => [name, body]),
  );
  const found = text.matchAll(/\/\*\* (.*) \*\/\n {2}(\w+): \{ input: (\w+)/g);
  const tools = [...found].map(([, summary = '', name = '', input = '']) => ({
    name,
    summary,
    fields: parseMembers(interfaces.get(input) ?? ''),
  }));
  return { tools, helpers: parseMembers(interfaces.get('Helpers') ?? '') };
}

/** The members of an interface, without those of nested objects. */
function parseMembers(body: string): Member[] {
  const members: Member[] = [];
  let depth = 0;
  let info = '';
  for (const part of body.match(/\/\*\*[\s\S]*?\*\/|[^\n]+/g) ?? []) {
    if (part.trimStart().startsWith('/**')) {
      info = part.replaceAll(/^\s*(\/\*\*|\*\/|\* ?)|\s*\*\/$|@.*$/gm, '').trim();
      continue;
    }
    const [, name, isOptional, type = ''] = /^\s*(\w+)(\?)?(?::|(?=\()) ?(.*?);?$/.exec(part) ?? [];
    if (depth === 0 && name)
      members.push({ name, type: `${type.replace(/\{$/, '{…}')}${isOptional ? ', optional' : ''}`, info });
    depth += part.split('{').length - part.split('}').length;
    info = '';
  }
  return members;
}
