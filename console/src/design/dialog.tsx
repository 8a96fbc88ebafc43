import { Dialog as Base } from '@base-ui/react/dialog';
import { X } from 'lucide-react';
import type { ReactNode } from 'react';
import { joinClassNames } from './class-names.ts';

type Props = {
  isOpen: boolean;
  onClose: () => void;
  title: string;
  description?: ReactNode;
  children: ReactNode;
  /** `center` for questions, `side` for one item beside its list. */
  place?: 'center' | 'side';
};

const places = {
  center:
    'inset-x-3 bottom-3 max-h-[88dvh] rounded-2xl sm:inset-x-auto sm:top-1/2 sm:bottom-auto sm:left-1/2 sm:w-[30rem] sm:-translate-1/2 data-ending-style:scale-97 data-starting-style:scale-97',
  side: 'inset-x-0 bottom-0 max-h-[88dvh] rounded-t-2xl sm:inset-y-2 sm:right-2 sm:bottom-2 sm:left-auto sm:max-h-none sm:w-[28rem] sm:rounded-2xl data-ending-style:translate-y-4 data-starting-style:translate-y-4 sm:data-ending-style:translate-x-4 sm:data-ending-style:translate-y-0 sm:data-starting-style:translate-x-4 sm:data-starting-style:translate-y-0',
};

/** A window above the page; takes the focus, returns it, and closes with Escape. On a phone it rises from below. */
export function Dialog({ isOpen, onClose, title, description, children, place = 'center' }: Props) {
  return (
    <Base.Root open={isOpen} onOpenChange={(open) => !open && onClose()}>
      <Base.Portal>
        <Base.Backdrop className="fixed inset-0 z-40 bg-black/35 transition-opacity duration-150 data-ending-style:opacity-0 data-starting-style:opacity-0" />
        <Base.Popup
          className={joinClassNames(
            'fixed z-50 flex flex-col overflow-hidden border border-line bg-raised shadow-lift transition-[opacity,transform,scale,translate] duration-200 ease-out data-ending-style:opacity-0 data-starting-style:opacity-0',
            places[place],
          )}
        >
          <header className="flex items-start gap-4 px-5 pt-5 pb-1">
            <div className="min-w-0 flex-1">
              <Base.Title className="text-base font-semibold">{title}</Base.Title>
              {description && (
                <Base.Description className="mt-1 text-sm leading-relaxed text-soft">{description}</Base.Description>
              )}
            </div>
            <Base.Close
              aria-label="Close"
              className="-mt-1 -mr-1.5 grid size-8 shrink-0 place-items-center rounded-lg text-faint hover:bg-hover hover:text-ink"
            >
              <X className="size-4" aria-hidden />
            </Base.Close>
          </header>
          <div className="min-h-0 flex-1 overflow-y-auto px-5 pt-3 pb-5">{children}</div>
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  );
}
