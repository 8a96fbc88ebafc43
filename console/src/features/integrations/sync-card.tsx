import { useQuery } from '@tanstack/react-query';
import { RefreshCw } from 'lucide-react';
import { useState, type FormEvent } from 'react';
import { Button } from '../../design/button.tsx';
import { SelectField } from '../../design/field.tsx';
import { Card } from '../../design/page.tsx';
import { Section } from '../../design/section.tsx';
import { connectionsQuery, type Connection } from '../connections/requests.ts';
import { AccountField, findChosenAccountId } from './account-field.tsx';
import { startSync, syncsQuery, type Account, type Integration, type Sync } from './requests.ts';
import { describedSources, ShapeFields, parseShape } from './shape-fields.tsx';
import { SyncRow } from './sync-row.tsx';
import { useCall } from '../../design/use-call.ts';

const windows = [
  { days: 30, text: 'the last 30 days' },
  { days: 90, text: 'the last 90 days' },
  { days: 365, text: 'the last year' },
  { days: null, text: 'the beginning' },
] as const;
const paces = [
  { minutes: 15, text: '15 minutes' },
  { minutes: 60, text: 'hour' },
  { minutes: 1_440, text: 'day' },
] as const;

/** The syncs of a source with their progress, and the form that starts one. Nothing without an account or a sync. */
export function SyncSection({ integration: { name, accounts } }: { integration: Integration }) {
  const { data: syncs = [] } = useQuery(syncsQuery);
  const { data: connections = [] } = useQuery(connectionsQuery);
  const shown = syncs.filter(({ source }) => source === name);
  const linked = accounts.filter(({ status }) => status === 'active');
  const isKept = ({ connection_id: id }: Account) => shown.some(({ connection_id }) => connection_id === id);
  if (!shown.length && !linked.length) return null;
  return (
    <Section title="Sync" lead="New, changed and deleted items sync automatically.">
      <Card>
        {shown.length > 0 && (
          <ul className="divide-y divide-line">
            {shown.map((sync) => (
              <SyncRow key={sync.sync_id} sync={sync} account={findSyncAccount(sync, accounts, connections)} />
            ))}
          </ul>
        )}
        {linked.length > 0 && (
          <div className={shown.length > 0 ? 'border-t border-line' : undefined}>
            <Beginning source={name} linked={linked} isAllKept={linked.every(isKept)} isNamed={accounts.length > 1} />
          </div>
        )}
      </Card>
    </Section>
  );
}

/** `isNamed`: there are several accounts, so the account is shown even if only one works. */
type FormProps = { source: string; linked: readonly Account[]; isNamed: boolean };

/** The account of a sync. An account that can no longer be used here lacks the permission. */
function findSyncAccount(
  { connection_id: id }: Sync,
  accounts: readonly Account[],
  connections: readonly Connection[],
): Omit<Account, 'known_as' | 'connected_at'> | undefined {
  const known = accounts.find(({ connection_id }) => connection_id === id);
  const lacking = connections.find(({ connection_id }) => connection_id === id);
  if (known || !lacking) return known;
  return {
    connection_id: id,
    account: lacking.account,
    status: 'missing_permission',
    status_reason: null,
    may_act: false,
    lacks: [],
  };
}

/** The form to start a sync. It is collapsed if a sync exists. */
function Beginning({ isAllKept, ...form }: FormProps & { isAllKept: boolean }) {
  if (!isAllKept) return <BeginForm {...form} />;
  return (
    <details className="group">
      <summary className="cursor-pointer rounded-b-2xl px-5 py-3.5 text-[13px] font-medium text-soft hover:text-ink">
        Edit schedule
      </summary>
      <BeginForm {...form} />
    </details>
  );
}

function BeginForm({ source, linked, isNamed }: FormProps) {
  const [chosen, setChosen] = useState('');
  const [window, setWindow] = useState(1);
  const [pace, setPace] = useState(0);
  const beginning = useCall(startSync, { refreshes: ['syncs'], failure: 'Sync not started' });
  const isDescribed = describedSources.includes(source);
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const account = findChosenAccountId(linked, chosen);
    const input = isDescribed ? parseShape(new FormData(event.currentTarget)) : undefined;
    const { days } = windows[window] ?? windows[1];
    const { minutes } = paces[pace] ?? paces[0];
    beginning.call({ source, every_minutes: minutes, days, ...(account && { account }), ...(input && { input }) });
  };
  return (
    <form onSubmit={submit} className="flex flex-wrap items-end gap-2 p-5 max-sm:gap-3 max-sm:*:w-full">
      {isNamed && <AccountField label="Account" accounts={linked} chosen={chosen} onChange={setChosen} />}
      <SelectField label="Sync from" value={window} onChange={(event) => setWindow(Number(event.target.value))}>
        {windows.map(({ text }, at) => (
          <option key={text} value={at}>
            {text}
          </option>
        ))}
      </SelectField>
      <SelectField label="Every" value={pace} onChange={(event) => setPace(Number(event.target.value))}>
        {paces.map(({ text }, at) => (
          <option key={text} value={at}>
            {text}
          </option>
        ))}
      </SelectField>
      {isDescribed && <ShapeFields />}
      <Button type="submit" icon={<RefreshCw className="size-4" />} isBusy={beginning.isBusy}>
        Start syncing
      </Button>
    </form>
  );
}
