import { Link } from '@tanstack/react-router';
import { Check } from 'lucide-react';
import { getButtonClass } from '../../design/button.tsx';
import { joinClassNames } from '../../design/class-names.ts';
import { Card } from '../../design/page.tsx';
import type { Integration } from '../integrations/requests.ts';

type Step = {
  title: string;
  text: string;
  to: '/agents/connect' | '/integrations' | '/memory';
  action: string;
  isDone: boolean;
};

/** What is left to do before this server is of use, in order. */
export function listFirstSteps(state: {
  isConnected: boolean;
  integrations: readonly Integration[];
  memories: number;
}): Step[] {
  return [
    {
      title: 'Connect an agent',
      text: 'Claude, ChatGPT, Cursor or any other MCP client, by one URL.',
      to: '/agents/connect',
      action: 'Connect',
      isDone: state.isConnected,
    },
    {
      title: 'Connect an account',
      text: 'Gmail, Outlook, GitHub, Slack and others. Your agents use them and never see a credential.',
      to: '/integrations',
      action: 'Connect',
      isDone: state.integrations.some(({ connected }) => connected),
    },
    {
      title: 'Add a first memory',
      text: 'Tell your agent “Always store important information to my brain.” or add one yourself.',
      to: '/memory',
      action: 'Add',
      isDone: state.memories > 0,
    },
  ];
}

/** The first steps, the next one foremost. */
export function FirstSteps({ steps }: { steps: readonly Step[] }) {
  const next = steps.findIndex(({ isDone }) => !isDone);
  const done = steps.filter(({ isDone }) => isDone).length;
  return (
    <Card className="animate-rise overflow-hidden">
      <header className="flex items-baseline justify-between gap-4 px-5 pt-5 sm:px-6">
        <h2 className="text-[15px] font-semibold">Get started in three steps</h2>
        <p className="text-[13px] text-faint">
          {done} of {steps.length} done
        </p>
      </header>
      <ol className="mt-4 grid border-t border-line max-md:divide-y md:grid-cols-3 md:divide-x divide-line">
        {steps.map(({ title, text, to, action, isDone }, at) => (
          <li key={to} className={joinClassNames('flex flex-col px-5 py-5 sm:px-6', isDone && 'bg-sunken')}>
            <span
              aria-hidden
              className={joinClassNames(
                'grid size-7 place-items-center rounded-full border text-[13px] font-semibold',
                isDone ? 'border-transparent bg-go-wash text-go' : 'border-edge text-soft',
              )}
            >
              {isDone ? <Check className="size-4" /> : at + 1}
            </span>
            <h3 className="mt-3 text-sm font-semibold">
              {title}
              {isDone && <span className="sr-only"> (done)</span>}
            </h3>
            <p
              className={joinClassNames(
                'mt-1 mb-4 flex-1 text-sm leading-relaxed text-soft',
                isDone && 'max-md:hidden',
              )}
            >
              {text}
            </p>
            {!isDone && (
              <Link
                to={to}
                search={{}}
                aria-label={title}
                className={joinClassNames(getButtonClass(at === next ? 'primary' : 'plain', 'small'), 'self-start')}
              >
                {action}
              </Link>
            )}
          </li>
        ))}
      </ol>
    </Card>
  );
}
