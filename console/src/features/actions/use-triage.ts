import { useNavigate } from '@tanstack/react-router';
import { useEffect, useEffectEvent, useRef } from 'react';
import { useKeys } from '../../design/use-keys.ts';
import type { Draft } from './requests.ts';

type Places = { drafts: readonly Draft[]; places: ReadonlyMap<string, number> };

/** A click within this time was meant for the former draft. */
export const unreadMs = 400;
/** When a draft replaced a decided one. Infinite until it is on the page. */
let movedOnAt = -Infinity;

/** Whether a draft has just replaced a decided one, so that a click may be meant for the former. */
export function hasJustMovedOn(): boolean {
  return performance.now() - movedOnAt < unreadMs;
}

/**
 * Moves through the list: `j` and `k`, and on to the next when one is decided. The first draft is chosen by its address and
 * not by its place: one that arrives later must not slip under a finger that is about to approve.
 */
export function useTriage({ drafts, places }: Places, chosen: string | undefined) {
  const navigate = useNavigate();
  const lastPlace = useRef(0);
  const at = chosen === undefined ? -1 : (places.get(chosen) ?? -1);
  useEffect(() => {
    if (at >= 0) lastPlace.current = at;
  }, [at]);
  useEffect(() => {
    if (movedOnAt === Infinity) movedOnAt = performance.now();
  }, [chosen]);
  const open = (draft: Draft | undefined) => {
    if (draft)
      void navigate({
        to: '/inbox/$draftId',
        params: { draftId: draft.draft_id },
        replace: true,
        resetScroll: false,
      });
  };
  const move = (step: 1 | -1) => () => {
    const wanted = at >= 0 ? at + step : step > 0 ? lastPlace.current : lastPlace.current - 1;
    open(drafts[Math.max(0, Math.min(wanted, drafts.length - 1))]);
  };
  useKeys({ j: move(1), k: move(-1) });

  const first = drafts[0];
  const openFirst = useEffectEvent(() => open(first));
  useEffect(() => {
    if (!chosen && first && hasRoomForBoth()) openFirst();
  }, [chosen, first]);

  /** Moves from a decided draft to the next. False: there is none, or list and draft do not fit side by side. */
  function moveOnFrom(draftId: string): boolean {
    const isShown = location.pathname === `/inbox/${draftId}`; // an answer may come when the person is elsewhere
    const next = isShown && hasRoomForBoth() ? findNext(draftId) : undefined;
    if (!next) return false;
    movedOnAt = Infinity;
    open(next);
    return true;
  }

  function findNext(draftId: string): Draft | undefined {
    const place = places.get(draftId);
    // Already removed: the refreshed list has another draft in its place, unless it was the last.
    if (place === undefined) return drafts[lastPlace.current] ?? drafts.at(-1);
    return drafts[place + 1] ?? drafts[place - 1];
  }

  return { moveOnFrom };
}

/** Where the list and a draft stand beside each other. */
function hasRoomForBoth(): boolean {
  return matchMedia('(min-width: 64rem)').matches;
}
