import { useQuery } from '@tanstack/react-query';
import { SelectField, TextField } from '../../design/field.tsx';
import { FormDialog } from '../../design/form-dialog.tsx';
import { Tag } from '../../design/page.tsx';
import { PartSection } from './part-section.tsx';
import { buildPeopleQuery, changeWorkflow, keysQuery, type Workflow } from './requests.ts';
import { memberWords } from './words.ts';

type Member = Workflow['roster'][number];

/** The people, keys, clients and automations of a workflow, each with its part. */
export function Team({ of: workflow }: { of: Workflow }) {
  return (
    <PartSection
      of={workflow}
      title="Team"
      noun="member"
      empty="No members yet. Add people, keys and automations, each with its part."
      parts={workflow.roster}
      getName={({ name }) => name}
      renderPart={({ kind, name, part }) => (
        <>
          <span className="min-w-0 flex-1 basis-40">
            <span className="block font-medium">
              <bdi>{name}</bdi>
            </span>
            <span className="mt-0.5 block text-sm text-soft">{part}</span>
          </span>
          <Tag>{memberWords[kind]}</Tag>
        </>
      )}
      renderDialog={(member, onClose) => <MemberDialog of={workflow} member={member} onClose={onClose} />}
      buildRemoval={({ id }) => ({ remove_from_roster: [id] })}
    />
  );
}

const idFields = {
  person: 'person_id',
  key: 'key_id',
  client: 'client_id',
  automation: 'automation_id',
} as const satisfies Record<Member['kind'], string>;

type DialogProps = { of: Workflow; member: Member | null; onClose: () => void };

function MemberDialog({ of: workflow, member, onClose }: DialogProps) {
  return (
    <FormDialog
      onClose={onClose}
      title={member ? member.name : 'Add a member'}
      act={member ? 'Save' : 'Add member'}
      refreshes={['workflows']}
      success="Saved"
      run={({ readText }) => {
        const [kind, id] = member ? [member.kind, member.id] : parseChoice(readText('member'));
        const entry = { [idFields[kind]]: id, part: readText('part') };
        return changeWorkflow({ workflow_id: workflow.workflow_id, roster: [entry] });
      }}
    >
      {!member && <MemberField of={workflow} />}
      <TextField
        name="part"
        label="Part"
        hint="What this member does in the workflow."
        required
        maxLength={300}
        defaultValue={member?.part ?? ''}
      />
    </FormDialog>
  );
}

function MemberField({ of: { brain_id, roster, automations } }: { of: Workflow }) {
  const { data: people = [] } = useQuery(buildPeopleQuery(brain_id));
  const { data: keys = [] } = useQuery(keysQuery);
  const groups = [
    {
      kind: 'person',
      label: 'People',
      members: people.map(({ user_id: id, name, email }) => ({ id, name: name ?? email ?? '' })),
    },
    {
      kind: 'automation',
      label: 'Automations',
      members: automations.map(({ automation_id: id, name }) => ({ id, name })),
    },
    { kind: 'key', label: 'Your keys', members: keys.map(({ key_id: id, label }) => ({ id, name: label })) },
  ] as const;
  return (
    <SelectField name="member" label="Member" required defaultValue="">
      <option value="" disabled>
        Choose a member
      </option>
      {groups.map(({ kind, label, members }) => (
        <optgroup key={kind} label={label}>
          {members
            .filter(({ id }) => !roster.some((entry) => entry.id === id))
            .map(({ id, name }) => (
              <option key={id} value={`${kind}:${id}`}>
                {name}
              </option>
            ))}
        </optgroup>
      ))}
    </SelectField>
  );
}

function parseChoice(choice: string): [Member['kind'], string] {
  const [kind = '', id = ''] = choice.split(':');
  return [kind as Member['kind'], id]; // the options are made of these kinds
}
