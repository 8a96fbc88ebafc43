// @ts-nocheck -- the types of a browser are not those of the code around it.
// Runs in a page, before anything of it, and measures there what `watch-page.ts` names.
const createRecord = () => ({ interactions: new Map(), changes: [], frames: [] });
let [seen, isOn, beganAt, last, pressedAt, shown] = [createRecord(), false, 0, 0, 0, ''];

new PerformanceObserver((list) => {
  for (const { interactionId, duration, startTime } of list.getEntries()) {
    if (!interactionId || startTime < beganAt) continue;
    const { at = startTime, took = 0 } = seen.interactions.get(interactionId) ?? {};
    seen.interactions.set(interactionId, { at: Math.min(at, startTime), took: Math.max(took, duration) });
  }
}).observe({ type: 'event', durationThreshold: 16 });

for (const name of ['keydown', 'click'])
  addEventListener(name, ({ timeStamp }) => void (pressedAt = timeStamp), { capture: true });
const runAfterPaint = (act) => requestAnimationFrame(() => setTimeout(act));
new MutationObserver(() => {
  const now = document.querySelector('[aria-label=Draft] h3')?.textContent ?? '';
  if (!now || now === shown) return;
  shown = now;
  const from = pressedAt;
  if (isOn && from) runAfterPaint(() => seen.changes.push({ at: from, took: performance.now() - from }));
  pressedAt = 0;
}).observe(document, { subtree: true, childList: true, characterData: true });

function recordFrame(now) {
  if (!isOn) return;
  if (last) seen.frames.push(now - last);
  last = now;
  requestAnimationFrame(recordFrame);
}

globalThis.watched = {
  begin(countsFrames) {
    [seen, isOn, beganAt, last] = [createRecord(), true, performance.now(), 0];
    if (countsFrames) requestAnimationFrame(recordFrame);
  },
  end() {
    isOn = false;
    const onClock = ({ at, took }) => ({ at: performance.timeOrigin + at, took });
    return {
      ...seen,
      interactions: [...seen.interactions.values()].map(onClock),
      changes: seen.changes.map(onClock),
    };
  },
};
