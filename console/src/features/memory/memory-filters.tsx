import { SelectField } from '../../design/field.tsx';
import { SearchField } from '../../design/search-field.tsx';
import { BrainOptions } from '../brains/brain-options.tsx';
import { typeName } from './type-label.tsx';
import { memoryTypes, type MemoryFilter } from './requests.ts';

/** What stands in the address of the memory page. */
export type MemoryAddress = MemoryFilter & { q?: string | undefined };

type Props = { address: MemoryAddress; onChange: (address: MemoryAddress) => void };

/** The search field and what narrows it. Searches while one types. */
export function MemoryFilters({ address, onChange }: Props) {
  return (
    <search className="mb-5 flex flex-col gap-2 sm:flex-row">
      <SearchField
        label="Search memories"
        value={address.q ?? ''}
        onChange={(q) => onChange({ ...address, q: q || undefined })}
      />
      <div className="grid grid-cols-2 gap-2 sm:flex">
        <SelectField
          label="Brain"
          isLabelHidden
          className="sm:w-40"
          value={address.brain ?? ''}
          onChange={(event) => onChange({ ...address, brain: event.target.value || undefined })}
        >
          <option value="">{address.q ? 'Every brain' : 'Your own brain'}</option>
          <BrainOptions />
        </SelectField>
        <SelectField
          label="Type"
          isLabelHidden
          className="sm:w-36"
          value={address.type ?? ''}
          onChange={(event) => onChange({ ...address, type: memoryTypes.find((type) => type === event.target.value) })}
        >
          <option value="">Every type</option>
          {memoryTypes.map((type) => (
            <option key={type} value={type}>
              {typeName(type)}
            </option>
          ))}
        </SelectField>
      </div>
    </search>
  );
}
