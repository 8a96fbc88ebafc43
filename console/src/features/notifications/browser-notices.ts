/** Notices of the system that this browser shows while nobody looks at the console. */

/** Whether this browser can show notices at all, and whether it lets this site. */
export type NoticeState = 'missing' | 'refused' | 'off' | 'on';

/** Only a page that came over https, or from this machine, may show any. */
export function getNoticeState(personId: string): NoticeState {
  if (!('Notification' in window) || !window.isSecureContext) return 'missing';
  if (Notification.permission === 'denied') return 'refused';
  return Notification.permission === 'granted' && isRequested(personId) ? 'on' : 'off';
}

/** Asks the browser, and notes the wish. Throws where a page cannot show notices itself, as on some phones. */
export async function switchOn(personId: string): Promise<void> {
  if ((await Notification.requestPermission()) !== 'granted') return;
  const notice = new Notification('Notifications are on', {
    body: 'You see one when a draft arrives or a deadline passes while this page is in the background.',
    tag: 'thalamus-on',
  });
  setTimeout(() => notice.close(), 4_000);
  localStorage.setItem(getNoticeStorageKey(personId), 'on');
}

export function switchOff(personId: string): void {
  localStorage.removeItem(getNoticeStorageKey(personId));
}

function isRequested(personId: string): boolean {
  return localStorage.getItem(getNoticeStorageKey(personId)) === 'on';
}

/** The setting belongs to one person in one browser. */
function getNoticeStorageKey(personId: string): string {
  return `thalamus-notices-${personId}`;
}

type OpenNotice = { notice: Notification; ids: Set<string> };
const shown = new Map<string, OpenNotice>();

/** A notice: text, drafts and link. Drafts with one tag share one notice. */
export type Words = { tag: string; ids: readonly string[]; title: string; body: string; onOpen: () => void };

/** How many drafts the notice with this tag is about, those that come now included. */
export function countUnder(tag: string, ids: readonly string[]): number {
  return new Set([...(shown.get(tag)?.ids ?? []), ...ids]).size;
}

/** Shows a notice. It replaces an earlier one with the same tag. */
export function showNotice({ tag, ids, title, body, onOpen }: Words): void {
  const notice = new Notification(title, { body, tag });
  notice.addEventListener('click', () => {
    window.focus();
    notice.close();
    onOpen();
  });
  shown.set(tag, { notice, ids: new Set([...(shown.get(tag)?.ids ?? []), ...ids]) });
}

/** Removes a notice when the last of its drafts is decided. */
export function dropFromNotices(draftId: string): void {
  for (const [tag, { notice, ids }] of shown) {
    if (!ids.delete(draftId) || ids.size) continue;
    notice.close();
    shown.delete(tag);
  }
}

/** Removes all notices when a person looks at the console. */
export function closeNotices(): void {
  for (const { notice } of shown.values()) notice.close();
  shown.clear();
}
