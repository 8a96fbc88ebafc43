import { TextArea, TextField } from '../../design/field.tsx';
import { FormDialog } from '../../design/form-dialog.tsx';
import type { Brain } from '../../entities/brains.ts';
import { createSkill, updateSkillAssignment } from './skill-requests.ts';

type Props = {
  /** Where it is assigned at once; undefined leaves it in the library. */
  brain: Brain | undefined;
  isOpen: boolean;
  onClose: () => void;
};

/** Writes a skill into the library of the workspace. */
export function NewSkillDialog({ brain, isOpen, onClose }: Props) {
  return (
    <FormDialog
      isOpen={isOpen}
      onClose={onClose}
      title="New skill"
      description={
        brain
          ? `Added to the skill library of your workspace and turned on for ${brain.name}.`
          : 'Added to the skill library of your workspace. An admin of this brain can turn it on here.'
      }
      act="Create skill"
      run={async ({ readText }) => {
        const { skill_id, name } = await createSkill({ name: readText('name'), content: readText('content') });
        if (brain && skill_id) await updateSkillAssignment({ action: 'assign', skill_id, brain_id: brain.id });
        return name;
      }}
      refreshes={[['brains', 'skills']]}
      success={(name) => `${name} created`}
    >
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
    </FormDialog>
  );
}
