import { Link } from '@tanstack/react-router';
import { ExternalLink, Plus } from 'lucide-react';
import { getButtonClass } from '../../design/button.tsx';
import { CopyBox } from '../../design/copy-box.tsx';
import { Section } from '../../design/section.tsx';
import { clients, type Client } from './clients.ts';
import { isPublicServer, getMcpUrl } from './server-address.ts';

const offered = ['claude', 'chatgpt', 'cursor', 'vs-code'];

/** A button for each common client, and the URL for all others. */
export function QuickConnect() {
  return (
    <div className="mt-8">
      <Section title="Add another" lead="Add this URL to any MCP client, then sign in and press Allow.">
        <div className="space-y-4">
          <CopyBox text={getMcpUrl()} label="MCP URL" />
          <div className="flex flex-wrap gap-2">
            {clients.flatMap((client) =>
              offered.includes(client.id) ? [<Add key={client.id} client={client} />] : [],
            )}
          </div>
        </div>
      </Section>
    </div>
  );
}

/** Opens the client by its URL if it has one and can reach this server. Otherwise shows the steps. */
function Add({ client: { id, name, url } }: { client: Client }) {
  const look = getButtonClass();
  if (!url.installLink || (url.isRemote && !isPublicServer()))
    return (
      <Link to="/agents/connect" search={{ client: id, with: 'url' }} className={look}>
        <Plus className="size-4" aria-hidden /> Add to {name}
      </Link>
    );
  return (
    <a
      href={url.installLink(getMcpUrl())}
      className={look}
      {...(url.isRemote && { target: '_blank', rel: 'noreferrer' })}
    >
      {url.isRemote ? <ExternalLink className="size-4" aria-hidden /> : <Plus className="size-4" aria-hidden />} Add to{' '}
      {name}
    </a>
  );
}
