import { useMutation, useQueryClient } from '@tanstack/react-query';
import { KeyRound, Pause, Play, ShieldMinus } from 'lucide-react';
import { useState, type FormEvent } from 'react';
import { Button } from '../../design/button.tsx';
import { CopyBox } from '../../design/copy-box.tsx';
import { TextField } from '../../design/field.tsx';
import { Notice } from '../../design/states.tsx';
import { momentText } from '../../design/time.tsx';
import { tell, tellFailure } from '../../design/toasts.tsx';
import type { Agent } from './agents.ts';
import { restrictKey, rotateKey, updateConnectedClient, updateKey } from './requests.ts';

/** Changes an agent and shows a message with the result. */
export function useChange<Input, Answer>(change: (input: Input) => Promise<Answer>, done: string, failed: string) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: change,
    onSuccess: () => tell(done),
    onError: (error) => tellFailure(failed, error),
    onSettled: () => queryClient.invalidateQueries({ queryKey: ['accounts'] }),
  });
}

/** Reduces an agent to these permissions. */
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
      isBusy={narrowing.isPending}
      disabled={!usual.length}
      onClick={() => narrowing.mutate(undefined)}
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
      isBusy={pausing.isPending}
      onClick={() => pausing.mutate(!isPaused)}
    >
      {isPaused ? 'Resume' : 'Pause'}
    </Button>
  );
}

/** Replaces the key of an agent, and shows the new one once. */
export function RotateKey({ agent }: { agent: Agent }) {
  const queryClient = useQueryClient();
  const rotating = useMutation({
    mutationFn: rotateKey,
    onError: (error) => tellFailure('The key was not rotated', error),
    onSettled: () => queryClient.invalidateQueries({ queryKey: ['accounts', 'keys'] }),
  });
  if (rotating.data)
    return (
      <div className="w-full space-y-3">
        <Notice tone="go" icon={<KeyRound />}>
          Copy the new key now. It is shown once. The previous key works until{' '}
          {momentText(rotating.data.previous_until)}.
        </Notice>
        <CopyBox text={rotating.data.key} label="new key" />
      </div>
    );
  return (
    <Button
      icon={<KeyRound className="size-4" aria-hidden />}
      isBusy={rotating.isPending}
      onClick={() => rotating.mutate(agent.id)}
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
    renaming.mutate({ key_id: agent.id, label }, { onSuccess: () => setIsEditing(false) });
  };
  if (!isEditing) return <Button onClick={() => setIsEditing(true)}>Rename</Button>;
  return (
    <form onSubmit={submit} className="flex w-full items-end gap-2">
      <div className="min-w-0 flex-1">
        <TextField label="Name" name="label" required maxLength={120} autoFocus defaultValue={agent.name} />
      </div>
      <Button look="primary" type="submit" isBusy={renaming.isPending}>
        Save
      </Button>
    </form>
  );
}
