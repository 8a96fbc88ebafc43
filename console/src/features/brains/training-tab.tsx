import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { SelectField } from '../../design/field.tsx';
import { Card, Tag } from '../../design/page.tsx';
import { SaveButton } from '../../design/save-button.tsx';
import { Section } from '../../design/section.tsx';
import { ErrorState, Notice, Skeleton } from '../../design/states.tsx';
import type { Brain } from '../../entities/brains.ts';
import {
  downloadAddress,
  buildTrainingQuery,
  type Dataset,
  type Mask,
  type Platform,
  type TrainingStatus,
} from './training-requests.ts';

const datasets: Record<Dataset, { label: string; about: string }> = {
  domain_sft: { label: 'Knowledge', about: 'Questions and answers from memories (SFT).' },
  behavioral_sft: { label: 'Behaviour', about: 'Constraints, preferences and decisions (SFT).' },
  dpo: { label: 'Preferences', about: 'Memories and the older versions they replaced (DPO).' },
  embedding_triplets: { label: 'Embeddings', about: 'Similar and dissimilar texts (triplets).' },
  imported_sft: { label: 'Imported conversations', about: 'From files that were imported (SFT).' },
  imported_dpo: { label: 'Imported preferences', about: 'From files that were imported (DPO).' },
};

const platforms: Record<Platform, string> = {
  generic: 'Generic',
  openai: 'OpenAI',
  together: 'Together',
  huggingface: 'Hugging Face',
  axolotl: 'Axolotl',
};

const masks: Record<Mask, string> = {
  secrets: 'Secrets',
  all: 'Secrets and personal data',
  none: 'Nothing',
};

/** Whether there is enough data to fine-tune a model, and the files. Only owners see it. */
export function TrainingTab({ brain }: { brain: Brain }) {
  const { data, error, isPending, refetch } = useQuery(buildTrainingQuery(brain.id));
  if (isPending) return <Skeleton label="Loading training data" />;
  if (error) return <ErrorState error={error} onRetry={() => void refetch()} />;
  return (
    <div className="space-y-8">
      <Readiness of={data} />
      <Downloads of={data} brainId={brain.id} />
    </div>
  );
}

function Readiness({ of: { is_ready, warnings, memories, self_sufficiency } }: { of: TrainingStatus }) {
  const used = `${memories.used.toLocaleString()} memories are used, ${memories.superseded.toLocaleString()} replaced ones left out.`;
  return (
    <Section
      title="Readiness"
      lead={`${used} ${Math.round(self_sufficiency * 100)} % of the pairs come from this brain.`}
      action={<Tag tone={is_ready ? 'go' : 'wait'}>{is_ready ? 'Ready' : 'Not enough yet'}</Tag>}
    >
      {warnings.length > 0 && (
        <Notice tone="wait">
          <ul className="space-y-1">
            {warnings.map((warning) => (
              <li key={warning}>{warning}</li>
            ))}
          </ul>
        </Notice>
      )}
    </Section>
  );
}

function Downloads({ of: { pairs }, brainId }: { of: TrainingStatus; brainId: string }) {
  const [platform, setPlatform] = useState<Platform>('generic');
  const [mask, setMask] = useState<Mask>('secrets');
  const asked = { brainId, platform, mask };
  return (
    <Section title="Download" lead="Each dataset as a JSON Lines file in the format of the platform.">
      <div className="mb-4 grid gap-4 sm:grid-cols-2">
        <SelectField
          label="Platform"
          value={platform}
          onChange={(event) => setPlatform(getChosenName(platforms, event))}
        >
          {renderOptions(platforms)}
        </SelectField>
        <SelectField label="Masked" value={mask} onChange={(event) => setMask(getChosenName(masks, event))}>
          {renderOptions(masks)}
        </SelectField>
      </div>
      <Card>
        <ul className="divide-y divide-line">
          {(Object.keys(datasets) as Dataset[]).map((dataset) => (
            <li key={dataset} className="flex flex-wrap items-center gap-x-4 gap-y-2 px-5 py-4">
              <span className="min-w-0 flex-1">
                <span className="block font-medium">{datasets[dataset].label}</span>
                <span className="block text-sm text-soft">{datasets[dataset].about}</span>
              </span>
              <span className="text-sm text-soft">{formatPairCount(pairs[dataset])}</span>
              {pairs[dataset] > 0 && (
                <SaveButton
                  path={downloadAddress(dataset, asked)}
                  aria-label={`Download ${datasets[dataset].label}`}
                  size="small"
                >
                  Download
                </SaveButton>
              )}
            </li>
          ))}
        </ul>
      </Card>
    </Section>
  );
}

function getChosenName<Name extends string>(
  names: Record<Name, string>,
  { target }: { target: { value: string } },
): Name {
  return (Object.keys(names) as Name[]).find((name) => name === target.value) ?? (Object.keys(names)[0] as Name);
}

function renderOptions(names: Record<string, string>) {
  return Object.entries(names).map(([name, label]) => (
    <option key={name} value={name}>
      {label}
    </option>
  ));
}

function formatPairCount(pairs: number): string {
  return pairs === 1 ? '1 pair' : `${pairs.toLocaleString()} pairs`;
}
