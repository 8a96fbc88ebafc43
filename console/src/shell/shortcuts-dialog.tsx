import { Dialog } from '../design/dialog.tsx';
import { daily, setUp } from './destinations.ts';

const groups: { title: string; keys: readonly [string, string][] }[] = [
  {
    title: 'Inbox',
    keys: [
      ['j  k', 'Next, previous'],
      ['a', 'Approve'],
      ['e', 'Edit'],
      ['d', 'Decline'],
    ],
  },
  {
    title: 'Memory',
    keys: [
      ['/', 'Search'],
      ['n', 'Add a memory'],
    ],
  },
  {
    title: 'Pages',
    keys: [
      ['/', 'Search'],
      ['j  k', 'Next, previous'],
      ['Enter', 'Read it'],
      ['Esc', 'Back to the list'],
    ],
  },
  {
    title: 'Everywhere',
    keys: [
      ['⌘K', 'Go or find'],
      ['?', 'These keys'],
    ],
  },
  { title: 'Go to', keys: [...daily, ...setUp].map(({ key, label }) => [`g  ${key}`, label]) },
];

/** The keys that work; opened by `?`. */
export function ShortcutsDialog({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  return (
    <Dialog isOpen={isOpen} onClose={onClose} title="Keyboard shortcuts">
      <div className="grid gap-x-8 gap-y-5 sm:grid-cols-2">
        {groups.map(({ title, keys }) => (
          <section key={title} className="last:row-span-3 sm:last:col-start-2 sm:last:row-start-1">
            <h3 className="mb-2 text-[13px] font-medium text-faint">{title}</h3>
            <dl className="space-y-1.5">
              {keys.map(([key, what]) => (
                <div key={key} className="flex items-center justify-between gap-4 text-sm">
                  <dt>{what}</dt>
                  <dd className="flex gap-1">
                    {key.split(/\s+/).map((each) => (
                      <kbd
                        key={each}
                        className="min-w-6 rounded-md border border-edge bg-sunken px-1.5 text-center font-sans text-xs leading-5.5"
                      >
                        {each}
                      </kbd>
                    ))}
                  </dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
    </Dialog>
  );
}
