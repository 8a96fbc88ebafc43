import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Button } from '../../design/button.tsx';
import { tell, tellFailure } from '../../design/toasts.tsx';
import { saveFixture, type RunRecord } from './requests.ts';

/** Keeps a dry run as a fixture, under a name. */
export function SaveFixture({ of: { run_id } }: { of: RunRecord }) {
  const queryClient = useQueryClient();
  const [name, setName] = useState('');
  const save = useMutation({
    mutationFn: () => saveFixture({ run_id, name }),
    onSuccess: () => {
      tell('Fixture saved');
      setName('');
      return queryClient.invalidateQueries({ queryKey: ['automations', 'one'] });
    },
    onError: (error) => tellFailure('The fixture was not saved', error),
  });
  return (
    <form
      className="flex flex-wrap items-center gap-2"
      onSubmit={(event) => {
        event.preventDefault();
        save.mutate();
      }}
    >
      <label className="text-soft" htmlFor={`fixture-${run_id}`}>
        Keep this run as a fixture
      </label>
      <input
        id={`fixture-${run_id}`}
        className="h-8 rounded-lg border border-line bg-transparent px-3"
        placeholder="Name"
        maxLength={100}
        value={name}
        onChange={(event) => setName(event.target.value)}
      />
      <Button size="small" disabled={!name.trim()} isBusy={save.isPending} type="submit">
        Save fixture
      </Button>
    </form>
  );
}
