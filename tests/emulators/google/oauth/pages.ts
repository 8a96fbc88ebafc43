// The pages a person sees: choosing an account and consenting, and the errors that never go back to the client.
import type { Account, Client } from '../accounts.ts';
import type { Reply } from '../routing.ts';
import { isIdentityScope } from './scopes.ts';

function escape(value: string): string {
  return value.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}

function html(status: number, title: string, body: string): Reply {
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

/** Google's page for a request it will not take up. `reason` is for example `redirect_uri_mismatch`. */
export function errorPage(status: number, reason: string, detail: string): Reply {
  const heading = `Error ${status}: ${reason}`;
  return html(
    status,
    heading,
    `<h1>Access blocked: Authorization Error</h1><p id="error-detail">${escape(detail)}</p><p id="error-code">${escape(heading)}</p>`,
  );
}

/** The chooser and the consent in one page. Every scope but the identity ones can be unticked, as at Google. */
export function consentPage(view: {
  client: Client;
  accounts: Account[];
  hint: string;
  scopes: string[];
  parameters: URLSearchParams;
}): Reply {
  const chosen = view.accounts.find((account) => account.email === view.hint || account.id === view.hint);
  const accounts = view.accounts.map(
    (account, index) =>
      `<label for="account-${index}"><input type="radio" name="email" id="account-${index}" value="${escape(account.email)}" required${account === (chosen ?? view.accounts[0]) ? ' checked' : ''}> ${escape(account.name)} &lt;${escape(account.email)}&gt;</label>`,
  );
  const scopes = view.scopes.map((scope, index) =>
    isIdentityScope(scope)
      ? `<input type="hidden" name="granted" value="${escape(scope)}">`
      : `<label for="scope-${index}"><input type="checkbox" name="granted" id="scope-${index}" value="${escape(scope)}" checked> ${escape(scope)}</label>`,
  );
  const hidden = `<input type="hidden" name="request" value="${escape(view.parameters.toString())}">`;
  return html(
    200,
    'Sign in - Google Accounts',
    `<h1>${escape(view.client.name)} wants access to your Google Account</h1>
<form id="consent" method="post" action="/o/oauth2/v2/auth/callback">${hidden}
<fieldset><legend>Choose an account</legend>${accounts.join('\n')}</fieldset>
<fieldset><legend>Select what ${escape(view.client.name)} can access</legend>${scopes.join('\n')}</fieldset>
<button type="submit" name="decision" value="deny" id="deny" formnovalidate>Cancel</button>
<button type="submit" name="decision" value="allow" id="allow">Continue</button></form>`,
  );
}
