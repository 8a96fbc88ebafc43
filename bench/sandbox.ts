// What the sandbox costs beside a plain start of Deno, and what hostile code does to the server's memory.
import { spawn } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { createSandbox, type Sandbox } from '#platform/sandbox';
import { median, formatMilliseconds, type Bench, type Table } from './table.ts';
import { chooseSize } from './size.ts';

const turn = { kind: 'run' as const, of: 'ada' };

const hello = 'console.log("hello");';
const turns = chooseSize(30, 1);
const pureRuns = chooseSize(500, 5);
const hostileRuns = chooseSize(10_000, 8);
/** The baseline: what the process holds once everything has run a few times. */
const warmUpRuns = chooseSize(100, 4);
const hostile = [
  'return "x".repeat(3_000_000)',
  'for (let i = 0; i < 5; i++) console.log("x".repeat(60_000)); throw { get message() { throw 1 } }',
  'let a = []; for (let i = 0; i < 5000; i++) a = [a]; return a',
  'const p = (await import("node:process")).default; p.stdout.write("{\\"run\\":\\"x\\",\\"call\\":1}\\n"); p.exit(3)',
];

/** Bars: a hand-over takes no longer than `deno run` of the same file; 100 pure runs a second. */
export async function measureSandbox({ note }: Bench): Promise<Table> {
  const folder = await mkdtemp(join(tmpdir(), 'thalamus-bench-'));
  const file = join(folder, 'hello.ts');
  await writeFile(file, hello);
  const sandbox = createSandbox();
  try {
    note('hand-over against deno run');
    const [plain, fresh, same] = await measureInTurns(sandbox, file);
    note(
      `deno run ${formatMilliseconds(plain)}, used once ${formatMilliseconds(fresh)}, of its domain ${formatMilliseconds(same)}; pure runs`,
    );
    const perSecond = await measureThroughput(sandbox);
    return {
      title: 'Sandbox, median of one hello world, from hand-over to result',
      rows: [
        { name: 'deno run', value: formatMilliseconds(plain) },
        { name: 'warm process, used once', value: formatMilliseconds(fresh) },
        { name: 'warm process of its domain', value: formatMilliseconds(same) },
        {
          name: 'bar: ≤ 1.0 × deno run',
          value: `${(fresh / plain).toFixed(2)} × ${fresh <= plain ? 'met' : 'missed'}`,
        },
        {
          name: 'bar: 100 pure runs a second',
          value: `${perSecond.toFixed(0)} ${perSecond >= 100 ? 'met' : 'missed'}`,
        },
      ],
    };
  } finally {
    await sandbox.close();
    await rm(folder, { recursive: true });
  }
}

/** Bar: less than 50 MB are held after many hostile runs. */
export async function measureHostileRuns({ note }: Bench): Promise<Table> {
  const sandbox = createSandbox();
  try {
    const { grownMb, heldMb: residentMb } = await measureGrowth(sandbox, note);
    return {
      title: `Sandbox, memory of the server after ${hostileRuns} hostile runs`,
      rows: [
        { name: 'grown before V8 has tidied', value: `${grownMb.toFixed(1)} MB` },
        { name: 'bar: < 50 MB held', value: `${residentMb.toFixed(1)} MB ${residentMb < 50 ? 'met' : 'missed'}` },
      ],
    };
  } finally {
    await sandbox.close();
  }
}

async function measureInTurns(sandbox: Sandbox, file: string): Promise<[number, number, number]> {
  const times: [number[], number[], number[]] = [[], [], []];
  const subjects = [
    () => runDeno(file),
    () => sandbox.run({ turn, source: hello, host: {} }),
    () => sandbox.run({ turn, source: hello, host: {}, domain: 'bench' }),
  ];
  for (let turn = 0; turn < turns + 5; turn += 1)
    for (const [index, run] of subjects.entries()) {
      await new Promise((resolve) => setTimeout(resolve, 100)); // the pool starts the next process meanwhile
      const begun = performance.now();
      await run();
      if (turn >= 5) times[index]?.push(performance.now() - begun);
    }
  return [median(times[0]), median(times[1]), median(times[2])];
}

function runDeno(file: string): Promise<void> {
  const deno = join(dirname(createRequire(import.meta.url).resolve('@deno/linux-x64-glibc/package.json')), 'deno');
  return new Promise((resolve, reject) => {
    const child = spawn(deno, ['run', '--no-check', file], {
      stdio: ['ignore', 'pipe', 'ignore'],
      env: { DENO_NO_UPDATE_CHECK: '1' },
    });
    child.stdout.resume();
    child.on('error', reject).on('close', () => resolve());
  });
}

async function measureThroughput(sandbox: Sandbox): Promise<number> {
  const begun = performance.now();
  let left = pureRuns;
  const lane = async () => {
    while ((left -= 1) >= 0) await sandbox.run({ turn, source: 'return 1 + 1', host: {}, domain: 'bench' });
  };
  await Promise.all([lane(), lane()]);
  return pureRuns / ((performance.now() - begun) / 1_000);
}

async function measureGrowth(sandbox: Sandbox, note: Bench['note']): Promise<{ grownMb: number; heldMb: number }> {
  let before = 0;
  for (let run = 0; run < hostileRuns; run += 1) {
    if (run === warmUpRuns) before = process.memoryUsage.rss();
    if (run % 1_000 === warmUpRuns)
      note(`${run} hostile runs: ${(process.memoryUsage.rss() / 1_000_000).toFixed(1)} MB`);
    await sandbox.run({ turn, source: hostile[run % hostile.length] ?? '', host: {}, limits: { wallMs: 2_000 } });
  }
  const grown = process.memoryUsage.rss() - before;
  collect();
  return { grownMb: grown / 1_000_000, heldMb: (process.memoryUsage.rss() - before) / 1_000_000 };
}

/** Runs V8's garbage collection. */
function collect(): void {
  setFlagsFromString('--expose-gc');
  (runInNewContext('gc') as () => void)();
}
