import { Link, type LinkProps } from '@tanstack/react-router';
import type { ReactNode } from 'react';

type Props = {
  /** An icon before the name: a provider's logo, an avatar. */
  mark?: ReactNode;
  name: ReactNode;
  /** The second line. */
  detail?: ReactNode;
  /** Facts and states at the right; below the name on a phone. */
  children?: ReactNode;
} & (
  | {
      /** The object's page, made by `linkOptions`, which checks the address. */
      link: LinkProps;
      onOpen?: never;
    }
  | {
      /** Opens the object beside the list. */
      onOpen: () => void;
      link?: never;
    }
);

const rowClass =
  'flex w-full flex-wrap items-center gap-x-4 gap-y-2 px-4 py-4 text-left transition-colors hover:bg-hover focus-visible:-outline-offset-2 sm:px-5';

/** One row of a list; a click anywhere opens the object. */
export function ListRow({ mark, name, detail, children, link, onOpen }: Props) {
  const facts = (
    <>
      {mark}
      <span className="min-w-0 flex-1 basis-52">
        <span className="block truncate font-medium">
          <bdi>{name}</bdi>
        </span>
        {detail && <span className="mt-0.5 block truncate text-sm text-soft">{detail}</span>}
      </span>
      {children && <span className="flex flex-wrap items-center gap-x-3 gap-y-1 text-sm text-soft">{children}</span>}
    </>
  );
  return (
    <li>
      {link ? (
        <Link {...link} className={rowClass}>
          {facts}
        </Link>
      ) : (
        <button className={rowClass} onClick={onOpen}>
          {facts}
        </button>
      )}
    </li>
  );
}
