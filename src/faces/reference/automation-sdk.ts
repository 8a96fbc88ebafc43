// The SDK of automations with its types: the built-in names of the sandbox, for editors and readers.
import { readFileSync } from 'node:fs';

const types = readFileSync(new URL('../../../sdk/operations.d.ts', import.meta.url), 'utf8');

const sdk = `
/** Pages as a list, with \`pagination\` beside them. */
type Pages<Answer> = Answer extends { pages: infer List; pagination: infer Pagination } ? List & { pagination: Pagination } : Answer;
interface Unpacked {
  search: Pages<Operations['search']['output']>;
  query: Pages<Operations['query']['output']>;
  /** The body as JSON where it is JSON, else as text; throws for a status of 400 and above. A draft where it may change something. */
  // deno-lint-ignore no-explicit-any
  http_fetch: any;
}
type Answer<Name extends keyof Operations> = Name extends keyof Unpacked ? Unpacked[Name] : Operations[Name]['output'];

/** Every operation that the automation was granted. What is refused throws an error with \`code\` and \`details\`. */
export type Brains = { [Name in keyof Operations]: (input?: Operations[Name]['input']) => Promise<Answer<Name>> };

export interface Helpers {
  /** Text as an encoded word of a mail header (RFC 2047). */
  rfc2047(text: string): string;
  base64utf8(text: string): string;
  base64url(text: string): string;
  escapeHtml(text: string): string;
  /** In hex, of the message. A handle as the key is resolved by the server; its value never comes here. */
  hmacSha256Hex(message: string, key: string): Promise<string>;
}
export type Env = { helpers: Helpers } & Record<string, string>;

const given = globalThis as unknown as { brains: Brains; env: Env; args: unknown };
export const brains: Brains = given.brains;
export const env: Env = given.env;
`;

/** The text of the module, as it is served. */
export const automationSdk = `${types}${sdk}`;
