import { SelectField } from '../../design/field.tsx';
import type { Account } from './requests.ts';

type Props = { label: string; accounts: readonly Account[]; chosen: string; onChange: (connectionId: string) => void };

/** A select of accounts. It uses ids, because two accounts may have one name. */
export function AccountField({ label, accounts, chosen, onChange }: Props) {
  return (
    <SelectField label={label} value={chosen} onChange={(event) => onChange(event.target.value)}>
      {accounts.map(({ connection_id: id, account }) => (
        <option key={id} value={id}>
          {account}
        </option>
      ))}
    </SelectField>
  );
}

/** The account that was chosen, or the first. */
export function findChosenAccountId(accounts: readonly Account[], chosen: string): string | undefined {
  return (accounts.find(({ connection_id: id }) => id === chosen) ?? accounts[0])?.connection_id;
}
