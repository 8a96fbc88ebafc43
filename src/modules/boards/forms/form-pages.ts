// What is behind the address of a form: it shows the fields, sorts a text into them, and appends a row. Nothing of the board is shown.
import type { Caller } from '#kernel/caller';
import type { Catalogue } from '#kernel/catalogue';
import type { Db, Transactions } from '#kernel/database';
import { AppError } from '#kernel/errors';
import type { Execute } from '#kernel/execute';
import { memoizePerServer } from '#kernel/module';
import { createRateLimit, findPerson } from '#modules/accounts';
import { getMeteredLlm, type MeteredLlm } from '#modules/usage';
import type { Ground } from '#platform';
import { newId, now } from '#platform/clock';
import { readPresented } from '#platform/database';
import type { Log } from '#platform/log';
import { hashSecret } from '#platform/one-time-secrets';
import type { Kysely } from 'kysely';
import { createBoardCaller } from '../board-caller.ts';
import type { Column } from '../columns.ts';
import { limits } from '../limits.ts';
import { rowIdField } from '../rows/row-id.ts';
import { findBoard } from '../store/boards.ts';
import { listDatasets } from '../store/datasets.ts';
import { countEntry, findForm, findPresentedForm, hasEntry, insertEntry, takeSorting } from '../store/forms.ts';
import type { BoardFormRow } from '../store/tables.ts';
import { formTypes, parseTexts, type FormTexts } from './form-fields.ts';
import { sortText } from './sort-text.ts';

/** A form as its page shows it. */
export type FormView = { title: string; intro: string; columns: Column[]; hasFreeText: boolean };

/** An open form, with the server that writes for its maker. */
type OpenForm = { row: BoardFormRow; view: FormView; caller: Caller };

/** The form takes nothing any more. Its page answers 410. */
export class FormClosed extends AppError {
  constructor() {
    super('conflict', 'This form is closed. Ask the person who gave it to you for a new one.');
    this.name = 'FormClosed';
  }
}

/** The same page was sent before. */
class EntryRepeated extends Error {}

export type SentForm = { nonce: string; texts: FormTexts };
type SendDeps = { execute: Execute; catalogue: Catalogue; requestId: string };

export type BoardForms = {
  /** Throws `not_found` for an unknown address and `FormClosed` for a form that was closed. */
  open(token: string): Promise<FormView>;
  /** The fields that a text was sorted into; null: the sender fills them in. */
  sort(token: string, text: string, requestId: string): Promise<{ view: FormView; texts: FormTexts | null }>;
  /** Appends one row, once for each page. Throws `invalid_input` that names the field, and `unavailable` when the board takes no row. */
  send(token: string, sent: SentForm, deps: SendDeps): Promise<FormView>;
};

type FormDeps = {
  db: Kysely<unknown>;
  transactions: Transactions;
  llm: MeteredLlm | null;
  log: Pick<Log, 'warn'>;
  /** Takes one page from the form's minute. Throws `rate_limited`. */
  limit(of: { id: string; workspaceId: string }): Promise<void> | void;
  now: () => Date;
  newId: () => string;
};

/** The forms of a server's boards. */
export const getBoardForms = memoizePerServer((ground: Ground): BoardForms => {
  const { db, transactions, log } = ground;
  const callsPerMinute = limits.formPagesPerMinute;
  const limit = createRateLimit({ limiter: 'board_forms', transactions, callsPerMinute, now });
  return createBoardForms({ db, transactions, log, llm: getMeteredLlm(ground), limit, now, newId });
});

function createBoardForms(deps: FormDeps): BoardForms {
  return {
    open: async (token) => (await openForm(deps, token)).view,
    async sort(token, text, requestId) {
      const { row, view, caller } = await openForm(deps, token);
      const { id, workspace_id: workspaceId } = row;
      await deps.limit({ id, workspaceId });
      const { llm, transactions } = deps;
      const day = deps.now().toISOString().slice(0, 10);
      const mayAsk =
        llm !== null &&
        view.hasFreeText &&
        (await transactions.run(workspaceId, 'write', (db) => takeSorting(db, id, day, limits.sortedTextsPerDay)));
      if (!mayAsk) return { view, texts: null };
      const { title, columns } = view;
      return { view, texts: await sortText(llm, { caller, requestId }, { title, columns, text }) };
    },
    async send(token, { nonce, texts }, { execute, catalogue, requestId }) {
      const { row, view, caller } = await openForm(deps, token);
      const { id, workspace_id: workspaceId } = row;
      if (await deps.transactions.run(workspaceId, 'read', (db) => hasEntry(db, id, nonce))) return view;
      await deps.limit({ id, workspaceId });
      const cells = parseTexts(view.columns, texts);
      const operation = catalogue.get('append_board_rows');
      if (!operation) throw new Error('there is no operation append_board_rows');
      const rowId = deps.newId();
      const input = { board_id: row.board_id, dataset: row.dataset, rows: [{ ...cells, [rowIdField]: rowId }] };
      const alongside = async (db: Db) => {
        if (!(await insertEntry(db, { form: row, nonce, rowId, at: deps.now() }))) throw new EntryRepeated();
        if (!(await countEntry(db, id, deps.now()))) throw new FormClosed();
      };
      await execute({ operation, input, caller, face: 'server', requestId, alongside }).catch((error: unknown) => {
        if (!(error instanceof EntryRepeated)) throw explainRefusal(deps, row, error);
      });
      return view;
    },
  };
}

/** Its errors would tell the sender of the board. */
function explainRefusal({ log }: FormDeps, { id }: BoardFormRow, error: unknown): unknown {
  if (!(error instanceof AppError) || error instanceof FormClosed || error.code === 'rate_limited') return error;
  log.warn({ err: error, form_id: id }, 'a form could not store what was sent');
  if (error.code === 'not_found' || error.code === 'forbidden') return new FormClosed();
  const message =
    'This form cannot take answers at the moment. Nothing was stored. Tell the person who gave it to you.';
  return new AppError('unavailable', message, {}, { cause: error });
}

async function openForm({ db, transactions }: FormDeps, token: string): Promise<OpenForm> {
  const hash = hashSecret(token);
  const presented = await readPresented(db, hash, (bound) => findPresentedForm(bound, hash));
  if (!presented)
    throw new AppError('not_found', 'There is no such form. Copy its address whole, or ask for it again.');
  return transactions.run(presented.workspace_id, 'read', async (bound) => {
    const row = await findForm(bound, presented.id);
    const board = row && (await findBoard(bound, row.board_id));
    const maker = row && (await findPerson(bound, row.person_id));
    if (!row || row.closed_at || !board || !maker) throw new FormClosed();
    const columns = chooseFormColumns(row, await listDatasets(bound, row.board_id));
    const { id, title, intro, free_text: hasFreeText, workspace_id: workspaceId, person_id: personId } = row;
    const label = `form ${title}`;
    const caller = createBoardCaller({ id, label, workspaceId, personId, role: maker.role, brainId: board.brain_id });
    return { row, view: { title, intro, columns, hasFreeText }, caller };
  });
}

/** The columns as they are now. One that was removed, or has a type that no form asks for, is left out. */
function chooseFormColumns(
  { dataset, columns: names }: Pick<BoardFormRow, 'dataset' | 'columns'>,
  datasets: readonly { name: string; columns: Column[] }[],
): Column[] {
  const declared = datasets.find(({ name }) => name === dataset)?.columns ?? [];
  if (!declared.length) return names.map((name) => ({ name, type: 'text' }));
  return names.flatMap((name) => declared.find((each) => each.name === name && formTypes.includes(each.type)) ?? []);
}
