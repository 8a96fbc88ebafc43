import { useQuery } from '@tanstack/react-query';
import { Sparkles } from 'lucide-react';
import { formatErrorMessage } from '../../api/api-error.ts';
import { Button } from '../../design/button.tsx';
import { CopyBox } from '../../design/copy-box.tsx';
import { Card } from '../../design/page.tsx';
import { EmptyState, Notice } from '../../design/states.tsx';
import { meQuery } from '../../entities/me.ts';
import { checkModel, type ModelName, type UsageOverview } from './requests.ts';
import { useCall } from '../../design/use-call.ts';

const settings = 'THALAMUS_LLM_PROVIDER=anthropic\nTHALAMUS_LLM_API_KEY=sk-ant-…';

/** Which models the server asks, and whether they answer; without one, how to set one. */
export function ModelCard({ models: { main, fast } }: Pick<UsageOverview, 'models'>) {
  const { data: me } = useQuery(meQuery);
  const mayTry = me?.scopes.includes('workspace:admin') && me.person.role !== 'member';
  if (!main) return <NoModel />;
  return (
    <Card className="divide-y divide-line">
      <ModelRow name={main} which="main" mayTry={mayTry} about="Handles free-text requests." />
      {fast && <ModelRow name={fast} which="fast" mayTry={mayTry} about="Handles short turns." />}
    </Card>
  );
}

function NoModel() {
  return (
    <Card>
      <EmptyState icon={<Sparkles />} title="No language model">
        <p>
          Optional. Add a model so agents can request actions in plain language. The operator of this server sets it and
          restarts the server:
        </p>
        <div className="mt-4 text-left">
          <CopyBox text={settings} label="settings" isBlock title="Environment" />
        </div>
        <p className="mt-3">
          Providers: anthropic, openai, groq, or openai-compatible with your own URL, such as Ollama.
        </p>
      </EmptyState>
    </Card>
  );
}

type RowProps = { name: ModelName; which: 'main' | 'fast'; about: string; mayTry: boolean | undefined };

function ModelRow({ name, which, about, mayTry }: RowProps) {
  const trying = useCall(() => checkModel(which), { refreshes: ['usage'] });
  const { answer: tried, error } = trying;
  return (
    <div className="space-y-3 px-5 py-4">
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <div className="min-w-0">
          <p className="text-sm font-medium wrap-anywhere">
            {name.model} <span className="font-normal text-faint">{name.provider}</span>
          </p>
          <p className="mt-0.5 text-[13px] text-faint">{about}</p>
        </div>
        {mayTry && (
          <Button size="small" isBusy={trying.isBusy} onClick={() => trying.call()} aria-label={`Test ${name.model}`}>
            Test
          </Button>
        )}
      </div>
      {tried?.works && <Notice tone="go">It answers: “{tried.answer}”</Notice>}
      {tried && !tried.works && <Notice tone="stop">{tried.problem}</Notice>}
      {error && <Notice tone="stop">{formatErrorMessage(error)}</Notice>}
    </div>
  );
}
