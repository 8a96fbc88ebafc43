import { useNavigate } from '@tanstack/react-router';
import { TextArea, TextField } from '../../design/field.tsx';
import { FormDialog } from '../../design/form-dialog.tsx';
import { BrainField } from '../../entities/brain-field.tsx';
import { createBrain } from './requests.ts';
import { isAtLeast, type Brain } from '../../entities/brains.ts';

type Props = { isOpen: boolean; onClose: () => void; parent?: Brain | undefined };

/** Creates a brain, below another one or by itself. */
export function NewBrainDialog({ isOpen, onClose, parent }: Props) {
  const navigate = useNavigate();
  const mayBeParent = parent && !parent.is_personal && isAtLeast(parent.access_level, 'admin');
  return (
    <FormDialog
      isOpen={isOpen}
      onClose={onClose}
      title="New brain"
      act="Create brain"
      run={({ readText }) =>
        createBrain({
          name: readText('name'),
          ...(readText('description') && { description: readText('description') }),
          ...(readText('parent') && { parent_brain_id: readText('parent') }),
        })
      }
      refreshes={['brains']}
      success={({ name }) => `${name} created`}
      onSuccess={({ brain_id }) => void navigate({ to: '/brains/$brainId', params: { brainId: brain_id } })}
    >
      <TextField label="Name" name="name" required maxLength={200} autoFocus placeholder="Deal Support" />
      <TextArea
        label="Description"
        name="description"
        maxLength={4_000}
        placeholder="Call scripts, objections and how we answer them, competitive intel"
        hint="Thalamus routes memories by this text."
      />
      <BrainField isParent label="Parent brain" name="parent" defaultValue={mayBeParent ? parent.id : ''}>
        <option value="">None</option>
      </BrainField>
    </FormDialog>
  );
}
