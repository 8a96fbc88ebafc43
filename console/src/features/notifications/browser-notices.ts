/** Notices of the system that this browser shows while nobody looks at the console. */

/** Whether this browser can show notices at all, and whether it lets this site. */
export type NoticeState = 'missing' | 'refused' | 'off' | 'on';

/** Only a page that came over https, or from this machine, may show any. */
export function noticeState(personId: string): NoticeState {
  if (!('Notification' in window) || !window.isSecureContext) return 'missing';
  if (Notification.permission === 'denied') return 'refused';
  return Notification.permission === 'granted' && isWished(personId) ? 'on' : 'off';
}

/** Asks the browser, and notes the wish. Throws where a page cannot show notices itself, as on some phones. */
export async function switchOn(personId: string): Promise<void> {
  if ((await Notification.requestPermission()) !== 'granted') return;
  const notice = new Notification('Notifications are on', {
    body: 'You see one when a draft arrives while this page is in the background.',
    tag: 'thalamus-on',
  });
  setTimeout(() => notice.close(), 4_000);
  localStorage.setItem(wishOf(personId), 'on');
}

export function switchOff(personId: string): void {
  localStorage.removeItem(wishOf(personId));
}

function isWished(personId: string): boolean {
  return localStorage.getItem(wishOf(personId)) === 'on';
}

/** A wish is of one person in one browser: who signs in after them has their own. */
function wishOf(personId: string): string {
  return `thalamus-notices-${personId}`;
}

type Shown = { notice: Notification; ids: Set<string> };
const shown = new Map<string, Shown>();

/** What a notice says, which drafts it is about, and where it leads. Drafts under one tag share one notice. */
export type Words = { tag: string; ids: readonly string[]; title: string; body: string; onOpen: () => void };

/** How many drafts the notice with this tag is about, those that come now included. */
export function countUnder(tag: string, ids: readonly string[]): number {
  return new Set([...(shown.get(tag)?.ids ?? []), ...ids]).size;
}

/** Shows a notice in the place of any that has its tag. */
export function showNotice({ tag, ids, title, body, onOpen }: Words): void {
  const notice = new Notification(title, { body, tag });
  notice.addEventListener('click', () => {
    window.focus();
    notice.close();
    onOpen();
  });
  shown.set(tag, { notice, ids: new Set([...(shown.get(tag)?.ids ?? []), ...ids]) });
}

/** A draft was decided: a notice goes with the last that it is about. */
export function dropFromNotices(draftId: string): void {
  for (const [tag, { notice, ids }] of shown) {
    if (!ids.delete(draftId) || ids.size) continue;
    notice.close();
    shown.delete(tag);
  }
}

/** Somebody looks: there is nothing to tell any more. */
export function closeNotices(): void {
  for (const { notice } of shown.values()) notice.close();
  shown.clear();
}
