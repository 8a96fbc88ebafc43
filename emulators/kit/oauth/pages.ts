// The pages a person sees: choosing an account and consenting, and the errors that never go back to the client.
import type { Reply } from '../wire.ts';
import type { Client } from './store.ts';

function escape(value: string): string {
  return value.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}

function buildHtmlReply(status: number, title: string, body: string): Reply {
  const content = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>${escape(title)}</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<style>
body{font:16px/1.5 system-ui,sans-serif;background:#f0f4f9;margin:0;display:grid;place-items:center;min-height:100vh}
main{background:#fff;border-radius:24px;padding:32px 40px;max-width:480px;width:100%;box-sizing:border-box}
fieldset{border:1px solid #c4c7c5;border-radius:12px;margin:0 0 16px;padding:12px 16px}
label{display:block;padding:4px 0;overflow-wrap:anywhere}
button{font:inherit;padding:8px 24px;border-radius:20px;border:1px solid #747775;background:#fff;color:#0b57d0;cursor:pointer}
button#allow{background:#0b57d0;color:#fff;border-color:#0b57d0}
</style></head><body><main>${body}</main></body></html>`;
  return {
    status,
    headers: { 'x-frame-options': 'DENY' },
    bytes: { contentType: 'text/html; charset=utf-8', content: Buffer.from(content) },
  };
}

/** The page for a request that an authorization server will not take up. `reason` is for example `redirect_uri_mismatch`. */
export function buildErrorPage(status: number, reason: string, detail: string): Reply {
  const heading = `Error ${status}: ${reason}`;
  return buildHtmlReply(
    status,
    heading,
    `<h1>Access blocked: Authorization Error</h1><p id="error-detail">${escape(detail)}</p><p id="error-code">${escape(heading)}</p>`,
  );
}

/** A person in the chooser: `key` is what the form sends. */
export type AccountChoice = { key: string; label: string };

/** The chooser and the consent in one page. Scopes that are not `fixed` can be unticked. */
export function buildConsentPage(view: {
  title: string;
  action: string;
  client: Client;
  accounts: AccountChoice[];
  chosen: string;
  scopes: { name: string; fixed: boolean }[];
  parameters: URLSearchParams;
}): Reply {
  const chosen = view.accounts.find(({ key }) => key === view.chosen) ?? view.accounts[0];
  const accounts = view.accounts.map(
    (account, index) =>
      `<label for="account-${index}"><input type="radio" name="account" id="account-${index}" value="${escape(account.key)}" required${account === chosen ? ' checked' : ''}> ${escape(account.label)}</label>`,
  );
  const scopes = view.scopes.map(({ name, fixed }, index) =>
    fixed
      ? `<input type="hidden" name="granted" value="${escape(name)}">`
      : `<label for="scope-${index}"><input type="checkbox" name="granted" id="scope-${index}" value="${escape(name)}" checked> ${escape(name)}</label>`,
  );
  const hidden = `<input type="hidden" name="request" value="${escape(view.parameters.toString())}">`;
  return buildHtmlReply(
    200,
    view.title,
    `<h1>${escape(view.client.name)} wants access to your account</h1>
<form id="consent" method="post" action="${escape(view.action)}">${hidden}
<fieldset><legend>Choose an account</legend>${accounts.join('\n')}</fieldset>
<fieldset><legend>What ${escape(view.client.name)} can access</legend>${scopes.join('\n')}</fieldset>
<button type="submit" name="decision" value="deny" id="deny" formnovalidate>Cancel</button>
<button type="submit" name="decision" value="allow" id="allow">Continue</button></form>`,
  );
}

/** A person's answer to a consent page. */
export type Consent = { account: string; deny?: boolean; granted?: string[] };

/** Answers the consent page of an authorization URL as a person would; resolves to the URL redirected to. */
export async function answerConsent(authorizationUrl: string, formPath: string, consent: Consent): Promise<string> {
  const target = new URL(authorizationUrl);
  const page = await fetch(target, { redirect: 'manual' });
  const answered = page.headers.get('location');
  if (answered) return answered;
  if (page.status !== 200) throw new Error(`The consent page answered ${page.status}: ${await page.text()}`);
  const form = new URLSearchParams({
    request: target.searchParams.toString(),
    account: consent.account,
    decision: consent.deny ? 'deny' : 'allow',
  });
  for (const scope of consent.granted ?? []) form.append('granted', scope);
  const response = await fetch(new URL(formPath, target), { method: 'POST', body: form, redirect: 'manual' });
  const location = response.headers.get('location');
  if (!location) throw new Error(`The consent form answered ${response.status}: ${await response.text()}`);
  return location;
}
