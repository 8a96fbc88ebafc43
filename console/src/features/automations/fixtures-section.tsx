import { useQueryClient } from '@tanstack/react-query';
import { Button } from '../../design/button.tsx';
import { Card, Tag } from '../../design/page.tsx';
import { Section } from '../../design/section.tsx';
import { Ago } from '../../design/time.tsx';
import { deleteFixture, testAutomation, type Automation, type TestResult } from './requests.ts';
import { useCall } from '../../design/use-call.ts';

/** Recorded runs with their expected changes. Activation needs all of them to pass. */
export function FixturesSection({ of: automation }: { of: Automation }) {
  const { automation_id, fixtures, fixtures_passed_at, state, waiting_change } = automation;
  const queryClient = useQueryClient();
  const again = () => queryClient.invalidateQueries({ queryKey: ['automations', 'one', automation_id] });
  const test = useCall(() => testAutomation({ automation_id, waiting_change: waiting_change !== null }), {
    onSuccess: again,
    failure: 'The fixtures did not run',
  });
  const remove = useCall((name: string) => deleteFixture({ automation_id, name }), {
    success: 'Fixture deleted',
    onSuccess: () => again(),
    failure: 'The fixture was not deleted',
  });
  if (!fixtures.length) return null;
  return (
    <Section
      title="Fixtures"
      lead="Recorded runs, repeated without reading or writing anything. All must pass before you activate."
      action={
        state !== 'killed' && (
          <Button isBusy={test.isBusy} onClick={() => test.call()}>
            {waiting_change ? 'Run fixtures on the change' : 'Run fixtures'}
          </Button>
        )
      }
    >
      <Card>
        <Passed at={fixtures_passed_at} />
        <ul className="divide-y divide-line">
          {fixtures.map(({ name, effects }) => (
            <li key={name} className="px-5 py-3 text-sm">
              <div className="flex flex-wrap items-center gap-3">
                <span className="font-medium">{name}</span>
                <Outcome of={test.answer?.fixtures.find((each) => each.name === name)} />
                <span className="min-w-0 flex-1 text-soft wrap-anywhere">
                  {effects.length ? effects.map(({ operation }) => operation).join(', ') : 'Changes nothing'}
                </span>
                <Button size="small" look="quiet" onClick={() => remove.call(name)}>
                  Delete fixture
                </Button>
              </div>
              <Differences of={test.answer?.fixtures.find((each) => each.name === name)} />
            </li>
          ))}
        </ul>
      </Card>
    </Section>
  );
}

function Passed({ at }: { at: string | null }) {
  return (
    <p className="px-5 pt-4 text-sm text-soft">
      {at ? (
        <>
          All passed, <Ago at={at} />
        </>
      ) : (
        'Not passed for the current version.'
      )}
    </p>
  );
}

type Result = TestResult['fixtures'][number];

function Outcome({ of: result }: { of: Result | undefined }) {
  if (!result) return null;
  return <Tag tone={result.has_passed ? 'go' : 'stop'}>{result.has_passed ? 'Passed' : 'Failed'}</Tag>;
}

function Differences({ of: result }: { of: Result | undefined }) {
  if (!result || result.has_passed) return null;
  const lines = [
    ...(result.error ? [result.error] : []),
    ...result.missing.map((effect) => `Missing: ${JSON.stringify(effect)}`),
    ...result.unexpected.map((effect) => `Unexpected: ${JSON.stringify(effect)}`),
  ];
  return (
    <ul className="mt-2 space-y-1 text-stop wrap-anywhere">
      {lines.map((line) => (
        <li key={line}>{line}</li>
      ))}
    </ul>
  );
}
