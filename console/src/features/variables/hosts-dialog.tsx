import { TextField } from '../../design/field.tsx';
import { FormDialog } from '../../design/form-dialog.tsx';
import { changeHosts, type Variable } from './requests.ts';

type Props = { of: Variable; isOpen: boolean; onClose: () => void };

/** Says where a variable may be sent, without touching its value. */
export function HostsDialog({ of: variable, isOpen, onClose }: Props) {
  return (
    <FormDialog
      isOpen={isOpen}
      onClose={onClose}
      title={`Hosts of ${variable.name}`}
      description="Its value and its placeholder do not change."
      act="Save"
      run={({ readWords }) => changeHosts({ of: variable, hosts: readWords('hosts') })}
      refreshes={['variables']}
      success={({ hosts }) => [
        'Hosts saved',
        hosts.length ? `Sent only to ${hosts.join(', ')}.` : 'No host is allowed now.',
      ]}
    >
      <TextField
        label="Allowed hosts"
        name="hosts"
        maxLength={4_000}
        autoFocus
        autoCapitalize="off"
        spellCheck={false}
        defaultValue={variable.hosts.join(', ')}
        placeholder="api.stripe.com"
        hint="Host names of its API. Without one, Thalamus never sends the value."
      />
    </FormDialog>
  );
}
