// Names of scopes, as Google takes them and as it gives them back.
import { splitNames } from '../../kit/routing.ts';

const shortNames: Record<string, string> = {
  email: 'https://www.googleapis.com/auth/userinfo.email',
  profile: 'https://www.googleapis.com/auth/userinfo.profile',
};

/** The scopes of a request, in Google's long form: `email` and `profile` come back as URLs. */
export function readScopes(source: string): string[] {
  const names = source.split(/\s+/).filter(Boolean);
  return [...new Set(names.map((name) => shortNames[name] ?? name))];
}

const prefix = 'https://www.googleapis.com/auth/';
const known = splitNames(`
  userinfo.email userinfo.profile contacts contacts.readonly tasks tasks.readonly documents spreadsheets
  gmail.modify gmail.readonly gmail.compose gmail.send gmail.insert gmail.labels gmail.metadata
  gmail.settings.basic gmail.settings.sharing
  calendar calendar.readonly calendar.events calendar.events.readonly calendar.events.owned
  calendar.events.owned.readonly calendar.events.freebusy calendar.freebusy calendar.calendars
  calendar.calendars.readonly calendar.calendarlist calendar.calendarlist.readonly calendar.settings.readonly
  calendar.acls calendar.acls.readonly calendar.app.created
  drive drive.readonly drive.file drive.metadata drive.metadata.readonly drive.appdata drive.scripts
`).map((name) => `${prefix}${name}`);

/** Whether Google knows the scope. */
export function isKnownScope(scope: string): boolean {
  return scope === 'openid' || scope === 'https://mail.google.com/' || known.includes(scope);
}

/** Identity scopes, which a person cannot decline one by one. */
export function isIdentityScope(scope: string): boolean {
  return scope === 'openid' || scope.startsWith(`${prefix}userinfo.`);
}
