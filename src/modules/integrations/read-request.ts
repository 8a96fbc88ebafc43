import * as chrono from 'chrono-node';

/** What a request in plain words asks for, as far as that can be told without guessing. */
export type ReadRequest =
  | { kind: 'action'; action: string; payload: Record<string, unknown> }
  | { kind: 'clarification'; question: string }
  | { kind: 'noop'; reason: string };

const addresses = /[^\s<>@,;:"'()]+@[^\s<>@,;:"'()]+\.[A-Za-z]{2,}/g;
const asksToRead =
  /^\s*(?:find|search|list|show|read|look up|what|which|who|when|where|did|do i|are there|is there)\b/i;

/**
 * Reads a request by fixed forms: addresses, `subject: …`, `body: …`, dates and times, quoted names. What is missing is
 * asked for, and nothing is guessed.
 */
export function readRequest(source: string, request: string, now: Date): ReadRequest {
  if (asksToRead.test(request)) {
    return {
      kind: 'noop',
      reason: 'This asks to read something. Use search, query or fetch_from_integration for that.',
    };
  }
  return (readers[source] ?? unreadable)(request, now);
}

const readers: Readonly<Record<string, (request: string, now: Date) => ReadRequest>> = {
  gmail: readMail,
  calendar: readEvent,
  drive: readFile,
};

function unreadable(): ReadRequest {
  return { kind: 'clarification', question: 'Name the action and its fields with install_id, action_name and input.' };
}

function readMail(request: string): ReadRequest {
  const body = /\b(?:body|message|text|saying|that says)\s*[:=]?\s*([\s\S]+)$/i.exec(request);
  const head = body ? request.slice(0, body.index) : request;
  const subject = /\bsubject\s*[:=]?\s*(?:"([^"]+)"|“([^”]+)”|([^\n]+))/i.exec(head);
  const cc = listAfter(head, 'cc');
  const bcc = listAfter(head, 'bcc');
  const to = [...new Set(head.match(addresses) ?? [])].filter(
    (address) => !cc.includes(address) && !bcc.includes(address),
  );
  const missing = [!to.length && 'to (addresses)', !subject && 'subject', !body && 'body'].filter(Boolean);
  if (missing.length)
    return ask('send_email', missing, 'Send a mail to ana@example.com, subject: Hello, body: See you on Friday.');
  return {
    kind: 'action',
    action: 'send_email',
    payload: { to, cc, bcc, subject: unquoted(subject), body: strippedQuotes(body?.[1] ?? '') },
  };
}

function readEvent(request: string, now: Date): ReadRequest {
  const [found] = chrono.parse(request, now, { forwardDate: true });
  const title = /"([^"]+)"|“([^”]+)”|\b(?:titled|called|named|summary\s*[:=])\s*([^,\n]+)/i.exec(request);
  const minutes = /\bfor\s+(\d+)\s*(min(?:ute)?s?|h(?:ours?)?)\b/i.exec(request);
  const hasTime = found?.start.isCertain('hour') ?? false;
  const start = hasTime ? found?.start.date() : undefined;
  const end = found?.end?.date() ?? (start && minutes ? new Date(start.getTime() + lengthMs(minutes)) : undefined);
  const missing = [
    !title && 'summary (in quotes)',
    !start && 'start (date and time)',
    !end && 'end (or «for 30 minutes»)',
  ].filter(Boolean);
  if (missing.length || !start || !end) {
    return ask(
      'create_event',
      missing,
      'Create "Lunch with Ana" on 2026-06-01 from 12:00 to 13:00 with ana@example.com',
    );
  }
  return {
    kind: 'action',
    action: 'create_event',
    payload: {
      summary: unquoted(title),
      start: start.toISOString(),
      end: end.toISOString(),
      attendees: [...new Set(request.match(addresses) ?? [])],
    },
  };
}

function readFile(request: string): ReadRequest {
  const content = /\b(?:content|text|containing|with)\s*[:=]\s*([\s\S]+)$/i.exec(request);
  const head = content ? request.slice(0, content.index) : request;
  const name = /"([^"]+)"|“([^”]+)”|\b(?:named|called|name\s*[:=])\s*([^\s,]+)/i.exec(head);
  const missing = [!name && 'name (in quotes)', !content && 'content'].filter(Boolean);
  if (missing.length) return ask('create_file', missing, 'Create a file "notes.txt" with content: the first line');
  return {
    kind: 'action',
    action: 'create_file',
    payload: { name: unquoted(name), content: strippedQuotes(content?.[1] ?? '') },
  };
}

function ask(action: string, missing: (string | false)[], example: string): ReadRequest {
  const question = `To draft ${action} I still need: ${missing.join(', ')}. For example: «${example}»; or pass action_name and input.`;
  return { kind: 'clarification', question };
}

function listAfter(text: string, word: 'cc' | 'bcc'): string[] {
  const after = new RegExp(String.raw`\b${word}\s*[:=]?\s*((?:${addresses.source}[\s,;]*(?:and\s+)?)+)`, 'i').exec(
    text,
  );
  return after?.[1]?.match(addresses) ?? [];
}

function lengthMs([, count = '0', unit = '']: RegExpExecArray): number {
  return Number(count) * (unit.toLowerCase().startsWith('h') ? 3_600_000 : 60_000);
}

function unquoted(match: RegExpExecArray | null): string {
  return (match?.[1] ?? match?.[2] ?? match?.[3] ?? '').trim().replace(/[,;]$/, '');
}

function strippedQuotes(text: string): string {
  return text.trim().replace(/^["“]([\s\S]*)["”]$/, '$1');
}
