import examples from '@octokit/webhooks-examples' with { type: 'json' };
import { createHmac } from 'node:crypto';
import { createSandbox } from '#platform/sandbox';
import { expect, test } from 'vitest';
import { translate } from './translate.ts';
import { githubStarter } from '../starters/github.ts';

const turn = { kind: 'test' as const, of: 'somebody' };

// The package says that it is a module with a default export; the file is a plain list.
const definitions = examples as unknown as { name: string; examples: { action?: string }[] }[];
const all = definitions.flatMap(({ name, examples: payloads }) => payloads.map((body) => ({ name, body })));

test('every payload that GitHub publishes becomes documents or is dropped with a reason', async () => {
  const sandbox = createSandbox();
  const kinds: Record<string, number> = { documents: 0, drop: 0, error: 0 };
  const failed: string[] = [];
  for (const { name, body } of all) {
    const input = { body, raw_body: JSON.stringify(body), headers: { 'x-github-event': name }, query: {} };
    const { translation } = await translate(sandbox, { runtime: 'v8', code: githubStarter }, input, {
      domain: 'github',
      turn,
    });
    kinds[translation.kind] = (kinds[translation.kind] ?? 0) + 1;
    if (translation.kind === 'error') failed.push(`${name}: ${translation.message}`);
  }
  await sandbox.close();
  expect(failed).toEqual([]);
  expect(all.length).toBeGreaterThan(250);
  expect(kinds['documents']).toBeGreaterThan(60);
});

test('a translator in Python returns the same as one in JavaScript', async () => {
  const code =
    'async def translate(event):\n    return {"documents": [{"content": event["body"]["text"].upper() + await hmac_sha256_hex("a", "b")}]}\n';
  const sandbox = createSandbox();
  const input = { body: { text: 'lit' }, raw_body: '{"text":"lit"}', headers: {}, query: {} };
  const { translation } = await translate(sandbox, { runtime: 'python', code }, input, { domain: null, turn });
  await sandbox.close();
  expect(translation).toMatchObject({
    kind: 'documents',
    documents: [{ content: `LIT${createHmac('sha256', 'b').update('a').digest('hex')}` }],
  });
});

test('a translator signs a message with its own key, but not with a handle', async () => {
  const sandbox = createSandbox();
  const input = { body: {}, raw_body: '{}', headers: {}, query: {} };
  const signed = createHmac('sha256', 'the key').update('the message').digest('hex');
  const js = (key: string) =>
    `async function translate() { return { documents: [{ content: await env.helpers.hmacSha256Hex('the message', ${JSON.stringify(key)}) }] } }`;
  const run = async (code: string) =>
    (await translate(sandbox, { runtime: 'v8', code }, input, { domain: null, turn })).translation;
  const made = { kind: 'documents', documents: [{ content: signed }] };
  expect(await run(js('the key'))).toMatchObject(made);
  const refused = await run(js(`sec_${'a'.repeat(32)}`));
  expect(refused).toMatchObject({ kind: 'error', message: expect.stringContaining('has no variables') });
  await sandbox.close();
});
