import { useQuery } from '@tanstack/react-query';
import { SlidersHorizontal } from 'lucide-react';
import { useState } from 'react';
import { Button } from '../../design/button.tsx';
import { SelectField } from '../../design/field.tsx';
import { SearchField } from '../../design/search-field.tsx';
import { CommittedField } from '../../design/committed-field.tsx';
import { BrainField } from '../../entities/brain-field.tsx';
import { integrationsQuery } from '../integrations/requests.ts';
import { formatTypeName } from './type-label.tsx';
import { memoryTypes, saliences, salienceWords, type MemoryFilter } from './requests.ts';

/** Search parameters of the memory page. `memory` is the one open beside the list. */
export type MemoryAddress = MemoryFilter & { q?: string | undefined; memory?: string | undefined };

/** `onChange` takes only the changed parameters, so that two changes at once do not undo each other. */
type Props = { address: MemoryAddress; onChange: (change: MemoryAddress) => void };

/** Filters that work for searches only. */
const finer = ['salience', 'author', 'source', 'since', 'until'] as const;

/** How many of the finer filters are set. */
export function countFinerFilters(address: MemoryAddress): number {
  return finer.filter((name) => address[name]).length;
}

/** The search field and what narrows it. Searches while one types. */
export function MemoryFilters({ address, onChange }: Props) {
  const count = countFinerFilters(address);
  const [isOpen, setIsOpen] = useState(count > 0);
  return (
    <search className="mb-5 block">
      <div className="flex flex-col gap-2 lg:flex-row">
        <SearchField
          label="Search memories"
          value={address.q ?? ''}
          onChange={(q) => onChange({ q: q || undefined })}
        />
        <div className="grid grid-cols-[1fr_1fr_auto] gap-2 lg:flex">
          <BrainField
            label="Brain"
            isLabelHidden
            className="lg:w-40"
            value={address.brain ?? ''}
            onChange={(event) => onChange({ brain: event.target.value || undefined })}
          >
            <option value="">{address.q ? 'All brains' : 'Your personal brain'}</option>
          </BrainField>
          <SelectField
            label="Type"
            isLabelHidden
            className="lg:w-34"
            value={address.type ?? ''}
            onChange={(event) => onChange({ type: memoryTypes.find((type) => type === event.target.value) })}
          >
            <option value="">All types</option>
            {memoryTypes.map((type) => (
              <option key={type} value={type}>
                {formatTypeName(type)}
              </option>
            ))}
          </SelectField>
          <Button
            aria-expanded={isOpen}
            icon={<SlidersHorizontal className="size-4" aria-hidden />}
            onClick={() => setIsOpen(!isOpen)}
          >
            <span className="max-sm:sr-only">Filters</span>
            {count > 0 && (
              <span className="text-go">
                {count}
                <span className="sr-only"> set</span>
              </span>
            )}
          </Button>
        </div>
      </div>
      {isOpen && <FinerFilters address={address} onChange={onChange} />}
    </search>
  );
}

function FinerFilters({ address, onChange }: Props) {
  const count = countFinerFilters(address);
  const clear = () => onChange(Object.fromEntries(finer.map((name) => [name, undefined])));
  const commitFilter = (name: 'author' | 'since' | 'until') => (value: string) =>
    onChange({ [name]: value || undefined });
  return (
    <div className="mt-3 grid grid-cols-2 items-end gap-x-2 gap-y-3 rounded-2xl border border-line bg-surface p-4 sm:grid-cols-3 lg:grid-cols-5">
      <SelectField
        label="Importance"
        value={address.salience ?? ''}
        onChange={(event) => onChange({ salience: saliences.find((each) => each === event.target.value) })}
      >
        <option value="">Any</option>
        {saliences.map((each) => (
          <option key={each} value={each}>
            {salienceWords[each]}
          </option>
        ))}
      </SelectField>
      <SourceField value={address.source ?? ''} onChange={(source) => onChange({ source })} />
      <CommittedField
        label="Author"
        placeholder="Anyone"
        maxLength={200}
        value={address.author ?? ''}
        onCommit={commitFilter('author')}
      />
      <CommittedField
        label="Since"
        placeholder="last March"
        value={address.since ?? ''}
        onCommit={commitFilter('since')}
      />
      <CommittedField
        label="Until"
        placeholder="yesterday"
        value={address.until ?? ''}
        onCommit={commitFilter('until')}
      />
      {count > 0 && (
        <div className="col-span-full -mb-1">
          <Button look="quiet" size="small" className="-ml-2.5" onClick={clear}>
            Clear filters
          </Button>
        </div>
      )}
    </div>
  );
}

function SourceField({ value, onChange }: { value: string; onChange: (source: string | undefined) => void }) {
  const { data: integrations = [] } = useQuery(integrationsQuery);
  const sources = [
    { name: 'human', label: 'People and agents' },
    { name: 'auto_ingested', label: 'Synced automatically' },
    ...integrations,
  ];
  return (
    <SelectField label="Source" value={value} onChange={(event) => onChange(event.target.value || undefined)}>
      <option value="">Any</option>
      {sources.map(({ name, label }) => (
        <option key={name} value={name}>
          {label}
        </option>
      ))}
      {value && !sources.some(({ name }) => name === value) && <option value={value}>{value}</option>}
    </SelectField>
  );
}
