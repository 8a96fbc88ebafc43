import { Button } from '../../design/button.tsx';
import { TextField } from '../../design/field.tsx';
import { FormDialog } from '../../design/form-dialog.tsx';
import { Tag } from '../../design/page.tsx';
import { useCall } from '../../design/use-call.ts';
import { PartSection } from './part-section.tsx';
import { changeWorkflow, type Workflow } from './requests.ts';
import { deadlineWords, formatDue } from './words.ts';

type Deadline = Workflow['deadlines'][number];

/** The dates of a workflow. */
export function Deadlines({ of: workflow }: { of: Workflow }) {
  return (
    <PartSection
      of={workflow}
      title="Deadlines"
      noun="deadline"
      empty="No deadlines yet. You and the team are notified when one passes."
      parts={workflow.deadlines}
      getName={({ name }) => name}
      renderPart={({ name, due, state }) => (
        <>
          <span className="min-w-0 flex-1 basis-40 font-medium">
            <bdi>{name}</bdi>
          </span>
          <span className="flex items-center gap-3 text-sm text-soft">
            {formatDue(due)}
            <Tag tone={deadlineWords[state].tone}>{deadlineWords[state].label}</Tag>
          </span>
        </>
      )}
      renderAct={(deadline) => <DoneButton of={workflow} deadline={deadline} />}
      renderDialog={(deadline, onClose) => <DeadlineDialog of={workflow} deadline={deadline} onClose={onClose} />}
      buildRemoval={({ name }) => ({ remove_deadlines: [name] })}
    />
  );
}

function DoneButton({ of: { workflow_id }, deadline: { name, is_done } }: { of: Workflow; deadline: Deadline }) {
  const change = useCall(() => changeWorkflow({ workflow_id, deadlines: [{ name, is_done: !is_done }] }), {
    refreshes: ['workflows'],
    success: is_done ? `${name} reopened` : `${name} done`,
    failure: 'The deadline was not changed',
  });
  return (
    <Button
      look="quiet"
      size="small"
      className="max-sm:-ml-2.5"
      isBusy={change.isBusy}
      onClick={() => change.call()}
      aria-label={is_done ? `Reopen: ${name}` : `Mark as done: ${name}`}
    >
      {is_done ? 'Reopen' : 'Mark as done'}
    </Button>
  );
}

type DialogProps = { of: Workflow; deadline: Deadline | null; onClose: () => void };

function DeadlineDialog({ of: { workflow_id }, deadline, onClose }: DialogProps) {
  const [day = '', time = ''] = deadline ? toLocalParts(deadline.due) : [];
  return (
    <FormDialog
      onClose={onClose}
      title={deadline ? deadline.name : 'Add a deadline'}
      act={deadline ? 'Save' : 'Add deadline'}
      refreshes={['workflows']}
      success="Saved"
      run={({ readText }) => {
        const name = deadline?.name ?? readText('name');
        const due = buildDue(readText('day'), readText('time'));
        return changeWorkflow({ workflow_id, deadlines: [{ name, due }] });
      }}
    >
      {!deadline && <TextField name="name" label="Name" required maxLength={100} />}
      <TextField name="day" label="Date" type="date" required defaultValue={day} />
      <TextField
        name="time"
        label="Time"
        hint="In your time zone. Without a time it ends with its day in UTC."
        type="time"
        defaultValue={time}
      />
    </FormDialog>
  );
}

/** Only a date, or a moment in the person's time zone. */
function buildDue(day: string, time: string): string {
  return time === '' ? day : new Date(`${day}T${time}`).toISOString();
}

/** The date and the time of a deadline in the person's time zone. */
function toLocalParts(due: string): [string, string?] {
  if (due.length === 10) return [due];
  const at = new Date(due);
  const two = (value: number) => String(value).padStart(2, '0');
  const day = `${String(at.getFullYear()).padStart(4, '0')}-${two(at.getMonth() + 1)}-${two(at.getDate())}`;
  return [day, `${two(at.getHours())}:${two(at.getMinutes())}`];
}
