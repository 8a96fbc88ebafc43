import { Link } from '@tanstack/react-router';
import { Download } from 'lucide-react';
import { useState, type FormEvent } from 'react';
import { formatErrorMessage } from '../../api/api-error.ts';
import { Button } from '../../design/button.tsx';
import { TextField } from '../../design/field.tsx';
import { Card } from '../../design/page.tsx';
import { Notice } from '../../design/states.tsx';
import { AccountField, findChosenAccountId } from './account-field.tsx';
import { pullNow, type Integration, type PullResult } from './requests.ts';
import { describedSources, ShapeFields, parseShape } from './shape-fields.tsx';
import { useCall } from '../../design/use-call.ts';

/** The default request. */
const usual: Record<string, string> = { gmail: 'newer_than:7d', calendar: 'next week', ics: 'next week', drive: '' };
const usualWindow = 'last week';
/** The hint of the input, by source. */
const hints: Record<string, string> = {
  gmail: 'Use Gmail search, such as from:grace newer_than:7d.',
  drive: 'A name, words in a file, or a Drive API query.',
};
const windowHint = 'Dates, such as “last week”, “yesterday” or “2026-06-01 to 2026-06-07”.';
const mostShown = 5;
/** The most items per pull. */
const mostPulled = 1_000;

/** Pulls from a source at once, and shows how many items came. */
export function PullCard({ integration: { name, label, accounts } }: { integration: Integration }) {
  const linked = accounts.filter(({ status }) => status === 'active');
  const isDescribed = describedSources.includes(name);
  const [chosen, setChosen] = useState('');
  const [request, setRequest] = useState(usual[name] ?? usualWindow);
  const pulling = useCall(pullNow, { refreshes: ['pages'] });
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const account = findChosenAccountId(linked, chosen);
    const what = isDescribed
      ? { input: { ...parseShape(new FormData(event.currentTarget)), limit: mostPulled } }
      : { request: request.trim() };
    pulling.call({ source: name, ...what, ...(account && { account }) });
  };
  return (
    <Card className="space-y-4 p-5">
      <form onSubmit={submit} className="flex flex-wrap items-start gap-2 max-sm:gap-3 max-sm:*:w-full">
        {!isDescribed && (
          <div className="min-w-52 flex-1">
            <TextField
              label="Search"
              required
              placeholder={`Words to find in ${label}`}
              hint={hints[name] ?? windowHint}
              maxLength={1_000}
              value={request}
              onChange={(event) => setRequest(event.target.value)}
            />
          </div>
        )}
        {accounts.length > 1 && <AccountField label="Account" accounts={linked} chosen={chosen} onChange={setChosen} />}
        {isDescribed && <ShapeFields />}
        <Button
          type="submit"
          icon={<Download className="size-4" />}
          isBusy={pulling.isBusy}
          className={isDescribed ? undefined : 'sm:mt-6.5'}
        >
          {pulling.isBusy ? 'Fetching…' : 'Fetch'}
        </Button>
      </form>
      {pulling.error && <Notice tone="stop">{formatErrorMessage(pulling.error)}</Notice>}
      {pulling.answer && <PulledNotice pulled={pulling.answer} source={name} />}
    </Card>
  );
}

function PulledNotice({ pulled, source }: { pulled: PullResult; source: string }) {
  const { ingested_count: count, errors = [], note } = pulled;
  return (
    <Notice tone={errors.length ? 'wait' : 'go'}>
      {count === 0 ? 'No new items. ' : `${count} ${count === 1 ? 'page' : 'pages'} fetched. `}
      <Link to="/library" search={{ source }} className="font-medium underline underline-offset-4">
        Show
      </Link>
      {errors.length > 0 && (
        <ul className="mt-1 space-y-1">
          {errors.slice(0, mostShown).map(({ item, message }) => (
            <li key={item} className="wrap-anywhere">
              {item}: {message}
            </li>
          ))}
          {errors.length > mostShown && <li>And {errors.length - mostShown} more failed.</li>}
        </ul>
      )}
      {note && <p className="mt-1">{note}</p>}
    </Notice>
  );
}
