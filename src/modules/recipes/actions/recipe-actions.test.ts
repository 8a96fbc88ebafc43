import { startGitHubEmulator } from '#emulators/github/index';
import { beforeEach, expect, test } from 'vitest';
import { waitForOutcome } from '../../../../tests/support/acting.ts';
import { linkAccount } from '../../../../tests/support/linking.ts';
import { share } from '../../../../tests/support/share.ts';
import { startTestServer } from '../../../../tests/support/server.ts';
import { startSmallService } from '../../../../tests/support/small-service.ts';

const web = share(() => startSmallService(({ path }) => ({ status: 201, body: { id: 'n-1', path } })));
const github = share(() => startGitHubEmulator());
const server = share(() =>
  startTestServer({
    THALAMUS_WEB_BASE_URL: web.url,
    THALAMUS_GITHUB_BASE_URL: github.url,
    THALAMUS_GITHUB_CLIENT_ID: github.client.id,
    THALAMUS_GITHUB_CLIENT_SECRET: github.client.secret,
  }),
);
beforeEach(() => void web.asked.splice(0));

const note = {
  name: 'create_note',
  summary: 'Create a saffron note.',
  risk: 'write',
  fields: {
    title: { kind: 'line', label: 'Title' },
    folder: { kind: 'line', label: 'Folder' },
  },
  example: { title: 'Hello', folder: 'inbox' },
  editable: ['title'],
  title: 'Note: {{input.title}}',
  target: 'folder {{input.folder}}',
  endpoint: { method: 'POST', path: '/folders/{{input.folder}}/notes', body: { title: '{{input.title}}' } },
  result: { note_id: '{{answer.id}}' },
  base_url: 'https://notes.example.com/v1',
  headers: { 'X-Key': '{{publisher.NOTES_KEY}}' },
};

let made = 0;
const publish = (actions: object[], more: object = {}) => {
  const slug = `acting-${(made += 1)}`;
  const template = { name: slug, datasets: { default: { columns: [{ name: 'title' }] } } };
  return server.ok('publish_recipe_version', {
    recipe: { slug, name: slug, kind: 'board', template, actions, ...more },
  });
};
async function install(actions: object[], more: object = {}) {
  const { id } = await publish(actions, more);
  return (await server.ok('apply_starter_recipe', { id })).install_id;
}
const createDraft = (install_id: string, action_name: string, input: object) =>
  server.ok('act_on_integration', { install_id, action_name, input });

test('a declared action is found, drafted, edited and sent once with the secret, after a person approved it', async () => {
  await server.ok('set_variable', { var_scope: 'person', var_name: 'NOTES_KEY', value: 'canary-notes-1' });
  const install_id = await install([note]);
  const { pages } = await server.ok('query', { type: 'integration_action', q: 'saffron note' });
  expect(pages[0]?.frontmatter).toMatchObject({
    install_id,
    action_name: 'create_note',
    source: 'recipes',
    requires_confirmation: true,
    examples: [note.example],
    input_schema: { properties: { title: expect.anything(), folder: expect.anything() } },
  });
  const drafted = await createDraft(install_id, 'create_note', { title: 'Oil', folder: 'a/../b' });
  expect(drafted).toMatchObject({ kind: 'draft', preview: { title: 'Note: Oil' } });
  expect(JSON.stringify(drafted.preview)).toContain('POST https://notes.example.com/v1/folders');
  expect(web.asked).toEqual([]);
  const draft_id = String(drafted.draft_id);
  const shown = await server.ok('get_action', { draft_id });
  expect(shown).toMatchObject({ source: 'recipes', action: 'recipe_action', editable: ['title'] });
  expect(shown.payload).toMatchObject({ install_id, action: 'create_note', input: { title: 'Oil' } });
  expect(JSON.stringify(shown)).not.toContain('canary-notes-1');
  const folder = await server.call('edit_action', { draft_id, edits: { folder: 'else' } });
  expect(folder.body['code']).toBe('invalid_input');
  await server.ok('confirm_action', { draft_id, edits: { title: 'Oil the gears' } });
  expect(await waitForOutcome(server, draft_id)).toMatchObject({ status: 'confirmed', result: { note_id: 'n-1' } });
  expect(web.asked).toMatchObject([
    { method: 'POST', path: '/v1/folders/a%2F..%2Fb/notes', body: '{"title":"Oil the gears"}' },
  ]);
  expect(web.asked[0]?.headers).toMatchObject({ 'x-forwarded-host': 'notes.example.com', 'x-key': 'canary-notes-1' });
});

test('a draft becomes stale when its secret changes', async () => {
  await server.ok('set_variable', { var_scope: 'person', var_name: 'NOTES_KEY', value: 'canary-notes-2' });
  const { draft_id } = await createDraft(await install([note]), 'create_note', { title: 'Late', folder: 'x' });
  await server.ok('set_variable', { var_scope: 'person', var_name: 'NOTES_KEY', value: 'canary-notes-3' });
  await server.call('confirm_action', { draft_id });
  expect(await server.ok('get_action', { draft_id: String(draft_id) })).toMatchObject({ status: 'stale' });
  expect(web.asked).toEqual([]);
});

test('an action is sent through the linked account, whose token goes only to its provider', async () => {
  github.addUser({ login: 'ada' });
  github.addRepo({ owner: 'ada', name: 'engine' });
  await linkAccount(server, { provider: 'github', source: 'github' }, (url) => github.approve(url, { login: 'ada' }));
  const issue = {
    ...note,
    name: 'report',
    fields: { title: { kind: 'line', label: 'Title' } },
    example: { title: 'Broken' },
    target: 'ada/engine',
    endpoint: { method: 'POST', path: '/repos/ada/engine/issues', body: { title: '{{input.title}}' } },
    result: { number: '{{answer.number}}' },
    base_url: 'https://api.github.com',
    headers: {},
    account: 'github',
  };
  const install_id = await install([issue]);
  const drafted = await createDraft(install_id, 'report', { title: 'Gears slip' });
  await server.ok('confirm_action', { draft_id: drafted.draft_id });
  expect(await waitForOutcome(server, String(drafted.draft_id))).toMatchObject({
    status: 'confirmed',
    result: { number: 1 },
  });
  await expect(publish([{ ...issue, base_url: 'https://evil.example.com' }])).rejects.toThrow(
    'github is not at evil.example.com',
  );
});

test('wrong input and unknown actions draft nothing, and a wrong declaration is not published', async () => {
  await server.ok('set_variable', { var_scope: 'person', var_name: 'NOTES_KEY', value: 'canary-notes-4' });
  const install_id = await install([note]);
  for (const [action_name, input] of [
    ['create_note', { title: 'Only' }],
    ['create_note', { ...note.example, other: 1 }],
    ['delete_note', note.example],
  ])
    expect((await server.call('act_on_integration', { install_id, action_name, input })).body['code']).toBe(
      'invalid_input',
    );
  await expect(publish([{ ...note, title: '{{input.nothing}}' }])).rejects.toThrow('nothing');
  await expect(publish([{ ...note, example: {} }])).rejects.toThrow('example');
});
