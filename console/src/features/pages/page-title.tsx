import type { ReactNode } from 'react';
import { Highlight } from '../../design/highlight.tsx';
import type { PageDocument } from './requests.ts';

type Props = { page: PageDocument; terms: readonly string[]; children?: ReactNode };

/** What a page is called. */
export function PageTitle({ page, terms, children }: Props) {
  return (
    <div className="mb-4">
      <h2 className="text-[21px] leading-snug font-semibold tracking-tight wrap-anywhere">
        <Highlight text={page.title || 'Untitled'} terms={terms} />
      </h2>
      {children}
    </div>
  );
}
