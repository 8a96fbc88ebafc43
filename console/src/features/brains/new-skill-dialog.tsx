import type { FormEvent } from 'react';
import { formatErrorMessage } from '../../api/api-error.ts';
import { Button } from '../../design/button.tsx';
import { Dialog } from '../../design/dialog.tsx';
import { TextArea, TextField } from '../../design/field.tsx';
import { Notice } from '../../design/states.tsx';
import type { Brain } from '../../entities/brains.ts';
import { createSkill, updateSkillAssignment } from './skill-requests.ts';
import { useCall } from '../../design/use-call.ts';

type Props = {
  /** Where it is assigned at once; undefined leaves it in the library. */
  brain: Brain | undefined;
  isOpen: boolean;
  onClose: () => void;
};

/** Writes a skill into the library of the workspace. */
export function NewSkillDialog({ brain, isOpen, onClose }: Props) {
  return (
    <Dialog
      isOpen={isOpen}
      onClose={onClose}
      title="New skill"
      description={
        brain
          ? `Added to the skill library of your workspace and turned on for ${brain.name}.`
          : 'Added to the skill library of your workspace. An admin of this brain can turn it on here.'
      }
    >
      <NewSkillForm brain={brain} onClose={onClose} />
    </Dialog>
  );
}

function NewSkillForm({ brain, onClose }: Omit<Props, 'isOpen'>) {
  const creating = useCall(
    async (skill: { name: string; content: string }) => {
      const { skill_id, name } = await createSkill(skill);
      if (brain && skill_id) await updateSkillAssignment({ action: 'assign', skill_id, brain_id: brain.id });
      return name;
    },
    { refreshes: [['brains', 'skills']], success: (name) => `${name} created`, onSuccess: onClose },
  );
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const text = (name: string) => String(form.get(name) ?? '').trim();
    creating.call({ name: text('name'), content: text('content') });
  };
  return (
    <form onSubmit={submit} className="space-y-4">
      {creating.error && <Notice tone="stop">{formatErrorMessage(creating.error)}</Notice>}
      <TextField label="Name" name="name" required autoFocus maxLength={120} placeholder="weekly-report" />
      <TextArea
        label="Instructions"
        name="content"
        required
        maxLength={50_000}
        className="min-h-40"
        placeholder="Writes the weekly report of a team"
        hint="Agents choose a skill by its first line."
      />
      <div className="flex justify-end gap-2 pt-1">
        <Button onClick={onClose}>Cancel</Button>
        <Button look="primary" type="submit" isBusy={creating.isBusy}>
          Create skill
        </Button>
      </div>
    </form>
  );
}
