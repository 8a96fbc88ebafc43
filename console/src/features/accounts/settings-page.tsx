import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState, type FormEvent } from 'react';
import { messageOf } from '../../api/api-error.ts';
import { Button } from '../../design/button.tsx';
import { Dialog } from '../../design/dialog.tsx';
import { SelectField, TextField } from '../../design/field.tsx';
import { Card, Page } from '../../design/page.tsx';
import { Section } from '../../design/section.tsx';
import { Notice, Skeleton } from '../../design/states.tsx';
import { tell, tellFailure } from '../../design/toasts.tsx';
import { peopleQuery } from './people-requests.ts';
import { meQuery, type Me } from '../../entities/me.ts';
import { deleteWorkspace, transferWorkspace, renameWorkspace } from './workspace-requests.ts';

/** The settings of the workspace: its name and, for its owner, transfer and deletion. */
export function SettingsPage() {
  const { data: me } = useQuery(meQuery);
  return (
    <Page title="Settings" lead="These apply to the whole workspace.">
      {!me && <Skeleton label="Loading settings" />}
      {me && (
        <div className="space-y-9">
          <Section title="General">
            <Card className="p-5">
              <NameForm key={me.workspace.name} name={me.workspace.name} />
            </Card>
          </Section>
          {me.person.role === 'owner' && <OwnerSections me={me} />}
        </div>
      )}
    </Page>
  );
}

function NameForm({ name }: { name: string }) {
  const queryClient = useQueryClient();
  const renaming = useMutation({
    mutationFn: renameWorkspace,
    onSuccess: () => {
      tell('Saved');
      void queryClient.invalidateQueries({ queryKey: ['workspaces'] });
      return queryClient.invalidateQueries({ queryKey: ['accounts', 'me'] });
    },
    onError: (error) => tellFailure('Not saved', error),
  });
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    renaming.mutate(String(new FormData(event.currentTarget).get('name') ?? '').trim());
  };
  return (
    <form onSubmit={submit} className="flex flex-wrap items-end gap-3">
      <div className="min-w-60 flex-1">
        <TextField label="Workspace name" name="name" required maxLength={120} defaultValue={name} />
      </div>
      <Button look="primary" type="submit" isBusy={renaming.isPending}>
        Save
      </Button>
    </form>
  );
}

function OwnerSections({ me }: { me: Me }) {
  const [isDeleting, setIsDeleting] = useState(false);
  return (
    <>
      <Section title="Owner" lead="Hand the workspace over to somebody else. You stay as an admin.">
        <Card className="p-5">
          <HandOverForm />
        </Card>
      </Section>
      <Section
        title="Delete"
        lead="Deletes the workspace with all its brains, agents and people’s access."
        action={
          <Button look="stop" onClick={() => setIsDeleting(true)}>
            Delete workspace
          </Button>
        }
      >
        {null}
      </Section>
      <DeleteDialog name={me.workspace.name} isOpen={isDeleting} onClose={() => setIsDeleting(false)} />
    </>
  );
}

function HandOverForm() {
  const { data } = useQuery(peopleQuery);
  const queryClient = useQueryClient();
  const [chosen, setChosen] = useState('');
  const others = data?.people.filter(({ is_you }) => !is_you) ?? [];
  const handing = useMutation({
    mutationFn: transferWorkspace,
    onSuccess: () => {
      tell('Handed over', 'You are an admin now.');
      return queryClient.invalidateQueries();
    },
    onError: (error) => tellFailure('Not handed over', error),
  });
  if (data && !others.length) return <p className="text-sm text-soft">Invite somebody first.</p>;
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        handing.mutate(chosen);
      }}
      className="flex flex-wrap items-end gap-3"
    >
      <div className="min-w-60 flex-1">
        <SelectField label="New owner" required value={chosen} onChange={(event) => setChosen(event.target.value)}>
          <option value="">Select a person</option>
          {others.map(({ person_id, name, email }) => (
            <option key={person_id} value={person_id}>
              {name ? `${name} (${email})` : email}
            </option>
          ))}
        </SelectField>
      </div>
      <Button type="submit" isBusy={handing.isPending}>
        Hand over
      </Button>
    </form>
  );
}

function DeleteDialog({ name, isOpen, onClose }: { name: string; isOpen: boolean; onClose: () => void }) {
  const [typed, setTyped] = useState('');
  const deleting = useMutation({ mutationFn: deleteWorkspace });
  return (
    <Dialog
      isOpen={isOpen}
      onClose={onClose}
      title={`Delete ${name}?`}
      description="This deletes everything in the workspace, for everyone. You cannot undo this."
    >
      <form
        onSubmit={(event) => {
          event.preventDefault();
          deleting.mutate(typed);
        }}
        className="space-y-4"
      >
        {deleting.isError && <Notice tone="stop">{messageOf(deleting.error)}</Notice>}
        <TextField
          label={`Type ${name} to confirm`}
          autoFocus
          autoComplete="off"
          value={typed}
          onChange={(event) => setTyped(event.target.value)}
        />
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>Cancel</Button>
          <Button look="stop" type="submit" disabled={typed !== name} isBusy={deleting.isPending}>
            Delete workspace
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
