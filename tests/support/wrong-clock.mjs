// Loaded before a server process (`node --import`): its clock is wrong by so many seconds, in every thread of it.
const aheadMs = 1000 * Number(process.env.CLOCK_AHEAD_SECONDS ?? 0);
const RightDate = Date;
const now = () => RightDate.now() + aheadMs;

globalThis.Date = new Proxy(RightDate, {
  construct: (target, given, newTarget) => Reflect.construct(target, given.length ? given : [now()], newTarget),
  get: (target, name, receiver) => (name === 'now' ? now : Reflect.get(target, name, receiver)),
});
