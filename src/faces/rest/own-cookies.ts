// The cookies of this server. With https they are bound to its host: no other name of the domain can set or replace one.
import type { Context, MiddlewareHandler } from 'hono';
import { deleteCookie, getCookie, setCookie } from 'hono/cookie';

/** The key under which a request keeps whether people reach the server by https. */
const secure = 'isSecure';

/** Sets whether the cookies of each request are those of an https server, or of an http server. */
export function chooseCookies(isSecure: boolean): MiddlewareHandler {
  return async (c, next) => {
    c.set(secure, isSecure);
    await next();
  };
}

type OwnCookie = {
  value: string;
  sameSite: 'Lax' | 'Strict';
  /** The path that it is sent to; with https a browser accepts such a cookie only for the whole host. */
  path: string;
  lives: { seconds: number } | { until: Date };
};

/** Gives the browser a cookie that scripts cannot read. */
export function setOwnCookie(c: Context, name: string, { value, sameSite, path, lives }: OwnCookie): void {
  const ends = 'until' in lives ? { expires: lives.until } : { maxAge: lives.seconds };
  const kept = { httpOnly: true, sameSite, ...ends };
  setCookie(c, name, value, isSecure(c) ? { ...kept, prefix: 'host' } : { ...kept, path });
}

export function getOwnCookie(c: Context, name: string): string | undefined {
  return isSecure(c) ? getCookie(c, name, 'host') : getCookie(c, name);
}

export function dropOwnCookie(c: Context, name: string, path: string): void {
  if (isSecure(c)) deleteCookie(c, name, { prefix: 'host' });
  else deleteCookie(c, name, { path });
}

function isSecure(c: Context): boolean {
  return c.get(secure) === true; // set by `chooseCookies`
}
