// Reads through a link: the part in a transaction, where the rules are asked, and the part after it.
import type { Caller } from '#kernel/caller';
import type { Db } from '#kernel/database';
import { AppError } from '#kernel/errors';
import { findConnection, type ConnectionRow } from '#modules/connections';
import { checkRead, type ReadRuling } from '#modules/policy';
import { listReadings, parseAddress } from '#platform/egress';
import type { AdapterOperation, AdapterRow } from '#providers/kit';
import { ProviderError } from '#providers/http';
import { limits } from '../limits.ts';
import type { BoardLinkRow } from '../store/tables.ts';
import { createAccountNeededError, getAdapter, parseRef } from './adapters.ts';
import type { LinkReaders } from './link-readers.ts';

/** Asks the rules whether a source may be read through an account; throws `forbidden` otherwise. */
export type JudgeRead = (db: Db, source: string, account: string, targets?: readonly string[]) => Promise<ReadRuling>;

/** By the rules for a caller who asks now. */
export function createCallerJudge(caller: Caller): JudgeRead {
  return (db, source, account, targets) => checkRead({ db, caller }, source, account, targets);
}

/** How a link may be read: through an account by a ruling, or as anybody, with the rules asked about each address. */
export type LinkAccess =
  | { by: 'account'; connection: ConnectionRow; ruling: ReadRuling }
  | { by: 'anybody'; address: string };

type LinkTarget = Pick<
  BoardLinkRow,
  'kind' | 'ref' | 'integration_provider' | 'connection_id' | 'ended_at' | 'end_reason'
>;

/** A link that was imported: it reads through an account, and has none. */
export function isWithoutAccount(link: Pick<LinkTarget, 'integration_provider' | 'connection_id'>): boolean {
  return link.integration_provider !== null && link.connection_id === null;
}

/** Throws when the link ended, when its account is not linked any more, and when the rules do not allow to read it. */
export async function judgeLink(db: Db, link: LinkTarget, judge: JudgeRead): Promise<LinkAccess> {
  if (link.ended_at) throw new AppError('conflict', `${link.end_reason ?? 'The link ended.'} Make the link again.`);
  const { adapter } = getAdapter(link.kind);
  const ref = parseRef(adapter, link.ref); // an imported one was never checked
  if (isWithoutAccount(link)) throw createImportedError(link);
  if (link.connection_id !== null) {
    const connection = await findConnection(db, link.connection_id);
    if (connection?.status !== 'active')
      throw new AppError('conflict', `The account of this link must be linked again, or the link made again.`);
    return { by: 'account', connection, ruling: await judge(db, link.kind, connection.account) };
  }
  const address = adapter.findPublicAddress(ref);
  if (address === null) throw createAccountNeededError(adapter);
  await judgeAddress(db, link.kind, address, judge);
  return { by: 'anybody', address };
}

function createImportedError({ integration_provider: provider }: LinkTarget): AppError {
  return new AppError(
    'conflict',
    `This link was imported without its account of ${provider}. Delete it, and make it again with integration_provider: "${provider}".`,
  );
}

/** The rules for reading the service, and those for reading the web, are both asked about the address that is read. */
async function judgeAddress(db: Db, source: string, url: string, judge: JudgeRead): Promise<void> {
  const address = parseAddress(url);
  const targets = listReadings(address).map((reading) => `GET ${reading}`);
  await judge(db, source, address.hostname, targets);
  await judge(db, 'http', address.hostname, targets);
}

/** What is read through a link. */
export type LinkReading = {
  link: BoardLinkRow;
  access: LinkAccess;
  operation: AdapterOperation;
  params: object;
  now: Date;
};

/** The rows of a link, at most `most`; beyond that it throws `plan_limit`, unless `isSample` takes only the first ones. */
export async function readLinkRows(
  readers: LinkReaders,
  { link, access, operation, params, now }: LinkReading,
  judge: JudgeRead,
  { most, isSample = false }: { most: number; isSample?: boolean },
): Promise<AdapterRow[]> {
  const { provider } = getAdapter(link.kind).source;
  const reader =
    access.by === 'account'
      ? readers.open.openAccountReader(access.connection, access.ruling)
      : readers.open.openPublicReader({
          workspaceId: link.workspace_id,
          provider,
          address: access.address,
          judge: (url) => readers.transact(link.workspace_id, (db) => judgeAddress(db, link.kind, url, judge)),
        });
  try {
    return await collectRows(operation.read(reader, { ref: link.ref, params: { ...params }, now }), { most, isSample });
  } catch (error) {
    throw access.by === 'anybody' ? explainAnonymous(error, provider) : error;
  }
}

async function collectRows(
  batches: AsyncIterable<readonly AdapterRow[]>,
  { most, isSample }: { most: number; isSample: boolean },
): Promise<AdapterRow[]> {
  const rows: AdapterRow[] = [];
  let bytes = 0;
  for await (const batch of batches) {
    rows.push(...batch);
    if (isSample && rows.length >= most) return rows.slice(0, most);
    bytes += batch.reduce((sum, row) => sum + JSON.stringify(row).length, 0);
    if (rows.length > most || bytes > limits.bytesPerAnswer)
      throw new AppError('plan_limit', `This list has more than ${most} rows, or is too large. Narrow it by params.`);
  }
  return rows;
}

/** A service hides what is private from those without an account, so its error alone would mislead. */
function explainAnonymous(error: unknown, provider: string): unknown {
  if (!(error instanceof ProviderError) || ![401, 403, 404].includes(error.status ?? 0)) return error;
  const message = `${error.message} It was read without an account. If it is private, make the link with integration_provider: "${provider}".`;
  return new AppError('upstream_failed', message, error.details, { cause: error });
}
