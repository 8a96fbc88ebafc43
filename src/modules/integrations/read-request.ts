/** Reads a free-text request, as far as it is unambiguous. */
export type ReadRequest =
  | { kind: 'action'; action: string; payload: Record<string, unknown> }
  | { kind: 'clarification'; question: string }
  | { kind: 'noop'; reason: string };

const address = String.raw`[^\s<>@,;:"'()]+@[^\s<>@,;:"'()]+\.[A-Za-z]{2,}`;
const list = String.raw`${address}(?:(?:\s*[,;]\s*|\s+and\s+)${address})*`;
const quoted = String.raw`(?:"([^"]+)"|“([^”]+)”)`;
const asksToRead =
  /^\s*(?:find|search|list|show|read|look up|what|which|who|when|where|did|do i|are there|is there)\b/i;

/** Every word of the request must be understood: an ignored word could change the meaning, such as “but not eve@…”. */
const shapes = {
  mail: new RegExp(
    String.raw`^\s*(?:please\s+)?(?:send\s+(?:an?\s+)?(?:e-?)?mail\s+to|(?:e-?)?mail|write\s+to)\s+(${list})` +
      String.raw`(?:\s*,?\s+cc:?\s+(${list}))?(?:\s*,?\s+bcc:?\s+(${list}))?` +
      String.raw`\s*[,;]?\s*subject\s*[:=]\s*(?:${quoted}|([^\n]+?))\s*[,;\n]\s*body\s*[:=]\s*([\s\S]+)$`,
    'i',
  ),
  event: new RegExp(
    String.raw`^\s*(?:please\s+)?(?:create|add|schedule)\s+(?:an?\s+event\s+)?${quoted}\s+on\s+(\d{4}-\d{2}-\d{2})` +
      String.raw`\s+from\s+(\d{2}:\d{2})\s+to\s+(\d{2}:\d{2})\s*(Z|UTC|[+-]\d{2}:\d{2})(?:\s*,?\s+with\s+(${list}))?\s*\.?\s*$`,
    'i',
  ),
  file: new RegExp(
    String.raw`^\s*(?:please\s+)?create\s+(?:a\s+)?file\s+${quoted}\s+with\s+content\s*[:=]\s*([\s\S]+)$`,
    'i',
  ),
};

/**
 * Reads a request of an exact form. Any other request is answered with a question for the fields: nothing is guessed.
 */
export function readRequest(source: string, request: string): ReadRequest {
  if (asksToRead.test(request)) {
    return {
      kind: 'noop',
      reason: 'This asks to read something. Use search, query or fetch_from_integration for that.',
    };
  }
  return (readers[source] ?? askForFields)(request);
}

/** The whole addresses that a text names. */
export function listNamedAddresses(text: string): string[] {
  return [...new Set(text.match(new RegExp(address, 'g')) ?? [])];
}

const readers: Readonly<Record<string, (request: string) => ReadRequest>> = {
  gmail: readMail,
  calendar: readEvent,
  drive: readFile,
};

function askForFields(): ReadRequest {
  return { kind: 'clarification', question: 'Name the action and its fields with install_id, action_name and input.' };
}

function readMail(request: string): ReadRequest {
  const [whole, to = '', cc = '', bcc = '', inQuotes, inOther, plain, body = ''] = shapes.mail.exec(request) ?? [];
  if (whole === undefined) {
    const example = 'Mail ana@example.com, subject: Hello, body: See you on Friday.';
    return ask('send_email', 'to, cc, bcc, subject and body', example);
  }
  const subject = (inQuotes ?? inOther ?? plain ?? '').trim();
  const people = { to: listNamedAddresses(to), cc: listNamedAddresses(cc), bcc: listNamedAddresses(bcc) };
  return { kind: 'action', action: 'send_email', payload: { ...people, subject, body: withoutQuotes(body) } };
}

function readEvent(request: string): ReadRequest {
  const [whole, inQuotes, inOther, day, from, to, zone = 'Z', people = ''] = shapes.event.exec(request) ?? [];
  if (whole === undefined) {
    const example = 'Create "Lunch with Ana" on 2026-06-01 from 12:00 to 13:00 +02:00 with ana@example.com';
    return ask('create_event', 'summary, start and end with the offset of their time zone, and attendees', example);
  }
  const offset = zone.toUpperCase() === 'UTC' ? 'Z' : zone;
  const [start, end] = [from, to].map((time) => `${day}T${time}:00${offset}`);
  const summary = (inQuotes ?? inOther ?? '').trim();
  return {
    kind: 'action',
    action: 'create_event',
    payload: { summary, start, end, attendees: listNamedAddresses(people) },
  };
}

function readFile(request: string): ReadRequest {
  const [whole, inQuotes, inOther, content = ''] = shapes.file.exec(request) ?? [];
  if (whole === undefined)
    return ask('create_file', 'name and content', 'Create a file "notes.txt" with content: the first line');
  const name = (inQuotes ?? inOther ?? '').trim();
  return { kind: 'action', action: 'create_file', payload: { name, content: withoutQuotes(content) } };
}

function ask(action: string, fields: string, example: string): ReadRequest {
  const question = `To draft ${action} I need ${fields}, in exactly this form: «${example}»; or pass action_name and input.`;
  return { kind: 'clarification', question };
}

function withoutQuotes(text: string): string {
  return text.trim().replace(/^["“]([\s\S]*)["”]$/, '$1');
}
