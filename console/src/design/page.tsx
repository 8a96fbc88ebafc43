import { useEffect, type ReactNode } from 'react';
import { joinClassNames } from './class-names.ts';

/** Names the browser's tab while mounted. */
export function useTitle(title: string): void {
  useEffect(() => {
    document.title = `${title} · Thalamus`;
  }, [title]);
}

/** A white area on the background. */
export function Card({ children, className }: { children: ReactNode; className?: string }) {
  return (
    <div className={joinClassNames('rounded-2xl border border-line bg-surface shadow-card', className)}>{children}</div>
  );
}

/** A badge. */
export function Tag({ children, tone = 'plain' }: { children: ReactNode; tone?: 'plain' | 'go' | 'wait' | 'stop' }) {
  const tones = {
    plain: 'bg-sunken text-soft border-line',
    go: 'bg-go-wash text-go border-transparent',
    wait: 'bg-wait-wash text-wait border-transparent',
    stop: 'bg-stop-wash text-stop border-transparent',
  };
  return (
    <span
      className={joinClassNames(
        'inline-flex max-w-full items-center gap-1 truncate rounded-md border px-1.5 py-px text-xs font-medium',
        tones[tone],
      )}
    >
      {children}
    </span>
  );
}
