import { CircleAlert, RotateCw } from 'lucide-react';
import type { ReactNode } from 'react';
import { ApiError, formatErrorMessage } from '../api/api-error.ts';
import { Button } from './button.tsx';
import { joinClassNames } from './class-names.ts';

/** An empty state: says what will appear here and how to get it. */
export function EmptyState(props: { icon: ReactNode; title: string; children?: ReactNode; action?: ReactNode }) {
  return (
    <div className="flex animate-rise flex-col items-center px-6 py-16 text-center">
      <span className="mb-4 grid size-12 place-items-center rounded-2xl border border-line bg-surface text-faint shadow-card [&_svg]:size-5">
        {props.icon}
      </span>
      <h2 className="text-[15px] font-semibold">{props.title}</h2>
      {props.children && <div className="mt-1.5 max-w-sm text-sm leading-relaxed text-soft">{props.children}</div>}
      {props.action && <div className="mt-5">{props.action}</div>}
    </div>
  );
}

/** An error with the server's message and the next step. */
export function ErrorState({ error, onRetry }: { error: unknown; onRetry?: () => void }) {
  const requestId = error instanceof ApiError ? error.problem.request_id : undefined;
  return (
    <div role="alert" className="flex flex-col items-center px-6 py-14 text-center">
      <CircleAlert className="mb-3 size-6 text-stop" aria-hidden />
      <p className="max-w-md text-sm leading-relaxed">{formatErrorMessage(error)}</p>
      {requestId && <p className="mt-1 font-mono text-xs text-faint">{requestId}</p>}
      {onRetry && (
        <Button size="small" className="mt-4" icon={<RotateCw className="size-3.5" />} onClick={onRetry}>
          Try again
        </Button>
      )}
    </div>
  );
}

/** A notice: an error, a warning or a success. */
export function Notice(props: { tone: 'go' | 'wait' | 'stop' | 'plain'; children: ReactNode; icon?: ReactNode }) {
  const tones = {
    go: 'bg-go-wash text-go',
    wait: 'bg-wait-wash text-wait',
    stop: 'bg-stop-wash text-stop',
    plain: 'bg-sunken text-soft',
  };
  return (
    <div
      role={props.tone === 'stop' ? 'alert' : 'status'}
      className={joinClassNames('flex gap-2.5 rounded-xl px-3.5 py-3 text-sm leading-relaxed', tones[props.tone])}
    >
      {props.icon && <span className="mt-0.5 shrink-0 [&_svg]:size-4">{props.icon}</span>}
      <div className="min-w-0 flex-1 wrap-anywhere">{props.children}</div>
    </div>
  );
}

/** Placeholder rows while content loads. */
export function Skeleton({ rows = 4, label = 'Loading' }: { rows?: number; label?: string }) {
  return (
    <div role="status" aria-label={label} className="animate-shine space-y-5 p-5">
      {Array.from({ length: rows }, (_, row) => (
        <div key={row} className="space-y-2.5">
          <div className="h-3.5 rounded bg-line" style={{ width: `${38 + ((row * 17) % 40)}%` }} />
          <div className="h-3 rounded bg-line/70" style={{ width: `${62 + ((row * 23) % 34)}%` }} />
        </div>
      ))}
    </div>
  );
}
