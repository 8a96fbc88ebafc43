import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Button } from '../../design/button.tsx';
import { ConfirmDialog } from '../../design/confirm-dialog.tsx';
import { SelectField, TextField } from '../../design/field.tsx';
import { Card } from '../../design/page.tsx';
import { Section } from '../../design/section.tsx';
import { SettingsPage } from '../../design/settings-page.tsx';
import { useCall } from '../../design/use-call.ts';
import { meQuery, type Me } from '../../entities/me.ts';
import { peopleQuery } from './people-requests.ts';
import { deleteWorkspace, renameWorkspace, transferWorkspace } from './workspace-requests.ts';

/** The settings of the workspace: its name and, for its owner, transfer and deletion. */
export function WorkspaceSettingsPage() {
  const query = useQuery(meQuery);
  const saved = query.data?.workspace.name ?? '';
  const [written, setWritten] = useState<string>();
  const name = written ?? saved;
  const renaming = useCall(renameWorkspace, {
    refreshes: [['workspaces'], ['accounts', 'me']],
    success: 'Saved',
    failure: 'Not saved',
  });
  return (
    <SettingsPage
      title="Settings"
      lead="These apply to the whole workspace."
      query={query}
      form={{
        isDirty: name !== saved,
        isBusy: renaming.isBusy,
        onSave: () => renaming.call(name.trim()),
        onDiscard: () => setWritten(undefined),
      }}
      after={query.data?.person.role === 'owner' && <OwnerSections me={query.data} />}
    >
      <Section title="General">
        <Card className="p-5">
          <TextField
            label="Workspace name"
            name="name"
            required
            maxLength={120}
            value={name}
            onChange={(event) => setWritten(event.target.value)}
          />
        </Card>
      </Section>
    </SettingsPage>
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
  const [chosen, setChosen] = useState('');
  const others = data?.people.filter(({ is_you }) => !is_you) ?? [];
  const handing = useCall(transferWorkspace, {
    refreshes: [[]], // everything
    success: ['Handed over', 'You are an admin now.'],
    failure: 'Not handed over',
  });
  if (data && !others.length) return <p className="text-sm text-soft">Invite somebody first.</p>;
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        handing.call(chosen);
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
      <Button type="submit" isBusy={handing.isBusy}>
        Hand over
      </Button>
    </form>
  );
}

function DeleteDialog({ name, isOpen, onClose }: { name: string; isOpen: boolean; onClose: () => void }) {
  const deleting = useCall(deleteWorkspace);
  return (
    <ConfirmDialog
      isOpen={isOpen}
      onClose={onClose}
      title={`Delete ${name}?`}
      description="This deletes everything in the workspace, for everyone. You cannot undo this."
      act="Delete workspace"
      typed={name}
      isBusy={deleting.isBusy}
      error={deleting.error}
      onConfirm={() => deleting.call(name)}
    />
  );
}
