import type { Descriptor, Files, Level, Stream } from '#providers/described';
import type { Call, Listing } from '#providers/http';
import { microsoftApi } from './account.ts';

/** Ids that stay when a mail is moved, and texts without markup. */
const prefer = 'IdType="ImmutableId", outlook.body-content-type="text"';
const nextLink = "'@odata.nextLink'";
const deltaLink = "'@odata.deltaLink'";
const removed = { at: "item.'@removed'" };

/**
 * All folders, at any depth. Only Graph's own names tell which are read first or excluded: display names differ by
 * language. https://learn.microsoft.com/graph/api/resources/mailfolder
 */
function foldersAt(path: string): Listing {
  const call: Call = {
    method: 'GET',
    path,
    queryParams: { $select: 'id,displayName,childFolderCount', $top: 100 },
  };
  return { call, items: 'value', paging: { by: 'url', at: nextLink } };
}

function named(folder: string): Call {
  return { method: 'GET', path: `/me/mailFolders/${folder}`, queryParams: { $select: 'id' } };
}

const folders: Level = {
  listing: foldersAt('/me/mailFolders'),
  as: 'folder',
  id: 'id',
  label: 'displayName',
  // A search shows mails of other folders.
  only: { at: "'@odata.type'", isNot: ['#microsoft.graph.mailSearchFolder'] },
  below: {
    when: { at: 'childFolderCount' },
    listing: foldersAt('/me/mailFolders/{{folder.id}}/childFolders'),
    deepest: 20,
  },
  special: [
    { call: named('inbox'), are: 'first' },
    ...['deleteditems', 'junkemail', 'drafts', 'outbox', 'syncissues'].map((folder) => ({
      call: named(folder),
      are: 'left out' as const,
    })),
  ],
};

/** https://learn.microsoft.com/graph/api/message-list-attachments: a list without `$select` would hold every file. */
const files: Files = {
  when: { at: 'item.hasAttachments' },
  listing: {
    call: {
      method: 'GET',
      path: '/me/messages/{{item.id}}/attachments',
      headers: { prefer },
      queryParams: { $select: 'name,contentType,size,isInline' },
    },
    items: 'value',
    paging: { by: 'url', at: nextLink },
  },
  only: { at: "'@odata.type'", isOneOf: ['#microsoft.graph.fileAttachment'] },
  id: '{{file.id}}',
  name: '{{file.name}}',
  type: '{{file.contentType}}',
  size: '{{file.size}}',
  content: { method: 'GET', path: '/me/messages/{{item.id}}/attachments/{{file.id}}/$value', headers: { prefer } },
};

const mails: Stream = {
  name: 'mails',
  each: [folders],
  listing: {
    call: {
      method: 'GET',
      path: '/me/mailFolders/{{folder.id}}/messages/delta',
      headers: { prefer: `${prefer}, odata.maxpagesize=50` },
      queryParams: {
        $select: 'subject,from,toRecipients,ccRecipients,receivedDateTime,body,conversationId,webLink,hasAttachments',
        $filter: 'receivedDateTime ge {{since}}',
      },
    },
    items: 'value',
    paging: { by: 'url', at: nextLink },
  },
  since: { at: 'receivedDateTime', as: 'iso' },
  changesAt: deltaLink,
  areMoved: true,
  files,
  page: {
    type: 'email',
    ref: '{{item.id}}',
    title: '{{item.subject}}',
    body: [
      'From: {{item.from.emailAddress.address}}\nDate: {{item.receivedDateTime}}',
      'Attachments: {{files.*.name}}',
      '{{item.body.content}}',
    ],
    frontmatter: {
      from: '{{item.from.emailAddress.address}}',
      to: '{{item.toRecipients.*.emailAddress.address}}',
      cc: '{{item.ccRecipients.*.emailAddress.address}}',
      date: '{{item.receivedDateTime}}',
      message_id: '{{item.id}}',
      thread_id: '{{item.conversationId}}',
      folder: '{{folder.displayName}}',
      has_attachments: '{{item.hasAttachments}}',
      link: '{{item.webLink}}',
    },
    author: '{{item.from.emailAddress.name}} <{{item.from.emailAddress.address}}>',
    occurredAt: '{{item.receivedDateTime}}',
    goneWhen: removed,
  },
};

/** Outlook's mail. https://learn.microsoft.com/graph/delta-query-messages */
export const outlookMail: Descriptor = {
  name: 'outlook_mail',
  label: 'Outlook mail',
  description:
    'Mails of all folders but the bin, junk and drafts become pages. Mails are sent and archived once you confirm.',
  coverage: {
    goesBack: 'Mails of the chosen days; then every change of them, for half a year at a time.',
    notRead: ['Drafts, and mails in the bin and in junk.', 'Files of more than 25 MB, and links to files in OneDrive.'],
  },
  provider: 'microsoft',
  scopes: [
    { scope: 'Mail.Read', why: 'Read your mail.' },
    { scope: 'Mail.ReadWrite', why: 'Keep unsent mails, and archive those that you confirmed.', for: 'act' },
    { scope: 'Mail.Send', why: 'Send the mails that you confirmed.', for: 'act' },
  ],
  api: microsoftApi,
  streams: [mails],
};

/** Outlook's calendar. https://learn.microsoft.com/graph/delta-query-events */
export const outlookCalendar: Descriptor = {
  name: 'outlook_calendar',
  label: 'Outlook calendar',
  description: 'Events of your calendar become pages. Events are created, changed and answered once you confirm.',
  coverage: {
    goesBack: 'Events from the chosen days until a year ahead; then every change of them.',
    notRead: ['Calendars other than your own first one.', 'Files that come with events.'],
  },
  provider: 'microsoft',
  scopes: [
    { scope: 'Calendars.Read', why: 'Read your calendar.' },
    {
      scope: 'Calendars.ReadWrite',
      why: 'Write the events, and answer the invitations, that you confirmed.',
      for: 'act',
    },
  ],
  api: microsoftApi,
  // Half of the future that is read.
  renewedAfterDays: 180,
  streams: [
    {
      name: 'events',
      listing: {
        call: {
          method: 'GET',
          path: '/me/calendarView/delta',
          headers: { prefer: `${prefer}, odata.maxpagesize=50` },
          queryParams: { startDateTime: '{{since}}', endDateTime: '{{until}}' },
        },
        items: 'value',
        paging: { by: 'url', at: nextLink },
      },
      since: { at: 'lastModifiedDateTime', as: 'iso' },
      changesAt: deltaLink,
      page: {
        type: 'calendar_event',
        ref: '{{item.id}}',
        title: '{{item.subject}}',
        body: [
          'When: {{when}}',
          'Where: {{item.location.displayName}}',
          'Organizer: {{item.organizer.emailAddress.address}}',
          'Attendees: {{item.attendees.*.emailAddress.address}}',
          '{{item.body.content}}',
        ],
        // Graph has whole days as their midnights.
        event: {
          start: '{{item.start.dateTime}}Z',
          end: '{{item.end.dateTime}}Z',
          when: '{{item.start.dateTime}} to {{item.end.dateTime}} (UTC)',
          wholeDaysWhen: { at: 'item.isAllDay' },
        },
        frontmatter: {
          event_id: '{{item.id}}',
          location: '{{item.location.displayName}}',
          attendees: '{{item.attendees.*.emailAddress.address}}',
          organizer: '{{item.organizer.emailAddress.address}}',
          link: '{{item.webLink}}',
        },
        author: '{{item.organizer.emailAddress.name}}',
        occurredAt: '{{item.start.dateTime}}Z',
        goneWhen: removed,
      },
    },
  ],
};
