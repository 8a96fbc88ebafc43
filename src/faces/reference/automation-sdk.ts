// The SDK of automations with its types: the built-in names of the sandbox, for editors and readers.
import { readFileSync } from 'node:fs';

const types = readFileSync(new URL('../../../sdk/operations.d.ts', import.meta.url), 'utf8');

const sdk = `
/** Pages as a list, with \`pagination\` beside them. */
type Pages<Answer> = Answer extends { pages: infer List; pagination: infer Pagination } ? List & { pagination: Pagination } : Answer;
type Hits<List> = List extends { pages: (infer Page)[] } ? (Page & { text: string; snippet: string })[] & { pages: Page[]; results: Page[] } : List;
/** What a server answered: its JSON itself, with these fields hidden in it; else an object with these. It throws at no status. */
// deno-lint-ignore no-explicit-any
export type FetchAnswer = any & { ok: boolean; status: number; headers: Record<string, string>; json?: unknown; text: string; body: string };
export interface CalendarResult {
  id: string; title: string; event_start: string | null; event_end: string | null; location: string | null; status: string | null;
  attendees: { email: string; response: string; self: boolean }[];
}
interface Unpacked {
  search: Hits<Operations['search']['output']> & Pages<Operations['search']['output']>;
  query: Pages<Operations['query']['output']>;
  get_board: Operations['get_board']['output'] & Operations['get_board']['output']['data'];
  list_calendar_events: Operations['list_calendar_events']['output'] & { results: CalendarResult[] };
  /** A draft where it may change something: \`ok\` is false, \`status\` is 202. */
  http_fetch: FetchAnswer;
}
type Answer<Name extends keyof Operations> = Name extends keyof Unpacked ? Unpacked[Name] : Operations[Name]['output'];
/** What scripts may give beside the fields of the operation. */
interface Loose {
  search: string | { q?: string; query?: string; text?: string; type?: string; limit?: number };
  http_fetch: { url: string; method?: string; headers?: Record<string, unknown>; query?: Record<string, unknown>; body?: unknown;
    body_json?: unknown; body_text?: string; timeout_ms?: number; timeout_seconds?: number };
}
type Given<Name extends keyof Operations> = Operations[Name]['input'] | (Name extends keyof Loose ? Loose[Name] : never);

type BoardOptions = Omit<NonNullable<Operations['get_board']['input']>, 'board_id' | 'name'>;
type Rows = Record<string, unknown>[];
/** A board is named by its id, \`get\` also takes its name; every method takes the fields of its operation, too. */
export interface Boards {
  get(board: string | Operations['get_board']['input'], options?: BoardOptions): Promise<Unpacked['get_board']>;
  list(input?: Operations['list_boards']['input']): Promise<Operations['list_boards']['output']>;
  append(board: string, rows: Rows, options?: { dataset?: string; dedupe_key_field?: string }): Promise<Operations['append_board_rows']['output']>;
  append(input: Operations['append_board_rows']['input']): Promise<Operations['append_board_rows']['output']>;
  update_row(board: string, row_id: string, patch: Record<string, unknown>, options?: { dataset?: string; expected_version?: number }): Promise<Operations['update_board_row']['output']>;
  update_row(input: Operations['update_board_row']['input']): Promise<Operations['update_board_row']['output']>;
  delete(board: string, row_id: string, options?: { dataset?: string }): Promise<Operations['delete_board_row']['output']>;
  delete(input: Operations['delete_board_row']['input']): Promise<Operations['delete_board_row']['output']>;
  restore(board: string, row_id: string, options?: { dataset?: string }): Promise<Operations['restore_board_row']['output']>;
  restore(input: Operations['restore_board_row']['input']): Promise<Operations['restore_board_row']['output']>;
  list_skills(board: string): Promise<Operations['get_board']['output']['skills']>;
  run_skill(board: string, skill: string, options?: { row_ids?: string[]; inputs?: Record<string, unknown> }): Promise<Operations['run_board_skill']['output']>;
  run_skill(input: Operations['run_board_skill']['input']): Promise<Operations['run_board_skill']['output']>;
}
/** Values that the automation keeps for itself; it needs no grant. */
export interface Kv {
  // deno-lint-ignore no-explicit-any
  get(key: string): Promise<any>;
  set(key: string, value: unknown): Promise<{ ok?: boolean }>;
  delete(key: string): Promise<{ ok?: boolean }>;
  list(prefix?: string): Promise<string[]>;
}
type Question = string | { prompt?: string; messages?: { role: string; content: unknown }[]; system?: string; max_tokens?: number; model?: string; temperature?: number };
interface ShortNames {
  boards: Boards;
  kv: Kv;
  llm(question: Question): Promise<Operations['automation_llm_complete']['output']>;
  // deno-lint-ignore no-explicit-any
  call<Output = any>(name: string, input?: object): Promise<Output>;
  act(input: Operations['act_on_integration']['input']): Promise<Operations['act_on_integration']['output']>;
  fetch(input: Operations['fetch_from_integration']['input']): Promise<Operations['fetch_from_integration']['output']>;
  http(input: Given<'http_fetch'>): Promise<FetchAnswer>;
  /** \`apply_starter_recipe\`: the answer also has \`board_id\`, \`automation_id\` or \`workflow_id\`. */
  install_recipe(input: Operations['apply_starter_recipe']['input']): Promise<Operations['apply_starter_recipe']['output']>;
  list_recipes(input?: Operations['list_starter_recipes']['input']): Promise<Operations['list_starter_recipes']['output']>;
}

/** Every operation that the automation was granted, and short names. What is refused throws an error with \`code\` and \`details\`. */
export type Brains = { [Name in keyof Operations]: (input?: Given<Name>) => Promise<Answer<Name>> } & ShortNames;

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
