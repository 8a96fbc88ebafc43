import { useRouterState } from '@tanstack/react-router';
import { usePosition } from '../routing/navigation.ts';
import { Tabs } from './tabs.tsx';

type Props = {
  /** Also on pages below an entry, such as one opened beside its list. */
  isBelowToo?: boolean;
  className?: string;
};

/** The tabs of the shown page's place in the navigation. A place with one tab shows none. */
export function PlaceTabs({ isBelowToo = false, className }: Props) {
  const pathname = useRouterState({ select: ({ location }) => location.pathname });
  const position = usePosition();
  if (!position || position.place.entries.length < 2) return null;
  const { place, entry } = position;
  if (!isBelowToo && entry.to !== pathname) return null;
  return (
    <Tabs label={place.label} tabs={place.entries} chosen={entry.to} {...(className !== undefined && { className })} />
  );
}
