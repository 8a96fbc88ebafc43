import { KeyRound, Pause, Play, ShieldMinus } from 'lucide-react';
import { useState, type FormEvent } from 'react';
import { Button } from '../../design/button.tsx';
import { CopyBox } from '../../design/copy-box.tsx';
import { TextField } from '../../design/field.tsx';
import { Notice } from '../../design/states.tsx';
import { formatExactMoment } from '../../design/time.tsx';
import type { Agent } from './agents.ts';
import { restrictKey, rotateKey, updateConnectedClient, updateKey } from './requests.ts';
import { useCall } from '../../design/use-call.ts';

/** Changes an agent and shows a message with the result. */
function useChange<Input, Answer>(change: (input: Input) => Promise<Answer>, done: string, failed: string) {
  return useCall(change, { refreshes: ['accounts'], success: done, failure: failed });
}

/** Restricts an agent to these permissions. */
export function keepScopes({ id, kind }: Agent, scopes: Agent['scopes']): Promise<unknown> {
  return kind === 'key' ? restrictKey(id, [...scopes]) : updateConnectedClient({ id, scopes: [...scopes] });
}

/** Removes permissions that a new agent would not get. */
export function NarrowButton({ agent }: { agent: Agent }) {
  const usual = agent.scopes.filter((scope) => !agent.beyondDefault.includes(scope));
  const narrowing = useChange(
    () => keepScopes(agent, usual),
    'Reduced to the default',
    'The permissions were not reduced',
  );
  return (
    <Button
      size="small"
      icon={<ShieldMinus className="size-3.5" aria-hidden />}
      isBusy={narrowing.isBusy}
      disabled={!usual.length}
      onClick={() => narrowing.call(undefined)}
    >
      Reduce to default
    </Button>
  );
}

/** Pauses or resumes an agent. */
export function PauseButton({ agent }: { agent: Agent }) {
  const isPaused = agent.pausedAt !== null;
  const pausing = useChange(
    (is_paused: boolean): Promise<unknown> =>
      agent.kind === 'key'
        ? updateKey({ key_id: agent.id, is_paused })
        : updateConnectedClient({ id: agent.id, is_paused }),
    isPaused ? 'Resumed' : 'Paused',
    isPaused ? 'Not resumed' : 'Not paused',
  );
  return (
    <Button
      icon={isPaused ? <Play className="size-4" aria-hidden /> : <Pause className="size-4" aria-hidden />}
      isBusy={pausing.isBusy}
      onClick={() => pausing.call(!isPaused)}
    >
      {isPaused ? 'Resume' : 'Pause'}
    </Button>
  );
}

/** Replaces the key of an agent, and shows the new one once. */
export function RotateKey({ agent }: { agent: Agent }) {
  const rotating = useCall(rotateKey, { refreshes: [['accounts', 'keys']], failure: 'The key was not rotated' });
  if (rotating.answer)
    return (
      <div className="w-full space-y-3">
        <Notice tone="go" icon={<KeyRound />}>
          Copy the new key now. It is shown once. The previous key works until{' '}
          {formatExactMoment(rotating.answer.previous_until)}.
        </Notice>
        <CopyBox text={rotating.answer.key} label="new key" />
      </div>
    );
  return (
    <Button
      icon={<KeyRound className="size-4" aria-hidden />}
      isBusy={rotating.isBusy}
      onClick={() => rotating.call(agent.id)}
    >
      Rotate key
    </Button>
  );
}

/** Gives an agent another name. */
export function RenameAgent({ agent }: { agent: Agent }) {
  const [isEditing, setIsEditing] = useState(false);
  const renaming = useChange(updateKey, 'Renamed', 'Not renamed');
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const label = String(new FormData(event.currentTarget).get('label') ?? '').trim();
    renaming.call({ key_id: agent.id, label }, { onSuccess: () => setIsEditing(false) });
  };
  if (!isEditing) return <Button onClick={() => setIsEditing(true)}>Rename</Button>;
  return (
    <form onSubmit={submit} className="flex w-full items-end gap-2">
      <div className="min-w-0 flex-1">
        <TextField label="Name" name="label" required maxLength={120} autoFocus defaultValue={agent.name} />
      </div>
      <Button look="primary" type="submit" isBusy={renaming.isBusy}>
        Save
      </Button>
    </form>
  );
}
