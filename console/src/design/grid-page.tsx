import type { ReactNode } from 'react';
import { BackToList, PageFrame, type Heading } from './page-frame.tsx';
import { QueryResult, type QueryState } from './query-state.tsx';

type Props = Heading & {
  /** The name of the grid, in lower case: “board”. */
  noun: string;
  query: QueryState;
  /** The origin and age of linked data. */
  source?: ReactNode;
  /** The views of the grid, as tabs. */
  views?: ReactNode;
  back?: ReactNode;
  /** One `DataGrid` or several. */
  children: ReactNode;
};

/** A page that is a grid, over the whole width. */
export function GridPage({ noun, query, source, views, back = <BackToList />, children, ...heading }: Props) {
  return (
    <PageFrame {...heading} back={back} width="full">
      {source && <p className="-mt-3 mb-4 text-[13px] text-faint">{source}</p>}
      {views && <div className="mb-3">{views}</div>}
      <QueryResult query={query} noun={`the ${noun}`}>
        {children}
      </QueryResult>
    </PageFrame>
  );
}
