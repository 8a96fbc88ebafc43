import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense, useState } from 'react';
import { Button } from '../../design/button.tsx';
import { Card } from '../../design/page.tsx';
import { Section } from '../../design/section.tsx';
import { Skeleton } from '../../design/states.tsx';
import { Ago } from '../../design/time.tsx';
import { SourceChanges } from './source-changes.tsx';
import { sdkQuery, updateAutomation, variablesQuery, type Automation } from './requests.ts';
import { emptySdk } from './sdk.ts';
import { languageText } from './words.ts';
import { useCall } from '../../design/use-call.ts';

const SourceEditor = lazy(() => import('./source-editor.tsx').then((loaded) => ({ default: loaded.SourceEditor })));

type Version = Automation['versions'][number];

type Props = {
  of: Automation;
  /** The unsaved text. */
  edited: string | null;
  onEdit: (source: string | null) => void;
};

/** The source with its versions: edited, compared, and restored. */
export function SourceSection({ of: automation, edited, onEdit }: Props) {
  const { automation_id, source, language, version, versions, state } = automation;
  const { data: sdk = emptySdk } = useQuery(sdkQuery);
  const { data: variables = [] } = useQuery(variablesQuery);
  const [discarded, setDiscarded] = useState(0);
  const [compared, setCompared] = useState<Version | null>(null);
  const save = useSave(automation_id, () => {
    onEdit(null);
    setCompared(null);
  });
  function discard(): void {
    onEdit(null);
    setDiscarded(discarded + 1);
  }
  const isChanged = edited !== null && edited !== source;
  return (
    <Section
      title={`Source, version ${version}, ${languageText[language]}`}
      action={
        isChanged && (
          <div className="flex gap-2">
            <Button size="small" onClick={discard}>
              Discard
            </Button>
            <Button size="small" look="primary" isBusy={save.isBusy} onClick={() => save.call({ source: edited })}>
              Save as new version
            </Button>
          </div>
        )
      }
    >
      <Card className="overflow-hidden">
        <Suspense fallback={<Skeleton label="Loading the editor" />}>
          <SourceEditor
            key={`${version} ${discarded}`}
            value={edited ?? source}
            language={language}
            sdk={sdk}
            variables={variables}
            isReadOnly={state === 'killed'}
            onChange={onEdit}
          />
        </Suspense>
      </Card>
      {versions.length > 1 && (
        <VersionList
          of={automation}
          compared={compared}
          onCompare={setCompared}
          onUse={({ version_id }) => save.call({ active_version_id: version_id })}
        />
      )}
      {compared && <SourceChanges label="Changes to the active version" from={compared.source} to={source} />}
    </Section>
  );
}

function useSave(automation_id: string, onSaved: () => void) {
  return useCall(
    (change: { source: string } | { active_version_id: string }) => updateAutomation({ automation_id, ...change }),
    { refreshes: ['automations'], success: 'Source saved', onSuccess: onSaved, failure: 'The source was not saved' },
  );
}

type VersionListProps = {
  of: Automation;
  compared: Version | null;
  onCompare: (version: Version | null) => void;
  onUse: (version: Version) => void;
};

function VersionList({ of: { version, versions, state }, compared, onCompare, onUse }: VersionListProps) {
  return (
    <ul className="mt-3 space-y-1 text-sm">
      {versions.map((each) => (
        <li key={each.version_id} className="flex flex-wrap items-center gap-3">
          <span className={each.version === version ? 'font-medium' : 'text-soft'}>
            Version {each.version} by {each.created_by}, <Ago at={each.created_at} />
          </span>
          {each.version !== version && (
            <Button size="small" look="quiet" onClick={() => onCompare(compared === each ? null : each)}>
              {compared === each ? 'Hide changes' : 'Compare'}
            </Button>
          )}
          {each.version !== version && state !== 'killed' && (
            <Button size="small" look="quiet" onClick={() => onUse(each)}>
              Use this version
            </Button>
          )}
        </li>
      ))}
    </ul>
  );
}
