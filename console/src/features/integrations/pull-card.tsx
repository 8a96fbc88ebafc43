import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Download } from 'lucide-react';
import { useState, type FormEvent } from 'react';
import { messageOf } from '../../api/api-error.ts';
import { Button } from '../../design/button.tsx';
import { SelectField, TextField } from '../../design/field.tsx';
import { Card } from '../../design/page.tsx';
import { Notice } from '../../design/states.tsx';
import { pullNow, type Integration, type Pulled } from './requests.ts';

/** What is asked for when a person types nothing else. */
const usual: Record<string, string> = { gmail: 'newer_than:7d', calendar: 'next week', drive: '' };
const usualWindow = 'last week';

/** Pulls from a source at once, and tells how much came. */
export function PullCard({ integration: { name, label, accounts } }: { integration: Integration }) {
  const linked = accounts.filter(({ status }) => status === 'active').map(({ account }) => account);
  const [chosen, setChosen] = useState('');
  const [request, setRequest] = useState(usual[name] ?? usualWindow);
  const queryClient = useQueryClient();
  const pulling = useMutation({
    mutationFn: pullNow,
    onSuccess: () => queryClient.invalidateQueries({ queryKey: ['pages'] }),
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const account = linked.includes(chosen) ? chosen : linked[0];
    pulling.mutate({
      source: name,
      request: request.trim(),
      ...(account && { account }),
    });
  };
  return (
    <Card className="space-y-4 p-5">
      <form onSubmit={submit} className="flex flex-wrap items-end gap-2">
        <div className="min-w-52 flex-1">
          <TextField
            label="What to pull"
            required
            placeholder={`Words to look for in ${label}`}
            maxLength={1_000}
            value={request}
            onChange={(event) => setRequest(event.target.value)}
          />
        </div>
        {linked.length > 1 && (
          <SelectField label="From" value={chosen} onChange={(event) => setChosen(event.target.value)}>
            {linked.map((account) => (
              <option key={account}>{account}</option>
            ))}
          </SelectField>
        )}
        <Button type="submit" icon={<Download className="size-4" />} isBusy={pulling.isPending}>
          {pulling.isPending ? 'Pulling…' : 'Pull now'}
        </Button>
      </form>
      {pulling.isError && <Notice tone="stop">{messageOf(pulling.error)}</Notice>}
      {pulling.data && <PulledNotice pulled={pulling.data} source={name} />}
    </Card>
  );
}

function PulledNotice({ pulled, source }: { pulled: Pulled; source: string }) {
  const { ingested_count: count, errors = [], note } = pulled;
  return (
    <Notice tone={errors.length ? 'wait' : 'go'}>
      {count === 0 ? 'Nothing new came.' : `${count} ${count === 1 ? 'page' : 'pages'} came. `}
      {count > 0 && (
        <Link to="/pages" search={{ source }} className="font-medium underline underline-offset-4">
          See them
        </Link>
      )}
      {errors.length > 0 && ` ${errors.length} could not be read.`}
      {note && <p className="mt-1">{note}</p>}
    </Notice>
  );
}
