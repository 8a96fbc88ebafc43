import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Check, Circle } from 'lucide-react';
import { useState } from 'react';
import { Button } from '../../design/button.tsx';
import { joinClassNames } from '../../design/class-names.ts';
import { Card } from '../../design/page.tsx';
import { Notice } from '../../design/states.tsx';
import type { ConnectorTab } from './address.ts';
import { BacktestDialog } from './backtest-dialog.tsx';
import { connectorsQuery, type Connector } from '../../entities/webhook-connectors.ts';
import { buildFixturesQuery } from './requests.ts';
import { useActivate } from './use-activate.ts';
import { useHasScope } from '../../entities/me.ts';

type Step = { text: string; tab: ConnectorTab; isDone: boolean };

/** Shows what a draft connector still needs, or that a newer version is inactive. */
export function Activation({ of: connector }: { of: Connector }) {
  const { status, version, active_version: active } = connector;
  if (status === 'draft') return <StepsToActive of={connector} />;
  if (active !== null && version !== active) return <NewerVersion of={connector} active={active} />;
  return null;
}

function StepsToActive({ of: connector }: { of: Connector }) {
  const { webhook_connector_id: id, has_secret, signature_scheme, has_translator } = connector;
  const { data: connectors } = useQuery(connectorsQuery);
  const { data: fixtures = [] } = useQuery(buildFixturesQuery(id));
  const listed = connectors?.find((each) => each.webhook_connector_id === id);
  const steps: Step[] = [
    { text: 'Secret set', tab: 'setup', isDone: has_secret || signature_scheme === 'none' },
    { text: 'First event received', tab: 'setup', isDone: Boolean(listed?.last_event_at) },
    { text: 'Translator written', tab: 'translator', isDone: has_translator },
    {
      text: 'Fixtures passed',
      tab: 'translator',
      isDone: fixtures.length > 0 && fixtures.every(({ is_pass_fresh }) => is_pass_fresh),
    },
  ];
  return (
    <Card className="mb-6 px-5 py-4">
      <h2 className="text-sm font-medium">Before you activate</h2>
      <ol className="mt-2 flex flex-wrap gap-x-6 gap-y-2 text-sm">
        {steps.map(({ text, tab, isDone }) => (
          <li key={text} className={joinClassNames('flex items-center gap-1.5', isDone ? 'text-soft' : 'text-ink')}>
            {isDone ? (
              <Check className="size-4 text-go" aria-hidden />
            ) : (
              <Circle className="size-4 text-faint" aria-hidden />
            )}
            <Link
              to="/sources/$connectorId"
              params={{ connectorId: id }}
              search={{ part: tab }}
              className="rounded underline decoration-line underline-offset-2 hover:decoration-current"
            >
              {text}
            </Link>
            <span className="sr-only">{isDone ? '(done)' : '(to do)'}</span>
          </li>
        ))}
      </ol>
    </Card>
  );
}

function NewerVersion({ of: { webhook_connector_id: id, version }, active }: { of: Connector; active: number }) {
  const mayChange = useHasScope('connectors:write');
  const activate = useActivate(id);
  const [isComparing, setIsComparing] = useState(false);
  return (
    <div className="mb-6">
      <Notice tone="wait">
        <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
          <span>
            Version {version} is not active. Version {active} translates events until you run the fixtures and activate.
          </span>
          {mayChange && (
            <span className="flex flex-wrap gap-2">
              <Button size="small" onClick={() => setIsComparing(true)}>
                Compare on past events
              </Button>
              <Button size="small" isBusy={activate.isBusy} onClick={() => activate.call(undefined)}>
                Activate version {version}
              </Button>
            </span>
          )}
        </div>
      </Notice>
      {isComparing && <BacktestDialog connectorId={id} onClose={() => setIsComparing(false)} />}
    </div>
  );
}
