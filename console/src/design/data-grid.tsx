import { useRef, useState, type KeyboardEvent, type ReactNode } from 'react';

/** A column of a grid. */
export type GridColumn<Row> = {
  key: string;
  label: string;
  /** Numbers are aligned at their end. */
  isNumber?: boolean;
  render: (row: Row) => ReactNode;
};

type Cell = { row: number; column: number };

type Props<Row> = {
  label: string;
  columns: readonly GridColumn<Row>[];
  rows: readonly Row[];
  getKey: (row: Row, index: number) => string | number;
  /** Enter on a row, or a double click. */
  onOpen?: (row: Row) => void;
};

const pageRows = 10;

/**
 * A grid with the keys of a spreadsheet (WAI-ARIA, grid pattern): one tab stop, arrows, Home and End in a row, with Ctrl in the
 * whole grid, Page up and Page down. The headings stay in sight.
 */
export function DataGrid<Row>({ label, columns, rows, getKey, onOpen }: Props<Row>) {
  const { grid, active, setActive, onKeyDown } = useGridKeys(
    { row: rows.length - 1, column: columns.length - 1 },
    (row) => {
      const chosen = rows[row];
      if (chosen !== undefined) onOpen?.(chosen);
    },
  );
  return (
    <div className="max-h-[calc(100dvh-14rem)] min-h-40 overflow-auto rounded-xl border border-line bg-surface shadow-card">
      <table
        ref={grid}
        role="grid"
        aria-label={label}
        aria-rowcount={rows.length + 1}
        className="w-full border-separate border-spacing-0 text-left text-sm"
        onKeyDown={onKeyDown}
      >
        <thead>
          <tr>
            {columns.map(({ key, label: name, isNumber }) => (
              <th
                key={key}
                scope="col"
                className={`sticky top-0 z-1 border-r border-b border-line bg-sunken px-3 py-2 font-medium whitespace-nowrap text-soft last:border-r-0 ${isNumber ? 'text-end' : ''}`}
              >
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, rowIndex) => (
            <tr key={getKey(row, rowIndex)} className="group" onDoubleClick={onOpen && (() => onOpen(row))}>
              {columns.map(({ key, isNumber, render }, column) => (
                <td
                  key={key}
                  role="gridcell"
                  data-cell={`${rowIndex}:${column}`}
                  tabIndex={rowIndex === active.row && column === active.column ? 0 : -1}
                  onFocus={() => setActive({ row: rowIndex, column })}
                  className={`min-w-28 max-w-md border-r border-b border-line px-3 py-1.5 align-top wrap-break-word outline-none group-last:border-b-0 group-hover:bg-hover last:border-r-0 focus:shadow-[inset_0_0_0_2px_var(--color-go)] ${isNumber ? 'text-end tabular-nums' : ''}`}
                >
                  {render(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** The cell that has the focus, and the keys that move it. `last` is the last cell. */
function useGridKeys(last: Cell, onEnter: (row: number) => void) {
  const grid = useRef<HTMLTableElement>(null);
  const [active, setActive] = useState<Cell>({ row: 0, column: 0 });
  const onKeyDown = (event: KeyboardEvent) => {
    const to = findTarget(event, active, last);
    if (to) {
      const cell = { row: clamp(to.row, last.row), column: clamp(to.column, last.column) };
      setActive(cell);
      const target = grid.current?.querySelector<HTMLElement>(`[data-cell="${cell.row}:${cell.column}"]`);
      target?.focus();
      target?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
    } else if (event.key === 'Enter') onEnter(active.row);
    else return;
    event.preventDefault();
  };
  return { grid, active, setActive, onKeyDown };
}

function clamp(value: number, most: number): number {
  return Math.max(0, Math.min(value, most));
}

/** The cell that a key leads to; undefined for a key that moves nothing. */
function findTarget({ key, ctrlKey, metaKey }: KeyboardEvent, { row, column }: Cell, last: Cell): Cell | undefined {
  const isWhole = ctrlKey || metaKey;
  const targets: Record<string, Cell> = {
    ArrowDown: { row: isWhole ? last.row : row + 1, column },
    ArrowUp: { row: isWhole ? 0 : row - 1, column },
    ArrowRight: { row, column: isWhole ? last.column : column + 1 },
    ArrowLeft: { row, column: isWhole ? 0 : column - 1 },
    Home: { row: isWhole ? 0 : row, column: 0 },
    End: { row: isWhole ? last.row : row, column: last.column },
    PageDown: { row: row + pageRows, column },
    PageUp: { row: row - pageRows, column },
  };
  return targets[key];
}
