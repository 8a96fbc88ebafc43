import { agentLimits } from '#kernel/agent-limits';
import { useQueryClient } from '@tanstack/react-query';
import { KeyRound } from 'lucide-react';
import { useState } from 'react';
import { Button } from '../../design/button.tsx';
import { SelectField } from '../../design/field.tsx';
import { Notice } from '../../design/states.tsx';
import type { Client } from './clients.ts';
import { createKey, buildFreshKeyQuery, type NewKey } from './requests.ts';
import { useCall } from '../../design/use-call.ts';

/** Creates the key of a client, and says that it is shown once. */
export function MakeKey({ client, made }: { client: Client; made: NewKey | undefined }) {
  const [chosen, setChosen] = useState(agentLimits[0]?.id);
  const queryClient = useQueryClient();
  const isOther = client.id === 'other';
  const making = useCall(createKey, {
    refreshes: [['accounts', 'keys']],
    onSuccess: (key) => queryClient.setQueryData(buildFreshKeyQuery(client.id).queryKey, key),
    failure: 'The key was not created',
  });
  if (made)
    return (
      <Notice tone="go" icon={<KeyRound />}>
        The key is in the config below and is shown once. Copy it now.
      </Notice>
    );
  const rules = agentLimits.find(({ id }) => id === chosen)?.rules ?? [];
  return (
    <div className="space-y-4">
      <SelectField label="Actions" value={chosen} onChange={(event) => setChosen(event.target.value)}>
        {agentLimits.map(({ id, label }) => (
          <option key={id} value={id}>
            {label}
          </option>
        ))}
      </SelectField>
      <div className="flex flex-wrap items-center gap-3">
        <Button
          look="primary"
          icon={<KeyRound className="size-4" />}
          isBusy={making.isBusy}
          onClick={() => making.call({ label: isOther ? 'My agent' : client.name, rules })}
        >
          Create a key for {isOther ? 'my agent' : client.name}
        </Button>
        <p className="text-[13px] text-faint">Can store memories and prepare drafts. Cannot approve.</p>
      </div>
    </div>
  );
}
