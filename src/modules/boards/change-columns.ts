// Changes the columns of a dataset where its rows fit them.
import type { Context } from '#kernel/context';
import { AppError } from '#kernel/errors';
import { describeType, isDate, type Column } from './columns.ts';
import { limits } from './limits.ts';
import { ensureDataset, findMisfit, listDatasets, listDateTexts, setColumns } from './store/datasets.ts';
import type { DatasetLocation, Db } from './store/tables.ts';

const jsonTypes = { text: 'string', number: 'number', boolean: 'boolean', date: 'string' } as const;

/**
 * Gives datasets new columns; new datasets are made. Fields without a column stay in the rows, and are shown no more.
 * Throws `invalid_input` that names the first row with a value of another type.
 */
export async function changeColumns(
  ctx: Context,
  boardId: string,
  datasets: Readonly<Record<string, { columns: Column[] }>>,
): Promise<void> {
  const present = await listDatasets(ctx.db, boardId);
  const names = new Set([...present.map(({ name }) => name), ...Object.keys(datasets)]);
  if (names.size > limits.datasets)
    throw new AppError('plan_limit', `A board has at most ${limits.datasets} datasets.`);
  for (const [dataset, { columns }] of Object.entries(datasets)) {
    const found = present.find(({ name }) => name === dataset);
    if (!found) {
      await ensureDataset(ctx.db, { boardId, workspaceId: ctx.caller.workspaceId, at: ctx.now }, dataset, columns);
      continue;
    }
    const changed = columns.filter(({ name, type }) => findType(found.columns, name) !== type);
    for (const column of changed) await checkFits(ctx.db, { boardId, dataset }, column);
    await setColumns(ctx.db, { boardId, dataset }, columns);
  }
}

function findType(columns: readonly Column[], name: string): Column['type'] | undefined {
  return columns.find((column) => column.name === name)?.type;
}

async function checkFits(db: Db, location: DatasetLocation, column: Column): Promise<void> {
  const misfit = await findMisfitRow(db, location, column);
  if (misfit === undefined) return;
  const { name, type } = column;
  throw new AppError(
    'invalid_input',
    `datasets.${location.dataset}: ${name} of the row ${misfit} is not ${describeType(type)}. Correct its rows first, or choose another type.`,
    { row: misfit, column: name },
  );
}

/** The first row whose value is not of the type of a column. */
export async function findMisfitRow(
  db: Db,
  location: DatasetLocation,
  { name, type }: Column,
): Promise<string | undefined> {
  if (type === 'json') return undefined;
  const misfit = await findMisfit(db, location, name, jsonTypes[type]);
  if (misfit !== undefined || type !== 'date') return misfit;
  return (await listDateTexts(db, location, name)).find(({ text }) => !isDate(text))?.row_id;
}
