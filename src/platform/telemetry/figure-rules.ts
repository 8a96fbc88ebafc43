// The rules of `promtool check metrics`, for tests: not every machine has the program.

const units: Readonly<Record<string, string>> = {
  ms: 'seconds',
  milliseconds: 'seconds',
  microseconds: 'seconds',
  minutes: 'seconds',
  hours: 'seconds',
  days: 'seconds',
  kb: 'bytes',
  mb: 'bytes',
  kilobytes: 'bytes',
  megabytes: 'bytes',
  bits: 'bytes',
  percent: 'ratio',
};
const types = ['counter', 'gauge', 'histogram', 'summary'];

/** What is wrong with metrics in the Prometheus text format: `name: complaint`. */
export function listFigureComplaints(text: string): string[] {
  const help = new Map([...text.matchAll(/^# HELP (\S+) (.+)$/gm)].map(([, name = '', words = '']) => [name, words]));
  return [...text.matchAll(/^# TYPE (\S+) (\S+)$/gm)].flatMap(([, name = '', type = '']) =>
    checkFigure(name, type, help.get(name)).map((complaint) => `${name}: ${complaint}`),
  );
}

function checkFigure(name: string, type: string, help: string | undefined): string[] {
  const words = name.split('_');
  const isTotal = words.at(-1) === 'total';
  const complaints: (string | false)[] = [
    !help?.trim() && 'no help text',
    type === 'counter' && !isTotal && 'a counter ends in _total',
    type !== 'counter' && isTotal && `a ${type} must not end in _total`,
    type === 'gauge' &&
      ['count', 'sum', 'bucket'].includes(words.at(-1) ?? '') &&
      'only a histogram may have this ending',
    words.some((word) => types.includes(word)) && 'a name must not contain its type',
    /[A-Z:]/.test(name) && 'lower-case letters and _ only',
    ...words.map((word) => word in units && `${units[word]}, not ${word}`),
  ];
  return complaints.filter((complaint) => complaint !== false);
}
