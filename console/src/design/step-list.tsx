import type { ReactNode } from 'react';

/** Numbered steps along a line. */
export function StepList({ children }: { children: ReactNode }) {
  return <ol className="steps p-5 [counter-reset:step] sm:p-7">{children}</ol>;
}

StepList.Step = function Step({ title, children }: { title: string; children: ReactNode }) {
  return (
    <li className="relative pb-8 pl-10 [counter-increment:step] before:absolute before:top-7 before:bottom-1 before:left-[11px] before:w-px before:bg-line last:pb-0 last:before:hidden">
      <span
        aria-hidden
        className="absolute top-0 left-0 grid size-[23px] place-items-center rounded-full border border-edge bg-surface text-xs font-semibold text-soft after:content-[counter(step)]"
      />
      <h2 className="mb-3 text-[15px] leading-6 font-semibold">{title}</h2>
      <div className="space-y-3">{children}</div>
    </li>
  );
};
