import { useQuery } from '@tanstack/react-query';
import { BackLink } from '../../design/back-link.tsx';
import { Card, Page } from '../../design/page.tsx';
import { Section } from '../../design/section.tsx';
import { ErrorState, Skeleton } from '../../design/states.tsx';
import { boardQuery } from './requests.ts';

/** A board as plain tables, one for each dataset. */
export function BoardPage({ boardId }: { boardId: string }) {
  const { data, error, isPending, refetch } = useQuery(boardQuery(boardId));
  return (
    <Page title={data?.name ?? 'Board'} lead={data?.description} back={<BackLink to="/boards">Boards</BackLink>} isWide>
      {isPending && <Skeleton label="Loading the board" />}
      {error && <ErrorState error={error} onRetry={() => void refetch()} />}
      <div className="space-y-8">
        {Object.entries(data?.data.datasets ?? {}).map(([name, { columns, rows }]) => (
          <Section key={name} title={name} lead={rows.length === 1 ? '1 row' : `${rows.length.toLocaleString()} rows`}>
            <Card className="overflow-x-auto">
              {rows.length === 0 && (
                <p className="p-5 text-sm text-soft">No rows yet. Rows that are appended will appear here.</p>
              )}
              {rows.length > 0 && <Rows columns={columns.map((column) => column.name)} rows={rows} />}
            </Card>
          </Section>
        ))}
      </div>
    </Page>
  );
}

function Rows({ columns, rows }: { columns: readonly string[]; rows: readonly Record<string, unknown>[] }) {
  return (
    <table className="w-full text-left text-sm">
      <thead>
        <tr className="border-b border-line text-soft">
          {columns.map((column) => (
            <th key={column} scope="col" className="px-4 py-2 font-medium whitespace-nowrap">
              {column}
            </th>
          ))}
        </tr>
      </thead>
      <tbody className="divide-y divide-line">
        {rows.map((row, index) => (
          <tr key={index}>
            {columns.map((column) => (
              <td key={column} className="max-w-md px-4 py-2 align-top wrap-anywhere">
                {textOf(row[column])}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function textOf(value: unknown): string {
  if (value === undefined || value === null) return '';
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}
