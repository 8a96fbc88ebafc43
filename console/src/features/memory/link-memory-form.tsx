import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { formatErrorMessage } from '../../api/api-error.ts';
import { Button } from '../../design/button.tsx';
import { joinClassNames } from '../../design/class-names.ts';
import { SelectField } from '../../design/field.tsx';
import { SearchField } from '../../design/search-field.tsx';
import { Notice } from '../../design/states.tsx';
import { linkMemories } from './curation-requests.ts';
import { relationWords } from './relation-words.ts';
import { buildMemorySearchQuery, relations, type Memory, type Relation } from './requests.ts';
import { useCall } from '../../design/use-call.ts';

/** Links a memory to another one, which is found by search. */
export function LinkMemoryForm({ memory, onDone }: { memory: Memory; onDone: () => void }) {
  const [relation, setRelation] = useState<Relation>('relates_to');
  const [q, setQ] = useState('');
  const [target, setTarget] = useState<string | null>(null);
  const linking = useCall(linkMemories, {
    refreshes: ['memory'],
    success: ({ created }) => (created ? 'Linked' : 'They are already linked'),
    onSuccess: onDone,
  });
  return (
    <form
      className="space-y-3"
      onSubmit={(event) => {
        event.preventDefault();
        if (!target) return;
        linking.call({ source_memory_id: memory.id, target_memory_id: target, relationship_type: relation });
      }}
    >
      {linking.error && <Notice tone="stop">{formatErrorMessage(linking.error)}</Notice>}
      <SelectField
        label="This memory"
        value={relation}
        onChange={(event) => setRelation(relations.find((each) => each === event.target.value) ?? relation)}
      >
        {relations.map((each) => (
          <option key={each} value={each}>
            {each === 'relates_to' ? 'is related to' : relationWords[each].forth}
          </option>
        ))}
      </SelectField>
      <SearchField label="Search the other memory" value={q} onChange={setQ} />
      {q && <Candidates q={q} not={memory.id} chosen={target} onChoose={setTarget} />}
      <div className="flex gap-2">
        <Button type="submit" look="primary" disabled={!target} isBusy={linking.isBusy}>
          Link
        </Button>
        <Button look="quiet" onClick={onDone}>
          Cancel
        </Button>
      </div>
    </form>
  );
}

type CandidatesProps = { q: string; not: string; chosen: string | null; onChoose: (id: string) => void };

function Candidates({ q, not, chosen, onChoose }: CandidatesProps) {
  const { data } = useQuery(buildMemorySearchQuery(q));
  const memories = data?.memories.filter(({ id }) => id !== not).slice(0, 5) ?? [];
  if (data && !memories.length) return <p className="text-sm text-faint">No memories found.</p>;
  return (
    <fieldset className="divide-y divide-line overflow-hidden rounded-xl border border-line bg-surface text-sm">
      <legend className="sr-only">The other memory</legend>
      {memories.map(({ id, content }) => (
        <label
          key={id}
          className={joinClassNames(
            'flex cursor-pointer gap-2.5 px-3 py-2 hover:bg-hover',
            id === chosen && 'bg-hover',
          )}
        >
          <input
            type="radio"
            name="target"
            checked={id === chosen}
            onChange={() => onChoose(id)}
            className="mt-1 accent-go"
          />
          <span className="line-clamp-2 min-w-0 wrap-anywhere">{content}</span>
        </label>
      ))}
    </fieldset>
  );
}
