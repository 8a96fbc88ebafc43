/** A block of time in a day. */
export type Block = {
  id: string;
  /** Its id in the calendar. Absent for a draft. */
  eventId?: string;
  title: string;
  start: Date;
  end: Date;
};

type PlacedBlock = {
  block: Block;
  /** In hours of the day's clock. */
  top: number;
  bottom: number;
  lane: number;
  lanes: number;
};

/** The midnight before it, in the reader's time zone. */
export function getBlockDay({ start }: Pick<Block, 'start'>): Date {
  const day = new Date(start);
  day.setHours(0, 0, 0, 0);
  return day;
}

/** Places overlapping blocks side by side. Blocks are cut at the end of the day. */
export function assignLanes(blocks: readonly Block[], day: Date): PlacedBlock[] {
  const sorted = blocks.toSorted((one, other) => one.start.getTime() - other.start.getTime());
  const placed: PlacedBlock[] = [];
  let group: PlacedBlock[] = [];
  for (const block of sorted) {
    const [top, bottom] = [computeHoursIntoDay(day, block.start), computeHoursIntoDay(day, block.end)];
    if (group.every((other) => other.bottom <= top)) group = [];
    const taken = new Set(group.filter((other) => other.bottom > top).map(({ lane }) => lane));
    const lane = Array.from({ length: taken.size + 1 }, (_, index) => index).find((index) => !taken.has(index)) ?? 0;
    const place = { block, top, bottom, lane, lanes: 1 };
    group.push(place);
    placed.push(place);
    const lanes = Math.max(...group.map((other) => other.lane)) + 1;
    for (const other of group) other.lanes = lanes;
  }
  return placed;
}

function computeHoursIntoDay(day: Date, at: Date): number {
  const next = new Date(day);
  next.setDate(day.getDate() + 1);
  if (at < day) return 0;
  return at >= next ? 24 : at.getHours() + at.getMinutes() / 60;
}
