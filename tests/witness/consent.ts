/** Chooses the account on the emulator's page, as a person does. */
export async function giveEmulatorConsent(
  authorizationUrl: string,
  email: string,
): Promise<{ code: string; state: string }> {
  const page = await (await fetch(authorizationUrl)).text();
  const form = page.split('<form').find((each) => each.includes(`value="${email}"`)) ?? '';
  const action = /action="([^"]+)"/.exec(form)?.[1] ?? '';
  const fields = [...form.matchAll(/<input[^>]*name="([^"]+)"[^>]*value="([^"]*)"/g)].map(
    ([, name = '', value = '']): [string, string] => [name, value.replaceAll('&amp;', '&').replaceAll('&#x2F;', '/')],
  );
  const answer = await fetch(new URL(action, authorizationUrl), {
    method: 'POST',
    body: new URLSearchParams(fields),
    redirect: 'manual',
  });
  const target = new URL(answer.headers.get('location') ?? '');
  return { code: target.searchParams.get('code') ?? '', state: target.searchParams.get('state') ?? '' };
}
