// A demo account with a working week of mail, meetings and files, dated around the given day.
import { deflateSync } from 'node:zlib';
import type { GoogleEmulator } from './index.ts';

const ada = 'Ada Lovelace <ada@example.com>';
const grace = 'Grace Hopper <grace@navy.example>';
const linus = 'Linus Pauling <linus@lab.example>';

function addDays(now: Date, days: number, hour = 9, minute = 0): Date {
  const date = new Date(now.getTime() + days * 86_400_000);
  date.setUTCHours(hour, minute, 0, 0);
  return date;
}

/** A small but valid PDF with one line of text. */
function buildPdf(line: string): Buffer {
  const stream = deflateSync(`BT /F1 18 Tf 72 720 Td (${line}) Tj ET`).toString('latin1');
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>',
    `<< /Length ${stream.length} /Filter /FlateDecode >>\nstream\n${stream}\nendstream`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
  ];
  let body = '%PDF-1.4\n';
  const offsets = objects.map((object, index) => {
    const offset = body.length;
    body += `${index + 1} 0 obj\n${object}\nendobj\n`;
    return String(offset).padStart(10, '0');
  });
  const table = offsets.map((offset) => `${offset} 00000 n \n`).join('');
  const trailer = `trailer << /Size ${objects.length + 1} /Root 1 0 R >>\nstartxref\n${body.length}\n%%EOF`;
  return Buffer.from(`${body}xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${table}${trailer}`, 'latin1');
}

function seedMails(google: GoogleEmulator, now: Date): void {
  const at = (days: number, hour: number) => addDays(now, days, hour);
  google.seedThread('ada@example.com', [
    {
      from: grace,
      to: ada,
      cc: linus,
      subject: 'Quarterly budget: numbers for review',
      text: 'Hi Ada,\n\nthe budget for the third quarter is attached. Could you check the compiler line before Thursday?\n\nBest,\nGrace',
      html: '<p>Hi Ada,</p><p>the budget for the third quarter is attached. Could you check the <b>compiler</b> line before Thursday?</p><p>Best,<br>Grace</p>',
      attachments: [{ filename: 'Budget Q3.pdf', mimeType: 'application/pdf', content: buildPdf('Budget Q3: 42,000') }],
      date: at(-6, 8),
      read: true,
      labels: ['Finance'],
    },
    {
      from: ada,
      to: grace,
      cc: linus,
      subject: '',
      text: 'Thanks Grace, I will look at it tomorrow.\n\nAda',
      date: at(-6, 11),
    },
    {
      from: grace,
      to: ada,
      subject: '',
      text: 'Perfect. The auditors come on Friday, so tomorrow is just right.',
      date: at(-5, 7),
    },
  ]);
  google.seedThread('ada@example.com', [
    {
      from: linus,
      to: ada,
      subject: 'Lunch on Wednesday? ☕',
      text: 'There is a new place near the lab. Half past twelve?',
      date: at(-3, 10),
      read: true,
    },
    { from: ada, to: linus, subject: '', text: 'Half past twelve is fine. See you there.', date: at(-3, 12) },
  ]);
  google.seedMail('ada@example.com', {
    from: 'Example Airlines <booking@airline.example>',
    subject: 'Your booking KX72PB is confirmed',
    html: '<h1>Booking confirmed</h1><p>Reference <b>KX72PB</b>. Zürich to London, seat 14C.</p><p>Departure 07:35, gate opens 06:50.</p>',
    date: at(-2, 15),
    labelIds: ['INBOX', 'UNREAD', 'CATEGORY_UPDATES'],
  });
  google.seedMail('ada@example.com', {
    from: 'Weekly Engine <news@engine.example>',
    subject: 'This week in analytical engines',
    text: 'Ten punched cards you did not know you needed.',
    headers: { 'List-Unsubscribe': '<https://engine.example/unsubscribe>' },
    date: at(-1, 5),
    labelIds: ['INBOX', 'UNREAD', 'CATEGORY_PROMOTIONS'],
  });
}

function seedEvents(google: GoogleEmulator, now: Date): void {
  google.seedEvent('ada@example.com', {
    summary: 'Stand-up',
    start: addDays(now, -7, 8, 15),
    end: addDays(now, -7, 8, 30),
    recurrence: ['RRULE:FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR'],
  });
  google.seedEvent('ada@example.com', {
    summary: 'Budget review',
    description: 'Go through the third quarter with Grace.',
    location: 'Room Babbage',
    start: addDays(now, 1, 13),
    end: addDays(now, 1, 14),
    attendees: [{ email: 'ada@example.com', responseStatus: 'accepted' }, { email: 'grace@navy.example' }],
  });
  const family = google.seedCalendar('ada@example.com', { summary: 'Family', timeZone: 'Europe/Zurich' });
  const day = (days: number) => addDays(now, days).toISOString().slice(0, 10);
  google.seedEvent('ada@example.com', {
    calendarId: family.id,
    summary: "Byron's birthday",
    start: day(4),
    end: day(5),
  });
  google.seedEvent('ada@example.com', {
    calendarId: family.id,
    summary: 'Dentist',
    start: addDays(now, 2, 7),
    end: addDays(now, 2, 8),
  });
}

function seedFiles(google: GoogleEmulator): void {
  const folder = google.seedFile('ada@example.com', {
    name: 'Projects',
    mimeType: 'application/vnd.google-apps.folder',
  });
  google.seedFile('ada@example.com', {
    name: 'Notes on the Analytical Engine',
    mimeType: 'application/vnd.google-apps.document',
    folder: folder.id,
    content: 'The Analytical Engine weaves algebraical patterns.\nNote G computes the Bernoulli numbers.',
  });
  google.seedFile('ada@example.com', {
    name: 'Budget Q3',
    mimeType: 'application/vnd.google-apps.spreadsheet',
    content: 'item,amount\ncompiler,12000\npunched cards,30000\n',
  });
  google.seedFile('ada@example.com', {
    name: 'Budget Q3.pdf',
    mimeType: 'application/pdf',
    folder: folder.id,
    content: buildPdf('Budget Q3: 42,000'),
  });
  google.seedFile('ada@example.com', {
    name: 'todo.txt',
    mimeType: 'text/plain',
    content: 'Answer Grace\nBook the train\n',
  });
}

/** Adds Ada and her correspondent Grace, with all their data. */
export function seedDemo(google: GoogleEmulator, now: Date): void {
  google.addAccount({ email: 'ada@example.com', name: 'Ada Lovelace', timeZone: 'Europe/Zurich' });
  google.addAccount({ email: 'grace@navy.example', name: 'Grace Hopper', timeZone: 'America/New_York' });
  seedMails(google, now);
  seedEvents(google, now);
  seedFiles(google);
}
