// A server that starts with another master key would look healthy, but could open no secret.
import { createOwnerPool, type Connection } from '#platform/database';
import { escapeLiteral } from 'pg';

/** Selects the ids of the root keys that wrap data keys, each as `text`. */
export const rootKeyIdsQuery = 'select distinct root_key_id as text from data_keys order by 1';

const lostMark = 'lost root keys: ';

/** Throws an error that names the setting to change when data keys are wrapped by another root key. */
export async function checkRootKeys(owner: Connection, rootKeyIds: readonly string[]): Promise<void> {
  const { needed, lost } = await readRootKeys(owner);
  const missing = needed.filter((id) => !rootKeyIds.includes(id) && !lost.includes(id));
  if (!missing.length) return;
  throw new Error(
    `The stored secrets were sealed with another master key (${missing.join(', ')}; this one is ${rootKeyIds[0] ?? 'not there'}). Set THALAMUS_MASTER_KEY to that key. ` +
      'If the key changed, set THALAMUS_MASTER_KEY_PREVIOUS to the former one, and run `thalamus rotate-master-key`. Without the setting the key is master.key in THALAMUS_DATA_DIR.',
  );
}

/** Marks all other root keys as lost, after a restore without them, so that a server can start. */
export async function giveUpRootKeys(owner: Connection, rootKeyIds: readonly string[]): Promise<void> {
  const { needed } = await readRootKeys(owner);
  const lost = needed.filter((id) => !rootKeyIds.includes(id));
  if (!lost.length) return;
  // A comment belongs only to this database: no row differs from the backup.
  await runAsOwner(owner, (query) =>
    query(`comment on table data_keys is ${escapeLiteral(lostMark + lost.join(' '))}`),
  );
}

async function readRootKeys(owner: Connection): Promise<{ needed: string[]; lost: string[] }> {
  return runAsOwner(owner, async (query) => {
    await query("set local thalamus.backup = 'on'"); // shows the owner the rows of all workspaces
    const [table] = await query(`select coalesce(to_regclass('data_keys')::text, '') as text`);
    if (!table?.text) return { needed: [], lost: [] }; // nothing was migrated yet
    const needed = (await query(rootKeyIdsQuery)).map(({ text }) => text);
    const [comment] = await query(`select coalesce(obj_description('data_keys'::regclass, 'pg_class'), '') as text`);
    return { needed, lost: comment?.text.startsWith(lostMark) ? comment.text.slice(lostMark.length).split(' ') : [] };
  });
}

type Query = (text: string) => Promise<{ text: string }[]>;

async function runAsOwner<T>(owner: Connection, work: (query: Query) => Promise<T>): Promise<T> {
  const pool = createOwnerPool(owner, 1);
  const client = await pool.connect();
  try {
    await client.query('begin');
    const answer = await work(async (text) => (await client.query<{ text: string }>(text)).rows);
    await client.query('commit');
    return answer;
  } finally {
    client.release(true);
    await pool.end();
  }
}
