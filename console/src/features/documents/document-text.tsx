import { useQueries } from '@tanstack/react-query';
import { useState } from 'react';
import { Button } from '../../design/button.tsx';
import { joinClassNames } from '../../design/class-names.ts';
import { Card } from '../../design/page.tsx';
import { ErrorState, Skeleton } from '../../design/states.tsx';
import { computePartNumber, buildDocumentPartQuery } from './requests.ts';

/** The lines around the chosen line, with their numbers. Buttons show the lines before and after. */
export function DocumentText({ documentId, line }: { documentId: string; line: number }) {
  const [{ first, last }, setShown] = useState({ first: computePartNumber(line), last: computePartNumber(line) });
  const parts = Array.from({ length: last - first + 1 }, (_, index) =>
    buildDocumentPartQuery(documentId, first + index),
  );
  const answers = useQueries({ queries: parts });
  const failed = answers.find(({ error }) => error);
  const known = answers.flatMap(({ data }) => data ?? []);
  if (failed) return <ErrorState error={failed.error} onRetry={() => void failed.refetch()} />;
  if (!known.length) return <Skeleton label="Loading the text" rows={8} />;
  const isReading = known.length < answers.length;
  return (
    <Card className="min-w-0 py-3">
      {!known.at(0)?.isFirst && (
        <div className="px-5 pb-3">
          <Button size="small" isBusy={isReading} onClick={() => setShown({ first: first - 1, last })}>
            Show lines before
          </Button>
        </div>
      )}
      <ol aria-label="Text" className="font-mono text-[13px] leading-relaxed">
        {known.flatMap(({ lines }) =>
          lines.map(({ number, words }) => <Line key={number} {...{ number, words }} isChosen={number === line} />),
        )}
      </ol>
      {!known.at(-1)?.isLast && (
        <div className="px-5 pt-3">
          <Button size="small" isBusy={isReading} onClick={() => setShown({ first, last: last + 1 })}>
            Show more lines
          </Button>
        </div>
      )}
    </Card>
  );
}

function Line({ number, words, isChosen }: { number: number; words: string; isChosen: boolean }) {
  const isMarked = isChosen && number > 1;
  return (
    <li
      ref={isMarked ? scrollElementToView : undefined}
      aria-current={isMarked ? 'location' : undefined}
      className={joinClassNames('flex scroll-mt-16 gap-4 px-5', isMarked && 'bg-mark')}
    >
      <span
        aria-hidden
        className={joinClassNames('w-12 shrink-0 text-right select-none', isMarked ? 'text-soft' : 'text-faint')}
      >
        {number}
      </span>
      <span className="min-w-0 flex-1 wrap-anywhere whitespace-pre-wrap">{words || ' '}</span>
    </li>
  );
}

function scrollElementToView(element: HTMLElement | null): void {
  element?.scrollIntoView({ block: 'start' });
}
