import { afterAll, beforeAll, expect, test } from 'vitest';
import { startUpstreams } from '../crash/matrix/index.ts';
import { act } from '../support/acting.ts';
import { startWatchedServer, type WatchedServer } from '../support/watched-server.ts';

const { upstreams, subjects } = await startUpstreams(true);

let server: WatchedServer;
beforeAll(async () => {
  const allowed = upstreams.flatMap(({ settings }) => settings['THALAMUS_EGRESS_ALLOW'] ?? []).join(',');
  const ledger = { ever: () => upstreams.flatMap((upstream) => upstream.ledger.ever()) };
  server = await startWatchedServer(
    { ledger },
    {
      ...Object.assign({}, ...upstreams.map(({ settings }) => settings)),
      ...(allowed && { THALAMUS_EGRESS_ALLOW: allowed }),
    },
  );
  for (const upstream of upstreams) await upstream.link(server);
});
afterAll(async () => {
  await server.close();
  for (const upstream of upstreams) await upstream.close();
});

/** What no provider takes back, or what would have to be guessed: what stood there before a change is not known. */
const stays = ['gmail send_email', 'outlook send_email', 'notion create_comment', 'http_json send_request'];

test.for(subjects.map((subject, position) => [subject.name, subject, `undo-n${position}x`] as const))(
  '%s: there once, and where it can be taken back it is gone, once or twice the same',
  async ([name, subject, marker]) => {
    const action = await act(server, await subject.wish(marker));
    expect(action).toMatchObject({ status: 'confirmed', ledger_is_whole: true });
    expect(await subject.visible(marker)).toBe(1);
    const { fields } = action['preview'] as { fields: { label: string }[] };
    expect(fields.map(({ label }) => label)).not.toContain('Not looked up');
    if (subject.handle === 'state' || stays.includes(name)) return void expect(action['undo']).toBeNull();
    expect(action['undo']).toMatchObject({ says: expect.any(String) });
    for (const _ of ['once', 'twice'])
      expect(await server.ok('undo_action', { draft_id: action['draft_id'] })).toMatchObject({ status: 'undone' });
    expect(await subject.visible(marker)).toBe(0);
  },
);

test('nothing that is secret was said by the server or stands in a table', async () => {
  const secrets = upstreams.flatMap(({ settings }) => Object.entries(settings)).filter(([name]) => /SECRET/.test(name));
  expect(secrets.length).toBeGreaterThan(5);
  expect(await server.leaks(Object.fromEntries(secrets))).toEqual([]);
});
