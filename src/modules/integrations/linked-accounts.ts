import type { Context } from '#kernel/context';
import { AppError } from '#kernel/errors';
import { isAccountHolder, listConnections, listMissingAccountScopes, type ConnectionRow } from '#modules/connections';
import { listCredentialHolders, resolveByChain } from '#modules/variables';
import type { Source } from '#providers/reading';

/** The properties of a source that decide which accounts can serve it. */
export type SourceNeeds = Pick<Source, 'name' | 'label' | 'provider' | 'scopes' | 'linkedBy'>;

/** A linked account as one source sees it: it may lack the permission for this source. */
export type AccountOfSource = {
  row: ConnectionRow;
  status: ConnectionRow['status'] | 'missing_permission';
  reason: string | null;
  /** Whether it has any scope for acting; an account may be for reading only. */
  mayAct: boolean;
  /** The additional actions with all scopes for acting. */
  lacks: string[];
};

/** A usable account, and the link of the caller's credential chain that it comes from. */
export type AnsweringAccount = ConnectionRow & { link: string };

/** What the account is for; `scopes`: the scopes of the source that it needs. */
export type AccountRequest = {
  account?: string | undefined;
  publicUrl: string;
  scopes?: readonly string[] | undefined;
  /** Only an account of this person, in place of the caller's chain. The caller's right to it was checked before. */
  personId?: string | undefined;
};

/** The scopes that an account needs for reading, or with the capability `act` also for actions. */
export function listCapabilityScopes({ scopes }: Pick<Source, 'scopes'>, capability: 'read' | 'act'): string[] {
  return scopes.filter((each) => capability === 'act' || each.for !== 'act').map(({ scope }) => scope);
}

type Holders = Awaited<ReturnType<typeof listCredentialHolders>>;

/**
 * The caller's accounts by source. Accounts of nearer links of the credential chain come first, then those linked
 * longest ago.
 */
export async function listAccountsBySource(
  ctx: Context,
  sources: readonly SourceNeeds[],
): Promise<ReadonlyMap<string, AccountOfSource[]>> {
  const rows = await listConnections(ctx.db, await listCredentialHolders(ctx.db, ctx.caller));
  return new Map(sources.map((source) => [source.name, selectSourceAccounts(rows, source)]));
}

async function listHolderAccounts(
  ctx: Context,
  holders: Holders,
  source: SourceNeeds,
  scopes: AccountRequest['scopes'],
): Promise<AccountOfSource[]> {
  return selectSourceAccounts(await listConnections(ctx.db, holders, { provider: source.provider }), source, scopes);
}

function selectSourceAccounts(
  rows: readonly ConnectionRow[],
  source: SourceNeeds,
  scopes: readonly string[] = listCapabilityScopes(source, 'read'),
): AccountOfSource[] {
  const ofProvider = rows.filter(({ provider }) => provider === source.provider);
  return ofProvider.flatMap((row) => findSourceAccount(row, source, scopes) ?? []);
}

/** The sources that the caller's linked accounts can serve now: for reading, or for acting. */
export async function listConnectedSources(
  ctx: Context,
  sources: readonly SourceNeeds[],
  capability: 'read' | 'act',
): Promise<string[]> {
  const accounts = await listAccountsBySource(ctx, sources);
  const serves = ({ status, mayAct }: AccountOfSource) => status === 'active' && (capability === 'read' || mayAct);
  return [...accounts].filter(([, of]) => of.some(serves)).map(([name]) => name);
}

/** The page where a person links an account for a source. */
export function connectUrl(publicUrl: string, source: Pick<Source, 'name'>): string {
  return `${publicUrl}/integrations/${source.name}`;
}

/**
 * The account for a source: the named one, or the only one of the first link of the caller's credential chain that has
 * any. The audit row names that link. Without an account throws an error that says what the person must do; with
 * several throws `invalid_input` with their names.
 */
export async function chooseAccount(
  ctx: Context,
  source: SourceNeeds,
  { account, publicUrl, scopes, personId }: AccountRequest,
): Promise<AnsweringAccount> {
  const holders = personId
    ? [{ scope: 'person' as const, scopeId: personId, link: 'owner' as const }]
    : await listCredentialHolders(ctx.db, ctx.caller);
  const known = await listHolderAccounts(ctx, holders, source, scopes);
  const wanted = known.filter(({ row }) => account === undefined || isCalled(row, account));
  const usable = wanted.filter(({ status }) => status === 'active');
  const answer = await answerOfChain(ctx, holders, usable);
  if (answer && answer.accounts.length > 1) throw createSeveralAccountsError(source, answer.accounts);
  if (answer?.accounts[0]) return { ...answer.accounts[0].row, link: answer.link };
  if (wanted[0]) throw linkAgain(source, wanted[0], publicUrl);
  throw createNotLinkedError(source, known, { account, publicUrl });
}

/** Null when the caller has an account for the source, usable or not; else the message for the caller. */
export async function noteUnlinked(ctx: Context, source: SourceNeeds, publicUrl: string): Promise<string | null> {
  const known = await listHolderAccounts(ctx, await listCredentialHolders(ctx.db, ctx.caller), source, undefined);
  return known.length ? null : createNotLinkedError(source, known, { publicUrl }).message;
}

/** Finds an account by its id, by its name at the provider, or by its name on pages. */
function isCalled({ id, account, known_as }: ConnectionRow, name: string): boolean {
  return [id, account, known_as].some((each) => each.toLowerCase() === name.toLowerCase());
}

/**
 * The linked account with this id, which the kernel has resolved already. Throws when the account cannot serve the
 * source.
 */
export async function loadAccountById(
  ctx: Context,
  connectionId: string,
  source: SourceNeeds,
  { publicUrl, scopes }: AccountRequest,
): Promise<AnsweringAccount> {
  const holders = await listCredentialHolders(ctx.db, ctx.caller);
  const account = (await listHolderAccounts(ctx, holders, source, scopes)).find(({ row }) => row.id === connectionId);
  const answer = account?.status === 'active' && (await answerOfChain(ctx, holders, [account]));
  if (account && answer) return { ...account.row, link: answer.link };
  if (account) throw linkAgain(source, account, publicUrl);
  throw createNotLinkedError(source, [], { account: undefined, publicUrl });
}

/** The accounts of the first link of the chain that has any. Notes that link for the audit row. */
async function answerOfChain(
  ctx: Context,
  holders: Holders,
  accounts: readonly AccountOfSource[],
): Promise<{ accounts: AccountOfSource[]; link: string } | null> {
  const found = await resolveByChain(holders, (holder) => {
    const holderAccounts = accounts.filter(({ row }) => isAccountHolder(row, holder));
    return holderAccounts.length ? holderAccounts : undefined;
  });
  if (!found) return null;
  const { value, holder } = found;
  if (value[0] && value.length === 1) {
    const { id, provider } = value[0].row;
    ctx.auditFacts['credentials'] = [{ connection_id: id, provider, link: holder.link }];
  }
  return { accounts: value, link: holder.link };
}

function findSourceAccount(row: ConnectionRow, source: SourceNeeds, wanted: readonly string[]): AccountOfSource | null {
  const { label, scopes, linkedBy } = source;
  if (linkedBy && row.kind !== linkedBy) return null;
  const lacking = new Set(listMissingAccountScopes(row, listCapabilityScopes(source, 'act')));
  if (lacking.size && lacking.size === scopes.length) return null;
  const forActing = scopes.filter((each) => each.for === 'act');
  const lacks = forActing.flatMap(({ scope, why }) => (lacking.has(scope) ? [why] : []));
  const acting = { mayAct: !lacks.length || lacks.length < forActing.length, lacks };
  if (row.status !== 'active') return { row, status: row.status, reason: row.status_reason, ...acting };
  if (!wanted.some((scope) => lacking.has(scope))) return { row, status: 'active', reason: null, ...acting };
  const reason = `${row.account} was linked without a permission ${label} needs. Link it again and leave every box ticked.`;
  return { row, status: 'missing_permission', reason, ...acting };
}

function createSeveralAccountsError({ label }: SourceNeeds, accounts: readonly AccountOfSource[]): AppError {
  // Two calendars of one host may have the same name: their ids distinguish them.
  const isSaid = new Set(accounts.map(({ row }) => row.account)).size === accounts.length;
  const names = accounts.map(({ row }) => (isSaid ? row.account : row.id));
  const shown = accounts.map(({ row }) => (isSaid ? row.account : `${row.id} (${row.account})`));
  const message = `account: several accounts are linked for ${label}. Say which: ${shown.join(', ')}.`;
  return new AppError('invalid_input', message, { accounts: names });
}

function linkAgain(source: SourceNeeds, { row, reason }: AccountOfSource, publicUrl: string): AppError {
  const url = connectUrl(publicUrl, source);
  return new AppError('conflict', `${reason ?? `${row.account} must be linked again.`} Open ${url}`, {
    connection_id: row.id,
    connect_url: url,
  });
}

function createNotLinkedError(
  source: SourceNeeds,
  known: readonly AccountOfSource[],
  { account, publicUrl }: { account?: string | undefined; publicUrl: string },
): AppError {
  const url = connectUrl(publicUrl, source);
  const linked = known.map(({ row }) => row.account).join(', ');
  const what =
    account && linked
      ? `There is no account ${account} for ${source.label}. Linked accounts: ${linked}.`
      : `${source.label} is not linked.`;
  return new AppError('conflict', `${what} Ask the person to link it at ${url}`, { connect_url: url });
}
