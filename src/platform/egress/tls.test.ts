import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { type Server, createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TLSSocket, getCACertificates, setDefaultCACertificates } from 'node:tls';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createEgress } from './egress.ts';
import { parseBodyJson } from './response.ts';

const hasOpenssl = spawnSync('openssl', ['version']).status === 0;

/** A self-signed certificate for `secure.example` only. */
function makeCertificate(): { key: string; cert: string } {
  const folder = mkdtempSync(join(tmpdir(), 'egress-tls-'));
  const [keyPath, certPath] = [join(folder, 'key.pem'), join(folder, 'cert.pem')];
  const what = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2'];
  const who = ['-subj', '/CN=secure.example', '-addext', 'subjectAltName=DNS:secure.example'];
  execFileSync('openssl', ['req', '-x509', ...what, ...who, '-keyout', keyPath, '-out', certPath], { stdio: 'ignore' });
  const made = { key: readFileSync(keyPath, 'utf8'), cert: readFileSync(certPath, 'utf8') };
  rmSync(folder, { recursive: true });
  return made;
}

describe.skipIf(!hasOpenssl)('over TLS', () => {
  const usual = getCACertificates('default');
  let server: Server;
  let port: number;
  let requests = 0;
  let cert: string;

  beforeAll(async () => {
    const made = makeCertificate();
    cert = made.cert;
    server = createServer(made, (request, response) => {
      requests += 1;
      const { servername } = request.socket as TLSSocket; // every socket of an https server is one
      if (request.url === '/downgrade') response.writeHead(302, { location: `http://secure.example:${port}` });
      response.end(JSON.stringify({ servername, host: request.headers.host }));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    port = (server.address() as AddressInfo).port; // a listening TCP server has one
  });
  afterAll(async () => {
    setDefaultCACertificates(usual);
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });

  function door() {
    const allow = [`https://secure.example:${port}`, `https://other.example:${port}`];
    return createEgress({ allow, resolve: async () => ['127.0.0.1'] });
  }

  test('a certificate that is not trusted is refused before sending, whatever the environment says', async () => {
    const before = process.env.NODE_TLS_REJECT_UNAUTHORIZED;
    process.env.NODE_TLS_REJECT_UNAUTHORIZED = '0';
    const egress = door();
    const call = egress.request({ method: 'POST', url: `https://secure.example:${port}/`, body: 'x' });
    await expect(call).rejects.toMatchObject({ delivery: 'not_sent', diagnostics: { errorCategory: 'tls' } });
    if (before === undefined) delete process.env.NODE_TLS_REJECT_UNAUTHORIZED;
    else process.env.NODE_TLS_REJECT_UNAUTHORIZED = before;
    expect(requests).toBe(0);
    await egress.close();
  });

  test('the address is pinned, and TLS and Host keep the name', async () => {
    setDefaultCACertificates([...usual, cert]);
    const egress = door();
    const answer = await egress.request({ method: 'GET', url: `https://SECURE.example.:${port}/` });
    expect(parseBodyJson(answer)).toEqual({ servername: 'secure.example', host: `secure.example:${port}` });
    await egress.close();
  });

  test('a certificate of another name is refused before sending', async () => {
    setDefaultCACertificates([...usual, cert]);
    const before = requests;
    const egress = door();
    const call = egress.request({ method: 'POST', url: `https://other.example:${port}/`, body: 'x' });
    await expect(call).rejects.toMatchObject({ delivery: 'not_sent', diagnostics: { errorCategory: 'tls' } });
    expect(requests).toBe(before);
    await egress.close();
  });

  test('a redirect from https to http is refused even to an excepted host', async () => {
    setDefaultCACertificates([...usual, cert]);
    const http = `http://secure.example:${port}`;
    const egress = door();
    const url = `https://secure.example:${port}/downgrade`;
    const call = egress.request({ method: 'GET', url, allow: [http] });
    await expect(call).rejects.toMatchObject({ diagnostics: { errorCategory: 'blocked', status: 302 } });
    await egress.close();
  });
});
