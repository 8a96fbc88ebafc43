import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { GridPage } from '../../design/grid-page.tsx';
import { SearchField } from '../../design/search-field.tsx';
import { useMayWrite } from '../../entities/brains.ts';
import { useHasScope } from '../../entities/me.ts';
import { BoardLinks } from './board-links.tsx';
import { DatasetGrid } from './dataset-grid.tsx';
import { buildBoardQuery } from './requests.ts';

/** A board as grids, one for each dataset, whose cells can be edited. */
export function BoardPage({ boardId }: { boardId: string }) {
  const [filter, setFilter] = useState('');
  const query = useQuery(buildBoardQuery(boardId));
  const { data } = query;
  const mayWriteBrain = useMayWrite(data?.brain_id);
  const mayWrite = useHasScope('boards:write') && mayWriteBrain;
  const all = Object.entries(data?.data.datasets ?? {});
  const filled = all.filter(([, { rows }]) => rows.length);
  const isFilled = (name: string) =>
    data?.links.some(({ recipes }) => recipes.some(({ dataset_name }) => dataset_name === name)) ?? false;
  // Every board has a default dataset; an empty one says nothing beside others.
  const datasets = filled.length ? filled : all.slice(0, 1);
  return (
    <GridPage
      title={data?.name ?? 'Board'}
      lead={data?.description}
      noun="board"
      query={query}
      views={filled.length > 0 && <SearchField label="Filter rows" value={filter} onChange={setFilter} />}
    >
      <div className="space-y-8 pt-2">
        {datasets.map(([name, dataset]) => (
          <DatasetGrid
            key={name}
            boardId={boardId}
            name={name}
            dataset={dataset}
            filter={filter}
            mayWrite={mayWrite && !isFilled(name)}
          />
        ))}
        {data && data.links.length > 0 && <BoardLinks links={data.links} mayWrite={mayWrite} />}
      </div>
    </GridPage>
  );
}
