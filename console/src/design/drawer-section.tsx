import type { ReactNode } from 'react';

/** One section of a drawer. */
export function DrawerSection({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section>
      <h3 className="mb-2 text-[13px] font-medium text-faint">{title}</h3>
      {children}
    </section>
  );
}
