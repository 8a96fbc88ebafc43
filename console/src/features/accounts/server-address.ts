/** The address that clients connect to. */
export const getMcpUrl = () => `${location.origin}/mcp`;

/** Whether clients on the internet can reach this server. */
export function isPublicServer(): boolean {
  const { protocol, hostname } = location;
  return protocol === 'https:' && hostname.includes('.') && !/^(127|10|192\.168)\.|\.local$/.test(hostname);
}
