import { useEffect, type ReactNode } from 'react';
import { joinClassNames } from './class-names.ts';
import { PlaceTabs } from './place-tabs.tsx';

type Props = {
  title: string;
  lead?: ReactNode;
  action?: ReactNode;
  /** The link to the list of this page. */
  back?: ReactNode;
  children: ReactNode;
  isWide?: boolean;
};

/** A page with its heading; also names the browser's tab. */
export function Page({ title, lead, action, back, children, isWide = false }: Props) {
  useTitle(title);
  return (
    <div
      className={joinClassNames('mx-auto w-full px-4 pt-6 pb-24 sm:px-8 sm:pt-10', isWide ? 'max-w-6xl' : 'max-w-4xl')}
    >
      {back}
      <header className="mb-6 flex flex-wrap items-start justify-between gap-x-6 gap-y-3 sm:mb-8">
        <div className="min-w-0">
          <h1 className="text-[22px] leading-tight font-semibold tracking-tight sm:text-[26px]">{title}</h1>
          {lead && <p className="mt-1.5 max-w-xl text-[15px] leading-relaxed text-pretty text-soft">{lead}</p>}
        </div>
        {action}
      </header>
      <PlaceTabs className="-mt-2 mb-6 -ml-3" />
      {children}
    </div>
  );
}

/** Names the browser's tab while mounted. */
export function useTitle(title: string): void {
  useEffect(() => {
    document.title = `${title} · Thalamus`;
  }, [title]);
}

/** A sheet of paper on the canvas. */
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
