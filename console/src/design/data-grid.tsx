import { Trash2 } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { flushSync } from 'react-dom';
import { CellEditor, type EditMove } from './cell-editor.tsx';
import { joinClassNames } from './class-names.ts';
import { useGridKeys, type Cell } from './use-grid-keys.ts';

/** A column of a grid. */
export type GridColumn<Row> = {
  key: string;
  label: string;
  /** Numbers are aligned at their end. */
  isNumber?: boolean;
  render: (row: Row) => ReactNode;
  /** How its cells are edited; without it they are not. */
  edit?: CellEdit<Row>;
};

/** How the cells of a column are written. */
export type CellEdit<Row> = {
  /** The value as a person writes it. */
  format: (row: Row) => string;
  /** Why a text is not a value of the column; null: it is one. */
  check: (text: string) => string | null;
  /** Stores what was written; an empty text empties the cell. */
  save: (row: Row, text: string) => void;
};

type Props<Row> = {
  label: string;
  columns: readonly GridColumn<Row>[];
  rows: readonly Row[];
  getKey: (row: Row, index: number) => string | number;
  /** Adds a button to each row, at its end. Names the row for screen readers. */
  remove?: { describe: (row: Row) => string; run: (row: Row) => void } | undefined;
};

type Editing = Cell & { text: string };

/**
 * A grid with the keys of a spreadsheet (WAI-ARIA, grid pattern): one tab stop, arrows, Home and End in a row, with Ctrl in the
 * whole grid, Page up and Page down. Where cells can be edited, Enter, F2 or a letter starts editing, as does a click on the focused
 * cell; Delete empties a cell. The headings stay visible.
 */
export function DataGrid<Row>({ label, columns, rows, getKey, remove }: Props<Row>) {
  const [editing, setEditing] = useState<Editing | null>(null);
  const begin = (cell: Cell, typed: string | null) => {
    const [row, column] = [rows[cell.row], columns[cell.column]];
    if (row === undefined) return;
    if (!column) return remove?.run(row); // behind the last column is the button of the row
    if (column.edit) setEditing({ ...cell, text: typed ?? column.edit.format(row) });
  };
  const { active, setActive, focusCell, gridProps } = useGridKeys(
    { row: rows.length - 1, column: columns.length - 1 + (remove ? 1 : 0) },
    {
      onEdit: (cell, typed) => (columns[cell.column] || typed === null || typed === ' ') && begin(cell, typed),
      onClear: (cell) => write(cell, ''),
    },
  );
  function write({ row: at, column }: Cell, text: string) {
    const [row, edit] = [rows[at], columns[column]?.edit];
    if (row !== undefined && edit && text !== edit.format(row)) edit.save(row, text);
  }
  function finish(cell: Cell, text: string | null, move: EditMove) {
    flushSync(() => setEditing(null)); // a cell can take the focus again once its field is removed
    if (text !== null) write(cell, text);
    if (move !== 'leave') focusCell(moveCell(cell, move));
  }
  return (
    <div className="max-h-[calc(100dvh-14rem)] min-h-40 overflow-auto rounded-xl border border-line bg-surface shadow-card">
      <table
        {...gridProps}
        role="grid"
        aria-label={label}
        aria-rowcount={rows.length + 1}
        className="w-full border-separate border-spacing-0 text-left text-sm"
      >
        <GridHead columns={columns} hasButtons={remove !== undefined} />
        <tbody>
          {rows.map((row, rowIndex) => (
            <GridRow
              key={getKey(row, rowIndex)}
              {...{ row, rowIndex, columns, remove, active, editing, setActive, begin, finish }}
            />
          ))}
        </tbody>
      </table>
    </div>
  );
}

type RowProps<Row> = Pick<Props<Row>, 'columns' | 'remove'> & {
  row: Row;
  rowIndex: number;
  active: Cell;
  editing: Editing | null;
  setActive: (cell: Cell) => void;
  begin: (cell: Cell, typed: string | null) => void;
  finish: (cell: Cell, text: string | null, move: EditMove) => void;
};

function GridRow<Row>(props: RowProps<Row>) {
  const { row, rowIndex, columns, remove, active, editing, setActive, begin, finish } = props;
  const isActive = (column: number) => rowIndex === active.row && column === active.column;
  return (
    <tr className="group">
      {columns.map(({ key, label: name, isNumber = false, render, edit }, column) => {
        const cell = { row: rowIndex, column };
        const isOpen = editing?.row === rowIndex && editing.column === column;
        return (
          <GridCell
            key={key}
            cell={cell}
            isActive={isActive(column)}
            isOpen={isOpen}
            isNumber={isNumber}
            isReadOnly={!edit}
            onFocus={() => setActive(cell)}
            onBegin={() => begin(cell, null)}
          >
            {edit && isOpen ? (
              <CellEditor
                label={name}
                text={editing.text}
                isNumber={isNumber}
                check={edit.check}
                onDone={(text, move) => finish(cell, text, move)}
              />
            ) : (
              render(row)
            )}
          </GridCell>
        );
      })}
      {remove && (
        <RemoveCell
          cell={{ row: rowIndex, column: columns.length }}
          isActive={isActive(columns.length)}
          label={remove.describe(row)}
          onFocus={() => setActive({ row: rowIndex, column: columns.length })}
          onRemove={() => remove.run(row)}
        />
      )}
    </tr>
  );
}

const steps: Record<EditMove, readonly [down: number, right: number]> = {
  leave: [0, 0],
  stay: [0, 0],
  down: [1, 0],
  right: [0, 1],
  left: [0, -1],
};

function moveCell({ row, column }: Cell, move: EditMove): Cell {
  const [down, right] = steps[move];
  return { row: row + down, column: column + right };
}

const headClass = 'sticky top-0 z-1 border-r border-b border-line bg-sunken px-3 py-2 last:border-r-0';

function GridHead<Row>({ columns, hasButtons }: { columns: readonly GridColumn<Row>[]; hasButtons: boolean }) {
  return (
    <thead>
      <tr>
        {columns.map(({ key, label: name, isNumber }) => (
          <th
            key={key}
            scope="col"
            className={joinClassNames(headClass, 'font-medium whitespace-nowrap text-soft', isNumber && 'text-end')}
          >
            {name}
          </th>
        ))}
        {hasButtons && (
          <th scope="col" className={headClass}>
            <span className="sr-only">Delete</span>
          </th>
        )}
      </tr>
    </thead>
  );
}

const cellClass =
  'border-r border-b border-line py-1.5 align-top outline-none group-last:border-b-0 group-hover:bg-hover last:border-r-0 focus:shadow-[inset_0_0_0_2px_var(--color-go)]';

type CellProps = { cell: Cell; isActive: boolean; onFocus: () => void };

function GridCell(
  props: CellProps & {
    isOpen: boolean;
    isNumber: boolean;
    isReadOnly: boolean;
    onBegin: () => void;
    children: ReactNode;
  },
) {
  const { cell, isActive, isOpen, isNumber, isReadOnly, onFocus, onBegin, children } = props;
  return (
    <td
      role="gridcell"
      data-cell={`${cell.row}:${cell.column}`}
      tabIndex={isOpen ? undefined : isActive ? 0 : -1}
      aria-readonly={isReadOnly || undefined}
      onFocus={onFocus}
      onMouseDown={(event) => {
        if (event.target !== event.currentTarget || document.activeElement !== event.currentTarget) return;
        event.preventDefault(); // the field takes the focus
        onBegin();
      }}
      className={joinClassNames(
        cellClass,
        'max-w-md min-w-28 px-3 wrap-break-word',
        isNumber && 'text-end tabular-nums',
      )}
    >
      {children}
    </td>
  );
}

function RemoveCell({ cell, isActive, label, onFocus, onRemove }: CellProps & { label: string; onRemove: () => void }) {
  return (
    <td
      role="gridcell"
      aria-label={label}
      data-cell={`${cell.row}:${cell.column}`}
      tabIndex={isActive ? 0 : -1}
      onFocus={onFocus}
      onClick={onRemove}
      className={joinClassNames(cellClass, 'w-10 cursor-pointer px-2 text-faint hover:text-stop focus:text-stop')}
    >
      <Trash2 className="mx-auto mt-0.5 size-4" aria-hidden />
    </td>
  );
}
