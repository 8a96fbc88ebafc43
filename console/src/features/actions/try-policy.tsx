import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { formatErrorMessage } from '../../api/api-error.ts';
import { SelectField, TextField } from '../../design/field.tsx';
import { Card, Tag } from '../../design/page.tsx';
import { Notice } from '../../design/states.tsx';
import { tryPolicy, type NamedAction, type Trial, type PolicyEdit } from './policy-requests.ts';
import { effectWords, triedCallers } from './rule-words.ts';

const reading = { source: '', action: 'read', summary: 'Read', risk: 'read' } as const;

/** The suggested action: a common write, not a deletion. */
function findFirstWrite(kinds: readonly Pick<NamedAction, 'risk'>[]): number {
  return Math.max(
    0,
    kinds.findIndex(({ risk }) => risk === 'write'),
  );
}

/** Tests the rules on the page, saved or not. Nothing is drafted or sent. */
export function TryPolicy({ written, actions }: { written: PolicyEdit; actions: readonly NamedAction[] }) {
  const sources = [...new Set(actions.map(({ source }) => source))];
  const kinds = [...actions, ...sources.map((source) => ({ ...reading, source }))];
  const [chosen, setChosen] = useState(() => findFirstWrite(kinds));
  const [caller, setCaller] = useState<NonNullable<Trial['caller']>>('key');
  const [text, setText] = useState('');
  const [target, setTarget] = useState('');
  const { source = '', action = '' } = kinds[chosen] ?? {};
  const recipients = text.split(/[\s,;]+/).filter(Boolean);
  const trial = { ...written, source, action, caller, recipients, ...(target.trim() && { target: target.trim() }) };
  const { data, error } = useQuery({
    queryKey: ['actions', 'policy', 'trial', trial],
    queryFn: () => tryPolicy(trial),
    placeholderData: (former) => former,
  });
  return (
    <Card className="space-y-4 p-5 sm:p-6">
      <div className="grid gap-4 sm:grid-cols-2">
        <SelectField label="Action" value={chosen} onChange={(event) => setChosen(Number(event.target.value))}>
          {kinds.map((kind, index) => (
            <option key={`${kind.source} ${kind.action}`} value={index}>
              {kind.action.replaceAll('_', ' ')}, {kind.source}
            </option>
          ))}
        </SelectField>
        <SelectField
          label="Requested by"
          value={caller}
          onChange={(event) => setCaller(event.target.value as NonNullable<Trial['caller']>)}
        >
          {Object.entries(triedCallers).map(([kind, words]) => (
            <option key={kind} value={kind}>
              {words}
            </option>
          ))}
        </SelectField>
        <TextField
          label="Recipients"
          value={text}
          placeholder="ana@example.com"
          onChange={(event) => setText(event.target.value)}
        />
        <TextField
          label="Target"
          value={target}
          placeholder="channel general"
          maxLength={320}
          onChange={(event) => setTarget(event.target.value)}
        />
      </div>
      {error && <Notice tone="stop">{formatErrorMessage(error)}</Notice>}
      {data && !error && (
        <p role="status" className="flex flex-wrap items-center gap-x-2.5 gap-y-1 text-sm">
          <Tag tone={effectWords[data.effect].tone}>{effectWords[data.effect].label}</Tag>
          <span className="text-soft">{data.reason}</span>
        </p>
      )}
    </Card>
  );
}
