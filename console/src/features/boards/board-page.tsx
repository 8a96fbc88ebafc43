import { useQuery } from '@tanstack/react-query';
import { DataGrid } from '../../design/data-grid.tsx';
import { formatCount } from '../../design/format-count.ts';
import { GridPage } from '../../design/grid-page.tsx';
import { Section } from '../../design/section.tsx';
import { buildBoardQuery } from './requests.ts';

type Cells = Readonly<Record<string, unknown>>;

/** A board as grids, one for each dataset. */
export function BoardPage({ boardId }: { boardId: string }) {
  const query = useQuery(buildBoardQuery(boardId));
  const { data } = query;
  const all = Object.entries(data?.data.datasets ?? {});
  const filled = all.filter(([, { rows }]) => rows.length);
  // Every board has a default dataset; an empty one says nothing beside others.
  const datasets = filled.length ? filled : all.slice(0, 1);
  return (
    <GridPage title={data?.name ?? 'Board'} lead={data?.description} noun="board" query={query}>
      <div className="space-y-8">
        {datasets.map(([name, { columns, rows }]) => (
          <Section key={name} title={name} lead={formatCount(rows.length, 'row')}>
            {rows.length ? (
              <DataGrid<Cells>
                label={name}
                columns={columns.map((column) => ({
                  key: column.name,
                  label: column.name,
                  isNumber: rows.every((row) => row[column.name] === null || typeof row[column.name] === 'number'),
                  render: (row) => formatCell(row[column.name]),
                }))}
                rows={rows}
                getKey={(_row, index) => index}
              />
            ) : (
              <p className="rounded-xl border border-line bg-surface p-5 text-sm text-soft">
                No rows yet. Rows that are appended will appear here.
              </p>
            )}
          </Section>
        ))}
      </div>
    </GridPage>
  );
}

function formatCell(value: unknown): string {
  if (value === undefined || value === null) return '';
  if (typeof value === 'number') return value.toLocaleString();
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}
