import { useQuery } from '@tanstack/react-query';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import { Button } from '../../design/button.tsx';
import { Card, Tag } from '../../design/page.tsx';
import { Section } from '../../design/section.tsx';
import { ErrorState, Skeleton } from '../../design/states.tsx';
import { CodeBlock } from '../../design/code-block.tsx';
import { FixtureDialog } from './fixture-dialog.tsx';
import { deleteFixture, buildFixturesQuery, testFixture, type Fixture, type TranslatorTest } from './requests.ts';
import { type Connector } from '../../entities/webhook-connectors.ts';
import { useHasScope } from '../../entities/me.ts';
import { useCall } from '../../design/use-call.ts';

/** Code in the editor that is not saved as a version yet. */
export type UnsavedCode = { translator_code: string; translator_runtime: Connector['translator_runtime'] };

type Props = { of: Connector; unsaved: UnsavedCode | null };

/** Events with the outcome that is expected: run one or all, and see what the translator makes of them. Unsaved code is tried. */
export function FixturesSection({ of: connector, unsaved }: Props) {
  const { webhook_connector_id: id, has_translator } = connector;
  const { data: fixtures, error, isPending } = useQuery(buildFixturesQuery(id));
  const [isAdding, setIsAdding] = useState(false);
  const mayChange = useHasScope('connectors:write');
  const running = useRun(connector, unsaved);
  const canRun = has_translator || unsaved !== null;
  return (
    <Section
      title="Fixtures"
      lead="Events with the outcome you expect. All must pass for a version before you activate it."
      action={
        mayChange && (
          <div className="flex gap-2">
            <Button icon={<Plus className="size-4" />} onClick={() => setIsAdding(true)}>
              Add fixture
            </Button>
            {canRun && fixtures && fixtures.length > 0 && (
              <Button
                look="primary"
                isBusy={running.isBusy}
                onClick={() => running.call(fixtures.map(({ fixture_id }) => fixture_id))}
              >
                {unsaved ? 'Try on fixtures' : 'Run fixtures'}
              </Button>
            )}
          </div>
        )
      }
    >
      {unsaved && running.answer && (
        <p className="mb-3 text-sm text-soft">
          The code above was tried as it is. Save it and run the fixtures before you activate.
        </p>
      )}
      <Card>
        {isPending && <Skeleton rows={2} label="Loading fixtures" />}
        {error && <ErrorState error={error} />}
        {fixtures && !fixtures.length && (
          <p className="p-5 text-sm text-soft">
            No fixtures yet. Add one from an event that was received, or paste a body.
          </p>
        )}
        <ul className="divide-y divide-line">
          {fixtures?.map((fixture) => (
            <Row
              key={fixture.fixture_id}
              of={fixture}
              result={running.answer?.get(fixture.fixture_id)}
              isTrial={unsaved !== null}
              onRun={canRun && mayChange ? () => running.call([fixture.fixture_id]) : undefined}
            />
          ))}
        </ul>
      </Card>
      {isAdding && <FixtureDialog connectorId={id} onClose={() => setIsAdding(false)} />}
    </Section>
  );
}

/** Runs fixtures in order and returns the results by fixture id. */
function useRun({ webhook_connector_id: id }: Connector, unsaved: UnsavedCode | null) {
  return useCall(
    async (ids: readonly string[]) => {
      const results = new Map<string, TranslatorTest>();
      for (const fixture_id of ids) results.set(fixture_id, await testFixture({ fixture_id, ...unsaved }));
      return results;
    },
    { refreshes: [['webhooks', 'fixtures', id]], failure: 'The fixtures did not run' },
  );
}

type RowProps = { of: Fixture; result: TranslatorTest | undefined; isTrial: boolean; onRun: (() => void) | undefined };

function Row({ of: fixture, result, isTrial, onRun }: RowProps) {
  const { fixture_id, fixture_name: name, fixture_expected_outcome: expected, is_pass_fresh } = fixture;
  const [isOpen, setIsOpen] = useState(false);
  const removing = useCall(() => deleteFixture(fixture_id), {
    refreshes: [['webhooks', 'fixtures']],
    success: 'Fixture deleted',
    failure: 'The fixture was not deleted',
  });
  const isFailed = result ? !result.passed : false;
  const isPassed = result && isTrial ? result.passed : is_pass_fresh;
  return (
    <li className="px-5 py-3 text-sm">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <Tag tone={isFailed ? 'stop' : isPassed ? 'go' : 'plain'}>
          {isFailed ? 'Failed' : isPassed ? 'Passed' : 'Not run'}
        </Tag>
        <span className="font-medium wrap-anywhere">{name}</span>
        <span className="text-soft sm:flex-1">
          {expected === 'drop' ? 'expects to be dropped' : 'expects documents'}
        </span>
        <span className="-ml-2.5 flex sm:ml-0">
          <Button size="small" look="quiet" aria-expanded={isOpen} onClick={() => setIsOpen(!isOpen)}>
            {isOpen ? 'Hide body' : 'Show body'}
          </Button>
          {onRun && (
            <>
              <Button size="small" look="quiet" aria-label={`Run ${name}`} onClick={onRun}>
                Run
              </Button>
              <Button
                size="small"
                look="quiet"
                aria-label={`Delete ${name}`}
                isBusy={removing.isBusy}
                onClick={() => removing.call()}
              >
                Delete
              </Button>
            </>
          )}
        </span>
      </div>
      {result && <Result of={result} name={name} />}
      {isOpen && (
        <div className="mt-3">
          <CodeBlock label={`Body of ${name}`} text={fixture.fixture_raw_body} />
        </div>
      )}
    </li>
  );
}

function Result({ of: result, name }: { of: TranslatorTest; name: string }) {
  const { passed, summary, first_document_preview: preview, logs, duration_ms } = result;
  return (
    <div className="mt-2 space-y-2">
      <p className={passed ? 'text-soft' : 'text-stop'}>
        {summary} <span className="text-faint">{duration_ms} ms</span>
      </p>
      {preview && <CodeBlock label={`First document of ${name}`} text={preview} />}
      {logs && <CodeBlock label={`Logs of ${name}`} text={logs} />}
    </div>
  );
}
