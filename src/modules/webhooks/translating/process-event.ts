// Processes one event. Its documents, outcome and follow-ups are stored in one transaction.
import type { Calls } from '#kernel/calls';
import type { Db, Transactions } from '#kernel/database';
import type { Jobs } from '#platform/jobs';
import type { Sandbox } from '#platform/sandbox';
import type { Search } from '#platform/search';
import type { Outcome } from '../outcomes.ts';
import { findVersion } from '../store/connectors.ts';
import { endEvent, lockEvent, type EventEnd } from '../store/events.ts';
import type { ConnectorRow, DocumentRow, EventRow, VersionRow } from '../store/tables.ts';
import { buildConnectorCaller, describeSender } from './connector-caller.ts';
import type { TranslatedDocument } from './documents.ts';
import { buildEventInput } from './build-input.ts';
import { storeDocuments } from './store-documents.ts';
import { translate, type TranslationRun } from './translate.ts';

/** A stored event, for subscribers in the same transaction. */
export type ArrivedEvent = {
  connector: ConnectorRow;
  event: EventRow;
  documents: readonly { row: DocumentRow; document: TranslatedDocument }[];
};

export type ProcessEventDeps = {
  transactions: Transactions;
  sandbox: Sandbox;
  calls: Calls;
  search: Search;
  jobs: Jobs;
  now: () => Date;
  newId: () => string;
  /** Notifies the owner of an outcome that needs them. */
  alert(db: Db, connector: ConnectorRow, end: EventEnd): Promise<void>;
  /** Passes the event on to destinations. Returns what to do after the transaction. */
  passOn(db: Db, arrived: ArrivedEvent): Promise<() => void>;
  /** Emits the event for open pages. */
  emitReceived(db: Db, connector: ConnectorRow, event: EventRow, outcome: Outcome): Promise<void>;
  count(connectorId: string, outcome: string): void;
};

const mostAttempts = 5;

/** An event with the result of its translator. */
export type TranslatedEvent = { event: EventRow; version: VersionRow; translated: TranslationRun };

/** Translates an event with its chosen version, or the active one. Nothing is stored. */
export async function translateEvent(
  { transactions, sandbox }: Pick<ProcessEventDeps, 'transactions' | 'sandbox'>,
  connector: ConnectorRow,
  event: EventRow,
): Promise<TranslatedEvent> {
  const versionId = event.version_id ?? connector.active_version_id ?? connector.head_version_id;
  const { version, input } = await transactions.run(connector.workspace_id, 'read', async (db) => ({
    version: await findVersion(db, versionId),
    input: await buildEventInput(db, event),
  }));
  if (event.attempts > mostAttempts) return { event, version, translated: givenUp };
  const turn = { kind: 'translation' as const, of: connector.person_id };
  const how = { domain: `webhook:${versionId}`, turn };
  return { event, version, translated: await translate(sandbox, version, input, how) };
}

const givenUp: TranslationRun = {
  translation: { kind: 'error', message: 'The server stopped repeatedly while this event was translated.' },
  output: null,
  logs: '',
  durationMs: 0,
};

/** Stores the outcome of an event. Does nothing when another process has leased it. */
export async function storeEvent(
  working: ProcessEventDeps,
  connector: ConnectorRow,
  ready: TranslatedEvent,
): Promise<void> {
  const { transactions, now } = working;
  const { outcome, afterCommit } = await transactions.run(
    connector.workspace_id,
    'write',
    async (db) => {
      if (!(await lockEvent(db, ready.event.id, connector))) return { outcome: null, afterCommit: null };
      const { end, documents } = await finishTranslation(working, db, connector, ready);
      await endEvent(db, ready.event.id, end, now());
      const afterCommit = documents.length
        ? await working.passOn(db, { connector, event: ready.event, documents })
        : null;
      if (end.outcome === 'translator_error' || end.outcome === 'ingest_error') await working.alert(db, connector, end);
      await working.emitReceived(db, connector, ready.event, end.outcome);
      return { outcome: end.outcome, afterCommit };
    },
    { mayRepeat: true },
  );
  afterCommit?.();
  if (outcome) working.count(connector.id, outcome);
}

async function finishTranslation(
  working: ProcessEventDeps,
  db: Db,
  connector: ConnectorRow,
  { event, version, translated }: TranslatedEvent,
) {
  const { translation, output, durationMs } = translated;
  const base = { version_id: version.id, translator_output: shortenOutput(output), duration_ms: durationMs };
  const without = (outcome: Outcome, detail: string) => ({
    end: { ...base, outcome, detail, documents: null },
    documents: [],
  });
  if (connector.state === 'deleted') return without('refused', 'The connector was deleted before this was translated.');
  if (translation.kind === 'error') return without('translator_error', translation.message);
  if (translation.kind === 'drop') return without('dropped', translation.reason);
  const caller = await buildConnectorCaller(db, connector, version);
  if (!caller) return without('ingest_error', 'The account of the owner was deleted.');
  const ctx = working.calls.systemContext(db, caller, working.newId());
  const of = { connectorId: connector.id, brainId: version.brain_id, sender: describeSender(version) };
  const rows = await storeDocuments(ctx, working, of, event, translation.documents);
  const documents = rows.flatMap((row, at) => {
    const document = translation.documents[at];
    return row.error === null && document ? [{ row, document }] : [];
  });
  const outcome = documents.length === rows.length ? 'success' : documents.length ? 'partial' : 'ingest_error';
  const detail = rows.find(({ error }) => error !== null)?.error ?? null;
  return { end: { ...base, outcome: outcome as Outcome, detail, documents: rows }, documents };
}

const longestOutput = 1_000_000;

/** The translator's result, truncated for storing. */
function shortenOutput(output: unknown): unknown {
  if (output === null || output === undefined) return null;
  const json = JSON.stringify(output);
  return json.length <= longestOutput ? output : { cut: json.slice(0, 20_000).toWellFormed() };
}
