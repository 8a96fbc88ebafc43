import { useState } from 'react';
import { Button } from '../../design/button.tsx';
import { saveFixture, type RunRecord } from './requests.ts';
import { useCall } from '../../design/use-call.ts';

/** Keeps a dry run as a fixture, under a name. */
export function SaveFixture({ of: { run_id } }: { of: RunRecord }) {
  const [name, setName] = useState('');
  const save = useCall(() => saveFixture({ run_id, name }), {
    refreshes: [['automations', 'one']],
    success: 'Fixture saved',
    onSuccess: () => setName(''),
    failure: 'The fixture was not saved',
  });
  return (
    <form
      className="flex flex-wrap items-center gap-2"
      onSubmit={(event) => {
        event.preventDefault();
        save.call();
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
      <Button size="small" disabled={!name.trim()} isBusy={save.isBusy} type="submit">
        Save fixture
      </Button>
    </form>
  );
}
