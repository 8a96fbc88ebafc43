// What happens to links and their datasets when the account that they read through changes.
import { beforeAll, expect, test } from 'vitest';
import { startGitHubEmulator } from '#emulators/github/index';
import { enter, signInOwner, type SignedIn } from '../../../../tests/support/colleague.ts';
import { linkAccount } from '../../../../tests/support/linking.ts';
import { openAsOwner } from '../../../../tests/support/owner-database.ts';
import { addPerson } from '../../../../tests/support/second-person.ts';
import { startTestServer } from '../../../../tests/support/server.ts';
import { share } from '../../../../tests/support/share.ts';
import { startSmtp } from '../../../../tests/support/smtp.ts';

const github = share(() => startGitHubEmulator());
const smtp = share(() => startSmtp());
const server = share(() =>
  startTestServer({
    THALAMUS_MAIL_URL: smtp.url,
    THALAMUS_GITHUB_BASE_URL: github.url,
    THALAMUS_GITHUB_CLIENT_ID: github.client.id,
    THALAMUS_GITHUB_CLIENT_SECRET: github.client.secret,
  }),
);
const database = share(() => openAsOwner(server.connectionString));
let owner: SignedIn;
let board_id: string;
beforeAll(async () => {
  github.addUser({ login: 'ada' });
  github.addRepo({ owner: 'ada', name: 'vault', private: true });
  const pull = { draft: false, head: 'gears', base: 'main' };
  github.seedIssue('ada/vault', { author: 'ada', title: 'Oil the gears', pull });
  ({ board_id } = await server.ok('create_board', { name: 'Linked' }));
  owner = await signInOwner(server, database);
  await linkGitHub();
});

const vault = {
  kind: 'github',
  ref: { owner: 'ada', repo: 'vault' },
  display_name: 'Vault',
  integration_provider: 'github',
};
const linkGitHub = () =>
  linkAccount(server, { provider: 'github', source: 'github' }, (url) => github.approve(url, { login: 'ada' }));
const readRecipe = async () => (await server.ok('list_board_links', { board_id })).links[0]?.recipes[0];

test('a dataset that failed because its account ended is read at once when the account is linked again', async () => {
  const { id: link_id } = await server.ok('create_board_link', { board_id, ...vault });
  const filled = { dataset_name: 'prs', adapter_op: 'github.list_open_prs', dedupe_key_field: 'id' };
  const recipe = await server.ok('create_dataset_recipe', { link_id, ...filled, refresh_cron: '0 0 1 1 *' });
  await expect.poll(async () => (await readRecipe())?.rows, { timeout: 30_000 }).toBe(1);
  github.revokeAccess('ada');
  expect((await server.call('refresh_dataset_recipe', { recipe_id: recipe.id })).status).not.toBe(200);
  expect(await readRecipe()).toMatchObject({ status: 'failing', rows: 1, failure: expect.any(String) });
  await database.rows(`update dataset_recipes set next_at = now() + interval '1 day' where id = $1`, [recipe.id]);
  await linkGitHub();
  await expect.poll(async () => (await readRecipe())?.status, { timeout: 30_000 }).toBe('waiting');
  expect(await readRecipe()).toMatchObject({ failure: null, rows: 1 });
  await server.ok('delete_board_link', { link_id });
});

test('a person is mailed who links a board to their account and how to end that, and that works', async () => {
  const { key, email } = await addPerson(database);
  const grace = await enter(server, database, String((await server.ok('create_sign_in_link', {}, { key })).url));
  const [account] = await database.rows(`select id from connections where provider = 'github'`);
  await database.rows('update connections set person_id = $2 where id = $1', [account?.['id'], grace.personId]);
  const theirs = { ...vault, integration_user_id: grace.personId };
  const link = await owner.ok('create_board_link', { board_id, ...theirs });
  const findMail = () => smtp.taken.find(({ subject }) => subject === 'A board reads through your account');
  await expect.poll(findMail, { timeout: 30_000 }).toMatchObject({ to: [email] });
  const text = String(findMail()?.text);
  for (const part of ['lets the board "Linked" read through your github account', 'Vault', String(link['id'])])
    expect(text).toContain(part);
  expect(text).toContain('/integrations');
  const [named] = /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/.exec(text) ?? [];
  expect(await grace.ok('delete_board_link', { link_id: named })).toMatchObject({ deleted: true });
  expect((await owner.call('test_board_link', { link_id: link['id'] })).status).toBe(404);
  expect(smtp.taken.filter(({ to }) => !to.includes(email))).toEqual([]);
});
