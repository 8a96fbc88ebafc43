// Measures time and memory of a first mailbox sync, and the cost of a sync without changes.
import type { Bench, Table } from '../table.ts';
import { account, buildBarRow, withMailbox } from './reading.ts';
import { chooseSize } from '../size.ts';

const perThread = 2;
const bars = { minutesFor10000: 5, nothingNewSeconds: 2, megabytes: 400 };

/** The bars: 10,000 messages in five minutes under 400 MB; a second reading with nothing new in two seconds. */
export const measureSync = (bench: Bench): Promise<Table> => measureMailbox(bench, chooseSize(10_000, 8));

/** The same for ten times as many: time may grow with the mailbox, memory may not. */
export const measureLargeSync = (bench: Bench): Promise<Table> => measureMailbox(bench, chooseSize(100_000, 16));

async function measureMailbox(bench: Bench, messages: number): Promise<Table> {
  const threads = messages / perThread;
  const seconds = (messages / 10_000) * bars.minutesFor10000 * 60;
  bench.note(`${messages} messages`);
  const fill: Parameters<typeof withMailbox>[1] = (google) => {
    for (let number = 0; number < threads; number += 1) google.seedThread(account, buildThread(number));
    return threads;
  };
  return withMailbox(bench, fill, async ({ first: readAll, again: readNew }) => {
    bench.note('the mailbox is filled');
    const first = await readAll();
    bench.note('nothing new');
    const again = await readNew();
    const along = first.along.map((megabytes) => megabytes.toFixed(0)).join(', ');
    return {
      title: `A mailbox of ${messages} messages in ${threads} threads`,
      rows: [
        { name: 'messages a second', value: (messages / first.seconds).toFixed(0) },
        { name: "the server's memory after each quarter", value: `${along} MB` },
        buildBarRow(`bar: read in ≤ ${seconds} s`, first.seconds, seconds, ' s'),
        buildBarRow(
          `bar: again with nothing new ≤ ${bars.nothingNewSeconds} s`,
          again.seconds,
          bars.nothingNewSeconds,
          ' s',
        ),
        buildBarRow(`bar: the server's memory at most ${bars.megabytes} MB`, again.megabytes, bars.megabytes, ' MB'),
      ],
    };
  });
}

function buildThread(number: number) {
  const subject = `Subject number ${number}`;
  return Array.from({ length: perThread }, (_, at) => ({
    from: `sender${number % 97}@example.com`,
    subject: at === 0 ? subject : `Re: ${subject}`,
    text: `Message ${at} of thread ${number}.\n${'The harbour master asks for the tide table of that week. '.repeat(30)}`,
  }));
}
