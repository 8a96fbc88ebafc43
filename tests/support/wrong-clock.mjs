// Loaded before a server process (`node --import`): shifts its clock by a number of seconds, in all its threads.
const aheadMs = 1000 * Number(process.env.CLOCK_AHEAD_SECONDS ?? 0);
const RightDate = Date;
const now = () => RightDate.now() + aheadMs;

globalThis.Date = new Proxy(RightDate, {
  construct: (target, given, newTarget) => Reflect.construct(target, given.length ? given : [now()], newTarget),
  get: (target, name, receiver) => (name === 'now' ? now : Reflect.get(target, name, receiver)),
});
