import { useId, type ReactNode } from 'react';

type Props = { title: string; lead?: ReactNode; action?: ReactNode; children: ReactNode };

/** A part of a page with its heading. */
export function Section({ title, lead, action, children }: Props) {
  const id = useId();
  return (
    <section aria-labelledby={id}>
      <div className="mb-3 flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <div className="min-w-0">
          <h2 id={id} className="text-[15px] font-semibold">
            {title}
          </h2>
          {lead && <p className="mt-0.5 max-w-xl text-sm text-pretty text-soft">{lead}</p>}
        </div>
        {action}
      </div>
      {children}
    </section>
  );
}
