import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { expect, test } from 'vitest';
import { createTestDatabase } from '../support/postgres.ts';
import { buildServerSettings, startServerProcess, type ServerProcess } from '../support/server-process.ts';

const key = `cm_${'ingestkey'.repeat(4)}four`;
const senders = 64;
const itemsEach = 30;
const kills = 3;

test('64 senders that retry lose nothing and duplicate nothing while the server is killed three times', async () => {
  const database = await createTestDatabase();
  const settings = { ...buildServerSettings(database.connectionString), THALAMUS_RATE_LIMIT: '1000000' };
  let server: ServerProcess = await startServerProcess(settings, key);
  try {
    const { webhook_token } = await server.ok('create_connector', { name: 'Load', source: 'make' });
    const token = String(webhook_token);
    const answered: string[] = [];
    const send = async (sender: number) => {
      for (let at = 0; at < itemsEach; at += 1) {
        const item = { content: `Sender ${sender} says ${at}`, source_id: `s${sender}-${at}` };
        // After any error, the sender retries the same request.
        while ((await server.call('ingest', item, { key: token }).catch(() => null))?.status !== 200) await sleep(20);
        answered.push(item.source_id);
      }
    };
    const sending = Promise.all(Array.from({ length: senders }, (_none, sender) => send(sender)));
    for (let kill = 1; kill <= kills; kill += 1) {
      const enough = (kill * senders * itemsEach) / (kills + 1);
      while (answered.length < enough) await sleep(10);
      await server.kill();
      server = await startServerProcess(settings, key);
    }
    await sending;
    const client = new Client({ connectionString: database.connectionString });
    await client.connect();
    const { rows } = await client.query('select source_id, count(*) as count from memories group by source_id');
    await client.end();
    expect(rows).toHaveLength(senders * itemsEach);
    expect(rows.filter(({ count }) => Number(count) !== 1)).toEqual([]);
  } finally {
    await server.stop();
    await database.drop();
  }
}, 300_000);
