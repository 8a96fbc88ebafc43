// Scanning documents: a small one beside a loop that only tokenises and counts, and a very large one in time and memory.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createAnalyser } from '#platform/search';
import { scan } from '../src/platform/extraction/scan.ts';
import type { ScanResult } from './scan-file.ts';
import { median, formatMilliseconds, type Bench, type Table } from './table.ts';
import { chooseSize } from './size.ts';

const rounds = chooseSize(30, 1);
const paragraphBytes = 2_000;
const subjects = 120;
const wordsOfSubject = 60;
const commonWords = 3_000;
const syllables = ['ka', 'ro', 'mi', 'ten', 'sol', 'ver', 'lan', 'pir', 'du', 'gra', 'hel', 'bo', 'nis', 'fa', 'tur'];

/** The bars: 1.5 times the bare loop for 60 KB; for 100 MB of 50,000 paragraphs 600 MB, 100 to 200 constellations, and linear time. */
export async function measureDocuments({ note }: Bench): Promise<Table> {
  note('60 KB');
  const small = await compareSmall(buildProse(60_000));
  note('10 MB');
  const tenth = await scanFile(buildText(chooseSize(5_000, 5)));
  note('100 MB');
  const large = await scanFile(buildText(chooseSize(50_000, 50)));
  const growth = large.ms / (10 * tenth.ms);
  const isInRange = large.constellations >= 100 && large.constellations <= 200;
  return {
    title: 'Scanning documents',
    rows: [
      {
        name: '60 KB: tokenise and count, scan',
        value: `${formatMilliseconds(small.bare)}, ${formatMilliseconds(small.scanned)}`,
      },
      {
        name: 'bar: at most 1.50 times the bare loop',
        value: formatVerdict(small.ratio.toFixed(2), small.ratio <= 1.5),
      },
      { name: '100 MB: time', value: `${(large.ms / 1000).toFixed(1)} s, ${large.passages} passages` },
      {
        name: 'bar: at most 600 MB of memory',
        value: formatVerdict(`${large.peakMb.toFixed(0)} MB`, large.peakMb <= 600),
      },
      { name: 'bar: 100 to 200 constellations', value: formatVerdict(String(large.constellations), isInRange) },
      {
        name: 'bar: at most 1.30 times the time of ten tenths',
        value: formatVerdict(growth.toFixed(2), growth <= 1.3),
      },
    ],
  };
}

const formatVerdict = (value: string, is: boolean): string => `${value}, ${is ? 'met' : 'missed'}`;

/** Alternating, so that other load on the machine affects both. */
async function compareSmall(text: string): Promise<{ bare: number; scanned: number; ratio: number }> {
  const analyse = createAnalyser('en');
  const times = { bare: [] as number[], scanned: [] as number[] };
  for (let round = -5; round < rounds; round += 1) {
    let begun = performance.now();
    const counts = new Map<string, number>();
    for (const { word, stems } of analyse(text)) counts.set(stems[0] ?? word, (counts.get(stems[0] ?? word) ?? 0) + 1);
    const bare = performance.now() - begun;
    begun = performance.now();
    await scan(text, analyse);
    const scanned = performance.now() - begun;
    if (round < 0) continue; // warms both up
    times.bare.push(bare);
    times.scanned.push(scanned);
  }
  const ratio = median(times.scanned.map((time, at) => time / (times.bare[at] ?? 1)));
  return { bare: median(times.bare), scanned: median(times.scanned), ratio };
}

async function scanFile(text: string): Promise<ScanResult> {
  const folder = mkdtempSync(join(tmpdir(), 'bench-documents-'));
  try {
    const path = join(folder, 'text.txt');
    writeFileSync(path, text);
    const child = fork(join(import.meta.dirname, 'scan-file.ts'), [path]);
    const [scanned] = (await once(child, 'message')) as [ScanResult];
    return scanned;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** This many characters of this repository's documents. */
function buildProse(characters: number): string {
  const root = join(import.meta.dirname, '..');
  const files = [
    'README.md',
    'ARCHITECTURE.md',
    ...readdirSync(join(root, 'docs/guide')).map((name) => `docs/guide/${name}`),
  ];
  const text = files.map((name) => readFileSync(join(root, name), 'utf8')).join('\n');
  if (text.length < characters) throw new Error(`the documents have only ${text.length} characters`);
  return text.slice(0, characters);
}

/** Paragraphs of 2 KB, each about one of 120 subjects, in words of which most are common; the same at every run. */
function buildText(paragraphs: number): string {
  let state = 42;
  const random = (below: number) => (state = (state * 48_271) % 2_147_483_647) % below; // Park and Miller
  const word = (number: number) =>
    [0, 1, 2].map((place) => syllables[Math.floor(number / syllables.length ** place) % syllables.length]).join('');
  return Array.from({ length: paragraphs }, () => {
    const subject = commonWords + random(subjects) * wordsOfSubject;
    let text = '';
    while (text.length < paragraphBytes)
      text += `${word(random(4) === 0 ? subject + random(wordsOfSubject) : Math.floor(random(commonWords) ** 2 / commonWords))} `;
    return text;
  }).join('\n\n');
}
