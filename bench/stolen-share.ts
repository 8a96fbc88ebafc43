import { readFileSync } from 'node:fs';

/** Begins to count; answers how much of the time that was wanted of the processors a virtual machine did not get, where Linux tells it. */
export function stolenShare(): () => string {
  const before = processorTimes();
  return () => {
    const after = processorTimes();
    if (!before || !after) return 'not told by this system';
    const stolen = after.stolen - before.stolen;
    const wanted = after.used - before.used + stolen;
    return `${wanted ? ((100 * stolen) / wanted).toFixed(0) : 0} % of the time`;
  };
}

/** In ticks, since the system began. */
function processorTimes(): { used: number; stolen: number } | undefined {
  try {
    const [user, nice, system, , , irq, softirq, stolen] = readFileSync('/proc/stat', 'utf8')
      .split('\n')[0]!
      .split(/\s+/)
      .slice(1)
      .map(Number) as [number, number, number, number, number, number, number, number];
    return { used: user + nice + system + irq + softirq, stolen };
  } catch {
    return undefined;
  }
}
