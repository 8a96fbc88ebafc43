import type { AnyRoute } from '@tanstack/react-router';
import type { ComponentType } from 'react';
import type { Output } from '#sdk';
import type { Position } from './structure.ts';

/** How a feature's page is reached: its position in the structure, and its address. */
export type MenuEntry<Path extends string = string> = Position & {
  /** One of the feature's own addresses. */
  to: Path;
  /** The letter that goes there after `g`. */
  key?: string;
  /** The permission without which the entry is not shown. */
  needs?: Output<'who_am_i'>['scopes'][number];
  /** Drawn after the label, such as a count of waiting items. */
  badge?: ComponentType<{ className?: string }>;
};

/** What a feature adds to the console. */
export type Feature<Routes extends readonly AnyRoute[], Entrances extends readonly AnyRoute[] = readonly []> = {
  /** Pages for signed-in people, with `shellRoute` as their parent. */
  routes: Routes;
  /** Pages without the navigation, for people who are not signed in, with `rootRoute` as their parent. */
  entrances: Entrances;
  menu: readonly MenuEntry<Routes[number]['fullPath']>[];
};

/**
 * Declares a feature: its pages with their search parameters, and its entries in the navigation. `features/index.ts` has
 * the list of all.
 */
export function defineFeature<
  const Routes extends readonly AnyRoute[] = readonly [],
  const Entrances extends readonly AnyRoute[] = readonly [],
>(declared: Partial<Feature<Routes, Entrances>>): Feature<Routes, Entrances> {
  // An absent list is the empty one that its type parameter defaults to.
  return { routes: [] as unknown as Routes, entrances: [] as unknown as Entrances, menu: [], ...declared };
}
