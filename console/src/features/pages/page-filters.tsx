import { useQuery } from '@tanstack/react-query';
import { Button } from '../../design/button.tsx';
import { SelectField } from '../../design/field.tsx';
import { SearchField } from '../../design/search-field.tsx';
import { integrationsQuery } from '../integrations/requests.ts';
import { pageTypes, periodNames, periods, type PagesAddress } from './pages-address.ts';

type Props = {
  address: PagesAddress;
  onChange: (change: PagesAddress) => void;
  /** Enter in the search field. */
  onEnter: () => void;
};

/** The search field and filters. Searches while typing. The URL has all of it. */
export function PageFilters({ address, onChange, onEnter }: Props) {
  const { q, source, type, when } = address;
  const isNarrowed = source !== undefined || type !== undefined || when !== undefined;
  return (
    <search
      className="block space-y-2 border-b border-line px-4 py-3"
      onKeyDown={(event) => {
        if (event.key === 'Enter' && event.target instanceof HTMLInputElement) onEnter();
      }}
    >
      <SearchField label="Search pages" value={q ?? ''} onChange={(text) => onChange({ q: text || undefined })} />
      <div className="grid grid-cols-3 gap-2">
        <SourceField value={source ?? ''} onChange={(chosen) => onChange({ source: chosen })} />
        <SelectField
          label="Type"
          isLabelHidden
          value={type ?? ''}
          onChange={(event) => onChange({ type: event.target.value || undefined })}
        >
          <option value="">Types</option>
          {Object.entries(pageTypes).map(([name, label]) => (
            <option key={name} value={name}>
              {label}
            </option>
          ))}
        </SelectField>
        <SelectField
          label="Time"
          isLabelHidden
          value={when ?? ''}
          onChange={(event) => onChange({ when: periods.find((each) => each === event.target.value) })}
        >
          <option value="">Time</option>
          {periods.map((each) => (
            <option key={each} value={each}>
              {periodNames[each]}
            </option>
          ))}
        </SelectField>
      </div>
      {isNarrowed && (
        <Button
          look="quiet"
          size="small"
          className="-ml-2.5"
          onClick={() => onChange({ source: undefined, type: undefined, when: undefined })}
        >
          Clear filters
        </Button>
      )}
    </search>
  );
}

type SourceFieldProps = { value: string; onChange: (source: string | undefined) => void };

/** A source, or one account of it. */
function SourceField({ value, onChange }: SourceFieldProps) {
  const { data: integrations = [] } = useQuery(integrationsQuery);
  const linked = integrations.filter(({ accounts, name }) => accounts.length > 0 || value.split(':')[0] === name);
  const known = linked.flatMap(({ name, accounts }) => [
    name,
    ...accounts.map(({ known_as }) => `${name}:${known_as}`),
  ]);
  return (
    <SelectField
      label="Source or account"
      isLabelHidden
      value={value}
      onChange={(event) => onChange(event.target.value || undefined)}
    >
      <option value="">Sources</option>
      {linked.map(({ name, label, accounts }) => (
        <optgroup key={name} label={label}>
          <option value={name}>All of {label}</option>
          {accounts.map(({ connection_id, account, known_as }) => (
            <option key={connection_id} value={`${name}:${known_as}`}>
              {account}
            </option>
          ))}
        </optgroup>
      ))}
      {value && !known.includes(value) && <option value={value}>{value}</option>}
    </SelectField>
  );
}
