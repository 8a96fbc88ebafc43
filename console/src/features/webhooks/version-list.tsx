import { useState } from 'react';
import { Button } from '../../design/button.tsx';
import { Card, Tag } from '../../design/page.tsx';
import { Section } from '../../design/section.tsx';
import { Ago } from '../../design/time.tsx';
import { SourceChanges } from '../automations/source-changes.tsx';
import type { Connector } from '../../entities/webhook-connectors.ts';
import type { Version } from './requests.ts';
import { useActivate } from './use-activate.ts';
import { useHasScope } from '../../entities/me.ts';

/** The versions of code and settings: compared and restored. */
export function VersionList({ of: connector }: { of: Connector }) {
  const { versions, version: newest } = connector;
  const [compared, setCompared] = useState<number | null>(null);
  if (versions.length < 2) return null;
  const other = versions.find(({ version }) => version === compared);
  return (
    <Section title="Versions" lead="A version holds the code and the settings. It never changes.">
      <Card>
        <ul className="divide-y divide-line">
          {versions.map((each) => (
            <Row
              key={each.version}
              of={each}
              connector={connector}
              isCompared={compared === each.version}
              onCompare={() => setCompared(compared === each.version ? null : each.version)}
            />
          ))}
        </ul>
      </Card>
      {other && (
        <SourceChanges
          label={`Changes from version ${other.version} to version ${newest}`}
          from={other.translator_code ?? ''}
          to={connector.translator_code ?? ''}
        />
      )}
    </Section>
  );
}

type RowProps = { of: Version; connector: Connector; isCompared: boolean; onCompare: () => void };

function Row({ of: each, connector, isCompared, onCompare }: RowProps) {
  const { webhook_connector_id: id, version: newest, active_version: active } = connector;
  const mayChange = useHasScope('connectors:write');
  const activate = useActivate(id);
  const { version, created_by, created_at, translator_code } = each;
  const isNewest = version === newest;
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-1 px-5 py-3 text-sm">
      <span className="font-medium">Version {version}</span>
      {version === active && <Tag tone="go">Active</Tag>}
      {isNewest && version !== active && <Tag>Newest</Tag>}
      <span className="min-w-0 flex-1 text-soft">
        {created_by}, <Ago at={created_at} />
      </span>
      {!isNewest && translator_code !== null && (
        <Button size="small" look="quiet" aria-expanded={isCompared} onClick={onCompare}>
          {isCompared ? 'Hide changes' : 'Compare'}
        </Button>
      )}
      {mayChange && !isNewest && version !== active && translator_code !== null && (
        <Button size="small" look="quiet" isBusy={activate.isBusy} onClick={() => activate.call(version)}>
          Activate
        </Button>
      )}
    </li>
  );
}
