import { TextField } from '../../design/field.tsx';
import { FormDialog } from '../../design/form-dialog.tsx';
import { setSecret } from './requests.ts';

type Props = { name: string; description: string; hosts: string[]; isOpen: boolean; onClose: () => void };

/** Stores the secret that a recipe needs, for the hosts of the recipe. */
export function SecretDialog({ name, description, hosts, isOpen, onClose }: Props) {
  return (
    <FormDialog
      isOpen={isOpen}
      onClose={onClose}
      title={`Add ${name}`}
      description={`Stored encrypted as your secret, and sent only to ${hosts.join(', ') || 'hosts that you allow'}.`}
      act="Add secret"
      refreshes={['recipes', 'variables']}
      success="Secret added"
      run={({ data }) => setSecret({ name, description, hosts, value: String(data.get('value') ?? '') })}
    >
      <TextField name="value" type="password" label="Value" hint={description} autoComplete="off" autoFocus required />
    </FormDialog>
  );
}
