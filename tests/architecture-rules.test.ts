import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';

const root = dirname(import.meta.dirname);
const report = z.object({ diagnostics: z.array(z.object({ code: z.string(), filename: z.string() })) });

/** Each forbidden line, where it is forbidden, and the rule that must say so. */
const forbidden: [rule: string, file: string, code: string][] = [
  ['layers', 'src/modules/memory/emulated.ts', `import { startSlackEmulator } from '#emulators/slack/index';`],
  ['layers', 'src/kernel/node-in-kernel.ts', `import { readFile } from 'node:fs/promises';`],
  ['layers', 'src/kernel/kysely-value.ts', `import { Kysely } from 'kysely';`],
  ['layers', 'src/kernel/platform-in-kernel.ts', `import { clock } from '#platform/clock';`],
  ['layers', 'src/kernel/relative-out.ts', `import { clock } from '../platform/clock/index.ts';`],
  ['layers', 'src/platform/mail/module-in-platform.ts', `import { memory } from '#modules/memory';`],
  ['layers', 'src/platform/mail/deep-platform.ts', `import { pin } from '../egress/pin.ts';`],
  ['layers', 'src/platform/mail/provider-in-platform.ts', `import { sources } from '#providers';`],
  ['layers', 'src/providers/slack/module-in-provider.ts', `import { findConnection } from '#modules/connections';`],
  ['layers', 'src/providers/slack/other-provider.ts', `import { githubProvider } from '#providers/github';`],
  ['layers', 'src/providers/slack/list-in-provider.ts', `import { sources } from '#providers';`],
  ['layers', 'src/providers/slack/deep-share.ts', `import { fill } from '../http/fill.ts';`],
  ['layers', 'src/providers/http/up.ts', `import { textOfHtml } from '#providers/reading';`],
  ['layers', 'src/modules/memory/face-in-module.ts', `import type { Route } from '#faces/rest';`],
  ['layers', 'src/modules/memory/deep-module.ts', `import { tree } from '../brains/store.ts';`],
  ['layers', 'src/modules/memory/deep-export.ts', `export { tree } from '../brains/store.ts';`],
  ['layers', 'src/modules/memory/deep-dynamic.ts', `export const later = import('../brains/store.ts');`],
  ['layers', 'src/modules/memory/operations/deep.ts', `import { tree } from '../../brains/store.ts';`],
  ['layers', 'src/modules/memory/deep.test.ts', `import { tree } from '../brains/store.ts';`],
  ['layers', 'src/faces/mcp/deep-face.ts', `import { route } from '../rest/route.ts';`],
  ['console-layers', 'console/src/api/face.ts', `import { Button } from '../design/button.tsx';`],
  ['console-layers', 'console/src/design/brain.tsx', `import { BrainField } from '../entities/brain-field.tsx';`],
  ['console-layers', 'console/src/features/memory/up.tsx', `import { BrainsPage } from '../brains/brains-page.tsx';`],
  ['console-layers', 'console/src/features/usage/side.tsx', `import { BoardPage } from '../boards/board-page.tsx';`],
  ['console-layers', 'console/src/features/usage/later.tsx', `export const later = import('../../shell/shell.tsx');`],
  ['floors', 'src/modules/actions/store/row.ts', `import type { Step } from '../sending/step.ts';`],
  ['floors', 'src/modules/circles/store/row.ts', `import type { Sign } from '../signing/sign.ts';`],
  ['floors', 'src/modules/circles/signing/sign.ts', `export { row } from '../store/row.ts';`],
  ['no-raw-network', 'src/modules/memory/global-fetch.ts', `export const page = fetch('https://example.com');`],
  [
    'no-raw-network',
    'src/modules/memory/this-fetch.ts',
    `export const page = globalThis.fetch('https://example.com');`,
  ],
  ['no-raw-network', 'src/platform/mail/undici.ts', `import { Agent } from 'undici';`],
  ['no-raw-network', 'src/platform/mail/request.ts', `import { request } from 'node:https';`],
  ['no-raw-network', 'src/faces/rest/dynamic.ts', `export const client = import('undici');`],
  ['no-caller-kinds', 'src/modules/memory/kind.ts', `export const is = (caller: Caller) => caller.kind === 'oauth';`],
  ['no-caller-kinds', 'src/faces/rest/kind.ts', `export const is = (ctx: Context) => ctx.caller?.kind !== 'session';`],
  ['no-caller-kinds', 'src/modules/memory/row.ts', `export const is = (row: Row) => row.drafted_by_kind === 'key';`],
  [
    'no-caller-kinds',
    'src/modules/memory/list.ts',
    `export const is = (caller: Caller) => ['key'].includes(caller.kind);`,
  ],
  ['no-caller-kinds', 'src/modules/memory/taken.ts', `export const { kind } = ctx.caller;`],
  ['no-caller-kinds', 'src/modules/memory/given.ts', `export function is({ kind }: Caller) { return kind === 'run'; }`],
  [
    'no-caller-kinds',
    'src/modules/memory/inner.ts',
    `export function is({ caller: { kind } }: Context) { return kind; }`,
  ],
  ['no-caller-kinds', 'src/modules/memory/other.ts', `export const run = { ...caller, kind: 'run' };`],
  ['no-caller-kinds', 'src/modules/memory/cast.test.ts', `export const caller = { id: '1' } as Caller;`],
  ['names', 'src/kernel/suffix.ts', `export function placeOf(text: string) { return text; }`],
  ['names', 'src/kernel/noun.ts', `export const title = (text: string) => text;`],
  ['names', 'src/kernel/participle.ts', `export type Asked = { id: string };`],
  ['names', 'src/kernel/preposition.ts', `type Of = { id: string };`],
  ['names', 'src/kernel/wish.ts', `export const send = (wish: string) => wish;`],
  ['names', 'src/kernel/told.ts', `export type Deps = { tellEvent: () => void };`],
  ['names', 'src/kernel/trouble.ts', `export function read({ item: isTold }: Item) { return isTold; }`],
  ['no-process-env', 'src/modules/memory/env.ts', `export const port = process.env.PORT;`],
  ['no-process-env', 'src/modules/memory/env-import.ts', `import { env } from 'node:process';`],
  ['no-process-env', 'src/server.ts', `const { env } = process;`],
  ['no-mocks', 'src/modules/memory/mock.test.ts', `vi.mock('./store.ts');`],
  ['no-mocks', 'tests/faces/spy.test.ts', `vi.spyOn(console, 'log');`],
  ['no-silent-sleep', 'tests/faces/sleep.test.ts', `await sleep(1_000);`],
  ['no-silent-sleep', 'tests/e2e/sleep.spec.ts', `await page.waitForTimeout(300);`],
  ['linear-regexps', 'src/modules/memory/slow.ts', `export const slow = /(a+)+$/;`],
  ['linear-regexps', 'src/faces/rest/made.ts', 'export const made = (word: string) => new RegExp(`${word}+$`);'],
  ['linear-time', 'src/faces/rest/form.ts', `export const read = (text: string) => new URLSearchParams(text);`],
  ['linear-time', 'src/faces/web/body.ts', `export const read = (c: Context) => c.req.parseBody();`],
  ['linear-time', 'src/modules/memory/marks.ts', `export const plain = (text: string) => text.normalize('NFKD');`],
  [
    'own-tables',
    'src/modules/memory/query.ts',
    `export const list = (db: Db) => db.selectFrom('pages as page').selectAll();`,
  ],
  [
    'own-tables',
    'src/modules/memory/join.ts',
    `export const list = (q: Query) => q.leftJoin('people', 'people.id', 'by');`,
  ],
  ['own-tables', 'src/modules/memory/sql.ts', 'export const drop = sql`delete from only events where brain_id = 1`;'],
  ['own-tables', 'src/modules/memory/second.ts', 'export const both = sql<Row>`select 1 from memories m, keys k`;'],
  ['own-tables', 'src/modules/memory/text.ts', `export const live = 'exists (select from documents where id = 1)';`],
  ['own-tables', 'src/modules/memory/data.ts', `export const to = { table: 'pages' };`],
  ['own-tables', 'src/modules/memory/type.ts', `export type Tables = { memories: Row; brains: { id: string } };`],
  ['own-tables', 'src/modules/memory/cast.ts', `export const narrow = (db: Db) => db as Kysely<{ people: Row }>;`],
  ['own-tables', 'src/modules/memory/added.ts', `export const narrow = (db: Db) => db.withTables<{ people: Row }>();`],
  ['own-tables', 'src/modules/memory/view.ts', `export const rename = (db: Db) => db.updateTable('people_directory');`],
  ['own-tables', 'src/platform/search/product.ts', 'export const read = `select language from brains where id = 1`;'],
  ['own-tables', 'src/faces/web/store.ts', `export const list = (db: Db) => db.selectFrom('sessions').selectAll();`],
  ['own-tables', 'src/ports.ts', `export const list = (db: Db) => db.selectFrom('people').selectAll();`],
  ['plain-words', 'src/modules/memory/words.ts', `export const says = 'It waits for your yes.';`],
  ['plain-words', 'cli/words.ts', 'export const says = (id: string) => `Ask whoever drafted ${id}.`;'],
  [
    'plain-words',
    'console/src/words.tsx',
    `/** Whether a draft waits for your yes. */\nexport const isWaiting = true;`,
  ],
  ['plain-words', 'tests/words.test.ts', `test('a sent mail can be taken back', () => {});`],
  ['plain-words', 'tests/rows.test.ts', `test.for([1])('the draft %s is gone', () => {});`],
  [
    'plain-words',
    'tests/wrapped.ts',
    `// The draft waits until it is taken\n// back by a person.\nexport const wait = 1;`,
  ],
];

/** Imports that only one folder or file of the console may have. */
const forbiddenImports: [file: string, code: string][] = [
  ['console/src/features/boards/call.ts', `import { useMutation } from '@tanstack/react-query';`],
  ['console/src/design/call.ts', `import { useMutation } from '@tanstack/react-query';`],
  ['console/src/features/boards/window.tsx', `import { Dialog } from '../../design/dialog.tsx';`],
  ['console/src/shell/window.tsx', `import { Dialog } from '@base-ui/react/dialog';`],
  ['console/src/features/boards/frame.tsx', `import { PageFrame } from '../../design/page-frame.tsx';`],
];

const allowed: [file: string, code: string][] = [
  ['src/kernel/kysely-type.ts', `import type { Kysely } from 'kysely';`],
  ['src/kernel/zod.ts', `import { z } from 'zod';`],
  ['src/kernel/column.ts', `export const read = ({ trouble }: Row) => trouble;`],
  ['src/platform/database/embedded/up.ts', `import { connect } from '../connect.ts';`],
  ['src/platform/egress/client.ts', `import { Agent } from 'undici';`],
  ['src/platform/config/read.ts', `export const port = process.env.PORT;`],
  ['console/src/features/brains/down.tsx', `import { MemoryRow } from '../memory/memory-row.tsx';`],
  ['console/src/features/boards/down.tsx', `import { BrainsPage } from '../brains/brains-page.tsx';`],
  ['console/src/features/index.ts', `import { boards } from './boards/feature.tsx';`],
  ['src/modules/memory/operations/up.ts', `import { tree } from '../store.ts';`],
  ['src/providers/slack/shared.ts', `import { textOfHtml } from '#providers/reading';`],
  ['src/providers/reading/down.ts', `import { fill } from '#providers/http';`],
  ['src/modules/memory/sources.ts', `import { sources } from '#providers';`],
  ['src/modules/memory/index-of-other.ts', `import { tree } from '#modules/brains';`],
  ['src/modules/memory/support.test.ts', `import { boot } from '../../../tests/support/boot.ts';`],
  ['src/modules/memory/emulated.test.ts', `import { startSlackEmulator } from '#emulators/slack/index';`],
  ['src/modules/memory/injected.ts', `export const get = ({ fetch }: { fetch: (url: string) => void }) => fetch('x');`],
  ['src/modules/memory/caller.ts', `export const run = createCaller({ ...caller, kind: 'run' });`],
  ['src/kernel/kind.ts', `export const is = (caller: Caller) => caller.kind === 'oauth';`],
  ['src/modules/memory/account.ts', `export const is = ({ kind }: Account) => kind === 'oauth';`],
  ['src/modules/actions/sending/step.ts', `import type { Row } from '../store/row.ts';`],
  ['src/faces/rest/serve.ts', `import { createServer } from 'node:http';`],
  ['src/faces/rest/query.ts', `export const query = new URLSearchParams({ a: 'b' }).toString();`],
  ['src/modules/memory/slow.test.ts', `export const slow = /(b+)+$/;`],
  ['emulators/mail.ts', `export const page = fetch('http://127.0.0.1');`],
  [
    'src/modules/memory/own.ts',
    'export const list = sql`select name from people_directory, memories where id is distinct from 1`;',
  ],
  ['src/modules/memory/prose.ts', `export const says = 'It updates people from the keys of pages.';`],
  ['src/modules/memory/other.test.ts', `export const rows = sql\`select from people\`;`],
  ['src/platform/database/any.ts', `export const rows = sql\`select from people\`;`],
  ['src/modules/memory/plain.ts', `export const says = 'It waits for your approval.';`],
  ['tests/data.test.ts', `test('a memory is found', () => add('Whoever kept the key in step is gone'));`],
  ['tests/code.ts', `/** Maps \`taken back\` to a state. */\nexport const state = 'undone';`],
  ['tests/faces/reasoned.test.ts', `await sleep(1_000); // their clock has no fractions`],
];

let folder: string;
let found: Set<string>;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'thalamus-rules-'));
  await cp(join(root, '.oxlintrc.json'), join(folder, '.oxlintrc.json'));
  await cp(join(root, 'scripts/lint-rules'), join(folder, 'scripts/lint-rules'), { recursive: true });
  for (const [file, code] of [...forbidden.map(([, ...rest]) => rest), ...forbiddenImports, ...allowed]) {
    await mkdir(join(folder, dirname(file)), { recursive: true });
    await writeFile(join(folder, file), `${code}\n`);
  }
  const output = await runOxlint();
  found = new Set(output.diagnostics.map(({ code, filename }) => `${code} ${filename}`));
});

afterAll(() => rm(folder, { recursive: true }));

test.for(forbidden)('the rule %s refuses in %s: %s', ([rule, file]) => {
  expect([...found]).toContain(`thalamus(${rule}) ${file}`);
});

test.for(forbiddenImports)('lint refuses in %s: %s', ([file]) => {
  expect([...found]).toContain(`eslint(no-restricted-imports) ${file}`);
});

test.for(allowed)('the file %s may contain: %s', ([file]) => {
  const ours = [...found].filter((finding) => finding.startsWith('thalamus(') && finding.endsWith(` ${file}`));
  expect(ours).toEqual([]);
});

function runOxlint(): Promise<z.infer<typeof report>> {
  const oxlint = join(root, 'node_modules/oxlint/bin/oxlint');
  return new Promise((resolve, reject) => {
    execFile(
      process.execPath,
      [oxlint, '--format', 'json', 'src', 'cli', 'console', 'tests'],
      { cwd: folder },
      (_failed, stdout, stderr) => {
        const parsed = report.safeParse(JSON.parse(stdout || 'null'));
        if (parsed.success) resolve(parsed.data);
        else reject(new Error(`oxlint gave no report: ${stdout}${stderr}`));
      },
    );
  });
}
