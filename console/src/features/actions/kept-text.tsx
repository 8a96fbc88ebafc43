import { useState } from 'react';
import { Button } from '../../design/button.tsx';
import { Card } from '../../design/page.tsx';
import { canBeDraftedAgain, type Action } from './requests.ts';
import { forgetUnsavedTexts, findUnsavedTexts } from './unsaved-edits.ts';

/** Unsaved text of a draft that expired, was decided elsewhere or became stale. */
export function KeptText({ action }: { action: Action }) {
  const [texts, setTexts] = useState(() => findUnsavedTexts(action));
  if (!texts) return null;
  const discard = () => {
    forgetUnsavedTexts(action.draft_id);
    setTexts(null);
  };
  return (
    <Card className="px-5 py-4 text-sm">
      <section aria-label="Your unsaved changes">
        <h3 className="font-medium">Your unsaved changes</h3>
        <p className="mt-0.5 text-soft">
          {canBeDraftedAgain(action)
            ? 'The draft ended while you were typing. Draft it again: the new draft has your text.'
            : 'The draft ended while you were typing. Your text is kept here.'}
        </p>
        <dl className="mt-3 space-y-2">
          {Object.entries(texts).map(([field, text]) => (
            <div key={field} className="sm:grid sm:grid-cols-[7rem_1fr] sm:gap-3">
              <dt className="text-faint">{field.replaceAll('_', ' ')}</dt>
              <dd className="max-h-60 overflow-y-auto whitespace-pre-wrap wrap-anywhere">{text}</dd>
            </div>
          ))}
        </dl>
        <Button className="mt-3" size="small" look="quiet" onClick={discard}>
          Discard this text
        </Button>
      </section>
    </Card>
  );
}
