import type { CanaryStage } from '../stage.ts';

const scope = 'https://www.googleapis.com/auth/gmail.readonly';
const getPath = (url: unknown) => new URL(String(url)).pathname;
const buildForm = (fields: Record<string, string>) => ({ method: 'POST', body: new URLSearchParams(fields) });
const findNextLink = (page: string) => /class="button" href="([^"]+)"/.exec(page)?.[1]?.replaceAll('&amp;', '&') ?? '';

/** Links, bundles and the playground: values that are pasted, refused, stored, and that a provider gives. */
export async function runLinksStory(stage: CanaryStage): Promise<void> {
  const { call, page, plant, google } = stage;
  google.addAccount({ email: 'ada@example.com', name: 'Ada' });
  const client = { id: 'canary-client-of-a-bundle', secret: plant('the client secret of a bundle') };
  google.addClient({ ...client, redirectUris: [/^http:/] });

  const { url } = await call('create_variable_link', { var_name: 'LINKED', var_scope: 'person' });
  const path = getPath(url);
  await page(path);
  await page(path, buildForm({ 'value:LINKED': plant('a value that is refused'), 'hosts:LINKED': '://' }));
  const pasted = buildForm({ 'value:LINKED': plant('a pasted value', 'any'), 'hosts:LINKED': '' });
  await page(path, pasted);
  await page(path, pasted);

  const bundle = await call('create_variable_bundle_link', {
    bundle_variables: [
      { name: 'B_CLIENT_ID', label: 'Client ID' },
      { name: 'B_CLIENT_SECRET', label: 'Client Secret' },
    ],
    bundle_oauth: {
      scopes: [scope],
      client_id_from: 'B_CLIENT_ID',
      client_secret_from: 'B_CLIENT_SECRET',
      derive: { B_REFRESH_TOKEN: 'refresh_token', B_ACCESS_TOKEN: 'access_token' },
    },
    var_scope: 'org',
  });
  for (const secret of [plant('a wrong client secret'), client.secret]) {
    const fields = { 'value:B_CLIENT_ID': client.id, 'value:B_CLIENT_SECRET': secret };
    const { text, headers } = await page(getPath(bundle['url']), buildForm(fields));
    const target = new URL(await google.approve(findNextLink(text), { email: 'ada@example.com' }));
    const cookie = headers.get('set-cookie')?.split(';')[0] ?? '';
    const finished = await page(target.pathname + target.search, { headers: { cookie } });
    if (finished.status !== (secret === client.secret ? 200 : 502)) throw new Error(finished.text);
  }

  const own = { headers: { cookie: stage.browser.cookie, origin: stage.server.url } };
  const session_proof = stage.browser.proof;
  const trial = {
    provider: 'google',
    label: 'Trial',
    scopes: scope,
    client_id: client.id,
    client_secret: client.secret,
  };
  await page('/oauth-playground?provider=google', own);
  await page('/oauth-playground', { ...buildForm({ ...trial, session_proof, scopes: '' }), ...own });
  const { text } = await page('/oauth-playground', { ...buildForm({ ...trial, session_proof }), ...own });
  const target = new URL(await google.approve(findNextLink(text), { email: 'ada@example.com' }));
  const result = await page(target.pathname + target.search, own);
  const id = /name="id" value="([^"]+)"/.exec(result.text)?.[1] ?? '';
  const saved = await page('/oauth-playground/save', {
    ...buildForm({ session_proof, id, prefix: 'T', var_scope: 'org' }),
    ...own,
  });
  if (saved.status !== 200) throw new Error(saved.text);
}
