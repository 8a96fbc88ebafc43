import { TextArea } from '../../design/field.tsx';
import type { FormFields } from '../../design/form-fields.ts';
import { FormDialog } from '../../design/form-dialog.tsx';
import { publishRecipe } from './requests.ts';

const example = `{
  "slug": "meeting-notes",
  "name": "Meeting notes",
  "kind": "board",
  "template": {"name": "Meetings"}
}`;

/** Publishes a manifest, or a script with calls of add({…}). */
export function PublishDialog({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  return (
    <FormDialog
      isOpen={isOpen}
      onClose={onClose}
      title="Publish a recipe"
      description="Everybody in the workspace can install it. Secrets that its endpoints name are lent to installs, for the host of the endpoint only."
      act="Publish"
      refreshes={['recipes']}
      success={({ slug, version, is_new }) =>
        is_new ? `${slug} ${version} published` : `${slug} ${version} is published already`
      }
      run={({ readText }: FormFields) => publishRecipe(readManifest(readText('manifest')))}
    >
      <TextArea
        name="manifest"
        label="Manifest"
        hint="JSON, or a script that calls add({…})."
        required
        rows={12}
        className="font-mono"
        placeholder={example}
      />
    </FormDialog>
  );
}

/** JSON is a manifest, and everything else a script. The server checks both. */
function readManifest(text: string): Parameters<typeof publishRecipe>[0] {
  try {
    const recipe: unknown = JSON.parse(text);
    return { recipe: recipe as NonNullable<Parameters<typeof publishRecipe>[0]['recipe']> };
  } catch {
    return { source: text };
  }
}
