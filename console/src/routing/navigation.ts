import { useRouterState } from '@tanstack/react-router';
import type { LucideIcon } from 'lucide-react';
import { createContext, use } from 'react';
import type { MenuEntry } from './feature.ts';
import { structure } from './structure.ts';

/** A page that a person may open, as navigation shows it. */
export type NavigationEntry = Pick<MenuEntry, 'to' | 'key' | 'badge'> & {
  /** The label of the tab, or of the place where it has no tabs. */
  label: string;
  icon: LucideIcon;
};

/** A place with at least one entry. Its own link leads to the first. */
export type NavigationPlace = {
  label: string;
  icon: LucideIcon;
  entries: readonly [NavigationEntry, ...NavigationEntry[]];
};

export type NavigationGroup = {
  title: string;
  menu: (typeof structure)[number]['menu'];
  places: readonly NavigationPlace[];
};

/** Puts the features' entries into the structure, without those that a person with these permissions may not use. */
export function buildNavigation(menu: readonly MenuEntry[], scopes: readonly string[]): readonly NavigationGroup[] {
  const usable = menu.filter(({ needs }) => !needs || scopes.includes(needs));
  return structure
    .map(({ title, menu: shownIn, places }) => ({
      title,
      menu: shownIn,
      places: places.flatMap((place): NavigationPlace[] => {
        const { label, icon } = place;
        const tabs: readonly string[] = 'tabs' in place ? place.tabs : [label];
        const [first, ...rest] = tabs.flatMap((tab) =>
          usable
            .filter((entry) => entry.place === label && ('tab' in entry ? entry.tab : entry.place) === tab)
            .map(({ to, key, badge }): NavigationEntry => ({ label: tab, icon, to, key, badge })),
        );
        return first ? [{ label, icon, entries: [first, ...rest] }] : [];
      }),
    }))
    .filter(({ places }) => places.length);
}

/** The navigation of the person who is signed in. The shell fills it. */
export const NavigationContext = createContext<readonly NavigationGroup[]>([]);

/** The navigation of the person who is signed in. */
export function useNavigation(): readonly NavigationGroup[] {
  return use(NavigationContext);
}

/** Where an address is in the navigation: the place, and the entry with the longest address that it begins with. */
export function findPosition(
  groups: readonly NavigationGroup[],
  pathname: string,
): { place: NavigationPlace; entry: NavigationEntry } | undefined {
  return groups
    .flatMap(({ places }) => places.flatMap((place) => place.entries.map((entry) => ({ place, entry }))))
    .filter(({ entry: { to } }) => pathname === to || pathname.startsWith(`${to}/`))
    .toSorted((one, other) => other.entry.to.length - one.entry.to.length)[0];
}

/** Where the page that is shown is in the navigation. */
export function usePosition(): ReturnType<typeof findPosition> {
  const pathname = useRouterState({ select: ({ location }) => location.pathname });
  return findPosition(useNavigation(), pathname);
}
