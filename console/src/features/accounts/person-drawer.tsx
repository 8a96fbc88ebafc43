import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { ConfirmDialog } from '../../design/confirm-dialog.tsx';
import { Button } from '../../design/button.tsx';
import { Drawer } from '../../design/drawer.tsx';
import { DrawerSection } from '../../design/drawer-section.tsx';
import { SelectField } from '../../design/field.tsx';
import { Ago } from '../../design/time.tsx';
import { notifySuccess } from '../../design/toasts.tsx';
import { changePersonRole, removePerson, type Person } from './people-requests.ts';
import { sessionsQuery } from './requests.ts';
import { givenRoles, roleWords } from './role-words.ts';
import { SessionRow } from './session-row.tsx';
import { leaveWorkspace } from './workspace-requests.ts';
import { useCall } from '../../design/use-call.ts';

type Props = { person: Person | undefined; isAdmin: boolean; onClose: () => void };

/** One person beside the list: their role, their sessions, and how to remove them. */
export function PersonDrawer({ person, isAdmin, onClose }: Props) {
  const [isEnding, setIsEnding] = useState(false);
  const name = person?.name || person?.email || '';
  return (
    <>
      <Drawer isOpen={person !== undefined && !isEnding} onClose={onClose} title={name}>
        {person && (
          <div className="space-y-6">
            <Facts person={person} />
            <RoleField person={person} isAdmin={isAdmin} />
            <Sessions person={person} />
            {person.role !== 'owner' && (
              <div className="border-t border-line pt-4">
                <Button look="stop" onClick={() => setIsEnding(true)}>
                  {person.is_you ? 'Leave workspace' : 'Remove'}
                </Button>
              </div>
            )}
          </div>
        )}
      </Drawer>
      <EndDialog
        person={isEnding ? person : undefined}
        name={name}
        onClose={() => setIsEnding(false)}
        onDone={() => {
          setIsEnding(false);
          onClose();
        }}
      />
    </>
  );
}

function Facts({ person: { email, joined_at, last_seen_at } }: { person: Person }) {
  return (
    <dl className="grid grid-cols-[6.5rem_minmax(0,1fr)] gap-x-4 gap-y-2 text-sm">
      <dt className="text-faint">Mail</dt>
      <dd className="wrap-anywhere">{email}</dd>
      <dt className="text-faint">Joined</dt>
      <dd>
        <Ago at={joined_at} />
      </dd>
      <dt className="text-faint">Last seen</dt>
      <dd>{last_seen_at ? <Ago at={last_seen_at} /> : 'Never'}</dd>
    </dl>
  );
}

function RoleField({ person, isAdmin }: { person: Person; isAdmin: boolean }) {
  const changing = useCall(changePersonRole, {
    refreshes: ['people'],
    success: 'Role changed',
    failure: 'The role was not changed',
  });
  if (person.role === 'owner' || person.is_you || !isAdmin)
    return <DrawerSection title="Role">{<p className="text-sm">{roleWords[person.role]}</p>}</DrawerSection>;
  return (
    <SelectField
      label="Role"
      value={(changing.isBusy && changing.input?.role) || person.role}
      onChange={(event) => {
        const chosen = givenRoles.find(({ role }) => role === event.target.value);
        if (chosen) changing.call({ person_id: person.person_id, role: chosen.role });
      }}
    >
      {givenRoles.map(({ role, label }) => (
        <option key={role} value={role}>
          {label}
        </option>
      ))}
    </SelectField>
  );
}

function Sessions({ person }: { person: Person }) {
  const { data: sessions } = useQuery(sessionsQuery);
  const theirs = sessions?.filter((session) => session.person.id === person.person_id) ?? [];
  return (
    <DrawerSection title="Sessions">
      {sessions && !theirs.length && <p className="text-sm text-soft">Not signed in anywhere.</p>}
      <ul className="divide-y divide-line rounded-xl border border-line empty:hidden">
        {theirs.map((session) => (
          <SessionRow key={session.session_id} of={session} isOwn={person.is_you} />
        ))}
      </ul>
    </DrawerSection>
  );
}

type EndProps = { person: Person | undefined; name: string; onClose: () => void; onDone: () => void };

/** Asks before somebody is removed, or leaves. */
function EndDialog({ person, name, onClose, onDone }: EndProps) {
  const isYou = person?.is_you ?? false;
  const ending = useCall(({ person_id, is_you }: Person) => (is_you ? leaveWorkspace() : removePerson(person_id)), {
    refreshes: [[]],
    onSuccess: (_answer, { is_you }) => {
      if (is_you) return location.assign('/sign-in');
      notifySuccess('Removed', `${name} is signed out, and their agents stopped.`);
      onDone();
    },
    failure: isYou ? 'You did not leave' : 'Not removed',
  });
  return (
    <ConfirmDialog
      isOpen={person !== undefined}
      onClose={onClose}
      title={isYou ? 'Leave this workspace?' : `Remove ${name}?`}
      description={
        isYou
          ? 'Your sessions and agents stop at once. Brains that you own go to the owner of the workspace.'
          : 'Their sessions and agents stop at once. What they stored stays. Their brains go to the owner of the workspace.'
      }
      act={isYou ? 'Leave' : 'Remove'}
      isBusy={ending.isBusy}
      onConfirm={() => person && ending.call(person)}
    />
  );
}
