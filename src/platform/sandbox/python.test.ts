import { afterAll, expect, test } from 'vitest';
import { createSandbox } from './index.ts';

const turn = { kind: 'run' as const, of: 'ada' };

const sandbox = createSandbox();
afterAll(() => sandbox.close());

const run = (source: string, more: object = {}) =>
  sandbox.run({ turn, source, language: 'python', host: {}, domain: 'tests', ...more });

test('a script in Python uses await and return at the top, arguments, variables and calls', async () => {
  const asked: unknown[] = [];
  const result = await run(
    `import sys
from brains import get_board
print("hello", args["n"])
print("careful", file=sys.stderr, end="")
board = await get_board(name="CRM")
for row in board["rows"]:
    if row["n"] == 2:
        return {"found": row, "name": env["NAME"]}
raise Exception("not reached")`,
    {
      args: { n: 3 },
      variables: { NAME: 'sec_1' },
      host: { operation: async (params: unknown) => (asked.push(params), { rows: [{ n: 1 }, { n: 2, é: 'ü' }] }) },
    },
  );
  expect(result).toMatchObject({ status: 'succeeded', value: { found: { n: 2, é: 'ü' }, name: 'sec_1' } });
  expect(result).toMatchObject({ stdout: 'hello 3\n', stderr: 'careful' });
  expect(asked).toEqual([{ name: 'get_board', input: { name: 'CRM' } }]);
});

test('an error in Python has its kind, message and line', async () => {
  const result = await run('a = 1\n\nraise ValueError(f"bad {a}")');
  expect(result).toMatchObject({ status: 'failed', exitCode: 1, error: { name: 'ValueError', message: 'bad 1' } });
  expect(result.error?.stack).toContain('line 3');
  expect(await run('x = = 1')).toMatchObject({ status: 'failed', error: { name: 'SyntaxError' } });
});

test('errors of the host reach Python with their code', async () => {
  const refused = Object.assign(new Error('No such board.'), { code: 'not_found' });
  const { value } = await run('try:\n  await brains.get_board()\nexcept CallError as e:\n  return [e.code, str(e)]', {
    host: { operation: () => Promise.reject(refused) },
  });
  expect(value).toEqual(['not_found', 'No such board.']);
});

test('fetch in Python goes through the host', async () => {
  const { value } = await run(
    'r = await fetch("https://api.example.com/x", method="post", json={"a": 1})\nreturn [r.status, r.json()]',
    { host: { fetch: async (params: unknown) => ({ status: 201, headers: {}, json: params }) } },
  );
  const headers = { 'content-type': 'application/json' };
  expect(value).toEqual([201, { method: 'POST', url: 'https://api.example.com/x', headers, body: '{"a": 1}' }]);
});

test('functions of a script read and change its top-level variables', async () => {
  const { value } = await run(`count = 0
def add():
    global count
    count += 1
    return count
add()
add()
try:
    return count
finally:
    count = 9`);
  expect(value).toBe(2);
});

test('a process of Python is shared within a trust domain only', async () => {
  const leave = 'import sys\nsys.left = getattr(sys, "left", 0) + 1\nreturn sys.left';
  expect((await run(leave, { domain: 'a' })).value).toBe(1);
  expect((await run(leave, { domain: 'a' })).value).toBe(2);
  expect((await run(leave, { domain: 'b' })).value).toBe(1);
});

test.for([
  ['read a file of the machine', 'open("/etc/passwd").read()'],
  ['read a file by the platform below', 'import js\njs.Deno.readTextFileSync("/etc/passwd")'],
  ['write into its own folder', 'import js\njs.Deno.writeTextFileSync(f"{args[\'folder\']}/x", "x")'],
  [
    'import another module by the platform below',
    'from pyodide.code import run_js\nawait run_js("import(\'npm:ws\')")',
  ],
  ['start a program', 'import subprocess\nsubprocess.run(["ls"])'],
  ['start a program by the platform below', 'import js\njs.Deno.Command.new("ls").outputSync()'],
  ['open a socket', 'import socket\nsocket.create_connection(("127.0.0.1", int(args["port"])), timeout=2)'],
  [
    'connect by the platform below',
    'import js\nfrom pyodide.ffi import to_js\nawait js.Deno.connect(port=int(args["port"]))',
  ],
  ['read the environment of the server', 'import js\njs.Deno.env.get("PATH")'],
])('code in Python cannot %s', async ([, attempt]) => {
  const args = { folder: new URL('.', import.meta.resolve('pyodide')).pathname, port: process.env['PGPORT'] ?? 22 };
  const result = await run(`${attempt}\nreturn "ESCAPED"`, { args, limits: { wallMs: 15_000 } });
  expect(result).toMatchObject({ status: 'failed', value: null });
});

test.for([
  ['a loop without end', 'while True: pass', 'wall_limit'],
  ['a list without end', 'a = []\nwhile True: a.append("x" * 10_000_000)', null],
])('Python is limited: %s', async ([, source, reason]) => {
  const result = await run(source as string, { limits: { wallMs: 4_000 } });
  expect(result.status).not.toBe('succeeded');
  if (reason) expect(result).toMatchObject({ status: 'killed', reason });
});
