/** The name and the address of `Ada Lovelace <ada@example.com>`; the one is empty where there is none. */
export function parseAddressParts(text: string): { name: string; address: string } {
  const [, name = '', address = ''] = /^(.*?)\s*<([^<>]+)>\s*$/.exec(text) ?? [];
  if (address) return { name: name.replaceAll(/^"|"$/g, ''), address };
  return text.includes('@') ? { name: '', address: text.trim() } : { name: text.trim(), address: '' };
}

/** How a person is called in a list. */
export function getShortName(text: string): string {
  const { name, address } = parseAddressParts(text);
  return name || address;
}
