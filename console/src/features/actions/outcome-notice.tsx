import { CircleCheck, CircleHelp, CircleX, MinusCircle } from 'lucide-react';
import { Notice } from '../../design/states.tsx';
import { momentText } from '../../design/time.tsx';
import { outcomeText, statusWords } from './draft-words.ts';
import type { Action } from './requests.ts';

const icons = { go: <CircleCheck />, stop: <CircleX />, wait: <CircleHelp />, plain: <MinusCircle /> };

/** What became of a draft, who decided it, and what the other side answered. */
export function OutcomeNotice({ action }: { action: Action }) {
  const { tone } = statusWords[action.status];
  const answer = Object.entries(action.result ?? {}).filter(([, value]) => typeof value !== 'object');
  return (
    <Notice tone={tone} icon={icons[tone]}>
      <p className="font-medium">{outcomeText(action)}</p>
      {action.decided_at && (
        <p className="mt-0.5 text-[13px]">
          {action.decided_by ? `By ${action.decided_by}, ` : ''}
          {momentText(action.decided_at)}
        </p>
      )}
      {answer.map(([name, value]) => (
        <p key={name} className="mt-0.5 text-[13px]">
          {name.replaceAll('_', ' ')} <code className="font-mono">{String(value)}</code>
        </p>
      ))}
    </Notice>
  );
}
