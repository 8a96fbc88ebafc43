import { useQuery } from '@tanstack/react-query';
import { ClipboardList, Sparkles } from 'lucide-react';
import { useState } from 'react';
import { GridPage } from '../../design/grid-page.tsx';
import { MoreMenu, type MenuAction } from '../../design/more-menu.tsx';
import { SearchField } from '../../design/search-field.tsx';
import { useMayWrite } from '../../entities/brains.ts';
import { useHasScope } from '../../entities/me.ts';
import { BoardForms, NewFormDialog } from './board-forms.tsx';
import { BoardLinks } from './board-links.tsx';
import { BoardSkills, NewSkillDialog } from './board-skills.tsx';
import { DatasetGrid } from './dataset-grid.tsx';
import { buildBoardQuery, buildFormsQuery, type Board } from './requests.ts';

/** A board as grids, one for each dataset, whose cells can be edited. */
export function BoardPage({ boardId }: { boardId: string }) {
  const [filter, setFilter] = useState('');
  const query = useQuery(buildBoardQuery(boardId));
  const { data } = query;
  const mayWriteBrain = useMayWrite(data?.brain_id);
  const mayWrite = useHasScope('boards:write') && mayWriteBrain;
  const mayShare = useHasScope('boards:share') && mayWrite;
  const all = Object.entries(data?.data.datasets ?? {});
  const withRows = all.filter(([, { rows }]) => rows.length);
  const filled = listFilledDatasets(data);
  // Every board has a default dataset; an empty one says nothing beside others.
  const datasets = withRows.length ? withRows : all.slice(0, 1);
  return (
    <GridPage
      title={data?.name ?? 'Board'}
      lead={data?.description}
      noun="board"
      query={query}
      action={data && mayWrite && <BoardMenu {...{ board: data, filled, mayShare }} />}
      views={withRows.length > 0 && <SearchField label="Filter rows" value={filter} onChange={setFilter} />}
    >
      <div className="space-y-8 pt-2">
        {datasets.map(([name, dataset]) => (
          <DatasetGrid
            key={name}
            boardId={boardId}
            name={name}
            dataset={dataset}
            filter={filter}
            mayWrite={mayWrite && !filled.includes(name)}
          />
        ))}
        {data && data.links.length > 0 && <BoardLinks links={data.links} mayWrite={mayWrite} />}
        {data && data.skills.length > 0 && <BoardSkills board={data} mayWrite={mayWrite} />}
        {data && <FormsOfBoard boardId={boardId} mayShare={mayShare} />}
      </div>
    </GridPage>
  );
}

function FormsOfBoard({ boardId, mayShare }: { boardId: string; mayShare: boolean }) {
  const { data: forms = [] } = useQuery(buildFormsQuery(boardId));
  return forms.length > 0 && <BoardForms forms={forms} mayShare={mayShare} />;
}

/** Datasets whose rows are read through links. */
function listFilledDatasets(board: Board | undefined): string[] {
  return board?.links.flatMap(({ recipes }) => recipes.map(({ dataset_name }) => dataset_name)) ?? [];
}

type MenuProps = { board: Board; filled: readonly string[]; mayShare: boolean };

function BoardMenu({ board, filled, mayShare }: MenuProps) {
  const [dialog, setDialog] = useState<'skill' | 'form' | null>(null);
  const close = () => setDialog(null);
  const skill: MenuAction = { label: 'New skill', icon: <Sparkles />, onSelect: () => setDialog('skill') };
  const form: MenuAction = { label: 'New form', icon: <ClipboardList />, onSelect: () => setDialog('form') };
  return (
    <>
      <MoreMenu label="More actions for this board" actions={mayShare ? [skill, form] : [skill]} />
      {dialog === 'skill' && <NewSkillDialog board={board} filled={filled} onClose={close} />}
      {dialog === 'form' && <NewFormDialog board={board} filled={filled} onClose={close} />}
    </>
  );
}
