import { SelectField, TextArea, TextField } from '../../design/field.tsx';
import { FormDialog } from '../../design/form-dialog.tsx';
import { addKnowledge, type NewKnowledge } from './knowledge-requests.ts';
import type { Brain } from '../../entities/brains.ts';

/** The initial values. An empty section name creates a new one. */
export type Draft = Omit<NewKnowledge, 'brain_id'>;

type Props = { brain: Brain; draft: Draft | null; onClose: () => void };

/** Sets the core knowledge of a section, and replaces its former text. */
export function KnowledgeDialog({ brain, draft, onClose }: Props) {
  const section = draft?.section;
  return (
    <FormDialog
      isOpen={draft !== null}
      onClose={onClose}
      title={section ? 'Edit core knowledge' : 'Add core knowledge'}
      description={section ? 'The previous text stays in the history.' : undefined}
      act="Save"
      run={({ readText }) =>
        addKnowledge({
          brain_id: brain.id,
          section: section || readText('section'),
          content: readText('content'),
          visibility: readText('visibility') === 'local' ? 'local' : 'inherited',
        })
      }
      refreshes={[['brains', 'knowledge']]}
      success={({ replaced }) => [replaced ? 'Saved' : 'Added', 'Agents know it from their next session.']}
    >
      {!section && (
        <TextField label="Topic" name="section" required autoFocus maxLength={120} placeholder="writing_style" />
      )}
      <TextArea
        label="Text"
        name="content"
        required
        autoFocus={Boolean(section)}
        maxLength={8_000}
        defaultValue={draft?.content}
        placeholder="Write short sentences. Address customers by first name."
      />
      <SelectField label="Applies to" name="visibility" defaultValue={draft?.visibility}>
        <option value="inherited">This brain and its sub-brains</option>
        <option value="local">This brain only</option>
      </SelectField>
    </FormDialog>
  );
}
