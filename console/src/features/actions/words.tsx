import { diffWordsWithSpace } from 'diff';

/** The changes of a text, word by word. */
export function Words({ before, after }: { before: string; after: string }) {
  return diffWordsWithSpace(before, after).map(({ value, added, removed }, index) => {
    const key = `${index} ${value}`;
    if (removed)
      return (
        <del key={key} className="rounded bg-stop-wash text-stop">
          {value}
        </del>
      );
    return added ? (
      <ins key={key} className="rounded bg-go-wash font-medium text-go no-underline">
        {value}
      </ins>
    ) : (
      <span key={key}>{value}</span>
    );
  });
}
