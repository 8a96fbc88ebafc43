import { useQuery } from '@tanstack/react-query';
import { linkOptions } from '@tanstack/react-router';
import { Table2 } from 'lucide-react';
import { formatCount } from '../../design/format-count.ts';
import { ListPage } from '../../design/list-page.tsx';
import { ListRow } from '../../design/list-row.tsx';
import { Ago } from '../../design/time.tsx';
import { boardsQuery } from './requests.ts';

/** All boards that the person may read. */
export function BoardsPage() {
  return (
    <ListPage
      title="Boards"
      lead="Tables that agents and automations fill."
      noun="boards"
      query={useQuery(boardsQuery)}
      getKey={({ board_id }) => board_id}
      getSearchText={({ name, description }) => `${name} ${description ?? ''}`}
      renderRow={({ board_id: boardId, name, description, rows, updated_at }) => (
        <ListRow name={name} detail={description} link={linkOptions({ to: '/boards/$boardId', params: { boardId } })}>
          <span>{formatCount(rows, 'row')}</span>
          <Ago at={updated_at} />
        </ListRow>
      )}
      empty={{
        icon: <Table2 />,
        title: 'No boards yet',
        children: 'Ask a connected agent: “Keep a board of our open invoices.” Its rows appear here.',
      }}
    />
  );
}
