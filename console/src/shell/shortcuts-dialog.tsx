import { PlainDialog } from '../design/plain-dialog.tsx';
import { setLetterKeys, useLetterKeys } from '../design/letter-keys.ts';
import { useNavigation } from '../routing/navigation.ts';

const groups: { title: string; keys: readonly (readonly [string, string])[] }[] = [
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
      ['n', 'Add memory'],
    ],
  },
  {
    title: 'Library',
    keys: [
      ['/', 'Search'],
      ['j  k', 'Next, previous'],
      ['Enter', 'Open'],
      ['Esc', 'Back to the list'],
    ],
  },
  {
    title: 'Everywhere',
    keys: [
      ['⌘K', 'Go to a page or search'],
      ['?', 'Keyboard shortcuts'],
    ],
  },
];

/** The keys that work; opened by `?`. */
export function ShortcutsDialog({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  const places = useNavigation().flatMap((group) => group.places);
  const areOn = useLetterKeys();
  const goTo = {
    title: 'Go to',
    keys: places.flatMap(({ label: place, entries }) =>
      entries.flatMap(({ key, label }, at) => (key ? [[`g  ${key}`, at ? label : place] as const] : [])),
    ),
  };
  return (
    <PlainDialog isOpen={isOpen} onClose={onClose} title="Keyboard shortcuts">
      <label className="mb-5 flex items-center gap-2.5 text-sm">
        <input
          type="checkbox"
          className="size-4 accent-ink"
          checked={areOn}
          onChange={({ target }) => setLetterKeys(target.checked)}
        />
        Use single keys on this device
      </label>
      <div className="grid gap-x-8 gap-y-5 sm:grid-cols-2">
        {[...groups, goTo].map(({ title, keys }) => (
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
    </PlainDialog>
  );
}
