import { useQuery } from '@tanstack/react-query';
import { Card, Tag } from '../../design/page.tsx';
import { Section } from '../../design/section.tsx';
import { ErrorState, Skeleton } from '../../design/states.tsx';
import { Ago } from '../../design/time.tsx';
import { questionsQuery, type Question } from './requests.ts';
import { formatMoney, getPurposeName, formatTokenCount } from './words.ts';

const outcomes: Readonly<Partial<Record<Question['outcome'], { tone: 'plain' | 'wait' | 'stop'; label: string }>>> = {
  running: { tone: 'plain', label: 'Running' },
  failed: { tone: 'stop', label: 'No answer' },
  cancelled: { tone: 'wait', label: 'Stopped' },
  unfinished: { tone: 'wait', label: 'Cut off' },
};

/** The latest questions with their usage. */
export function QuestionList() {
  const { data, error, isPending, refetch } = useQuery(questionsQuery);
  if (data && !data.usage.length) return null;
  return (
    <Section title="Recent requests" lead="Thalamus keeps the size of each request, not its text.">
      <Card>
        {isPending && <Skeleton label="Loading requests" />}
        {error && <ErrorState error={error} onRetry={() => void refetch()} />}
        <ul className="divide-y divide-line">
          {data?.usage.map((question) => (
            <QuestionRow key={question.usage_id} of={question} />
          ))}
        </ul>
      </Card>
    </Section>
  );
}

function QuestionRow({ of: question }: { of: Question }) {
  const { tag, model, at, input_tokens: asked, output_tokens: answered, cost_usd: cost, duration_ms: took } = question;
  const outcome = outcomes[question.outcome];
  return (
    <li className="flex items-baseline justify-between gap-4 px-5 py-3">
      <div className="min-w-0">
        <p className="flex flex-wrap items-center gap-x-2 gap-y-1 text-sm">
          {getPurposeName(tag)}
          {outcome && (
            <Tag tone={outcome.tone}>
              {outcome.label}
              {question.failure && `: ${question.failure.replaceAll('_', ' ')}`}
            </Tag>
          )}
        </p>
        <p className="mt-0.5 flex flex-wrap gap-x-3 text-[13px] text-faint">
          <span className="wrap-anywhere">{model}</span>
          {asked !== null && (
            <span>
              {formatTokenCount(asked)} asked, {formatTokenCount(answered ?? 0)} answered
            </span>
          )}
          {took !== null && <span>{(took / 1000).toFixed(1)} s</span>}
          <Ago at={at} />
        </p>
      </div>
      <span className="shrink-0 text-sm text-soft tabular-nums">
        {cost === null ? <span title="Unknown price or tokens">–</span> : formatMoney(cost)}
      </span>
    </li>
  );
}
