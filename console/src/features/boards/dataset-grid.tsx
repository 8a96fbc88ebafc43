import { useQueryClient } from '@tanstack/react-query';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import { Button } from '../../design/button.tsx';
import { DataGrid, type GridColumn } from '../../design/data-grid.tsx';
import { formatCount } from '../../design/format-count.ts';
import { Section } from '../../design/section.tsx';
import { notifyUndoable } from '../../design/toasts.tsx';
import { useCall } from '../../design/use-call.ts';
import { formatCell, formatInput, hasText, parseCell, type ColumnType } from './cell-values.ts';
import {
  addRow,
  changeCell,
  deleteRow,
  restoreRow,
  type BoardCells,
  type Dataset,
  type RowAddress,
} from './requests.ts';

type Props = {
  boardId: string;
  name: string;
  dataset: Dataset;
  /** Only rows with this text in a cell. */
  filter: string;
  mayWrite: boolean;
};

/** Rows that are drawn at once: more make a page slow. */
const drawnRows = 300;

/** One dataset of a board as a grid whose cells can be edited. */
export function DatasetGrid({ boardId, name, dataset, filter, mayWrite }: Props) {
  const [limit, setLimit] = useState(drawnRows);
  const { columns, rows, total } = dataset;
  const fitting = filter ? rows.filter((row) => hasText(row, filter)) : rows;
  const adding = useCall(() => addRow(boardId, name), {
    refreshes: ['boards'],
    failure: 'The row was not added',
    onSuccess: () => setLimit((now) => Math.max(now, rows.length + 1)),
  });
  const deleting = useDeletion();
  const gridColumns = useGridColumns({ boardId, name, dataset, mayWrite });
  return (
    <Section
      title={name}
      lead={filter ? `${fitting.length} of ${formatCount(total, 'row')}` : formatCount(total, 'row')}
      action={
        mayWrite &&
        columns.length > 0 && (
          <Button
            size="small"
            icon={<Plus className="size-4" aria-hidden />}
            isBusy={adding.isBusy}
            onClick={() => adding.call()}
          >
            Add row
          </Button>
        )
      }
    >
      {fitting.length && columns.length ? (
        <DataGrid<BoardCells>
          label={name}
          columns={gridColumns}
          rows={fitting.slice(0, limit)}
          getKey={getRowId}
          {...(mayWrite && {
            remove: {
              describe: (row) => `Delete row ${describeRow(row, dataset)}`,
              run: (row) => deleting.call({ boardId, dataset: name, rowId: getRowId(row) }),
            },
          })}
        />
      ) : (
        <EmptyDataset hasRows={rows.length > 0} filter={filter} />
      )}
      {fitting.length > limit && (
        <Button size="small" className="mt-3" onClick={() => setLimit(limit + drawnRows)}>
          Show more
        </Button>
      )}
    </Section>
  );
}

function EmptyDataset({ hasRows, filter }: { hasRows: boolean; filter: string }) {
  return (
    <p className="rounded-xl border border-line bg-surface p-5 text-sm text-soft">
      {hasRows && filter ? `No row contains “${filter}”.` : 'No rows yet. Rows that are appended will appear here.'}
    </p>
  );
}

function useDeletion() {
  const restoring = useCall(restoreRow, {
    refreshes: ['boards'],
    success: 'Row restored',
    failure: 'The row was not restored',
  });
  return useCall(deleteRow, {
    refreshes: ['boards'],
    failure: 'The row was not deleted',
    onSuccess: (_answer, row: RowAddress) =>
      notifyUndoable('Row deleted', 'You can undo this.', () => restoring.call(row)),
  });
}

type ColumnsOf = Pick<Props, 'boardId' | 'name' | 'dataset' | 'mayWrite'>;
type CellChange = { row: BoardCells; column: string; value: unknown };

function useGridColumns({ boardId, name, dataset, mayWrite }: ColumnsOf): GridColumn<BoardCells>[] {
  const queryClient = useQueryClient();
  const { rows } = dataset;
  const changing = useCall(
    ({ row, column, value }: CellChange) =>
      changeCell(queryClient, { boardId, dataset: name, rowId: getRowId(row) }, column, value),
    { refreshes: ['boards'], failure: 'The cell was not changed' },
  );
  return dataset.columns.map(({ name: column, type: given }) => {
    const type = given as ColumnType; // the server has these alone
    return {
      key: column,
      label: column,
      isNumber: type === 'number' || (type === 'json' && rows.every((row) => isEmptyOrNumber(row[column]))),
      render: (row) => formatCell(row[column]),
      ...(mayWrite &&
        column !== 'row_id' && {
          edit: {
            format: (row) => formatInput(row[column], type),
            check(text) {
              const parsed = parseCell(text, type);
              return 'problem' in parsed ? parsed.problem : null;
            },
            save(row, text) {
              const parsed = parseCell(text, type);
              if ('value' in parsed) changing.call({ row, column, value: parsed.value });
            },
          },
        }),
    };
  });
}

function isEmptyOrNumber(value: unknown): boolean {
  return value === null || value === undefined || typeof value === 'number';
}

function getRowId(row: BoardCells): string {
  return String(row['row_id']);
}

/** The first cell with something in it, for who does not see the grid. */
function describeRow(row: BoardCells, { columns }: Dataset): string {
  const filled = columns.map(({ name }) => formatCell(row[name])).find((text) => text !== '');
  return (filled ?? getRowId(row)).slice(0, 60);
}
