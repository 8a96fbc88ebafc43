import { usePosition } from '../routing/navigation.ts';
import { Tabs } from './tabs.tsx';

/** The tabs of the place that the shown page belongs to. A place with one tab shows none. */
export function PlaceTabs({ className }: { className?: string }) {
  const position = usePosition();
  if (!position || position.place.entries.length < 2) return null;
  const { place, entry } = position;
  return (
    <Tabs label={place.label} tabs={place.entries} chosen={entry.to} {...(className !== undefined && { className })} />
  );
}
