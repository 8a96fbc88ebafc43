import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { startTelegramEmulator, type TelegramEmulator } from '#emulators/telegram/index';
import type { Message } from '#emulators/telegram/state';
import { openAsOwner, type OwnerDatabase } from '../../../tests/support/owner-database.ts';
import { addPerson } from '../../../tests/support/second-person.ts';
import { addWorkspace } from '../../../tests/support/second-workspace.ts';
import { startTestServer, type TestServer } from '../../../tests/support/server.ts';
import { connectBot, linkPhone, collectBotMessages, withoutPauses } from '../../../tests/support/telegram.ts';

let telegram: TelegramEmulator;
let server: TestServer;
let database: OwnerDatabase;
beforeAll(async () => {
  telegram = await startTelegramEmulator();
  server = await startTestServer({ THALAMUS_TELEGRAM_BASE_URL: telegram.url });
  database = await openAsOwner(server.connectionString);
});
afterAll(async () => {
  await database.close();
  await server.close();
  await telegram.close();
});

let made = 0;

/** A person with their own bot and a phone that is linked to it. */
async function createLinkedPhone(firstName = 'Ada') {
  made += 1;
  const { key, personId, brainId } = await addPerson(database);
  const bot = telegram.addBot({ username: `bot_${made}` });
  const user = telegram.addUser({ firstName, username: `user_${made}` });
  const connectionId = await connectBot(server, bot, { key });
  await linkPhone(server, telegram, { user, bot, key });
  const text = (words: string, messages = 1) =>
    collectBotMessages(telegram, user, bot, () => telegram.type(user, bot, words), messages);
  const ok = (operation: string, input: object = {}) => server.ok(operation, input, { key });
  const contents = async () => {
    const { memories } = await ok('list_memories');
    return (memories as { content: string }[]).map(({ content }) => content);
  };
  const link = async () => ((await ok('list_telegram_links'))['links'] as Record<string, unknown>[])[0];
  return { key, personId, brainId, bot, user, connectionId, text, ok, contents, link };
}

test('a phone that was linked by a key ends when the key is revoked, with a code that it asked for', async () => {
  const phone = await createLinkedPhone();
  const { bot, user, personId } = phone;
  await phone.ok('link_telegram');
  const rows = () => database.rows('select made_by_key from telegram_links where person_id = $1', [personId]);
  const { keys } = await phone.ok('list_keys');
  const key_id = (keys as { key_id: string; label: string }[]).find(({ label }) => label === 'Grace')?.key_id;
  expect(await rows()).toEqual([{ made_by_key: key_id }]);
  expect(await phone.ok('revoke_key', { key_id })).toMatchObject({ ended: { phones: 1 } });
  expect(await rows()).toEqual([]);
  expect(
    (await collectBotMessages(telegram, user, bot, () => telegram.type(user, bot, 'Still there?')))[0],
  ).not.toContain('Stored');
});

const findLastMessage = (phone: { user: { id: number; firstName: string } }, words: string) =>
  telegram.messages(phone.user).findLast(({ text }) => text === words) as Message;

test('a code works once; it expires with time, with a newer code, and at another bot', async () => {
  const phone = await createLinkedPhone();
  const { bot, user, ok, connectionId, personId } = phone;
  const other = telegram.addUser({ firstName: 'Mallory' });
  const start = (code: unknown) =>
    collectBotMessages(telegram, other, bot, () => telegram.type(other, bot, `/start ${code}`));
  const createCode = async () => (await ok('link_telegram'))['code'];
  const [older, newer] = [await createCode(), await createCode()];
  expect((await start(older))[0]).toContain('was used or has expired');
  await database.rows(
    `update one_time_secrets set expires_at = now() where subject_id in (select id from telegram_links where person_id = $1)`,
    [personId],
  );
  expect((await start(newer))[0]).toContain('expired');
  expect(await phone.link()).toMatchObject({ linked_as: `@${user.username}`, connection_id: connectionId });
  const stored = await database.rows('select * from telegram_links join one_time_secrets on subject_id = id');
  expect(JSON.stringify(stored)).not.toContain(String(newer).slice(3));

  const elsewhere = await createLinkedPhone();
  const code = await createCode();
  const answer = await collectBotMessages(telegram, elsewhere.user, elsewhere.bot, () =>
    telegram.type(elsewhere.user, elsewhere.bot, `/start ${code}`),
  );
  expect(answer[0]).toContain('linked already');
  expect(await phone.link()).toMatchObject({ linked_as: `@${user.username}` });
});

test('of two phones that send one code at once, one is linked, and the person sees which', async () => {
  const { ok, bot, link } = await createLinkedPhone();
  const { code } = await ok('link_telegram');
  const phones = ['One', 'Two'].map((firstName) => telegram.addUser({ firstName, username: firstName.toLowerCase() }));
  const answers = await Promise.all(
    phones.map((user) => collectBotMessages(telegram, user, bot, () => telegram.type(user, bot, `/start ${code}`))),
  );
  expect(answers.flat().filter((answer) => answer.includes('is linked to your brain'))).toHaveLength(1);
  expect(['@one', '@two']).toContain((await link())?.['linked_as']);
});

test('a stranger is told once that the bot is private, and gets nothing of the brain', async () => {
  const { bot, text, contents } = await createLinkedPhone();
  await text('The vault code is 4711');
  const stranger = telegram.addUser({ firstName: 'Mallory' });
  const answer = await collectBotMessages(telegram, stranger, bot, () =>
    telegram.type(stranger, bot, 'What is the vault code?'),
  );
  expect(answer).toEqual([expect.stringContaining('private')]);
  expect(answer[0]).not.toMatch(/4711|Grace|http/);
  for (const words of ['/find vault', '/start tg_guess', 'Store this', '/recent']) telegram.type(stranger, bot, words);
  await text('Something that is noted after all of that');
  expect(telegram.messages(stranger).filter(({ fromId }) => fromId === bot.id)).toHaveLength(1);
  expect(await contents()).toEqual(['Something that is noted after all of that', 'The vault code is 4711']);
});

test('in a group the bot only answers that it does not work there', async () => {
  const { bot, user, text } = await createLinkedPhone();
  await text('The vault code is 4712');
  const group = telegram.addGroup({ title: 'All', users: [user], bots: [bot] });
  telegram.type(user, group, 'What is the vault code?');
  telegram.type(user, group, '/recent');
  await text('Another note');
  const answers = telegram.messages(group).filter(({ fromId }) => fromId === bot.id);
  expect(answers.map(({ text }) => text)).toEqual([expect.stringContaining('private chat')]);
});

test('two people with two bots have their own brains, in one workspace and in two', async () => {
  const [ada, grace] = [await createLinkedPhone('Ada'), await createLinkedPhone('Grace')];
  await ada.text('My lantern is red');
  await grace.text('My lantern is green');
  expect((await ada.text('Which lantern is mine?')).join()).not.toContain('green');
  expect((await grace.text('Which lantern is mine?')).join()).toContain('green');

  const { key } = await addWorkspace(server);
  const bot = telegram.addBot({ username: 'others_bot' });
  await connectBot(server, bot, { key });
  await linkPhone(server, telegram, { user: ada.user, bot, key });
  const answer = await collectBotMessages(telegram, ada.user, bot, () =>
    telegram.type(ada.user, bot, 'Which lantern is mine?'),
  );
  expect(answer).toEqual(['I found nothing about that.']);
});

test('a bot in use by one connection is refused to another, in any workspace, until it is released', async () => {
  const { bot, ok, connectionId } = await createLinkedPhone();
  const { key } = await addWorkspace(server);
  await connectBot(server, bot, { key });
  const refused = await server.call('link_telegram', {}, { key });
  expect(refused).toMatchObject({ status: 409, body: { detail: expect.stringContaining('Make another bot') } });
  await ok('revoke_connected_account', { connection_id: connectionId });
  await vi.waitFor(async () => expect((await server.call('link_telegram', {}, { key })).status).toBe(200), 15_000);
});

test('a bot of the workspace serves every member, each with their own brain', async () => {
  const bot = telegram.addBot({ username: 'team_bot' });
  const connectionId = await connectBot(server, bot, { owner: 'workspace' });
  const people = await Promise.all([addPerson(database), addPerson(database)]);
  const phones = people.map((_, index) => telegram.addUser({ firstName: `Member ${index}` }));
  for (const [index, { key }] of people.entries())
    await linkPhone(server, telegram, { user: phones[index]!, bot, key, connectionId });
  for (const user of phones)
    await collectBotMessages(telegram, user, bot, () => telegram.type(user, bot, `I am ${user.firstName}`));
  for (const [index, { key }] of people.entries()) {
    const { memories } = await server.ok('list_memories', {}, { key });
    expect((memories as { content: string }[]).map(({ content }) => content)).toEqual([`I am Member ${index}`]);
  }
});

test('a note is removed: the last one, or the one in the reply', async () => {
  const phone = await createLinkedPhone();
  const { bot, user, text, contents } = phone;
  for (const words of ['The first note', 'The second note', 'The third note']) await text(words);
  const reply = () => telegram.type(user, bot, '/undo', { replyTo: findLastMessage(phone, 'The first note') });
  expect((await collectBotMessages(telegram, user, bot, reply))[0]).toContain('The first note');
  expect((await text('/undo'))[0]).toContain('The third note');
  expect(await contents()).toEqual(['The second note']);
  await text('/undo');
  expect((await text('/undo'))[0]).toContain('no note here that I could undo');
});

test('a question is stored when a command asks for it, and a question without a question mark gets the explanation', async () => {
  const phone = await createLinkedPhone();
  const { bot, user, text, contents } = phone;
  await text('/save Why is the sky blue?');
  expect((await text('Where the lanterns hang'))[0]).toContain('/save');
  const reply = () => telegram.type(user, bot, '/save', { replyTo: findLastMessage(phone, 'Where the lanterns hang') });
  await collectBotMessages(telegram, user, bot, reply);
  expect(await contents()).toEqual(['Where the lanterns hang', 'Why is the sky blue?']);
});

test('notes go to the chosen brain, which must be writable for the person', async () => {
  const { text, ok, link } = await createLinkedPhone();
  const { brain_id } = await ok('create_brain', { name: 'Harbour' });
  expect((await text('/brain'))[0]).toContain('Harbour');
  expect((await text('/brain nowhere'))[0]).toContain('cannot write');
  expect((await text('/brain harb'))[0]).toContain('Harbour');
  expect((await text('The quay is closed'))[0]).toContain('Harbour');
  expect(await ok('list_memories', { brain_id })).toMatchObject({ total: 1 });
  expect(await link()).toMatchObject({ brain_id });
  await ok('delete_brain', { brain_id, confirm: (await ok('list_brains'))['brains'] ? 'Harbour Brain' : '' });
  expect((await text('The quay is open'))[0]).toMatch(/Noted in Grace/);
});

test('the captions of pictures and files are stored, and the answer says that nothing else is', async () => {
  const { bot, user, contents } = await createLinkedPhone();
  const file = { name: 'a.pdf', mimeType: 'application/pdf', content: 'x' };
  const bare = await collectBotMessages(telegram, user, bot, () => telegram.sendFile(user, bot, file));
  expect(bare[0]).toContain('cannot read a file');
  const caption = 'The contract of the mill';
  const beside = await collectBotMessages(telegram, user, bot, () =>
    telegram.sendFile(user, bot, { ...file, caption }),
  );
  expect(beside[0]).toMatch(/Noted[\s\S]+only the text/);
  expect(await contents()).toEqual([caption]);
});

test('a person is told what they may not do, and their next message is handled', async () => {
  const { text, personId, contents } = await createLinkedPhone();
  await database.rows(`update brain_members set access_level = 'viewer' where person_id = $1`, [personId]);
  expect((await text('This cannot be stored'))[0]).toContain('needs the role editor');
  await database.rows(`update brain_members set access_level = 'owner' where person_id = $1`, [personId]);
  await text('But this can');
  expect(await contents()).toEqual(['But this can']);
});

test('after unlinking on either side, the phone counts as a stranger’s', async () => {
  const one = await createLinkedPhone();
  expect(await one.ok('unlink_telegram')).toMatchObject({ unlinked: `@${one.user.username}` });
  expect((await one.text('Does anybody hear me?'))[0]).toContain('private');
  const two = await createLinkedPhone();
  expect((await two.text('/unlink'))[0]).toContain('no longer linked');
  expect(await two.link()).toMatchObject({ linked_as: null });
  expect((await two.text('/recent'))[0]).toContain('private');
});

test('an agent gets the page for its person instead of a code', async () => {
  const phone = await createLinkedPhone();
  const { key } = await phone.ok('create_key', { label: 'An agent' });
  const { status, body } = await server.call('link_telegram', {}, { key: String(key) });
  expect(status).toBe(403);
  expect(body['detail']).toContain('/integrations/telegram');
});

test('Telegram shows the commands', async () => {
  const { bot } = await createLinkedPhone();
  expect(bot.commands).toContainEqual({ command: 'undo', description: expect.any(String) });
});

test('a bot pauses as long as Telegram asks, and then sends its answers', async () => {
  const { bot, user, link, contents } = await createLinkedPhone();
  telegram.failures.next(
    { account: bot.username, path: /sendMessage/ },
    { kind: 'status', status: 429, retryAfter: 3 },
    1,
  );
  const begun = Date.now();
  const answer = collectBotMessages(telegram, user, bot, () => telegram.type(user, bot, 'The mill stands still'));
  await vi
    .waitFor(async () => expect(await link()).toMatchObject({ state: 'failing', failure: /429/ }), 5_000)
    .catch(() => {});
  expect((await answer)[0]).toContain('Noted');
  expect(Date.now() - begun).toBeGreaterThan(2_900);
  expect(await contents()).toEqual(['The mill stands still']);
  await vi.waitFor(async () => expect(await link()).toMatchObject({ state: 'listening', failure: null }), 5_000);
});

test('another program that receives the messages is reported, and listening resumes afterwards', async () => {
  const { bot, link, text } = await createLinkedPhone();
  await sleep(500); // it waits for updates again
  await fetch(`${telegram.url}/bot${bot.token}/getUpdates`, { method: 'POST' });
  await vi.waitFor(async () => expect(await link()).toMatchObject({ state: 'failing' }), 5_000);
  expect(String((await link())?.['failure'])).toContain('Another program');
  expect((await text('The mill turns again'))[0]).toContain('Noted');
  await vi.waitFor(async () => expect(await link()).toMatchObject({ state: 'listening', failure: null }), 5_000);
});

test('a revoked token is reported, and a new one works', async () => {
  const { bot, link, key, connectionId, ok, user, contents } = await createLinkedPhone();
  telegram.revokeToken(bot);
  telegram.failures.next({ path: new RegExp(bot.token) }, { kind: 'status', status: 401 }, 1);
  await sleep(10);
  await ok('test_connection', { connection_id: connectionId });
  await vi.waitFor(async () => expect(await link()).toMatchObject({ state: 'off' }), 15_000);
  expect(await ok('get_connection', { connection_id: connectionId })).toMatchObject({ status: 'reconnect_needed' });
  const again = telegram.addBot({ username: bot.username });
  Object.assign(again, { id: bot.id, lastUpdate: bot.lastUpdate }); // BotFather issues another token for the same bot
  expect(await connectBot(server, again, { key })).toBe(connectionId);
  await ok('link_telegram');
  const typed = () => collectBotMessages(telegram, user, again, () => telegram.type(user, again, 'Here I am again'));
  await withoutPauses(server.connectionString, typed);
  expect(await contents()).toEqual(['Here I am again']);
}, 40_000);

test('no answer, table or error contains the token of a bot', async () => {
  const { bot, link } = await createLinkedPhone();
  telegram.failures.next({ account: bot.username }, { kind: 'status', status: 400, reason: `bad ${bot.token}` }, 3);
  await sleep(500); // the listener has failed by then
  const seen = JSON.stringify([await link(), await database.dump()]);
  expect(seen).not.toContain(bot.token);
  expect(seen).not.toContain(bot.token.split(':')[1]);
});
