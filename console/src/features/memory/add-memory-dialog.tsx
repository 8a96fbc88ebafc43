import { SelectField, TextArea } from '../../design/field.tsx';
import { FormDialog } from '../../design/form-dialog.tsx';
import type { FormFields } from '../../design/form-fields.ts';
import { Kbd } from '../../design/kbd.tsx';
import { BrainField } from '../../entities/brain-field.tsx';
import { formatTypeName } from './type-label.tsx';
import { addMemory, memoryTypes, saliences, salienceWords, type NewMemory } from './requests.ts';

type Props = { isOpen: boolean; onClose: () => void; brain?: string | undefined };

/** Adds one memory. The server infers fields left on “Detect automatically”. */
export function AddMemoryDialog({ isOpen, onClose, brain }: Props) {
  return (
    <FormDialog
      isOpen={isOpen}
      onClose={onClose}
      title="Add memory"
      description="All your agents can find it."
      act={
        <>
          Add memory <Kbd>⌘↵</Kbd>
        </>
      }
      run={(fields) => addMemory(parseNewMemory(fields))}
      refreshes={['memory']}
      success={({ message }) => ['Memory added', message]}
    >
      <TextArea
        label="Memory"
        isLabelHidden
        name="content"
        required
        autoFocus
        maxLength={32_000}
        placeholder="We chose Postgres over Neo4j, because a brain’s graph is small."
      />
      <div className="grid gap-3 sm:grid-cols-3">
        <BrainField canWrite label="Brain" name="brain" defaultValue={brain ?? ''}>
          <option value="">Your personal brain</option>
        </BrainField>
        <SelectField label="Type" name="type" defaultValue="">
          <option value="">Detect automatically</option>
          {memoryTypes.map((type) => (
            <option key={type} value={type}>
              {formatTypeName(type)}
            </option>
          ))}
        </SelectField>
        <SelectField label="Importance" name="salience" defaultValue="">
          <option value="">Detect automatically</option>
          {saliences.map((weight) => (
            <option key={weight} value={weight}>
              {salienceWords[weight]}
            </option>
          ))}
        </SelectField>
      </div>
    </FormDialog>
  );
}

function parseNewMemory({ readText: text }: FormFields): NewMemory {
  const type = memoryTypes.find((each) => each === text('type'));
  const salience = saliences.find((each) => each === text('salience'));
  return {
    content: text('content'),
    ...(type && { type }),
    ...(salience && { salience }),
    ...(text('brain') && { target_brain_id: text('brain') }),
  };
}
