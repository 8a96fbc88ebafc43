/** The name and the address of `Ada Lovelace <ada@example.com>`; the one is empty where there is none. */
export function partsOfAddress(text: string): { name: string; address: string } {
  const [, name = '', address = ''] = /^(.*?)\s*<([^<>]+)>\s*$/.exec(text) ?? [];
  if (address) return { name: name.replaceAll(/^"|"$/g, ''), address };
  return text.includes('@') ? { name: '', address: text.trim() } : { name: text.trim(), address: '' };
}

/** How a person is called in a list. */
export function nameOf(text: string): string {
  const { name, address } = partsOfAddress(text);
  return name || address;
}
