import { useEffect, useRef, useState, type KeyboardEvent } from 'react';

export type Cell = { row: number; column: number };

/** What keys do with a cell beside moving the focus. */
export type CellKeys = {
  /** Enter or F2, with what the cell contains; or a character, which replaces it. */
  onEdit: (cell: Cell, typed: string | null) => void;
  /** Delete or Backspace. */
  onClear: (cell: Cell) => void;
};

const pageRows = 10;

/**
 * The cell that has the focus, and the keys that move it. `last` is the last cell. When the row with the focus goes, the
 * focus moves to the row in its place.
 */
export function useGridKeys(last: Cell, keys: CellKeys) {
  const grid = useRef<HTMLTableElement>(null);
  const hasFocus = useRef(false);
  const [chosen, setActive] = useState<Cell>({ row: 0, column: 0 });
  const active = clampCell(chosen, last);
  const focusCell = (to: Cell) => {
    const cell = clampCell(to, last);
    setActive(cell);
    const target = grid.current?.querySelector<HTMLElement>(`[data-cell="${cell.row}:${cell.column}"]`);
    target?.focus();
    target?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  };
  useEffect(() => {
    if (hasFocus.current && document.activeElement === document.body) focusCell(active);
  });
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.target instanceof HTMLElement && event.target.closest('[data-editor]')) return;
    const to = findTarget(event, active, last);
    if (to) focusCell(to);
    else if (!actOnCell(event, active, keys)) return;
    event.preventDefault();
  };
  return {
    active,
    setActive,
    focusCell,
    gridProps: {
      ref: grid,
      onKeyDown,
      onFocus: () => (hasFocus.current = true),
      onBlur: (event: { relatedTarget: EventTarget | null }) => {
        if (event.relatedTarget instanceof Node && !grid.current?.contains(event.relatedTarget))
          hasFocus.current = false;
      },
    },
  };
}

/** Whether a key did something with the cell. */
function actOnCell(event: KeyboardEvent, cell: Cell, { onEdit, onClear }: CellKeys): boolean {
  const { key, ctrlKey, metaKey, altKey } = event;
  if (ctrlKey || metaKey || altKey) return false;
  if (key === 'Enter' || key === 'F2') onEdit(cell, null);
  else if (key === 'Delete' || key === 'Backspace') onClear(cell);
  else if ([...key].length === 1) onEdit(cell, key);
  else return false;
  return true;
}

function clampCell({ row, column }: Cell, last: Cell): Cell {
  return { row: clamp(row, last.row), column: clamp(column, last.column) };
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
  return Object.hasOwn(targets, key) ? targets[key] : undefined;
}
